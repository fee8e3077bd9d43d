import LibPQ
import SyncCore

/// The user's own collections.
package enum Favorites {
  /// What can be a favorite, and where its title is found.
  package enum Item: Sendable, Equatable {
    case jikan(kind: String, id: Int64)

    fileprivate var key: [PGParameter] {
      switch self {
      case .jikan(let kind, let id): [.text("jikan"), .text(kind), .int(id)]
      }
    }
  }

  /// - Returns: the title, and whether the item is new in the collection; a note replaces the old one.
  /// - Throws: `SyncError` `.missing` if the mirror does not have the item.
  package static func add(
    _ item: Item, to collection: String, note: String?, in database: Database
  ) async throws -> (title: String, isNew: Bool) {
    try await database.write { connection in
      guard let title = try title(of: item, connection) else {
        throw SyncError(
          .missing, "the mirror has no \(item.name)", hint: "check the id, or run syncctl run to fill the mirror")
      }
      let isNew = try connection.query(
        """
        INSERT INTO app.favorite AS f (collection, source, kind, id, note) VALUES ($4, $1, $2, $3, $5)
        ON CONFLICT (collection, source, kind, id) DO UPDATE SET note = coalesce(excluded.note, f.note)
        RETURNING xmax = 0
        """, item.key + [.text(collection), note.map { .text($0) } ?? .null]
      ).bool(row: 0, column: 0)
      return (title, isNew ?? false)
    }
  }

  /// - Throws: `SyncError` `.missing` if it is not in the collection.
  package static func remove(_ item: Item, from collection: String, in database: Database) async throws {
    try await database.write { connection in
      let rows = try connection.query(
        "DELETE FROM app.favorite WHERE source = $1 AND kind = $2 AND id = $3 AND collection = $4",
        item.key + [.text(collection)]
      ).affectedRows
      guard rows > 0 else {
        throw SyncError(
          .missing, "\(item.name) is not in \(Excerpt.of(collection, scalars: 60))",
          hint: "syncctl favorites list shows what is")
      }
    }
  }

  /// - Parameter collection: nil for all collections.
  package static func list(_ collection: String?, in database: Database) async throws -> RowSet {
    try await database.rows(
      """
      SELECT f.collection, f.source, f.kind, f.id, m.title, m.title_japanese, m.type, nullif(c.score, 0) AS score,
             f.note, f.added_at
      FROM app.favorite f
      LEFT JOIN jikan.media m ON f.source = 'jikan' AND m.kind = f.kind AND m.mal_id = f.id
      LEFT JOIN jikan.media_counters c ON c.kind = m.kind AND c.mal_id = m.mal_id
      WHERE $1::text IS NULL OR f.collection = $1
      ORDER BY f.collection, f.added_at, f.source, f.kind, f.id
      """, [collection.map { .text($0) } ?? .null])
  }

  private static func title(of item: Item, _ connection: borrowing PGConnection) throws -> String? {
    switch item {
    case .jikan(let kind, let id):
      try connection.query(
        "SELECT title FROM jikan.media WHERE kind = $1 AND mal_id = $2", [.text(kind), .int(id)]
      ).first { try $0.text(0) } ?? nil
    }
  }
}

extension Favorites.Item {
  fileprivate var name: String {
    switch self {
    case .jikan(let kind, let id): "\(kind) \(id)"
    }
  }
}
