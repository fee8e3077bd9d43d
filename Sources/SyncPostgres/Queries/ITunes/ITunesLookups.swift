import LibPQ
import SyncCore

extension ITunesQueries {
  /// Which of some ids the last lookup that requested them did not get.
  package static func absent(_ ids: [Int64], country: String, in database: Database) async throws -> Set<Int64> {
    try await database.read { connection in
      let found = try connection.query(
        "SELECT id FROM itunes.lookup_absence WHERE country = $1 AND id = ANY ($2::bigint[])",
        [.text(country), .ints(ids)]
      ).map { try $0.int(0) }
      return Set(found.compactMap { $0 })
    }
  }

  /// Ids of what belongs to some artists and collections, in the order of the parents and then as on the album; nothing
  /// that has vanished, and never a parent itself.
  ///
  /// - Parameters:
  ///   - classes: e.g. `track`; all if it is empty.
  ///   - kinds: e.g. `song`; all if it is empty.
  package static func children(
    of ids: [Int64], country: String, classes: [String], kinds: [String], in database: Database
  ) async throws -> [Int64] {
    try await database.read { connection in
      try connection.query(
        """
        SELECT i.id
        FROM itunes.item i CROSS JOIN LATERAL (
          SELECT min(place) AS place FROM unnest($2::bigint[]) WITH ORDINALITY AS w (id, place)
          WHERE w.id IN (i.artist_id, i.collection_id)
        ) parent
        WHERE i.country = $1 AND (i.artist_id = ANY ($2::bigint[]) OR i.collection_id = ANY ($2::bigint[]))
          AND i.id <> ALL ($2::bigint[]) AND i.vanished_at IS NULL
          AND (cardinality($3::text[]) = 0 OR i.class = ANY ($3)) AND (cardinality($4::text[]) = 0 OR i.kind = ANY ($4))
        ORDER BY parent.place, itunes.folded(i.collection_name) NULLS FIRST, i.collection_id, i.disc_number NULLS FIRST,
                 i.track_number NULLS FIRST, itunes.folded(i.title), i.id
        LIMIT $5
        """,
        [.text(country), .ints(ids), .texts(classes), .texts(kinds), .int(Int64(Self.mostChildren))]
      ).map { try $0.int(0) }.compactMap { $0 }
    }
  }

  /// Children that are shown at most.
  private static let mostChildren = 2000
}
