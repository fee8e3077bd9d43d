import Foundation
import LibPQ
package import SyncCore

/// The mirror as the engine sees it: one transaction to open a run, one per page, one to close it.
package struct PostgresWalkStore: WalkStore {
  private let database: Database
  private let owner: LeaseOwner
  private let adoptsOrigin: Bool

  /// - Parameter adoptsOrigin: take over a stream whose rows came from another base URL.
  package init(_ database: Database, adoptsOrigin: Bool = false) {
    self.database = database
    self.adoptsOrigin = adoptsOrigin
    owner = LeaseOwner.current()
  }

  package func open(_ stream: StreamDescription, fresh: Bool) async throws -> OpenWalk {
    try await database.write { [self] connection in
      let state = try Lease.lockState(of: stream, connection)
      let lease = try Lease.take(state, stream: stream.id, owner: owner, connection)
      if !adoptsOrigin, state.origin != stream.origin || state.provider != stream.provider {
        try refuseOtherOrigin(state, stream, connection)
      }
      try Ledger.closeAbandonedRuns(of: stream.id, connection)
      let walk = try WalkRecord.resumeOrStart(state, stream: stream, fresh: fresh, connection)
      let runID = try Ledger.startRun(of: stream.id, walkID: walk.id, connection)
      return OpenWalk(runID: runID, walkID: walk.id, generation: lease.generation, pages: walk.pages)
    }
  }

  /// Rows of two origins in one list would be nobody's copy. A stream that never published anything may move.
  private func refuseOtherOrigin(
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

  package func commit(
    _ commit: PageCommit, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> RunCounters {
    let writer = PageWriter(stream: stream, sql: try SourceSQL(stream.sql))
    return try await database.write { connection in
      try Lease(stream: stream.id, generation: walk.generation).renew(cursor: commit.page.number, connection)
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
    return try await database.write { connection in
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
      try Lease(stream: stream.id, generation: walk.generation).release(
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
