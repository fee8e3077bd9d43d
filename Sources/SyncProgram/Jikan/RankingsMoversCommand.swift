import ArgumentParser
import SyncCore
import SyncPostgres
import SyncSources

struct RankingsMoversCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "movers",
    abstract: "Show which entries of the top list moved since a time.",
    usage: "syncctl rankings movers --since <time> [<options>]",
    discussion: """
      Compares the list as last published with the one published at or before that time (with the first one if \
      there is none), down to the positions that the history holds. The largest moves come first. An entry that \
      entered or left the list counts as moved from or to its end.

      Examples:
        syncctl rankings movers --since 7d
        syncctl rankings movers --since 2026-11-01 --kind manga --limit 50
        syncctl rankings movers --since 24h --subtype tv --format json
      """)

  @Option(name: .long, help: ArgumentHelp("A date, a time, or 24h, 7d, 2w for so long ago.", valueName: "time"))
  var since: String

  @Option(name: .long, help: "anime or manga.", completion: .list(["anime", "manga"]))
  var kind = "anime"

  @Option(name: .long, help: "A type such as tv, movie or lightnovel; all without it.")
  var subtype = "all"

  @Option(name: .long, help: ArgumentHelp("How many entries; 0 for all.", valueName: "n"))
  var limit = 20

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let moment = try Moment(since, option: "--since")
    let kind = try JikanListChoice.kind(kind)
    let subtype = try JikanListChoice.subtype(subtype, of: kind)
    let limit = try Bounds.limit(limit)
    let movers = try await Context(configuration: try common.configuration()).withExistingMirror { database in
      try await JikanHistory.movers(
        kind: kind.rawValue, subtype: subtype, since: moment, limit: limit, in: database)
    }
    if movers.startsLater { StandardStreams().noteBeginning(of: movers.publishedAt) }
    return Listing(
      movers.rows, emptyMessage: "No entry has moved since then.",
      titles: [
        "mal_id": "id", "title_japanese": "japanese", "position": "#", "previous_position": "was",
        "previous_score": "score before",
      ]
    ).laidOut(leaving: ["title_japanese"], ["previous_score"], ["score"], ["change"])
  }
}
