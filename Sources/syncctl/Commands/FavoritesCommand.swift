import ArgumentParser
import SyncCore
import SyncPostgres
import SyncSources

struct FavoritesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorites",
    abstract: "Keep favorites and other collections.",
    discussion: """
      Examples:
        syncctl favorites add jikan anime 5114 --note "again in winter"
        syncctl favorites list
        syncctl favorites remove jikan anime 5114
      """,
    subcommands: [Add.self, Remove.self, List.self])

  /// SOURCE KIND ID and the collection.
  struct ItemOptions: ParsableArguments {
    @Argument(help: "jikan.")
    var source: String

    @Argument(help: "anime or manga.")
    var kind: String

    @Argument(help: "The item's id at the source, e.g. the mal_id.")
    var id: Int64

    @Option(name: .long, help: "favorites, owned, or a name of your own.")
    var collection = "favorites"

    func item() throws(SyncError) -> Favorites.Item {
      guard source == SourceID.jikan.rawValue else {
        throw SyncError(.usage, "there is no source \(Excerpt.of(source, scalars: 40))", hint: "known: jikan")
      }
      guard let kind = JikanKind(rawValue: kind) else {
        throw SyncError(
          .usage, "jikan has no kind \(Excerpt.of(kind, scalars: 40))",
          hint: "known: \(JikanKind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return .jikan(kind: kind.rawValue, id: id)
    }

    func checkedCollection() throws(SyncError) -> String {
      try FavoritesCommand.checked(collection)
    }
  }

  /// A collection's name ends up in tables and scripts: short, and without anything a terminal would act on.
  fileprivate static func checked(_ collection: String) throws(SyncError) -> String {
    guard !collection.isEmpty, collection.unicodeScalars.count <= 60, Excerpt.of(collection) == collection else {
      throw SyncError(.usage, "that is no name for a collection", hint: "give 1 to 60 plain characters")
    }
    return collection
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add an item of the mirror to a collection.",
      discussion: """
        Example:
          syncctl favorites add jikan manga 2 --collection owned
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions

    @Option(name: .long, help: "Your own words; replaces an earlier note.")
    var note: String?

    func run() async throws {
      let item = try options.item()
      let collection = try options.checkedCollection()
      if let note, note.utf8.contains(0) || note.utf8.count > 4000 {
        throw SyncError(.usage, "that is no note", hint: "give a text of at most 4000 bytes")
      }
      let added = try await Context(configuration: try common.configuration()).withExistingMirror { database in
        try await Favorites.add(item, to: collection, note: note, in: database)
      }
      try StandardStreams().print(line: "\(added.isNew ? "added to" : "already in") \(collection): \(added.title)")
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an item from a collection.",
      discussion: """
        Example:
          syncctl favorites remove jikan anime 5114
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions

    func run() async throws {
      let item = try options.item()
      let collection = try options.checkedCollection()
      try await Context(configuration: try common.configuration()).withExistingMirror { database in
        try await Favorites.remove(item, from: collection, in: database)
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
      let chosen = try collection.map { (name) throws(SyncError) in try FavoritesCommand.checked(name) }
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
