import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct RankingsHistoryCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show the history of one entry of a top list.",
    usage: "syncctl rankings history <kind> <id|title> [<options>]",
    discussion: """
      A row begins when the entry enters the list, its score changes, or its position or rank changes within \
      the positions that the history holds (history.positions). It ends with the next row, or when the entry \
      leaves. Members and favorites, and below those positions also position and rank, are those at its beginning.

      A terminal gets a drawing of positions and scores; --format, --columns or --no-plot gives the rows, oldest \
      first, as a pipe does.

      Examples:
        syncctl rankings history anime 5114
        syncctl rankings history manga 2 --format csv
        syncctl rankings history anime "Cowboy Bebop"
        syncctl rankings history anime 5114 --subtype tv    in the list of TV anime
      """)

  @Argument(help: "anime or manga.", completion: .list(["anime", "manga"]))
  var kind: String

  @Argument(help: ArgumentHelp("The entry's mal_id, or one of its titles.", valueName: "id|title"))
  var word: String

  @Option(help: "The list of a type such as tv or movie; that of all without it.")
  var subtype = "all"

  @Option(help: "A list that the upstream orders itself, such as airing; the top list without it.")
  var list: String?

  @OptionGroup var plot: PlotOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let kind = try JikanListChoice.kind(kind)
    let subtype = try JikanListChoice.subtype(subtype, of: kind)
    let filter = try JikanListChoice.list(list, of: kind)
    let rows = try await common.context().withExistingMirror { database in
      let id = try await JikanTitleChoice.id(word, kind, in: database)
      return try await JikanHistory.entry(kind: kind.rawValue, id: id, subtype: subtype, filter: filter, in: database)
    }
    let listing = Listing(
      rows, emptyMessage: "It has no history.",
      titles: ["position": "#", "valid_from": "from", "valid_to": "to", "duration_seconds": "for"],
      exact: ["valid_from", "valid_to"]
    ).laidOut(hiding: ["title"], leaving: ["members", "favorites"], ["valid_to"])
      .drawn(plot) { HistoryPlot(rows).lines(width: $0) }
    guard output.shape == .table else { return listing }
    return listing.mapping("duration_seconds") { cell in
      if case .int(let seconds) = cell { .text(HumanFormat.duration(.seconds(seconds))) } else { cell }
    }
  }
}
