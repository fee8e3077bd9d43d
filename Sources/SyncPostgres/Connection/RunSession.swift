import LibPQ
import SyncCore

/// Ends sessions that outlived their clients. PostgreSQL has no timeout for the rest of a message, so such a session
/// can lock the lease's row forever. A role can end only sessions of roles whose rights it has.
enum RunSession {
  static func name(of runID: String) -> String { prefix + runID }

  private static let prefix = "syncctl "

  /// Ends the sessions of a run that lost its connection or lease. The caller must not have a transaction of this run
  /// on another connection.
  static func endOthers(of runID: String, _ connection: borrowing PGConnection) throws -> Int {
    try end(
      """
      SELECT a.pid FROM pg_stat_activity a
      WHERE a.application_name = $1 AND a.pid <> pg_backend_pid() AND a.datname = current_database()
        AND pg_has_role(a.usesysid, 'USAGE') AND a.backend_type = 'client backend'
        -- A session that waits for standbys has already committed.
        AND a.wait_event IS DISTINCT FROM 'SyncRep'
      """, [.text(name(of: runID))], connection)
  }

  static func endExpiredHolder(of stream: StreamID, _ connection: borrowing PGConnection) throws -> Int {
    try end(
      """
      SELECT a.pid
      FROM sync.stream_state s
      JOIN sync.run r ON r.source = s.source AND r.stream = s.stream AND r.status = 'running'
      -- The row's `xmax` is the transaction that locks the row, because only one transaction can lock a lease.
      JOIN pg_stat_activity a ON a.backend_xid = s.xmax AND a.application_name = $3 || r.id
      WHERE s.source = $1 AND s.stream = $2 AND s.lease_expires_at <= clock_timestamp()
        AND pg_has_role(a.usesysid, 'USAGE') AND a.wait_event_type = 'Client'
      """, stream.key + [.text(prefix)], connection)
  }

  /// Finds and ends sessions in one statement, so that no new session gets an old pid in between.
  private static func end(
    _ sessions: SQL, _ parameters: [PGParameter], _ connection: borrowing PGConnection
  ) throws -> Int {
    let ended = try connection.query(
      "WITH found AS MATERIALIZED (" + sessions
        + ") SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM found", parameters)
    return Int(try ended.int(row: 0, column: 0) ?? 0)
  }
}

extension Database {
  func endSessions(of runID: String?, _ backoff: inout Backoff) async throws {
    guard let runID else { return }
    tell(ended: try await read(&backoff) { connection in try RunSession.endOthers(of: runID, connection) })
  }

  func endSessions(_ end: @escaping @Sendable (borrowing PGConnection) throws -> Int) async throws -> Bool {
    let count = try await read(end)
    tell(ended: count)
    return count > 0
  }

  func tell(ended count: Int) {
    if count > 0 { options.onChange(.endedSessions(count)) }
  }
}
