import ArgumentParser
import SyncCore
import SyncPostgres

struct FavoritesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "favorites", abstract: "Manage favorites and other collections.",
      discussion: """
        Examples:
        \(examples("add"))
          syncctl favorites list
          syncctl favorites changes --since 7d
        \(Registry.examples(["favorites remove \(item)"]))
          syncctl favorites export > favorites.ndjson
        """, subcommands: [Add.self, Remove.self, List.self, Changes.self, Export.self, Import.self],
      defaultSubcommand: List.self, aliases: ["favorite", "favourites", "fav"])
  }

  fileprivate static func examples(_ verb: String) -> String {
    Registry.examples(Registry.sources.map { "favorites \(verb) \($0.favorites.example)" })
  }

  fileprivate static var item: String {
    let words = Registry.sources.first?.favorites.example.split(separator: " ").prefix(3) ?? []
    return words.joined(separator: " ")
  }

  fileprivate static var kind: String { item.split(separator: " ").prefix(2).joined(separator: " ") }

  struct ItemOptions: ParsableArguments {
    @Argument(
      help: ArgumentHelp(
        "A source (\(Registry.names.joinedByOr)), a kind of its items and an id or a name; or words of a title. The kinds "
          + "are \(Registry.sources.map { $0.favorites.help }.joined(separator: "; ")).", valueName: "item"),
      completion: Completion.favoriteItems)
    var words: [String]

    @Option(help: "favorites, owned, or a name of your own.", completion: Completion.collections)
    var collection = "favorites"

    /// Returns the item that the words name.
    /// - Parameters:
    ///   - verb: The subcommand, for the commands of an error that lists several items.
    ///   - stored: The collection that the item must be in; `nil` for any item of the mirror.
    func item(
      for verb: String, among sources: [any Source], storedIn stored: String? = nil, in database: Database
    ) async throws -> Favorites.Item {
      guard let place = try FavoriteWords.place(words) else {
        return try await FavoriteChoice(words: words, verb: verb, collection: stored).item(sources, in: database)
      }
      return try await FavoriteWords.item(source: place.source, kind: place.kind, word: place.word, in: database)
    }

    /// Checks the words and the collection without a database.
    func checkedCollection() throws(SyncError) -> String {
      if let place = try FavoriteWords.place(words) {
        _ = try FavoriteWords.item(source: place.source, kind: place.kind, id: 0)
      }
      return try FavoriteWords.collection(collection)
    }
  }

  struct Add: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Add an item of the mirror to a collection.",
        usage: "syncctl favorites add <source> <kind> <id> | <title> ... [<options>]",
        discussion: """
          Words of a title add the only item with this title, or the only one whose title contains the words. If \
          several items match, the exit status is 64, and standard error lists the commands.

          An item has the same id everywhere in its source. --collection adds it to another collection: owned is for \
          items that you own; any other name is up to you.

          Examples:
          \(examples("add"))
            syncctl favorites add cowboy bebop
          """)
    }

    @OptionGroup var options: ItemOptions

    @Option(help: "Your own words; replaces an earlier note.")
    var note: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
      let collection = try options.checkedCollection()
      let note = try FavoriteWords.note(note)
      let configuration = try common.configuration()
      let added = try await Context(configuration: configuration).withExistingMirror(.edit) { database in
        let item = try await options.item(for: "add", among: configuration.sources, in: database)
        try await FavoriteWords.checkMirrored(item, in: database)
        return try await Favorites.add(item, to: collection, note: note, in: database)
      }
      try StandardStreams().print(line: "\(added.isNew ? "added to" : "already in") \(collection): \(added.title)")
    }
  }

  struct Remove: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Remove an item from a collection.",
        usage: "syncctl favorites remove <source> <kind> <id> | <title> ... [<options>]",
        discussion: """
          Examples:
          \(Registry.examples(["favorites remove \(item)", "favorites remove \(item) --collection owned"]))
          """)
    }

    @OptionGroup var options: ItemOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
      let collection = try options.checkedCollection()
      let configuration = try common.configuration()
      try await Context(configuration: configuration).withExistingMirror(.edit) { database in
        let item = try await options.item(
          for: "remove", among: configuration.sources, storedIn: collection, in: database)
        try await Favorites.remove(item, from: collection, in: database)
      }
      try StandardStreams().print(line: "removed from \(collection)")
    }
  }

  struct List: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List a collection, or all of them.", usage: "syncctl favorites list [<options>]",
      discussion: """
        Lists favorites by collection, the earliest first. rank is the item's rank at its source, and change the \
        number of ranks that it has climbed since it was added. state shows whether an item was removed upstream or \
        is not mirrored yet; in JSON and CSV it is removed, missing, or unavailable on a lost machine. A narrow \
        terminal omits columns; JSON and CSV have all columns, such as url and imported values (status, my_score, \
        episodes_watched, …). If more favorites follow, standard error prints the command for the next page.

        Examples:
          syncctl favorites list --collection owned --format json
          syncctl favorites list --status watching
          syncctl favorites list --limit 50
        """)

    @Option(help: "The collection to list (default: all).", completion: Completion.collections)
    var collection: String?

    @Option(
      help: "\(Favorites.Status.allCases.map(\.rawValue).joinedByOr).",
      completion: .list(Favorites.Status.allCases.map(\.rawValue)))
    var status: String?

    @OptionGroup var pages: PagedLimitOptions<AllRows>
    @OptionGroup var output: FormatOptions
    @OptionGroup var common: CommonOptions

    func listing() async throws -> Listing {
      let request = try pages.request()
      let chosen = try collection.map { (name) throws(SyncError) in try FavoriteWords.collection(name) }
      let status = try status.map { (word) throws(SyncError) in try Favorites.Status.named(word, "status") }
      let page = try await common.context().withExistingMirror { database in
        let page = try await request.read { limit, start in
          try await Favorites.list(chosen, status: status, limit: limit, after: start, in: database)
        }
        if page.rows.rows.isEmpty { try await Favorites.check(collection: chosen, in: database) }
        return page
      }
      Self.warn(of: page.rows)
      return Listing(
        page.rows, emptyMessage: emptyMessage(request),
        titles: [
          "title_japanese": "japanese", "rank_change": "change", "my_score": "my score", "episodes_watched": "episodes",
          "chapters_read": "chapters", "volumes_read": "volumes", "started_on": "started", "finished_on": "finished",
        ], cut: ["tags"], whole: ["url"]
      ).laidOut(
        ifEmpty: Self.own,
        leaving: ["url"], ["tags"], ["started_on", "finished_on"], ["title_japanese"], ["type"], ["chapters_read"],
        ["volumes_read"], ["added_at"], ["note"], ["episodes_watched"], ["my_score"], ["source"], ["score"], ["status"],
        ["collection"], ["rank_change"], ["rank"], ["id"]
      ).paged(page, request).inTables { $0.saying(Self.states, in: "state") }
    }

    static let states = ["removed": "removed upstream", "missing": "not mirrored yet", "unavailable": "not available"]

    private static func warn(of rows: RowSet) {
      let lost = rows.namedRows.filter { $0["state"] == "unavailable" }.compactMap { $0["source"] }.distinct()
      guard !lost.isEmpty else { return }
      StandardStreams().warn(
        "a machine of the Citus cluster does not answer, so titles and ranks from \(lost.joined(separator: ", ")) are "
          + "missing; syncctl doctor names the machine")
    }

    private static let own = [
      "status", "my_score", "episodes_watched", "chapters_read", "volumes_read", "started_on", "finished_on", "tags",
    ]

    private func emptyMessage(_ request: PageRequest) -> String {
      if request.start != nil { return "There are no further favorites." }
      return status == nil
        ? "No favorites yet; add one with syncctl favorites add \(kind) ID." : "No favorite has that status."
    }
  }
}
