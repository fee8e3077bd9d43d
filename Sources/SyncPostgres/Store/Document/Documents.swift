import LibPQ
import SyncCore

/// The time of a fetch is stored with the walk, so an unchanged document needs no write.
enum Documents {
  static func fresh(
    _ keys: [Int64], ttl: Duration, besides walkID: Int64, stream: StreamDescription, absent: SQL,
    _ connection: borrowing PGConnection
  ) throws -> Set<Int64> {
    let young = try connection.query(
      """
      SELECT DISTINCT key
      FROM sync.walk w JOIN sync.walk_page p ON p.walk_id = w.id CROSS JOIN unnest(p.keys) AS key
      WHERE w.source = $1 AND w.stream = $2 AND w.provider = $3 AND w.origin = $4
        AND w.mapping_version IS NOT DISTINCT FROM $5 AND w.id <> $6 AND p.list_page IS NULL
        AND p.fetched_at > clock_timestamp() - make_interval(secs => $7) AND p.fetched_at <= clock_timestamp()
        AND key = ANY ($8::bigint[])
      """,
      stream.identity.dropLast() + [
        .int(Int64(stream.mappingVersion)), .int(walkID), .double(ttl / .seconds(1)), .ints(keys),
      ]
    ).map { try $0.int(0) ?? 0 }
    guard !young.isEmpty else { return [] }
    let gone = try connection.query(absent, [.ints(young), .texts(stream.sql.scope)]).map { try $0.int(0) ?? 0 }
    return Set(young).subtracting(gone)
  }

  /// Records the upstream's build if the list and all documents are from the same build, and otherwise that no build is
  /// proven. Caches can return older documents.
  static func noteBuild(of walkID: Int64, stream: StreamDescription, _ connection: borrowing PGConnection) throws {
    guard case .documents = stream.method, let build = stream.build else { return }
    _ = try connection.query(
      """
      WITH document AS (
        SELECT DISTINCT ON (key) key, p.build
        FROM sync.walk w JOIN sync.walk_page p ON p.walk_id = w.id CROSS JOIN unnest(p.keys) AS key
        WHERE w.source = $1 AND w.stream = $2 AND w.provider = $3 AND w.origin = $4
          AND w.mapping_version IS NOT DISTINCT FROM $5 AND p.list_page IS NULL
        ORDER BY key, p.fetched_at DESC
      ), proven AS (
        SELECT $6::text AS build
        WHERE NOT EXISTS (
            SELECT FROM sync.published_page p CROSS JOIN unnest(p.keys) AS key LEFT JOIN document USING (key)
            WHERE p.walk_id = $7 AND document.build IS DISTINCT FROM $6)
          AND NOT EXISTS (
            SELECT FROM sync.walk_page WHERE walk_id = $7 AND list_page IS NOT NULL AND build IS DISTINCT FROM $6)
      )
      UPDATE sync.stream_state SET build = (SELECT build FROM proven)
      WHERE source = $1 AND stream = $2 AND build IS DISTINCT FROM (SELECT build FROM proven)
      """, stream.identity.dropLast() + [.int(Int64(stream.mappingVersion)), .text(build), .int(walkID)])
  }
}
