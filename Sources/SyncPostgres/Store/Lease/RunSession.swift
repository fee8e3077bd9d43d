import LibPQ
import SyncCore

/// The server's sessions in which runs write, by the name that each such transaction bears.
///
/// A session may outlive its client in the middle of a transaction: the client is stopped, or its connection is cut and
/// the server, a pooler or a balancer has not noticed. While the server waits for the rest of a message no timeout of
/// PostgreSQL ends it, and the lease's row stays locked. Its own role may end it, and roles that have its rights.
enum RunSession {
  static func name(of runID: String) -> String { prefix + runID }

  private static let prefix = "syncctl "

  /// Ends the sessions in which a run may have left a transaction: its connection was lost, or its lease taken over.
  /// Only for a caller that has no transaction of this run on another connection.
  ///
  /// - Returns: how many.
  static func endOthers(of runID: String, _ connection: borrowing PGConnection) throws -> Int {
    try end(
      """
      SELECT a.pid FROM pg_stat_activity a
      WHERE a.application_name = $1 AND a.pid <> pg_backend_pid() AND a.datname = current_database()
        AND pg_has_role(a.usesysid, 'USAGE') AND a.backend_type = 'client backend'
        -- A transaction that waits for standbys has been committed.
        AND a.wait_event IS DISTINCT FROM 'SyncRep'
      """, [.text(name(of: runID))], connection)
  }

  /// Ends the session that keeps the row of an expired lease locked while it waits for its client. One that is at work
  /// continues: its statement has a time limit.
  ///
  /// - Returns: how many.
  static func endExpiredHolder(of stream: StreamID, _ connection: borrowing PGConnection) throws -> Int {
    try end(
      """
      SELECT a.pid
      FROM sync.stream_state s
      JOIN sync.run r ON r.source = s.source AND r.stream = s.stream AND r.status = 'running'
      -- Whoever locks the row is its xmax: a lease is locked by one transaction, never by several with a share each.
      JOIN pg_stat_activity a ON a.backend_xid = s.xmax AND a.application_name = $3 || r.id
      WHERE s.source = $1 AND s.stream = $2 AND s.lease_expires_at <= clock_timestamp()
        AND pg_has_role(a.usesysid, 'USAGE') AND a.wait_event_type = 'Client'
      """, [.text(stream.source.rawValue), .text(stream.name), .text(prefix)], connection)
  }

  /// Finds and ends in one statement, so that nobody else gets the process number in between.
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
  /// Ends what a lost connection of this run has left open, before the run writes again.
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
