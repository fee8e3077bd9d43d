import LibPQ
import SyncCore

/// The user's favorite items, in named collections. They are stored in `app.favorite`.
package enum Favorites {
  /// An item of the mirror, identified by source, kind and id. `remedy` only completes the hint of an error.
  package struct Item: Sendable, Equatable {
    package let source: String
    package let kind: String
    package let id: Int64
    let remedy: String

    /// Names an item. Does not check that the mirror has it.
    /// - Parameter remedy: The end of the hint "check the id, or …" if the mirror lacks the item.
    package init(source: String, kind: String, id: Int64, remedy: String = "run syncctl run to fill the mirror") {
      self.source = source
      self.kind = kind
      self.id = id
      self.remedy = remedy
    }

    /// Compares the identities. `remedy` is ignored.
    package static func == (one: Item, other: Item) -> Bool {
      (one.source, one.kind, one.id) == (other.source, other.kind, other.id)
    }

    fileprivate var key: [PGParameter] { [.text(source), .text(kind), .int(id)] }
    fileprivate var name: String { "\(kind) \(id)" }
  }

  /// Adds an item of the mirror to a collection, or replaces the note of an item that the collection already has. A
  /// missing collection is created. Names of collections are compared in NFC.
  /// - Parameter note: `nil` keeps an existing note.
  /// - Returns: The item's title, and whether the item is new in the collection.
  /// - Throws: `.missing` if the mirror does not have the item.
  package static func add(
    _ item: Item, to collection: String, note: String?, in database: Database
  ) async throws -> (title: String, isNew: Bool) {
    try await database.write { connection in
      let title = try connection.query(QuerySQL.text("title"), item.key).first { try $0.text(0) }
      guard let title = title ?? nil else {
        throw SyncError(.missing, "the mirror has no \(item.name)", hint: "check the id, or \(item.remedy)")
      }
      let isNew = try connection.isTrue(QuerySQL.text("add_favorite"), item.key + [.text(collection), .text(note)])
      return (title, isNew)
    }
  }

  /// Removes the item from the collection. Names of collections are compared in normalized form (NFC).
  /// - Throws: `.missing` if the collection does not contain the item.
  package static func remove(_ item: Item, from collection: String, in database: Database) async throws {
    try await database.write { connection in
      let rows = try connection.query(
        "DELETE FROM app.favorite WHERE source = $1 AND kind = $2 AND id = $3 AND normalize(collection) = normalize($4)",
        item.key + [.text(collection)]
      ).affectedRows
      guard rows > 0 else {
        throw SyncError(
          .missing, "\(item.name) is not in \(Excerpt.of(collection, scalars: 60))",
          hint: "syncctl favorites list shows the collections")
      }
    }
  }

  /// Lists favorites by collection and time of adding, without notes if the role may not read notes. The columns are
  /// those of `sql/shared/queries/favorites.sql`. If a machine of a Citus cluster does not answer, the favorites of its
  /// sources have the state `unavailable`.
  /// - Parameters:
  ///   - collection: The collection's name, compared in NFC; `nil` for all collections.
  ///   - status: Selects favorites with this status. The role must be allowed to read notes.
  ///   - limit: The number of favorites on the page; `nil` for all.
  /// - Throws: `SyncError` `.missing` if no favorite has the id `after`. `.usage` if several have it, or for a cursor
  ///   of another listing.
  package static func list(
    _ collection: String?, status: Status? = nil, limit: Int? = nil, after: PageStart? = nil, in database: Database
  ) async throws -> ListPage {
    let mayReadNotes = try await mayReadNotes(in: database)
    let chosen = PGParameter.text(collection)

    let sortKey =
      switch after {
      case nil, .offset: Array(repeating: PGParameter.null, count: 5)
      case .id(let id): try await self.sortKey(of: id, in: chosen, database)
      case .cursor(let cursor): try cursor.parameters(of: listing, [.text, .time, .text, .text, .bigint])
      }

    // Only roles that can read notes can filter by status. Other roles get the error of PostgreSQL.
    let readsNotes = mayReadNotes || status != nil
    let statement = readsNotes ? "favorites" : "favorites_without_notes"
    let filter = readsNotes ? [PGParameter.text(status?.rawValue)] : []

    let rows = try await withoutLostSources(database) { sources in
      try await database.rows(
        QuerySQL.text(statement), [chosen] + sortKey + [.pageLimit(limit), .offset(after), .texts(sources)] + filter)
    }
    return ListPage(rows, limit: limit, listing: listing)
  }

  /// Returns the favorites whose title, collection or note contains all words, the best match first. The columns are
  /// those of `sql/shared/queries/search_favorites.sql`.
  /// - Parameters:
  ///   - limit: The number of favorites; `nil` for all.
  ///   - readsNotes: Whether the user is allowed to see notes. The database's role must be allowed to read them, too.
  package static func search(
    _ words: String, limit: Int?, readsNotes: Bool, in database: Database
  ) async throws -> RowSet {
    let mayReadNotes = try await mayReadNotes(in: database)
    let statement = readsNotes && mayReadNotes ? "search_favorites" : "search_favorites_without_notes"
    return try await withoutLostSources(database) { sources in
      try await database.rows(QuerySQL.text(statement), [.text(words), .limit(limit), .texts(sources)])
    }
  }

  private static func mayReadNotes(in database: Database) async throws -> Bool {
    let right: SQL = "SELECT has_column_privilege('app.favorite', 'note', 'SELECT')::text"
    return try await database.rows(right).rows.first == ["true"]
  }

  /// Calls `rows` without sources. If a machine of a Citus cluster does not answer, calls it again with the sources on
  /// the lost machines, which the query must not read.
  private static func withoutLostSources(
    _ database: Database, _ rows: (_ sources: [String]) async throws -> RowSet
  ) async throws -> RowSet {
    do {
      return try await rows([])
    } catch let error as SyncError where error.isAboutLostMachine {
      let lost = try await database.read { try Distribution.read($0)?.lostSchemas.map(\.name) } ?? []
      guard !lost.isEmpty else { throw error }
      return try await rows(lost)
    }
  }

  /// Returns those of `ids` that are favorites in the collection. `collection` must have the stored spelling.
  package static func ids(
    _ ids: [Int64], of source: String, kind: String, in collection: String, _ database: Database
  ) async throws -> Set<Int64> {
    let sql: SQL =
      "SELECT id FROM app.favorite WHERE source = $1 AND kind = $2 AND collection = $3 AND id = ANY ($4::bigint[])"
    return try await database.read { connection in
      let rows = try connection.query(sql, [.text(source), .text(kind), .text(collection), .ints(ids)])
      return Set(try rows.map { try $0.int(0) ?? 0 })
    }
  }

  /// Checks the name of a collection. Accepts `nil`, and any name if there are no collections.
  /// - Throws: `SyncError` `.missing` if there are collections, but none has this name in the same spelling.
  package static func check(collection name: String?, in database: Database) async throws {
    guard let name else { return }
    let collections = try await CompletionWords.collections.read(in: database)
    guard !collections.isEmpty, !collections.contains(name) else { return }
    let near =
      Suggestion.nearest(to: name, among: collections).map { "did you mean \(Excerpt.of($0, scalars: 60))? " } ?? ""
    throw SyncError(
      .missing, "there is no collection \(Excerpt.of(name, scalars: 60))",
      hint: near + "collections: \(collections.map { Excerpt.of($0, scalars: 60) }.joined(separator: ", "))")
  }

  /// Returns the changes of favorites in their lists since a time, latest first. `nil` selects all collections. The
  /// columns are those of `sql/shared/queries/favorite_changes.sql`.
  package static func changes(
    since moment: Moment, _ collection: String?, in database: Database
  ) async throws -> RowSet {
    try await database.read { connection in
      try RowSet(
        QuerySQL.text("favorite_changes"), [.text(collection), .text(try moment.resolved(connection))], connection)
    }
  }

  private static let listing = "favorites"

  private static func sortKey(
    of id: Int64, in collection: PGParameter, _ database: Database
  ) async throws -> [PGParameter] {
    let found = try await database.rows(QuerySQL.text("favorite_places"), [collection, .int(id)]).rows
    guard let sortKey = found.first else {
      throw SyncError(.missing, "no favorite in the list has the id \(id)", hint: "give an id from the list")
    }
    guard found.count == 1 else {
      let names = found.prefix(5).map { "\($0[2] ?? "") \($0[3] ?? "") in \($0[0] ?? "")" }
      throw SyncError(
        .usage, "\(found.count) favorites have the id \(id): \(names.joined(separator: ", "))",
        hint: "use the cursor from the next: line")
    }
    return sortKey.map { .text($0) }
  }
}
