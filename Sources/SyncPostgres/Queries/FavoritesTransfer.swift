import LibPQ
import SyncCore

extension Favorites {
  /// One row of app.favorite, on its way into or out of a file.
  package struct Record: Sendable, Equatable {
    package var collection: String
    package var item: Item
    package var note: String?
    /// As PostgreSQL reads it; now if nil.
    package var addedAt: String?

    package init(collection: String, item: Item, note: String?, addedAt: String?) {
      self.collection = collection
      self.item = item
      self.note = note
      self.addedAt = addedAt
    }
  }

  /// The rows as they are, their times with microseconds, so that `insert` brings back exactly what was.
  ///
  /// - Parameter collection: nil for all collections.
  package static func export(_ collection: String?, in database: Database) async throws -> RowSet {
    try await database.rows(
      """
      SELECT collection, source, kind, id, note,
             to_char(added_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS added_at
      FROM app.favorite WHERE $1::text IS NULL OR collection = $1
      ORDER BY collection, favorite.added_at, source, kind, id
      """, [collection.map { .text($0) } ?? .null])
  }

  /// Adds all of the records or none, mirrored or not. What is in its collection already keeps its note and the earlier
  /// time; a note that it does not have is filled in.
  ///
  /// - Parameter records: checked by the caller: times that exist, texts without NUL.
  /// - Returns: how many were new.
  package static func insert(_ records: [Record], in database: Database) async throws -> Int {
    guard !records.isEmpty else { return 0 }
    let parameters: [PGParameter] = [
      .texts(records.map(\.collection)), .texts(records.map(\.item.source)), .texts(records.map(\.item.kind)),
      .ints(records.map(\.item.id)), .texts(records.map(\.note)), .texts(records.map(\.addedAt)),
    ]
    return try await database.write { connection in
      let added = try connection.query(
        """
        WITH record AS (
          -- The same item twice in a file is one: with the first note, and the earliest time.
          SELECT r.collection, r.source, r.kind, r.id,
                 (array_agg(r.note ORDER BY r.ordinal) FILTER (WHERE r.note IS NOT NULL))[1] AS note,
                 min(coalesce(r.added_at::timestamptz, clock_timestamp())) AS added_at
          FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[])
            WITH ORDINALITY AS r (collection, source, kind, id, note, added_at, ordinal)
          GROUP BY r.collection, r.source, r.kind, r.id
        ), written AS (
          INSERT INTO app.favorite AS f (collection, source, kind, id, note, added_at)
          SELECT collection, source, kind, id, note, added_at FROM record ORDER BY collection, source, kind, id
          ON CONFLICT (collection, source, kind, id) DO UPDATE
          SET note = coalesce(f.note, excluded.note), added_at = least(f.added_at, excluded.added_at)
          WHERE (f.note IS NULL AND excluded.note IS NOT NULL) OR excluded.added_at < f.added_at
          RETURNING xmax = 0 AS is_new
        )
        SELECT count(*) FROM written WHERE is_new
        """, parameters
      ).first { try $0.int(0) }
      return Int((added ?? nil) ?? 0)
    }
  }
}
