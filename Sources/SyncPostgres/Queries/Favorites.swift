import LibPQ
import SyncCore

/// The user's own collections.
package enum Favorites {
  /// What can be a favorite.
  package struct Item: Sendable, Equatable {
    package let source: String
    /// Kind within the source.
    package let kind: String
    package let id: Int64
    /// How the mirror comes to have it, as it stands in a hint.
    let remedy: String

    package init(source: String, kind: String, id: Int64, remedy: String = "run syncctl run to fill the mirror") {
      self.source = source
      self.kind = kind
      self.id = id
      self.remedy = remedy
    }

    package static func == (one: Item, other: Item) -> Bool {
      (one.source, one.kind, one.id) == (other.source, other.kind, other.id)
    }

    fileprivate var key: [PGParameter] { [.text(source), .text(kind), .int(id)] }
    fileprivate var name: String { "\(kind) \(id)" }
  }

  /// - Returns: the title, and whether the item is new in the collection; a note replaces the old one.
  /// - Throws: `SyncError` `.missing` if the mirror does not have the item.
  package static func add(
    _ item: Item, to collection: String, note: String?, in database: Database
  ) async throws -> (title: String, isNew: Bool) {
    try await database.write { connection in
      let title = try connection.query(
        SQL(
          trusted: """
            SELECT coalesce(t.title, f.kind || ' ' || f.id)
            FROM (VALUES ($1::text, $2::text, $3::bigint)) AS f (source, kind, id) CROSS JOIN \(titles)
            """), item.key
      ).first { try $0.text(0) }
      guard let title = title ?? nil else {
        throw SyncError(
          .missing, "the mirror has no \(item.name)", hint: "check the id, or \(item.remedy)")
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

  /// Without the notes for a role that may not read them.
  ///
  /// - Parameter collection: nil for all collections.
  package static func list(_ collection: String?, in database: Database) async throws -> RowSet {
    let right: SQL = "SELECT has_column_privilege('app.favorite', 'note', 'SELECT')::text"
    let note = try await database.rows(right).rows.first == ["true"] ? "f.note" : "NULL::text AS note"
    return try await database.rows(
      SQL(
        trusted: """
          SELECT f.collection, f.source, f.kind, f.id, t.title, t.title_japanese, t.type, t.score, \(note), f.added_at
          FROM app.favorite f LEFT JOIN \(titles) ON true
          WHERE $1::text IS NULL OR f.collection = $1
          ORDER BY f.collection, f.added_at, f.source, f.kind, f.id
          """), [collection.map { .text($0) } ?? .null])
  }

  /// What a table `f` with source, kind and id is joined with for `t`. Each source has a view of what can be
  /// a favorite; OFFSET 0 makes it look up one item at a time.
  static let titles = """
    LATERAL (
      SELECT v.title, v.title_japanese, v.type, v.score FROM app.favorite_item v
      WHERE v.source = f.source AND v.kind = f.kind AND v.id = f.id OFFSET 0
    ) t
    """
}
