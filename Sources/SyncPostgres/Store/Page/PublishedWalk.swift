import LibPQ
import SyncCore

enum PublishedWalk {
  static func basis(
    of walkID: Int64, stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> Int64? {
    if case .documents = stream.method { return nil }
    return try connection.query(
      """
      SELECT w.id FROM sync.publication p JOIN sync.run r ON r.id = p.run_id JOIN sync.walk w ON w.id = r.walk_id
      WHERE p.source = $1 AND p.list = $2 AND w.provider = $3 AND w.origin = $4 AND w.page_size = $5
        AND w.mapping_version = $6 AND w.parameters = $8 AND w.id <> $7
      """,
      stream.identity
        + [.int(Int64(stream.mappingVersion)), .int(walkID), Fingerprint.parameters(of: stream, connection)]
    ).first { try $0.int(0) } ?? nil
  }

  static func repeats(
    of walkID: Int64?, stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> ListedRepeats {
    // The lists of a stream that has several are read without these.
    guard let walkID, stream.lists == nil, stream.method == .pages || stream.method == .positions else { return [:] }
    let occurrences = try connection.query(
      """
      WITH occurrence AS (
        SELECT key, p.list_page, ordinal, lag(key) OVER list AS before, lead(key) OVER list AS after
        FROM sync.published_page p CROSS JOIN LATERAL unnest(p.keys) WITH ORDINALITY AS k (key, ordinal)
        WHERE p.walk_id = $1 AND NOT p.is_superseded
          AND EXISTS (SELECT FROM sync.publication WHERE source = $2 AND list = $3 AND NOT consistent)
        WINDOW list AS (ORDER BY p.list_page, ordinal)
      )
      SELECT key, before, after FROM occurrence
      WHERE key IN (SELECT key FROM occurrence GROUP BY key HAVING min(list_page) < max(list_page))
      ORDER BY list_page, ordinal
      """, [.int(walkID)] + stream.id.key
    ).map { row in (key: try row.int(0) ?? 0, neighbors: ListedNeighbors(before: try row.int(1), after: try row.int(2)))
    }
    return Dictionary(grouping: occurrences) { $0.key }.mapValues { $0.map { $0.neighbors } }
  }

  static func pages(
    of walkID: Int64, after reading: Int, limit: Int, stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> (pages: [CachedPage], last: Int?) {
    let rows = try connection.query(
      """
      SELECT p.page, p.address, p.etag, p.last_modified, array_to_string(p.keys, ' '), p.claimed_total, p.last_page,
        p.has_next, encode(p.digest, 'hex'), p.next, before.next, p.next_key, p.list
      FROM sync.walk_page p LEFT JOIN sync.walk_page before
        ON before.walk_id = p.walk_id AND before.page = p.page - 1 AND before.list IS NOT DISTINCT FROM p.list
      WHERE p.walk_id = $1 AND p.page > $2
      ORDER BY p.page LIMIT $3
      """, [.int(walkID), .int(Int64(reading)), .int(Int64(limit))]
    ).map { row in (reading: Int(try row.int(0) ?? 0), page: try cachedPage(row)) }

    let candidates = rows.compactMap(\.page)
    guard !candidates.isEmpty else { return ([], rows.last?.reading) }

    let touched = Set(
      try connection.query(
        SourceSQL.text("touched", stream.sql),
        [.int(walkID), .ints(candidates.map { Int64($0.reading) }), .texts(stream.sql.scope)]
      ).map { row in Int(try row.int(0) ?? 0) })
    return (candidates.filter { !touched.contains($0.reading) }, rows.last?.reading)
  }

  private static func cachedPage(_ row: borrowing PGRow) throws -> CachedPage? {
    let next = try row.text(10)
    guard let address = try row.text(1).flatMap({ PageAddress(text: $0, next: next) }), let keys = try row.text(4)
    else { return nil }
    return CachedPage(
      address: address.of(list: try row.text(12)), reading: Int(try row.int(0) ?? 0),
      validators: Validators(etag: try row.text(2), lastModified: try row.text(3)), digest: try row.text(8),
      keys: keys.split(separator: " ").compactMap { Int64($0) },
      claim: PageClaim(
        total: try row.int(5).map { Int($0) }, lastPage: try row.int(6).map { Int($0) }, hasNext: try row.bool(7),
        next: try row.text(9), nextKey: try row.text(11)))
  }
}
