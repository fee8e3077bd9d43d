import Foundation
import LibPQ
package import SyncCore

/// The mirror as the engine sees it: one transaction to open a run, one per page, one to close it.
///
/// Each takes effect once, also when the connection is lost in the middle of it.
package struct PostgresWalkStore: WalkStore {
  private let database: Database
  private let owner: LeaseOwner
  private let options: Options

  package struct Options: Sendable {
    /// Take over a stream whose rows came from another base URL.
    package var adoptsOrigin: Bool
    /// How long a lease lasts without being renewed.
    package var leaseTTL: Duration
    /// An older walk is not gone on with.
    package var resumeAge: Duration

    package init(
      adoptsOrigin: Bool = false, leaseTTL: Duration = Limits.leaseTTL, resumeAge: Duration = Limits.walkResumeAge
    ) {
      self.adoptsOrigin = adoptsOrigin
      self.leaseTTL = leaseTTL
      self.resumeAge = resumeAge
    }
  }

  package init(_ database: Database, options: Options = Options()) {
    self.database = database
    self.options = options
    owner = LeaseOwner.current()
  }

  package func open(_ stream: StreamDescription, fresh: Bool) async throws -> OpenWalk {
    var bounds = TransactionBounds(within: options.leaseTTL)
    bounds.lock = Limits.leaseLockTimeout
    return try await database.write(
      bounds: bounds,
      // Ids of runs are random, so the row is this try's.
      confirm: { open, connection in try Ledger.has(open.runID, connection) }
    ) { [owner, options] connection in
      let (lease, state) = try Lease.take(stream, owner: owner, ttl: options.leaseTTL, connection)
      if !options.adoptsOrigin, state.origin != stream.origin || state.provider != stream.provider {
        try Self.refuseOtherOrigin(state, stream, connection)
      }
      try Ledger.closeAbandonedRuns(of: stream.id, connection)
      let walk = try WalkRecord.resumeOrStart(
        state, stream: stream, fresh: fresh, maximalAge: options.resumeAge, connection)
      let runID = try Ledger.startRun(of: stream.id, walkID: walk.id, connection)
      return OpenWalk(
        runID: runID, walkID: walk.id, generation: lease.generation, leaseTTL: options.leaseTTL, pages: walk.pages)
    }
  }

  /// Rows of two origins in one list would be nobody's copy. A stream that never published anything may move.
  private static func refuseOtherOrigin(
    _ state: Lease.State, _ stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws {
    let published = try connection.query(
      "SELECT EXISTS (SELECT FROM sync.publication WHERE source = $1 AND list = $2)",
      [.text(stream.id.source.rawValue), .text(stream.id.name)]
    ).bool(row: 0, column: 0)
    guard published == true else { return }
    throw SyncError(
      .configuration,
      "\(stream.id) was mirrored from \(state.provider) at \(Excerpt.of(state.origin)), "
        + "not from \(stream.provider) at \(stream.origin)",
      hint: "use another database, or take the data over with --adopt-origin")
  }

  package func renew(_ walk: OpenWalk, stream: StreamDescription) async throws {
    let lease = lease(of: walk, stream)
    // Of a heartbeat whose answer was lost, another one is as good.
    try await database.write(bounds: bounds(of: walk), confirm: { _, _ in false }) { connection in
      try lease.renew(connection)
    }
  }

  package func commit(
    _ commit: PageCommit, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> RunCounters {
    let writer = PageWriter(stream: stream, sql: try SourceSQL(stream.sql))
    let lease = lease(of: walk, stream)
    return try await database.write(
      bounds: bounds(of: walk),
      confirm: { _, connection in
        try lease.isCurrent(connection) && WalkRecord.has(commit.page.number, walkID: walk.walkID, connection)
      }
    ) { connection in
      try lease.renew(cursor: commit.page.number, connection)
      let (counters, refused) = try writer.write(commit.rows, counters: commit.counters, connection)
      try WalkRecord.add(commit.page, walkID: walk.walkID, connection)
      try Quarantine.add(commit.rejected + refused, stream: stream.id, runID: walk.runID, connection)
      try Ledger.update(walk.runID, counters, connection)
      return counters
    }
  }

  package func finish(
    _ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding
  ) async throws -> RunReport {
    let sql = try SourceSQL(stream.sql)
    let lease = lease(of: walk, stream)
    return try await database.write(
      bounds: bounds(of: walk),
      confirm: { _, connection in try Ledger.isClosed(walk.runID, connection) }
    ) { connection in
      try lease.lock(connection)
      var status = ending.status
      var error = ending.error
      if ending.publishes {
        let counters = ending.counters
        if QuarantineLimit.isExceeded(counters.quarantined, of: counters.rowsSeen) {
          status = .failed
          error = Publication.refusal(ofQuarantined: counters, stream: stream.id)
        } else if let refusal = try Publication.refusal(of: walk, stream: stream, sql: sql, connection) {
          status = .failed
          error = refusal
        } else {
          try Publication.publish(walk, stream: stream, sql: sql, isConsistent: status == .complete, connection)
        }
      }
      try lease.release(
        walkID: ending.isResumable ? walk.walkID : nil, completedBy: status == .complete ? walk.runID : nil, connection)
      if !ending.isResumable {
        try WalkRecord.close(walk.walkID, stream: stream.id, connection)
      }
      let (walBytes, duration) = try Ledger.closeRun(
        walk.runID, status: status, counters: ending.counters, certificate: ending.certificate,
        error: error?.description, connection)
      return RunReport(
        id: walk.runID, stream: stream.id, status: status, counters: ending.counters, walBytes: walBytes,
        duration: duration, certificate: ending.certificate, error: error)
    }
  }

  private func lease(of walk: OpenWalk, _ stream: StreamDescription) -> Lease {
    Lease(stream: stream.id, generation: walk.generation, ttl: walk.leaseTTL ?? options.leaseTTL)
  }

  private func bounds(of walk: OpenWalk) -> TransactionBounds {
    TransactionBounds(within: walk.leaseTTL ?? options.leaseTTL)
  }
}

/// Published lists: replaced as a whole, with the run they are from.
private enum Publication {
  /// Why the guard does not let this walk be published; nil if it does.
  static func refusal(
    of walk: OpenWalk, stream: StreamDescription, sql: SourceSQL, _ connection: borrowing PGConnection
  ) throws -> SyncError? {
    let counts = try connection.query(sql.previewPublish, [.int(walk.walkID), .texts(stream.sql.scope)])
      .first { row in (published: Int(try row.int(0) ?? 0), removed: Int(try row.int(1) ?? 0)) }
    guard let counts, stream.shrinkGuard.refuses(removing: counts.removed, of: counts.published) else { return nil }
    return SyncError(
      .guarded,
      "\(stream.id): publishing this walk would remove \(counts.removed) of \(counts.published) entries; "
        + "the published list stays as it was",
      hint: "look at the upstream; if the list really shrank, delete its rows from the published list and run again")
  }

  static func refusal(ofQuarantined counters: RunCounters, stream: StreamID) -> SyncError {
    SyncError(
      .guarded,
      "\(stream): \(counters.quarantined) of \(counters.rowsSeen) items could not be used; "
        + "the published list stays as it was",
      hint: "sync.quarantine says why; the upstream has probably changed its shape")
  }

  static func publish(
    _ walk: OpenWalk, stream: StreamDescription, sql: SourceSQL, isConsistent: Bool,
    _ connection: borrowing PGConnection
  ) throws {
    let entries = try connection.query(sql.publish, [.int(walk.walkID), .texts(stream.sql.scope)])
      .int(row: 0, column: 0)
    _ = try connection.query(
      """
      INSERT INTO sync.publication (source, list, run_id, consistent, entries) VALUES ($1, $2, $3::uuid, $4, $5)
      ON CONFLICT (source, list) DO UPDATE SET run_id = excluded.run_id, published_at = clock_timestamp(),
        consistent = excluded.consistent, entries = excluded.entries
      """,
      [
        .text(stream.id.source.rawValue), .text(stream.id.name), .text(walk.runID), .bool(isConsistent),
        .int(entries ?? 0),
      ])
  }
}
