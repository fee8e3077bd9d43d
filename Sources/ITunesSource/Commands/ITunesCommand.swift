import ArgumentParser
import SyncCore
import SyncEngine
import SyncPostgres
import SyncProgram

struct ITunesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "itunes", abstract: "Search iTunes, look up items, and keep the results.",
    discussion: """
      search and lookup query the service within its limits (20 requests a minute), and store and show the \
      results; with --offline they only read the mirror. syncctl rankings itunes shows charts.

      Examples:
        syncctl itunes search 周杰倫 --country tw
        syncctl itunes lookup 1440833098 909253 --country us
        syncctl itunes history --limit 5
      """, subcommands: [ITunesSearchCommand.self, ITunesLookupCommand.self, ITunesHistoryCommand.self])
}

struct StorefrontOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Storefront: the two letters of its country.", valueName: "country"),
    completion: .list(ITunesChartChoice.countries))
  var country = "us"

  @Flag(help: "Answer from the mirror, without querying the service.")
  var offline = false
}

enum ITunesQuestion {
  static func ask(_ stream: ITunesStream, _ configuration: Configuration, said streams: StandardStreams) async throws {
    let (outcome, signal) = try await Signals.stopping(
      onFirst: { streams.note("stopping …") },
      { try await Runner.fetch([stream], from: configuration.itunes.service, configuration, said: streams) })
    if let signal { throw ExitStatus(value: signal) }
    if let error = outcome.refusals.first?.error ?? outcome.reports.compactMap(\.error).first { throw explained(error) }
    RunSummary.explain(outcome.reports, isPlanned: false, to: Announcer(streams))
    guard outcome.reports.allSatisfy({ $0.certificate?.mayPublish ?? false }) else {
      throw SyncError(
        .upstream, "the request failed, so part of the result is missing",
        hint: "run the command again; --offline answers from the mirror")
    }
  }

  static func explained(_ error: SyncError) -> SyncError {
    let hint = (error.hint.map { "\($0); " } ?? "") + "--offline answers from the mirror"
    return switch (error.code, error.disposition) {
    case (.upstream, .throttled(after: let pause?)):
      SyncError(
        .tryLater, error.message, hint: "the service is not queried again for \(HumanFormat.duration(pause)); \(hint)")
    case (.upstream, .throttled(after: nil)): SyncError(.tryLater, error.message, hint: hint)
    case (.upstream, _), (.tryLater, _): SyncError(error.code, error.message, hint: hint)
    default: error
    }
  }

  /// Records lookups in the history. If the role cannot write, prints a note.
  static func note(
    _ lookups: [ITunesQueries.Lookup], in database: Database, said streams: StandardStreams
  ) async throws {
    guard try await !database.isReadOnly() else {
      return streams.note("not recorded in the history: the server is read-only")
    }
    do {
      try await ITunesQueries.record(lookups, in: database)
    } catch let error as SyncError where error.code == .permission {
      streams.note("not recorded in the history: \(error.message)")
    }
  }
}

enum ITunesChoice {
  /// An empty array means all.
  struct Items: Equatable {
    var classes: [ITunesClass] = []
    var kinds: [String] = []
  }

  static func items(media: String?, entity: String?) -> Items {
    if let entity { return items(ofEntity: entity) }
    return switch media {
    case nil, "all": Items()
    case "music": items(ofEntity: "musicTrack")
    case "tvShow": items(ofEntity: "tvEpisode")
    case .some(let media): items(ofEntity: media)
    }
  }

  private static func items(ofEntity entity: String) -> Items {
    switch entity {
    case "song": Items(classes: [.track], kinds: ["song"])
    case "musicTrack", "mix": Items(classes: [.track], kinds: ["song", "music-video"])
    case "musicVideo": Items(classes: [.track], kinds: ["music-video"])
    case "movie", "shortFilm": Items(classes: [.track], kinds: ["feature-movie"])
    case "tvEpisode": Items(classes: [.track], kinds: ["tv-episode"])
    case "allTrack": Items(classes: [.track])
    case "album", "tvSeason": Items(classes: [.collection])
    case "podcast": Items(classes: [.podcast])
    case "podcastEpisode": Items(classes: [.podcastEpisode])
    case "audiobook": Items(classes: [.audiobook])
    case "ebook": Items(classes: [.ebook])
    case "software", "iPadSoftware", "desktopSoftware", "macSoftware": Items(classes: [.app])
    case _ where entity.hasSuffix("Artist") || entity.hasSuffix("Author"): Items(classes: [.artist])
    default: Items()
    }
  }
}
