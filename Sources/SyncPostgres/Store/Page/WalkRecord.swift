import Foundation
import LibPQ
import SyncCore

/// A walk in `sync.walk`, with the readings that are stored in `sync.walk_page`. The caller of each function that
/// changes a walk holds the stream's lease.
struct WalkRecord {
  let id: Int64
  /// The readings that a run replays to continue the walk. In a stream of several lists, only batches and the readings
  /// of the list that is not read to its end.
  let pages: [StoredPage]
  /// `nil` in a stream of one list.
  let endedLists: EndedLists?
  let isFull: Bool

  /// The number of the walk's last reading. 0 without readings.
  private var lastReading: Int { pages.last?.number ?? endedLists?.tally.readings ?? 0 }

  /// Resumes the stream's unfinished walk, or closes it and begins another one, and points the stream's state to the
  /// walk. Closing also deletes walks past their retention.
  /// - Parameters:
  ///   - state: The stream's state before this run took the lease.
  ///   - fresh: Whether a walk begins in any case.
  ///   - maximalAge: The age of the last page from which a walk is not resumed.
  static func resumeOrStart(
    _ state: Lease.StreamState, stream: StreamDescription, fresh: Bool, maximalAge: Duration,
    _ connection: borrowing PGConnection
  ) throws -> WalkRecord {
    if let walk = try resumable(state, stream: stream, fresh: fresh, maximalAge: maximalAge, connection) { return walk }
    if let walkID = state.walkID { try close(walkID, stream: stream.id, connection) }
    let id = try connection.query(
      """
      INSERT INTO sync.walk (source, stream, provider, origin, page_size, mapping_version, is_full, parameters, lists)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[]) RETURNING id
      """,
      stream.identity + [
        .int(Int64(stream.mappingVersion)), .bool(fresh), Fingerprint.parameters(of: stream, connection),
        stream.lists.map { .texts($0.lists.map(\.name)) } ?? .null,
      ]
    ).int(row: 0, column: 0)
    guard let id else { throw SyncError.droppedRows(of: "sync.walk", count: 1) }
    let walk = WalkRecord(id: id, pages: [], endedLists: stream.lists.map { _ in EndedLists() }, isFull: fresh)
    try point(stream, to: walk, connection)
    return walk
  }

  /// Returns the stream's unfinished walk, if it fits the stream's description and is young enough.
  static func resumable(
    _ state: Lease.StreamState, stream: StreamDescription, fresh: Bool, maximalAge: Duration,
    _ connection: borrowing PGConnection
  ) throws -> WalkRecord? {
    guard !fresh, let walkID = state.walkID,
      try fits(walkID, stream, maximalAge: maximalAge, connection) == true
    else { return nil }
    return try read(walkID, stream, connection)
  }

  private static func read(
    _ id: Int64, _ stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> WalkRecord {
    let isFull = try connection.isTrue("SELECT is_full FROM sync.walk WHERE id = $1", [.int(id)])
    let pages = try pages(of: id, connection)
    let endedLists = try stream.lists.map { _ in try self.endedLists(of: id, replayed: pages.count, connection) }
    return WalkRecord(id: id, pages: pages, endedLists: endedLists, isFull: isFull)
  }

  /// Reopens a walk that a guard stopped, at any age, so that its changes can be confirmed. Closes another unfinished
  /// walk of the stream.
  /// - Throws: The errors of `kept`.
  static func reopen(
    _ walkID: Int64, _ state: Lease.StreamState, stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> WalkRecord {
    let walk = try kept(walkID, stream: stream, connection)
    _ = try connection.query("UPDATE sync.walk SET finished_at = NULL WHERE id = $1", [.int(walkID)])
    if let other = state.walkID, other != walkID { try close(other, stream: stream.id, connection) }
    try point(stream, to: walk, connection)
    return walk
  }

  /// Returns a walk of an earlier run.
  /// - Throws: `.missing` if the walk's pages were deleted, or `.usage` if the walk does not fit the description.
  static func kept(
    _ walkID: Int64, stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> WalkRecord {
    let fits = try fits(walkID, stream, connection)
    guard let fits else {
      let days = Limits.walkRetention.components.seconds / 86_400
      throw SyncError(
        .missing, "\(stream.id): the pages of that run are gone; they are kept for \(days) days",
        hint: "run again without --confirm-vanish")
    }
    guard fits else {
      throw SyncError(
        .usage,
        "\(stream.id): that run used another service, another page size or another version of syncctl",
        hint: "use the configuration of that run, or run again without --confirm-vanish")
    }
    return try read(walkID, stream, connection)
  }

  private static func point(
    _ stream: StreamDescription, to walk: WalkRecord, _ connection: borrowing PGConnection
  ) throws {
    try connection.writeRow(
      to: "sync.stream_state",
      """
      UPDATE sync.stream_state SET provider = $3, origin = $4, page_size = $5, walk_id = $6, cursor = $7,
        -- While the service has this build, the proof that all of it is mirrored stays until the end of the walk.
        build = CASE WHEN (provider, origin) = ($3, $4) AND build = $8 THEN build END,
        -- An empty response of another service proves nothing about this list.
        empty_since = CASE WHEN (provider, origin) = ($3, $4) THEN empty_since END
      WHERE source = $1 AND stream = $2
      """,
      stream.identity + [
        .int(walk.id), .int(walk.lastReading == 0 ? nil : Int64(walk.lastReading)), .text(stream.build),
      ])
  }

  /// Whether the walk read the list that the description describes, with the same mapping. `nil` if the walk was
  /// deleted.
  /// - Parameter maximalAge: The age of its last page from which an ended walk does not fit. `nil` means any age.
  private static func fits(
    _ walkID: Int64, _ stream: StreamDescription, maximalAge: Duration? = nil, _ connection: borrowing PGConnection
  ) throws -> Bool? {
    try connection.query(
      """
      SELECT provider = $2 AND origin = $3 AND page_size = $4 AND mapping_version IS NOT DISTINCT FROM $5
        AND parameters = $6
        AND ($7::double precision IS NULL OR finished_at IS NULL
          -- The age counts from the walk's last page, because a walk can take longer than the maximal age.
          AND coalesce((SELECT max(fetched_at) FROM sync.walk_page WHERE walk_id = $1), started_at)
            > clock_timestamp() - make_interval(secs => $7))
      FROM sync.walk WHERE id = $1
      """,
      [
        .int(walkID), .text(stream.provider), .text(stream.origin), .int(Int64(stream.pageSize)),
        .int(Int64(stream.mappingVersion)), Fingerprint.parameters(of: stream, connection),
        maximalAge.map { .double($0 / .seconds(1)) } ?? .null,
      ]
    ).first { try $0.bool(0) ?? false }
  }

  private static func pages(of walkID: Int64, _ connection: borrowing PGConnection) throws -> [StoredPage] {
    try connection.query(
      """
      SELECT page, list_page, array_to_string(keys, ' '), unreadable, claimed_total, last_page, has_next, ended_by,
        next, next_key, missed, array_to_string(unreadable_after, ' '), list
      FROM sync.walk_page p
      WHERE walk_id = $1
        AND (list IS NULL OR NOT EXISTS (SELECT FROM sync.walk_list l WHERE l.walk_id = $1 AND l.list = p.list))
      ORDER BY page
      """, [.int(walkID)]
    ).map { row in
      let number = Int(try row.int(0) ?? 0)
      let page = StoredPage(
        number: number, page: try row.int(1).map { Int($0) },
        keys: try row.text(2)?.split(separator: " ").compactMap { Int64($0) }, unreadable: Int(try row.int(3) ?? 0),
        unreadableAfter: try row.text(11)?.split(separator: " ").compactMap { Int($0) } ?? [],
        claim: PageClaim(
          total: try row.int(4).map { Int($0) }, lastPage: try row.int(5).map { Int($0) }, hasNext: try row.bool(6),
          next: try row.text(8), nextKey: try row.text(9)),
        endedBy: try row.text(7).flatMap { Certificate.EndedBy(rawValue: $0) }, missed: Int(try row.int(10) ?? 0))
      return page.numbered(number, of: try row.text(12).map { ListReading(name: $0) })
    }
  }

  /// Returns the lists that the walk has read to their ends.
  /// - Parameter replayed: The number of the walk's readings that `pages(of:)` returns. The others belong to the lists.
  private static func endedLists(
    of walkID: Int64, replayed: Int, _ connection: borrowing PGConnection
  ) throws -> EndedLists {
    let names = try connection.query("SELECT list FROM sync.walk_list WHERE walk_id = $1", [.int(walkID)]).map {
      try $0.text(0) ?? ""
    }

    var tally = ListTally()
    let sums = try connection.query(
      """
      SELECT status, count(*),
        -- A service can claim any number, so the sum can exceed 64 bits.
        least(sum(coalesce(CASE WHEN claimed_total < 0 THEN 0 ELSE claimed_total END, items)),
          9223372036854775807)::bigint,
        count(claimed_total), sum(items)::bigint,
        sum(repeats)::bigint, sum(drift)::bigint, sum(rewalked)::bigint, sum(unreadable)::bigint,
        sum(unaccounted)::bigint, sum(listed_twice)::bigint
      FROM sync.walk_list WHERE walk_id = $1 GROUP BY status
      """, [.int(walkID)]
    ).map { row in
      let numbers = try (1...10).map { column in Int(try row.int(column) ?? 0) }
      let certificate = Certificate(
        complete: false, endedBy: .lists, claimedTotal: numbers[2] > 0 ? numbers[1] : nil, distinctKeys: numbers[3],
        repeats: numbers[4], drift: numbers[5], rewalked: numbers[6], holes: [], unreadable: numbers[7],
        unaccounted: numbers[8], listedTwice: numbers[9])
      return (status: ListStatus(rawValue: try row.text(0) ?? "") ?? .partial, count: numbers[0], certificate)
    }
    for (status, count, certificate) in sums { tally.add(status, certificate, count: count) }

    let readings = try connection.query(
      "SELECT count(*) FROM sync.walk_page WHERE walk_id = $1", [.int(walkID)]
    ).int(row: 0, column: 0)
    tally.readings = Int(readings ?? 0) - replayed
    return EndedLists(names: Set(names), tally: tally)
  }

  /// Adds readings to the walk.
  /// - Parameters:
  ///   - cacheable: The numbers of the readings whose pages later walks can request conditionally.
  ///   - basis: The published walk whose pages were confirmed.
  /// - Throws: `SyncError` `.configuration` if a trigger or rule has dropped a row.
  static func add(
    _ readings: StagedReadings, cacheable: [Int], basis: Int64?, walkID: Int64, _ connection: borrowing PGConnection
  ) throws {
    let added = try connection.query(
      """
      INSERT INTO sync.walk_page
        (walk_id, page, list, list_page, keys, unreadable, unreadable_after, claimed_total, last_page, has_next,
         ended_by, build, next, next_key, missed, address, etag, last_modified, digest, mirrored_at)
      SELECT $1, r.page, r.list, r.list_page, r.keys, r.unreadable, r.unreadable_after, r.claimed_total, r.last_page,
        r.has_next, r.ended_by, r.build, r.next, r.next_key, r.missed, o.address, o.etag, o.last_modified,
        decode(o.digest, 'hex'),
        (SELECT coalesce(b.mirrored_at, b.fetched_at) FROM sync.walk_page b
         WHERE b.walk_id = $2 AND b.page = r.cached_reading)
      FROM unnest($3::text[]) AS reading CROSS JOIN LATERAL jsonb_to_record(reading::jsonb) AS r (
        page integer, list text, list_page integer, keys bigint[], unreadable integer, unreadable_after integer[],
        claimed_total bigint, last_page bigint, has_next boolean, ended_by text, build text, next text, next_key text,
        missed integer, cached_reading integer, address text, etag text, last_modified text, digest text)
      LEFT JOIN LATERAL (
        SELECT r.address, r.etag, r.last_modified, r.digest WHERE r.page = ANY ($4::bigint[])
      ) o ON true
      """, [.int(walkID), .int(basis), .null, .ints(cacheable.map(Int64.init))], staged: [3: readings.expression])
    guard added.affectedRows == readings.count else {
      throw SyncError.droppedRows(of: "sync.walk_page", count: readings.count - added.affectedRows)
    }
    if readings.endedLists > 0 { try endLists(readings, walkID: walkID, connection) }
  }

  /// Adds the lists that end with the readings.
  /// - Throws: `SyncError` `.configuration` if a trigger or rule has dropped a row.
  private static func endLists(
    _ readings: StagedReadings, walkID: Int64, _ connection: borrowing PGConnection
  ) throws {
    let added = try connection.query(
      """
      INSERT INTO sync.walk_list
        (walk_id, list, status, ended_by, is_published, first_reading, last_reading, claimed_total, items, repeats,
         drift, rewalked, unreadable, unaccounted, listed_twice, version)
      SELECT $1, r.list, e.status, e.ended_by, e.is_published, e.first_reading, r.page, e.claimed_total, e.items,
        e.repeats, e.drift, e.rewalked, e.unreadable, e.unaccounted, e.listed_twice, e.version
      FROM unnest($2::text[]) AS reading
      CROSS JOIN LATERAL jsonb_to_record(reading::jsonb) AS r (page integer, list text, ending jsonb)
      CROSS JOIN LATERAL jsonb_to_record(r.ending) AS e (
        status text, ended_by text, is_published boolean, first_reading integer, claimed_total bigint, items bigint,
        repeats bigint, drift bigint, rewalked bigint, unreadable bigint, unaccounted bigint, listed_twice bigint,
        version text)
      WHERE r.ending IS NOT NULL
      """, [.int(walkID), .null], staged: [2: readings.expression])
    guard added.affectedRows == readings.endedLists else {
      throw SyncError.droppedRows(of: "sync.walk_list", count: readings.endedLists - added.affectedRows)
    }
    guard readings.hasSuperseded else { return }
    _ = try connection.query(
      """
      UPDATE sync.walk SET superseded = coalesce(superseded, '{}') + (
        SELECT range_agg(range::int4range)
        FROM unnest($2::text[]) AS reading
        CROSS JOIN LATERAL jsonb_array_elements_text(reading::jsonb#>'{ending,superseded}') AS range)
      WHERE id = $1
      """, [.int(walkID), .null], staged: [2: readings.expression])
  }

  /// Restricts the published readings to the last pass of a list that was read again.
  static func publish(_ readings: Range<Int>, walkID: Int64, _ connection: borrowing PGConnection) throws {
    _ = try connection.query(
      "UPDATE sync.walk SET published_from = $2, published_before = $3 WHERE id = $1",
      [.int(walkID), .int(Int64(readings.lowerBound)), .int(Int64(readings.upperBound))])
  }

  /// Whether the reading is stored.
  static func has(_ reading: Int, walkID: Int64, _ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      "SELECT EXISTS (SELECT FROM sync.walk_page WHERE walk_id = $1 AND page = $2)",
      [.int(walkID), .int(Int64(reading))])
  }

  /// Returns an error if committed readings are missing. Before publication, more than `ending.readings` readings can
  /// be stored, because this process does not count a reading if the reply to its commit is lost.
  static func loss(
    of ending: WalkEnding, walkID: Int64, stream: StreamID, _ connection: borrowing PGConnection
  ) throws -> SyncError? {
    let stored =
      try connection.query(
        "SELECT count(*), coalesce(max(page), 0) FROM sync.walk_page WHERE walk_id = $1", [.int(walkID)]
      ).first { row in (count: Int(try row.int(0) ?? 0), last: Int(try row.int(1) ?? 0)) } ?? (count: 0, last: 0)
    let isWhole =
      stored.count == stored.last
      && (ending.publishes ? stored.count == ending.readings : stored.count >= ending.readings)
    return isWhole ? nil : Lease.lost(stream, committed: ending.readings, stored: stored.count)
  }

  /// Ends a walk and deletes old walks. Keeps the last published walk, because later walks are compared with it.
  static func close(_ walkID: Int64, stream: StreamID, _ connection: borrowing PGConnection) throws {
    _ = try connection.query("UPDATE sync.walk SET finished_at = clock_timestamp() WHERE id = $1", [.int(walkID)])
    _ = try connection.query(
      """
      DELETE FROM sync.walk
      WHERE source = $1 AND stream = $2 AND finished_at < clock_timestamp() - make_interval(secs => $3)
        AND id IS DISTINCT FROM (
          SELECT r.walk_id FROM sync.publication p JOIN sync.run r ON r.id = p.run_id
          WHERE p.source = $1 AND p.list = $2)
      """, stream.key + [.double(Limits.walkRetention / .seconds(1))])
  }
}
