import Foundation
import LibPQ
import SyncCore

enum Ledger {
  static func startRun(
    _ id: String, of stream: StreamID, walkID: Int64?, job: JobRunKey?, invocation: String?,
    _ connection: borrowing PGConnection
  ) throws {
    try connection.writeRow(
      to: "sync.run",
      """
      INSERT INTO sync.run (source, stream, walk_id, status, job, job_nominal_at, id, invocation_id)
      VALUES ($1, $2, $3, 'running', $4, to_timestamp($5), $6::uuid, $7::uuid)
      """,
      stream.key + [
        .int(walkID), .text(job?.job), job.map { .double(Double($0.nominalAt)) } ?? .null, .text(id), .text(invocation),
      ])
  }

  /// Microseconds since 1970.
  static func databaseTime(_ connection: borrowing PGConnection) throws -> Int64 {
    try connection.query("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").int(row: 0, column: 0) ?? 0
  }

  static func has(_ runID: String, _ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue("SELECT EXISTS (SELECT FROM sync.run WHERE id = $1::uuid)", [.text(runID)])
  }

  static func isClosed(_ runID: String, _ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      "SELECT EXISTS (SELECT FROM sync.run WHERE id = $1::uuid AND finished_at IS NOT NULL)", [.text(runID)])
  }

  /// Closes the runs of killed processes and returns their ids. These runs have ended, because the caller has the
  /// lease.
  static func closeAbandonedRuns(of stream: StreamID, _ connection: borrowing PGConnection) throws -> [String] {
    try connection.texts(
      """
      UPDATE sync.run SET status = 'interrupted', error = 'the process ended without closing its run'
      WHERE source = $1 AND stream = $2 AND status = 'running'
      RETURNING id
      """, stream.key)
  }

  static func update(_ runID: String, with counters: RunCounters, _ connection: borrowing PGConnection) throws {
    let rows = try connection.query(
      """
      UPDATE sync.run SET pages = $2, requests = $3, retries = $4, not_modified = $5, rows_seen = $6, inserted = $7,
        updated = $8, documents_updated = $9, unchanged = $10, duplicates = $11, quarantined = $12, vanished = $13,
        bytes = $14, repaired = $15, permits_waited = $16, waited_ms = $17,
        fresh = $18, identical = $19, not_understood = $20::jsonb
      WHERE id = $1::uuid
      """, [.text(runID)] + parameters(counters) + [.text(counters.notUnderstood.json)]
    ).affectedRows
    guard rows == 1 else { throw try notWritten(runID, connection) }
  }

  private static func notWritten(_ runID: String, _ connection: borrowing PGConnection) throws -> SyncError {
    if try has(runID, connection) { return .droppedRows(of: "sync.run", count: 1) }
    return SyncError(
      .tryLater, "the database has lost run \(runID) (a failover or a crash); nothing more was written",
      hint: "run again")
  }

  /// - Parameter counters: `nil` keeps the counters of the last commit.
  /// - Returns: the WAL bytes of the whole server during the run, and the run's duration by the database's clock.
  static func closeRun(
    _ runID: String, status: RunStatus, counters: RunCounters?, certificate: Certificate?, error: SyncError?,
    warning: String? = nil, isGuarded: Bool, _ connection: borrowing PGConnection
  ) throws -> (walBytes: Int, duration: Duration) {
    let encoded = try certificate.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    if let counters { try update(runID, with: counters, connection) }

    let closed = try connection.query(
      """
      UPDATE sync.run SET status = $2, certificate = $3::jsonb, error = $4, guarded = $5, warning = $6,
        finished_at = clock_timestamp(),
        wal_bytes = pg_wal_lsn_diff(pg_current_wal_lsn(), wal_start)
      WHERE id = $1::uuid
      RETURNING wal_bytes, extract(epoch FROM finished_at - started_at)::double precision
      """,
      [
        .text(runID), .text(status.rawValue), .text(encoded), .text(error?.description), .bool(isGuarded),
        .text(warning),
      ]
    ).first { row in (Int(try row.int(0) ?? 0), Duration(clamping: try row.double(1) ?? 0)) }

    guard let closed else { throw try notWritten(runID, connection) }
    return closed
  }

  private static func parameters(_ counters: RunCounters) -> [PGParameter] {
    [
      counters.pages, counters.requests, counters.retries, counters.notModified, counters.rowsSeen, counters.inserted,
      counters.updated, counters.documentsUpdated, counters.unchanged, counters.duplicates, counters.quarantined,
      counters.vanished, counters.bytes, counters.repaired, counters.permitsWaited,
      Int(counters.waited / .milliseconds(1)), counters.fresh, counters.identical,
    ].map { .int(Int64($0)) }
  }
}

extension MisfitTally {
  package var json: String? {
    guard !paths.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(paths)).map { String(decoding: $0, as: UTF8.self) }
  }
}
