import Foundation
import LibPQ
import SyncCore

/// The right to write one stream: a row with a generation that grows, by the database's clock.
///
/// Every write checks the generation, so a process that lost its lease without noticing (suspended, cut off) cannot
/// commit. Rows and not session locks: those break behind a transaction pooler.
///
/// A failover or a crash may take back commits that were confirmed, the one that took the lease too; the next process
/// then gets the same generation. So every write also checks that the run and all that it has committed are there.
struct Lease {
  let stream: StreamID
  let runID: String
  let generation: Int64
  let ttl: Duration

  struct State {
    let provider: String
    let origin: String
    let pageSize: Int
    let walkID: Int64?
    fileprivate let owner: LeaseOwner?
    fileprivate let generation: Int64
    fileprivate let isCurrent: Bool
    fileprivate let expiresAt: String?

    /// A lease is held by whoever took it, this process too, until it expires or its process is seen to have ended.
    fileprivate func isHeld(seenFrom observer: LeaseOwner) -> Bool {
      isCurrent && !isAbandoned(seenFrom: observer)
    }

    /// An owner that cannot be read is one all the same: a newer syncctl may write more.
    fileprivate func isAbandoned(seenFrom observer: LeaseOwner) -> Bool {
      owner?.isGone(seenFrom: observer) ?? false
    }
  }

  /// Takes the lease, and returns its generation and what the stream's row said before.
  ///
  /// Looks first: of a lease that is held nothing is locked, and its holder may be suspended with the row locked.
  ///
  /// - Throws: `SyncError` `.leaseHeld` naming the holder.
  static func take(
    _ stream: StreamDescription, owner: LeaseOwner, ttl: Duration, _ connection: borrowing PGConnection
  ) throws -> (generation: Int64, before: State) {
    do {
      if try look(at: stream.id, connection) == nil { try makeRow(stream, connection) }
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      throw held(stream.id, by: nil, isLocked: true)
    }
    return try take(stream.id, owner: owner, ttl: ttl, connection)
  }

  static func take(
    _ stream: StreamID, owner: LeaseOwner, ttl: Duration, _ connection: borrowing PGConnection
  ) throws -> (generation: Int64, before: State) {
    let seen = try look(at: stream, connection)
    if let seen, seen.isHeld(seenFrom: owner) { throw held(stream, by: seen) }
    let state: State
    do {
      if let seen, seen.isAbandoned(seenFrom: owner) {
        // The server may still be at work on the last statement of a process that was killed. It is worth the wait.
        try connection.query(
          "SELECT set_config('lock_timeout', $1, true)", [.text("\(Limits.lockTimeout.components.seconds)s")])
      }
      guard let locked = try look(at: stream, locking: true, connection) else {
        throw try DroppedRows.error("sync.stream_state", connection)
      }
      state = locked
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      throw held(stream, by: seen, isLocked: true)
    }
    if state.isHeld(seenFrom: owner) { throw held(stream, by: state) }

    // Wraps: the fence asks whether a generation is the same, not whether it is greater.
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
      """, key(of: stream) + [.text(text), .int(generation), .double(ttl / .seconds(1))])
    return (generation, state)
  }

  /// What the stream's row says to somebody who only looks, and who holds the lease; nil if the stream never ran.
  static func seen(
    _ stream: StreamID, by observer: LeaseOwner, _ connection: borrowing PGConnection
  ) throws -> (state: State, holder: SyncError?)? {
    guard let state = try look(at: stream, connection) else { return nil }
    return (state, state.isHeld(seenFrom: observer) ? held(stream, by: state) : nil)
  }

  private static func look(
    at stream: StreamID, locking: Bool = false, _ connection: borrowing PGConnection
  ) throws -> State? {
    let sql = """
      SELECT provider, origin, page_size, walk_id, lease_owner, lease_generation,
             coalesce(lease_owner IS NOT NULL AND lease_expires_at > clock_timestamp(), false),
             least(lease_expires_at, \(latestEnd("lease_owner", longest: "$3")))
      FROM sync.stream_state WHERE source = $1 AND stream = $2
      """
    return try connection.query(
      SQL(trusted: locking ? sql + " FOR UPDATE" : sql), key(of: stream) + [longest]
    ).first { row in
      State(
        provider: try row.text(0) ?? "", origin: try row.text(1) ?? "", pageSize: Int(try row.int(2) ?? 0),
        walkID: try row.int(3),
        owner: try row.text(4).flatMap { try? JSONDecoder().decode(LeaseOwner.self, from: Data($0.utf8)) },
        generation: try row.int(5) ?? 0, isCurrent: try row.bool(6) ?? false,
        expiresAt: try row.text(7).map(TimeText.second))
    }
  }

  /// SQL for the latest time at which a lease that was renewed just now would end.
  ///
  /// - Parameters:
  ///   - owner: column with the `LeaseOwner`, which says its TTL or does not.
  ///   - longest: parameter with the longest TTL there is.
  static func latestEnd(_ owner: String, longest: String) -> String {
    """
    clock_timestamp() + make_interval(secs => greatest(0, least(\(longest)::numeric,
      CASE WHEN jsonb_typeof(\(owner) -> 'ttl') = 'number' THEN (\(owner) -> 'ttl')::numeric END))::double precision)
    """
  }

  static let longest = PGParameter.double(Limits.longestLeaseTTL / .seconds(1))

  /// Has a lease of somebody else end after its TTL where the row says later: the server's clock was set back, or
  /// somebody edited the row. Until then the holder, if there is one, has renewed it.
  static func shorten(_ stream: StreamID, _ connection: borrowing PGConnection) throws {
    let end = latestEnd("lease_owner", longest: "$3")
    _ = try connection.query(
      SQL(
        trusted: """
          UPDATE sync.stream_state SET lease_expires_at = \(end)
          WHERE source = $1 AND stream = $2 AND lease_expires_at > \(end)
          """), key(of: stream) + [longest])
  }

  private static func makeRow(_ stream: StreamDescription, _ connection: borrowing PGConnection) throws {
    _ = try connection.query(
      """
      INSERT INTO sync.stream_state (source, stream, provider, origin, page_size) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT DO NOTHING
      """,
      key(of: stream.id) + [.text(stream.provider), .text(stream.origin), .int(Int64(stream.pageSize))])
  }

  private static func held(_ stream: StreamID, by state: State?, isLocked: Bool = false) -> SyncError {
    var message = "\(stream) is being run by "
    message += state?.owner.map { "process \($0.pid) on \(Excerpt.of($0.host, scalars: 60))" } ?? "another program"
    if let expiresAt = state?.expiresAt { message += ", whose lease holds until \(expiresAt)" }
    if isLocked { message += "; it is in the middle of a transaction" }
    return SyncError(.leaseHeld, message, hint: "wait for it (--wait), or stop it")
  }

  /// The fence: renews the lease, or throws because somebody else has it now or commits of this run are lost.
  ///
  /// - Parameters:
  ///   - cursor: the last reading that is being committed; nil leaves the cursor where it is.
  ///   - readings: how many are being committed. The first must be the one after the stored cursor.
  func renew(cursor: Int? = nil, readings: Int = 1, _ connection: borrowing PGConnection) throws {
    let rows = try connection.query(
      """
      UPDATE sync.stream_state SET cursor = coalesce($5::integer, cursor),
        lease_expires_at = clock_timestamp() + make_interval(secs => $6)
      WHERE source = $1 AND stream = $2 AND lease_generation = $3 AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
        AND coalesce(coalesce(cursor, 0) = $5 - $7, true)
      """,
      fence + [cursor.map { .int(Int64($0)) } ?? .null, .double(ttl / .seconds(1)), .int(Int64(readings))]
    ).affectedRows
    guard rows == 1 else { throw try lost(committed: cursor.map { $0 - readings }, connection) }
  }

  /// The fence without a write, and the row's lock: nobody takes the lease before this transaction ends.
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

  /// Lets go, and leaves the walk to the next run or not.
  ///
  /// - Parameters:
  ///   - runID: of a run after which the mirror has the stream as it was then.
  ///   - isProven: nothing can have moved past the reader of that run.
  func release(
    walkID: Int64?, freshBy runID: String?, isProven: Bool, _ connection: borrowing PGConnection
  ) throws {
    let rows = try connection.query(
      """
      UPDATE sync.stream_state SET lease_owner = NULL, lease_expires_at = NULL,
        walk_id = $5, cursor = CASE WHEN $5::bigint IS NULL THEN NULL ELSE cursor END,
        last_complete_run_id = coalesce($6::uuid, last_complete_run_id),
        last_complete_at = CASE WHEN $6::uuid IS NULL THEN last_complete_at ELSE moment.at END,
        last_consistent_at = CASE WHEN $7 THEN moment.at ELSE last_consistent_at END
      FROM (SELECT clock_timestamp() AS at) AS moment
      WHERE source = $1 AND stream = $2 AND lease_generation = $3 AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
      """,
      fence + [walkID.map { .int($0) } ?? .null, runID.map { .text($0) } ?? .null, .bool(isProven)]
    ).affectedRows
    guard rows == 1 else { throw try lost(connection) }
  }

  func isCurrent(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.query(
      """
      SELECT EXISTS (SELECT FROM sync.stream_state WHERE source = $1 AND stream = $2 AND lease_generation = $3)
        AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
      """, fence
    ).bool(row: 0, column: 0) ?? false
  }

  /// Why the fence did not let a write pass.
  ///
  /// - Parameter committed: readings that this run knows to be committed; nil if the write was not about them.
  private func lost(committed: Int? = nil, _ connection: borrowing PGConnection) throws -> SyncError {
    let stored = try connection.query(
      """
      SELECT lease_generation > $3, coalesce(cursor, 0) FROM sync.stream_state
      WHERE source = $1 AND stream = $2 AND lease_generation >= $3
        AND EXISTS (SELECT FROM sync.run WHERE id = $4::uuid)
      """, fence
    ).first { row in (isTaken: try row.bool(0) ?? false, cursor: Int(try row.int(1) ?? 0)) }
    guard let stored else {
      return SyncError(
        .tryLater,
        "\(stream): the database has lost the start of this run (a failover or a crash); nothing more was written",
        hint: "run again")
    }
    if let committed, !stored.isTaken { return Self.lost(stream, committed: committed, stored: stored.cursor) }
    return SyncError(
      .tryLater, "\(stream): another process has taken over the lease; nothing more was written",
      hint: "the other process resumes after the last committed page")
  }

  /// Readings of the run were committed and are not there any more.
  static func lost(_ stream: StreamID, committed: Int, stored: Int) -> SyncError {
    SyncError(
      .tryLater,
      "\(stream): the database has lost commits of this run (a failover or a crash): the stored walk has \(stored) pages, "
        + "this run had committed \(committed); nothing more was written",
      hint: "run again: it resumes after the stored pages")
  }

  /// The first parameters of a statement that checks the fence.
  private var fence: [PGParameter] { Self.key(of: stream) + [.int(generation), .text(runID)] }

  private static func key(of stream: StreamID) -> [PGParameter] {
    [.text(stream.source.rawValue), .text(stream.name)]
  }
}

extension TransactionBounds {
  /// A holder that stands still inside a transaction, or waits there for a lock, is ended by the server before its
  /// lease is. A statement at work may outlast a short lease: the row's lock keeps others out until it ends.
  init(within ttl: Duration, of runID: String? = nil) {
    self.init(lock: min(Limits.lockTimeout, ttl * 2 / 3), idle: min(Limits.idleUnderLeaseTimeout, ttl * 2 / 3))
    self.runID = runID
  }
}
