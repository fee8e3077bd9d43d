import Foundation
import LibPQ
import SyncCore

/// The exclusive right to write one stream until a time of the database's clock. The lease is a row with a generation
/// number, because session locks do not work behind a transaction pooler. Every write checks the generation, so a
/// process that lost its lease cannot commit.
///
/// After a failover that lost commits, the next process can get the same generation. Therefore every write also checks
/// that the run and its committed pages still exist.
struct Lease {
  let stream: StreamID
  let runID: String
  let generation: Int64
  let ttl: Duration

  struct StreamState {
    let provider: String
    let origin: String
    let pageSize: Int
    let walkID: Int64?
    fileprivate let owner: LeaseOwner?
    fileprivate let generation: Int64
    fileprivate let isCurrent: Bool
    fileprivate let expiresAt: String?

    fileprivate func isHeld(seenFrom observer: LeaseOwner) -> Bool {
      isCurrent && !isAbandoned(seenFrom: observer)
    }

    /// Whether the process has provably ended. False for an owner that this version cannot read.
    fileprivate func isAbandoned(seenFrom observer: LeaseOwner) -> Bool {
      owner?.isGone(seenFrom: observer) ?? false
    }
  }

  /// Takes the stream's lease in this transaction, and increases its generation, which fences earlier holders off.
  ///
  /// Reads the lease without a lock first, because a suspended process may have locked the row.
  /// - Returns: The new generation, and the stream's state before.
  /// - Throws: `.leaseHeld` with the holder's name if another process holds the lease, or locks its row.
  static func take(
    _ stream: StreamDescription, owner: LeaseOwner, ttl: Duration, _ connection: borrowing PGConnection
  ) throws -> (generation: Int64, before: StreamState) {
    do {
      if try look(at: stream.id, connection) == nil { try makeRow(stream, connection) }
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      throw held(stream.id, by: nil, isLocked: true)
    }
    return try take(stream.id, owner: owner, ttl: ttl, connection)
  }

  /// Takes the lease of a stream that has a row in `sync.stream_state`. See the other `take`.
  static func take(
    _ stream: StreamID, owner: LeaseOwner, ttl: Duration, _ connection: borrowing PGConnection
  ) throws -> (generation: Int64, before: StreamState) {
    let seen = try look(at: stream, connection)
    if let seen, seen.isHeld(seenFrom: owner) { throw held(stream, by: seen) }

    let state: StreamState
    do {
      if let seen, seen.isAbandoned(seenFrom: owner) {
        // Wait for the lock, because the server can still be running the last statement of a killed process.
        try connection.query(
          "SELECT set_config('lock_timeout', $1, true)", [.text("\(Limits.lockTimeout.components.seconds)s")])
      }
      guard let locked = try look(at: stream, locking: true, connection) else {
        throw SyncError.droppedRows(of: "sync.stream_state", count: 1)
      }
      state = locked
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      throw held(stream, by: seen, isLocked: true)
    }

    if state.isHeld(seenFrom: owner) { throw held(stream, by: state) }

    // The generation may wrap around, because writes check only whether generations are equal.
    let generation = state.generation &+ 1

    var owner = owner
    owner.ttl = ttl / .seconds(1)
    let text = String(decoding: try JSONEncoder().encode(owner), as: UTF8.self)

    try connection.writeRow(
      to: "sync.stream_state",
      """
      UPDATE sync.stream_state SET lease_owner = $3::jsonb, lease_generation = $4,
        lease_expires_at = clock_timestamp() + make_interval(secs => $5)
      WHERE source = $1 AND stream = $2
      """, stream.key + [.text(text), .int(generation), .double(ttl / .seconds(1))])
    return (generation, state)
  }

  static func seen(
    _ stream: StreamID, by observer: LeaseOwner, _ connection: borrowing PGConnection
  ) throws -> (state: StreamState, holder: SyncError?)? {
    guard let state = try look(at: stream, connection) else { return nil }
    return (state, state.isHeld(seenFrom: observer) ? held(stream, by: state) : nil)
  }

  private static func look(
    at stream: StreamID, locking: Bool = false, _ connection: borrowing PGConnection
  ) throws -> StreamState? {
    let sql = """
      SELECT provider, origin, page_size, walk_id, lease_owner, lease_generation,
             coalesce(lease_owner IS NOT NULL AND lease_expires_at > clock_timestamp(), false),
             least(lease_expires_at, \(latestEnd("lease_owner", longest: "$3")))
      FROM sync.stream_state WHERE source = $1 AND stream = $2
      """
    return try connection.query(
      SQL(trusted: locking ? sql + " FOR UPDATE" : sql), stream.key + [longest]
    ).first { row in
      StreamState(
        provider: try row.text(0) ?? "", origin: try row.text(1) ?? "", pageSize: Int(try row.int(2) ?? 0),
        walkID: try row.int(3),
        owner: try row.text(4).flatMap { try? JSONDecoder().decode(LeaseOwner.self, from: Data($0.utf8)) },
        generation: try row.int(5) ?? 0, isCurrent: try row.bool(6) ?? false,
        expiresAt: try row.text(7).map(TimeText.second))
    }
  }

  static func latestEnd(_ owner: String, longest: String) -> String {
    """
    clock_timestamp() + make_interval(secs => greatest(0, least(\(longest)::numeric,
      CASE WHEN jsonb_typeof(\(owner) -> 'ttl') = 'number' THEN (\(owner) -> 'ttl')::numeric END))::double precision)
    """
  }

  static let longest = PGParameter.double(Limits.longestLeaseTTL / .seconds(1))

  /// Shortens a lease that ends too late, for example because the server's clock was set back.
  static func shorten(_ stream: StreamID, _ connection: borrowing PGConnection) throws {
    let end = latestEnd("lease_owner", longest: "$3")
    _ = try connection.query(
      SQL(
        trusted: """
          UPDATE sync.stream_state SET lease_expires_at = \(end)
          WHERE source = $1 AND stream = $2 AND lease_expires_at > \(end)
          """), stream.key + [longest])
  }

  private static func makeRow(_ stream: StreamDescription, _ connection: borrowing PGConnection) throws {
    _ = try connection.query(
      """
      INSERT INTO sync.stream_state (source, stream, provider, origin, page_size) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT DO NOTHING
      """, stream.identity)
  }

  private static func held(_ stream: StreamID, by state: StreamState?, isLocked: Bool = false) -> SyncError {
    var message = "\(stream) is being run by "
    message += state?.owner.map { "process \($0.pid) on \(Excerpt.of($0.host, scalars: 60))" } ?? "another program"
    if isLocked { message += "; it is in the middle of a transaction" }
    let end = state?.expiresAt.map { "; its lease expires at \($0)" } ?? ""
    return SyncError(.leaseHeld, message, hint: "wait for it (--wait), or stop it\(end)")
  }

  /// Checks and renews the lease for a write. Throws if another process has the lease, or if commits of this run are
  /// lost.
  /// - Parameter cursor: the number of the last reading to commit. It must be the stored cursor plus `readings`.
  func renew(cursor: Int? = nil, readings: Int = 1, _ connection: borrowing PGConnection) throws {
    let rows = try connection.query(
      """
      UPDATE sync.stream_state SET cursor = coalesce($5::integer, cursor),
        lease_expires_at = clock_timestamp() + make_interval(secs => $6)
      WHERE source = $1 AND stream = $2 AND lease_generation = $3 AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
        AND coalesce(coalesce(cursor, 0) = $5 - $7, true)
      """, fence + [.int(cursor.map(Int64.init)), .double(ttl / .seconds(1)), .int(Int64(readings))]
    ).affectedRows
    guard rows == 1 else { throw try lost(committed: cursor.map { $0 - readings }, connection) }
  }

  /// Checks the lease without renewing it. Until this transaction ends, no other process can take the lease.
  func lock(_ connection: borrowing PGConnection) throws {
    let rows = try connection.query(
      """
      SELECT FROM sync.stream_state
      WHERE source = $1 AND stream = $2 AND lease_generation = $3 AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
      FOR UPDATE
      """, fence
    ).rowCount
    guard rows == 1 else { throw try lost(connection) }
  }

  /// Ends the lease.
  /// - Parameters:
  ///   - walkID: The walk that the next run can continue; `nil` without one.
  ///   - runID: The run that read the list to its end; `nil` for any other run.
  ///   - isFresh: Whether the stream is up to date now. Also true if the run ended at an ignored answer.
  ///   - isProven: Whether the run has shown that its list is consistent.
  /// - Throws: `SyncError` if another process has the lease.
  func release(
    walkID: Int64?, readBy runID: String?, isFresh: Bool, isProven: Bool, _ connection: borrowing PGConnection
  ) throws {
    let rows = try connection.query(
      """
      UPDATE sync.stream_state SET lease_owner = NULL, lease_expires_at = NULL,
        walk_id = $5, cursor = CASE WHEN $5::bigint IS NULL THEN NULL ELSE cursor END,
        last_complete_run_id = coalesce($6::uuid, last_complete_run_id),
        last_complete_at = CASE WHEN $8 THEN moment.at ELSE last_complete_at END,
        last_consistent_at = CASE WHEN $7 THEN moment.at ELSE last_consistent_at END
      FROM (SELECT clock_timestamp() AS at) AS moment
      WHERE source = $1 AND stream = $2 AND lease_generation = $3 AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
      """, fence + [.int(walkID), .text(runID), .bool(isProven), .bool(isFresh)]
    ).affectedRows
    guard rows == 1 else { throw try lost(connection) }
  }

  func isCurrent(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      """
      SELECT EXISTS (SELECT FROM sync.stream_state WHERE source = $1 AND stream = $2 AND lease_generation = $3)
        AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
      """, fence)
  }

  private func lost(committed: Int? = nil, _ connection: borrowing PGConnection) throws -> SyncError {
    let stored = try connection.query(
      """
      SELECT lease_generation > $3, coalesce(cursor, 0), lease_owner IS NULL FROM sync.stream_state
      WHERE source = $1 AND stream = $2 AND lease_generation >= $3
        AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
      """, fence
    ).first { row in
      (isTaken: try row.bool(0) ?? false, cursor: Int(try row.int(1) ?? 0), isFree: try row.bool(2) ?? false)
    }

    guard let stored else {
      return SyncError(
        .tryLater,
        "\(stream): the database has lost the start of this run (a failover or a crash); nothing more was written",
        hint: "run again")
    }

    if let committed, !stored.isTaken { return Self.lost(stream, committed: committed, stored: stored.cursor) }

    if stored.isFree {
      return SyncError(
        .tryLater,
        "\(stream): another process has ended this run's lease, as syncctl migrate does when it changes what stored "
          + "pages mean; nothing more was written",
        hint: "run again, with the declaration that was migrated")
    }
    return SyncError(
      .tryLater, "\(stream): another process has taken over the lease; nothing more was written",
      hint: "the other process resumes after the last committed page")
  }

  static func lost(_ stream: StreamID, committed: Int, stored: Int) -> SyncError {
    SyncError(
      .tryLater,
      "\(stream): the database has lost commits of this run (a failover or a crash): the stored walk has \(stored) pages, "
        + "this run had committed \(committed); nothing more was written",
      hint: "run again: it resumes after the stored pages")
  }

  private var fence: [PGParameter] { stream.key + [.int(generation), .text(runID)] }
}

extension StreamID {
  var key: [PGParameter] { [.text(source.rawValue), .text(name)] }
}

extension StreamDescription {
  var identity: [PGParameter] { id.key + [.text(provider), .text(origin), .int(Int64(pageSize))] }
}

extension TransactionBounds {
  init(within ttl: Duration, of runID: String? = nil) {
    self.init(lock: min(Limits.lockTimeout, ttl * 2 / 3), idle: min(Limits.idleUnderLeaseTimeout, ttl * 2 / 3))
    self.runID = runID
  }
}
