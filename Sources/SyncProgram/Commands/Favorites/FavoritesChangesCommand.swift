import ArgumentParser
import SyncCore
import SyncPostgres

extension FavoritesCommand {
  struct Changes: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show what changed for favorites since a time.",
      usage: "syncctl favorites changes --since <time> [<options>]",
      discussion: """
        Prints one row for each change, the latest first. rank, score, position (in a chart) and price (in a \
        storefront) compare the current value with the value at that time, or with the first value of a history that \
        begins later; at is when the current value was published. entered, left and returned refer to such a list. \
        mirrored means that the mirror got the item, changed that its document changed or the item came back, and \
        vanished (in a table: removed upstream) that its source removed it. unread (in a table: not read) means that \
        the last walk of the list did not read the item, because an item of the service had no readable id.

        Examples:
          syncctl favorites changes --since 7d
          syncctl favorites changes --since 2026-11-01 --collection owned --format json
        """)

    @Option(name: .long, help: ArgumentHelp("A date, a time, or an age such as 24h, 7d or 2w.", valueName: "time"))
    var since: String

    @Option(name: .long, help: "Only favorites in this collection (default: all).", completion: Completion.collections)
    var collection: String?

    @OptionGroup var output: FormatOptions
    @OptionGroup var common: CommonOptions

    func listing() async throws -> Listing {
      let moment = try Moment(since, option: "--since")
      let chosen = try collection.map { (name) throws(SyncError) in try FavoriteWords.collection(name) }
      let rows = try await common.context().withExistingMirror { database in
        try await Favorites.check(collection: chosen, in: database)
        return try await Favorites.changes(since: moment, chosen, in: database)
      }
      let words = ["left": "left the list", "vanished": "removed upstream", "unread": "not read"]
      return Listing(rows, emptyMessage: "No favorite has changed since then.", cut: ["list"])
        .laidOut(leaving: ["list"], ["source"], ["collection"], ["id"], ["kind"])
        .inTables { $0.saying(words, in: "what") }
    }
  }
}
