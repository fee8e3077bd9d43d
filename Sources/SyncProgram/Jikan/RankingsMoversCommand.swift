import ArgumentParser
import SyncCore
import SyncPostgres
import SyncSources

struct RankingsMoversCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "movers", abstract: "Show which entries of the top list moved since a time.",
    usage: "syncctl rankings movers --since <time> [<options>]",
    discussion: """
      Compares the list as last published with the one published at or before that time (with the first one if \
      there is none), down to the positions that the history holds. A table has what climbed, what fell, what is \
      new and what left, the largest moves first; the other formats are sorted by the move alone. An entry that \
      entered or left the list counts as moved from or to its end. If titles of the list were unread when it was \
      last published, those that it lacks are not read, and not left.

      A terminal gets a drawing; --format, --columns or --no-plot gives the rows, as a pipe does.

      Examples:
        syncctl rankings movers --since 7d
        syncctl rankings movers --since 2026-11-01 --kind manga --limit 50
        syncctl rankings movers --since 24h --subtype tv --format json
        syncctl rankings movers --since 7d --list airing --genre Action
      """)

  @Option(help: ArgumentHelp("A date, a time, or 24h, 7d, 2w for so long ago.", valueName: "time"))
  var since: String

  @OptionGroup var list: ListOptions
  @OptionGroup var slice: SliceOptions

  @Option(help: ArgumentHelp("How many entries; 0 for all.", valueName: "n"))
  var limit = 20

  @OptionGroup var plot: PlotOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let moment = try Moment(since, option: "--since")
    let kind = try list.checkedKind()
    var question = try list.question(limit: try Bounds.limit(limit))
    try slice.check(for: kind)
    let movers = try await common.context().withExistingMirror { database in
      question.slice = try await slice.slice(of: kind, in: database)
      return try await JikanHistory.movers(question, since: moment, in: database)
    }
    if movers.startsLater { StandardStreams().noteBeginning(of: movers.publishedAt) }
    StandardStreams().noteDoubts(movers.doubts, of: "title")
    let rows = movers.page.rows
    return Listing(
      rows, emptyMessage: "No entry has moved since then.",
      titles: [
        "mal_id": "id", "title_japanese": "japanese", "position": "#", "previous_position": "was",
        "previous_score": "score before",
      ], cut: ["not_mirrored"]
    ).laidOut(
      hiding: ["kind", "image_url", "started_at", "movement", "section"], ifEmpty: ["not_mirrored"],
      leaving: ["title_japanese"], ["previous_score"], ["score"], ["change"]
    ).sectioned(by: "section", MoverPlot.sections).drawn(plot) { MoverPlot(rows, title: "title").lines(width: $0) }
  }
}
