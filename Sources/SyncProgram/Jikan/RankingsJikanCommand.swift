import ArgumentParser
import SyncCore
import SyncPostgres
import SyncSources

struct RankingsJikanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jikan",
    abstract: "Show the top anime or manga.",
    usage: "syncctl rankings jikan [<options>]",
    discussion: """
      Orders: top is the list as the upstream last published it; rank is MyAnimeList's own field; airing, \
      upcoming and popularity count members, favorites counts favorites.

      --as-of shows the list as the last run at or before a time published it, down to the positions that the \
      history holds (history.positions). An earlier time than the first run shows the list of that run. Only \
      top has a history. Members and favorites are those of the day \
      when an entry's score, position or rank changed. A date means its beginning; a time without a zone is \
      UTC.

      Examples:
        syncctl rankings jikan
        syncctl rankings jikan --by airing --limit 10
        syncctl rankings jikan --limit 50 --after 5114    the next page
        syncctl rankings jikan --as-of 2026-11-01T12:00:00Z
        syncctl rankings jikan --as-of 7d --subtype movie
      """)

  @Option(name: .long, help: "anime or manga.", completion: .list(["anime", "manga"]))
  var kind = "anime"

  @Option(name: .long, help: "A type such as tv, movie or lightnovel; all without it.")
  var subtype = "all"

  @Option(name: .customLong("by"), help: "top, rank, airing, upcoming, popularity or favorites.")
  var order = "top"

  @Option(name: .long, help: ArgumentHelp("How many entries; 0 for all.", valueName: "n"))
  var limit = 20

  @Option(name: .long, help: ArgumentHelp("Continue after the entry with this mal_id.", valueName: "mal-id"))
  var after: Int64?

  @Option(
    name: .long, help: ArgumentHelp("The list as it was: a date, a time, or 7d for so long ago.", valueName: "time"))
  var asOf: String?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let question = try question()
    let context = Context(configuration: try common.configuration())
    guard let asOf else {
      let rows = try await context.withExistingMirror { try await JikanRankings.rows(question, in: $0) }
      return try show(
        rows,
        emptyMessage: question.order == .top
          ? "No list of \(kind) has been published yet: syncctl run --source jikan walks it to its end."
          : "The mirror has no \(kind) of that kind.")
    }
    let moment = try Moment(asOf, option: "--as-of")
    let snapshot = try await context.withExistingMirror {
      try await JikanHistory.rows(question, asOf: moment, in: $0)
    }
    let streams = StandardStreams()
    if snapshot.startsLater {
      streams.noteBeginning(of: snapshot.publishedAt)
    } else {
      streams.note("as published at \(snapshot.publishedAt)")
    }
    try show(snapshot.rows, emptyMessage: "The list was empty from there on.")
    if let position = snapshot.cutAt {
      streams.note(
        "cut behind position \(HumanFormat.count(position)) of the list: the history is exact so far (history.positions)"
      )
    }
  }

  private func show(_ rows: RowSet, emptyMessage: String) throws {
    try StandardStreams().print(Self.listing(rows, emptyMessage: emptyMessage), as: output.format)
  }

  static func listing(_ rows: RowSet, emptyMessage: String) -> Listing {
    Listing(
      rows, emptyMessage: emptyMessage, titles: ["position": "#", "mal_id": "id", "title_japanese": "japanese"]
    ).laidOut(
      hiding: ["title_english", "url", "rank"],
      leaving: ["favorites"], ["title_japanese"], ["type"], ["members"])
  }

  private func question() throws(SyncError) -> JikanRankings.Question {
    let kind = try JikanListChoice.kind(kind)
    guard let order = JikanRankings.Order(rawValue: order) else {
      throw SyncError.unknown("order", self.order, JikanRankings.Order.allCases.map(\.rawValue))
    }
    if asOf != nil, order != .top {
      throw SyncError(.usage, "--by \(order.rawValue) has no history", hint: "leave --by away, or --as-of")
    }
    return JikanRankings.Question(
      kind: kind.rawValue, subtype: try JikanListChoice.subtype(subtype, of: kind), order: order,
      limit: try Bounds.limit(limit), after: after)
  }
}
