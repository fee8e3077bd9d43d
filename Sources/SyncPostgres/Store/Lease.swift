import Foundation
import LibPQ
import SyncCore

/// The right to write one stream: a row with a generation that grows, by the database's clock.
///
/// Every write checks the generation, so a process that lost its lease without noticing (suspended, cut off) cannot
/// commit. Rows and not session locks: those break behind a transaction pooler.
struct Lease {
  let stream: StreamID
  let generation: Int64

  /// What the stream's row says; locked until the end of the transaction.
  struct State {
    let provider: String
    let origin: String
    let pageSize: Int
    let walkID: Int64?
    fileprivate let owner: LeaseOwner?
    fileprivate let generation: Int64
    fileprivate let isHeld: Bool
    fileprivate let expiresAt: String?
  }

  /// Locks the stream's row, which is made if there is none.
  static func lockState(of stream: StreamDescription, _ connection: borrowing PGConnection) throws -> State {
    let key: [PGParameter] = [.text(stream.id.source.rawValue), .text(stream.id.name)]
    _ = try connection.query(
      """
      INSERT INTO sync.stream_state (source, stream, provider, origin, page_size) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT DO NOTHING
      """, key + [.text(stream.provider), .text(stream.origin), .int(Int64(stream.pageSize))])
    let state = try connection.query(
      """
      SELECT provider, origin, page_size, walk_id, lease_owner, lease_generation,
             coalesce(lease_owner IS NOT NULL AND lease_expires_at > clock_timestamp(), false),
             to_char(lease_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      FROM sync.stream_state WHERE source = $1 AND stream = $2 FOR UPDATE
      """, key
    ).first { row in
      State(
        provider: try row.text(0) ?? "", origin: try row.text(1) ?? "", pageSize: Int(try row.int(2) ?? 0),
        walkID: try row.int(3),
        owner: try row.text(4).flatMap { try? JSONDecoder().decode(LeaseOwner.self, from: Data($0.utf8)) },
        generation: try row.int(5) ?? 0, isHeld: try row.bool(6) ?? false, expiresAt: try row.text(7))
    }
    guard let state else {
      throw SyncError(.database, "\(stream.id): its row in sync.stream_state is gone", hint: "run again")
    }
    return state
  }

  /// Takes the lease in the transaction that locked the state.
  ///
  /// - Throws: `SyncError` `.tryLater` naming the holder.
  static func take(
    _ state: State, stream: StreamID, owner: LeaseOwner, _ connection: borrowing PGConnection
  ) throws -> Lease {
    if state.isHeld, state.owner.map({ $0 != owner && !$0.isGone(seenFrom: owner) }) ?? true {
      // An owner that cannot be read is one all the same: a newer syncctl may write more.
      let holder = state.owner.map { "process \($0.pid) on \(Excerpt.of($0.host, scalars: 60))" } ?? "another program"
      throw SyncError(
        .tryLater, "\(stream) is being run by \(holder), whose lease holds until \(state.expiresAt ?? "?")",
        hint: "wait for it, or stop it")
    }
    let lease = Lease(stream: stream, generation: state.generation + 1)
    let text = String(decoding: try JSONEncoder().encode(owner), as: UTF8.self)
    _ = try connection.query(
      """
      UPDATE sync.stream_state SET lease_owner = $3::jsonb, lease_generation = $4,
        lease_expires_at = clock_timestamp() + make_interval(secs => $5)
      WHERE source = $1 AND stream = $2
      """, lease.key + [.text(text), .int(lease.generation), .double(Self.ttlSeconds)])
    return lease
  }

  /// The fence: renews the lease and moves the cursor, or throws because somebody else has it now.
  func renew(cursor: Int, _ connection: borrowing PGConnection) throws {
    let rows = try connection.query(
      """
      UPDATE sync.stream_state SET cursor = $4, lease_expires_at = clock_timestamp() + make_interval(secs => $5)
      WHERE source = $1 AND stream = $2 AND lease_generation = $3
      """, key + [.int(generation), .int(Int64(cursor)), .double(Self.ttlSeconds)]
    ).affectedRows
    try check(rows)
  }

  /// Lets go, and leaves the walk to the next run or not.
  func release(walkID: Int64?, completedBy runID: String?, _ connection: borrowing PGConnection) throws {
    let rows = try connection.query(
      """
      UPDATE sync.stream_state SET lease_owner = NULL, lease_expires_at = NULL,
        walk_id = $4, cursor = CASE WHEN $4::bigint IS NULL THEN NULL ELSE cursor END,
        last_complete_run_id = coalesce($5::uuid, last_complete_run_id),
        last_complete_at = CASE WHEN $5::uuid IS NULL THEN last_complete_at ELSE clock_timestamp() END
      WHERE source = $1 AND stream = $2 AND lease_generation = $3
      """,
      key + [.int(generation), walkID.map { .int($0) } ?? .null, runID.map { .text($0) } ?? .null]
    ).affectedRows
    try check(rows)
  }

  private func check(_ rows: Int) throws(SyncError) {
    guard rows == 1 else {
      throw SyncError(
        .tryLater, "\(stream): another process has taken over the lease; nothing of this page was written",
        hint: "the other process goes on from the last committed page")
    }
  }

  private var key: [PGParameter] { [.text(stream.source.rawValue), .text(stream.name)] }

  private static let ttlSeconds = Double(Limits.leaseTTL.components.seconds)
}
