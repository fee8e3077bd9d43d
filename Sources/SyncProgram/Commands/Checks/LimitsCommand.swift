import ArgumentParser
import SyncCore
import SyncPostgres

struct LimitsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "limits", abstract: "Show the use of each rate limit, and end pauses.",
      discussion: """
        Examples:
          syncctl limits
          syncctl limits resume \(Registry.names.first ?? "SOURCE")
        """, subcommands: [List.self, Resume.self], defaultSubcommand: List.self)
  }

  struct List: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the shared rate limits, with the requests that count against them, and pauses.",
      usage: "syncctl limits list [<options>]",
      discussion: """
        Example:
          syncctl limits --format json
        """)

    @OptionGroup var output: FormatOptions
    @OptionGroup var common: CommonOptions

    func listing() async throws -> Listing {
      let configuration = try common.configuration()
      return try await Context(configuration: configuration).withExistingMirror {
        try await Self.listing(of: $0, configuration)
      }
    }

    static func listing(of database: Database, _ configuration: Configuration) async throws -> Listing {
      let rows = try await RequestLimits.list(configuration.budgets, in: database)
      return Listing(
        rows, emptyMessage: "No source is configured.",
        titles: ["requests": "of", "window_seconds": "in (s)", "paused_until": "pause ends"]
      ).laidOut(leaving: ["origin"]).hinting(
        rows.pausedSources.map { Glyphs.shown("→") + " syncctl limits resume \($0)" })
    }
  }

  struct Resume: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "End a pause that a service has demanded; requests that already wait are not affected.",
        discussion: """
          Example:
            syncctl limits resume \(Registry.names.first ?? "SOURCE")
          """)
    }

    @Argument(
      help: "Name of the source (default: the only paused source).", completion: .list(Registry.names))
    var source: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
      var names = try source.map { (name) throws(SyncError) in [try Registry.source(name).name] }
      let configuration = try common.configuration()
      try await Context(configuration: configuration).withExistingMirror(.edit) { database in
        let budgets = configuration.budgets
        if names == nil {
          names = try await RequestLimits.list(budgets, in: database).pausedSources
        }
        guard let name = names?.first else { return StandardStreams().note("no source is paused") }
        if let names, names.count > 1 {
          throw SyncError(
            .usage, "several sources are paused: \(names.joined(separator: ", "))",
            hint: "give one of them: syncctl limits resume \(name)")
        }
        let wasPaused = try await Self.endPauses(of: name, configuration, in: database)
        StandardStreams().note("\(name): \(wasPaused ? "the pause has ended" : "was not paused")")
      }
    }

    /// Ends the pauses of all services of a source. Returns whether a service was paused.
    static func endPauses(
      of source: String, _ configuration: Configuration, in database: Database
    ) async throws -> Bool {
      let origins = configuration.budgets.filter { $0.source == source }.map(\.origin)
      return try await RequestLimits.endPauses(of: origins, in: database)
    }
  }
}

extension RowSet {
  fileprivate var pausedSources: [String] {
    namedRows.filter { $0["paused_until"] != nil }.compactMap { $0["source"] }.distinct()
  }
}

extension Configuration {
  var budgets: [RequestLimits.Budget] {
    sources.flatMap { source -> [RequestLimits.Budget] in
      source.services.map { (source: source.name, origin: $0.origin, windows: $0.limits) }
    }
  }
}
