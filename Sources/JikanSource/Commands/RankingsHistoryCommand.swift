import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct RankingsHistoryCommand<Media: MediaCommands>: ListingCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Media.kind.rawValue, abstract: "Show the history of one \(Media.kind.rawValue) in a top list.",
      usage: "syncctl rankings history \(Media.kind.rawValue) <id|title> [<options>]",
      discussion: """
        A row begins when the entry enters the list, its score changes, or its position or rank changes within \
        the positions of the history (history.positions). It ends with the next row, or when the entry leaves. \
        Members and favorites, and outside those positions also position and rank, are from the row's beginning. \
        While the entry was not read, because an item of the service had no readable id, the row is marked, and its \
        position is the last known one.

        A terminal shows a plot of positions and scores; with --format, --columns or --no-plot, or in a pipe, the \
        command prints rows, oldest first.

        Examples:
          syncctl rankings history \(Media.kind.rawValue) 1
          syncctl rankings history \(Media.kind.rawValue) "\(Media.title)" --format csv
          syncctl rankings history \(Media.kind.rawValue) 1 --list upcoming
        """)
  }

  @Argument(help: ArgumentHelp("The entry's mal_id, or one of its titles.", valueName: "id|title"))
  var word: String

  @OptionGroup var list: ListOptions
  @OptionGroup var plot: PlotOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let question = try list.question(of: Media.kind)
    let rows = try await common.context().withExistingMirror { database in
      let id = try await JikanTitleChoice.id(word, Media.kind, in: database)
      return try await JikanHistory.entry(
        kind: question.kind, id: id, subtype: question.subtype, filter: question.filter, in: database)
    }
    return Listing(
      rows, emptyMessage: "The entry has no history.",
      titles: ["position": "#", "valid_from": "from", "valid_to": "to", "duration_seconds": "for"],
      exact: ["valid_from", "valid_to"]
    ).sayingUnread.inTables { listing in
      listing.mapping("duration_seconds") { cell in
        if case .int(let seconds) = cell { .text(HumanFormat.duration(.seconds(seconds))) } else { cell }
      }
    }.laidOut(
      hiding: ["title"], ifEmpty: ["unread"], leaving: ["members", "favorites"], ["valid_to"]
    )
    .drawn(plot) { HistoryPlot(rows).lines(width: $0) }
  }
}
