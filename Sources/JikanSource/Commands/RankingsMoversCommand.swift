import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct RankingsMoversCommand<Media: MediaCommands>: ListingCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Media.kind.rawValue,
      abstract: "Show which \(Media.kind.rawValue) have moved in the top list since a time.",
      usage: "syncctl rankings movers \(Media.kind.rawValue) [<options>]",
      discussion: """
        Compares the latest list with the one published at or before --since (or with the first list), down to the \
        positions of the history. A table lists climbers, fallers, new entries and entries that left, the largest \
        moves first; the other formats are sorted only by the move. An entry that entered or left the list counts \
        as moved from or to its end. An entry that climbed from, or fell, below these positions has no position there. \
        If titles were unread when the latest list was published, missing entries are shown as not read instead of \
        left.

        A terminal shows a plot; with --format, --columns or --no-plot, or in a pipe, the command prints rows.

        Examples:
          syncctl rankings movers \(Media.kind.rawValue)
          syncctl rankings movers \(Media.kind.rawValue) --since 2026-11-01 --limit 50
          syncctl rankings movers \(Media.kind.rawValue) --list upcoming --genre Action --format json
        """)
  }

  @OptionGroup var time: SinceOptions
  @OptionGroup var list: ListOptions
  @OptionGroup var filters: FilterOptions

  @OptionGroup var limit: LimitOptions<TwentyRows>
  @OptionGroup var plot: PlotOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let moment = try time.moment()
    var question = try list.question(of: Media.kind, limit: try limit.rows())
    try filters.words.check(for: Media.kind)
    let movers = try await common.context().withExistingMirror { database in
      question.filters = try await filters.words.filters(of: Media.kind, in: database)
      return try await JikanHistory.movers(question, since: moment, in: database)
    }
    if movers.startsLater { StandardStreams().noteBeginning(of: movers.publishedAt) }
    StandardStreams().noteDoubts(movers.doubts, of: "title")
    if let position = movers.cutAt {
      StandardStreams().note(
        "a missing place in climbed or fell is below \(HumanFormat.count(position)): the history is exact only up to "
          + "there (history.positions)")
    }
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
