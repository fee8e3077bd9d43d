import ArgumentParser
import SyncCore
import SyncPostgres

struct FavoritesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorites",
    abstract: "Keep favorites and other collections.",
    discussion: """
      Examples:
        syncctl favorites add jikan anime 5114 --note "again in winter"
        syncctl favorites add pokeapi pokemon pikachu --collection owned
        syncctl favorites add itunes album 1440833098
        syncctl favorites list
        syncctl favorites remove jikan anime 5114
        syncctl favorites export > favorites.ndjson
      """,
    subcommands: [Add.self, Remove.self, List.self, Export.self, Import.self])

  /// SOURCE KIND ID and the collection.
  struct ItemOptions: ParsableArguments {
    @Argument(help: "jikan, pokeapi or itunes.", completion: .list(FavoriteWords.sources))
    var source: String

    @Argument(
      help: """
        anime or manga of jikan; any endpoint of pokeapi whose documents have names, such as pokemon; track, album, \
        artist, podcast, audiobook, ebook or app of itunes.
        """)
    var kind: String

    @Argument(help: ArgumentHelp("The item's id at the source, e.g. the mal_id; for pokeapi also its name."))
    var id: String

    @Option(name: .long, help: "favorites, owned, or a name of your own.")
    var collection = "favorites"

    func item(in database: Database) async throws -> Favorites.Item {
      try await FavoriteWords.item(source: source, kind: kind, word: id, in: database)
    }

    /// What the command line says by itself to be wrong needs no database.
    func checkedCollection() throws(SyncError) -> String {
      _ = try FavoriteWords.item(source: source, kind: kind, id: 0)
      return try FavoriteWords.collection(collection)
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add an item of the mirror to a collection.",
      discussion: """
        The collection owned is what syncctl pokedex shows as owned. An item of iTunes
        is one in whatever storefront the mirror has it.

        Examples:
          syncctl favorites add jikan manga 2 --collection owned
          syncctl favorites add pokeapi pokemon 25 --collection owned
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions

    @Option(name: .long, help: "Your own words; replaces an earlier note.")
    var note: String?

    func run() async throws {
      let collection = try options.checkedCollection()
      let note = try FavoriteWords.note(note)
      let added = try await Context(configuration: try common.configuration()).withExistingMirror(
        writing: { StandardStreams().note($0) }
      ) { database in
        let item = try await options.item(in: database)
        try await FavoriteWords.checkMirrored(item, in: database)
        return try await Favorites.add(item, to: collection, note: note, in: database)
      }
      try StandardStreams().print(line: "\(added.isNew ? "added to" : "already in") \(collection): \(added.title)")
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an item from a collection.",
      discussion: """
        Examples:
          syncctl favorites remove jikan anime 5114
          syncctl favorites remove pokeapi pokemon pikachu --collection owned
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions

    func run() async throws {
      let collection = try options.checkedCollection()
      try await Context(configuration: try common.configuration()).withExistingMirror(
        writing: { StandardStreams().note($0) }
      ) { database in
        try await Favorites.remove(try await options.item(in: database), from: collection, in: database)
      }
      try StandardStreams().print(line: "removed from \(collection)")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List a collection, or all of them.",
      discussion: """
        Example:
          syncctl favorites list --collection owned --format json
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var output: FormatOptions

    @Option(name: .long, help: "The collection to list; all without it.")
    var collection: String?

    func run() async throws {
      let chosen = try collection.map { (name) throws(SyncError) in try FavoriteWords.collection(name) }
      let rows = try await Context(configuration: try common.configuration()).withExistingMirror { database in
        try await Favorites.list(chosen, in: database)
      }
      let listing = Listing(
        rows, emptyMessage: "No favorites yet: syncctl favorites add jikan anime ID adds one.",
        titles: ["title_japanese": "japanese"])
      try StandardStreams().print(listing, as: output.format)
    }
  }
}
