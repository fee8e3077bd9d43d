/// The seam to the mirror.
package protocol WalkStore: Sendable {
  /// Takes the stream's lease, opens a run in the ledger, and resumes the stream's unfinished walk or starts one.
  ///
  /// - Parameters:
  ///   - fresh: start from scratch even if a walk could be resumed.
  ///   - confirmed: the beginning of the id of a run that the guard stopped; its walk is resumed, however old,
  ///     and the guard lets it pass.
  /// - Throws: `SyncError` `.leaseHeld` naming the holder when another process has the lease, `.missing` or `.usage`
  ///   if there is nothing to confirm.
  func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) async throws -> OpenWalk

  /// Pages of the walk's basis that may be requested conditionally, in the order of their readings.
  ///
  /// - Parameters:
  ///   - reading: those behind this reading of the basis.
  ///   - limit: the readings of the basis that are looked at; fewer pages come back where some may not.
  /// - Returns: the pages, and the last reading that was looked at; nil if there is none after it.
  func known(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [KnownPage], last: Int?)

  /// The heartbeat: keeps the lease while no page is committed.
  ///
  /// - Throws: `SyncError` `.tryLater` when another process has taken over.
  func renew(_ walk: OpenWalk, stream: StreamDescription) async throws

  /// Commits a reading: fence check, changed rows, what vanished, quarantine, the walk's page, the run's counters.
  ///
  /// - Returns: the counters with the reading's outcomes.
  /// - Throws: `SyncError` `.tryLater` when another process has taken over, or the database has lost commits of this
  ///   run.
  func commit(_ commit: PageCommit, of walk: OpenWalk, stream: StreamDescription) async throws -> RunCounters

  /// Those of the keys whose documents need not be requested: an earlier walk of the same service and mapping had them
  /// within their time to live, and the mirror has them still.
  func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) async throws -> Set<Int64>

  /// The live items of the mirror that the walk, which was complete, has not met; in the order of keys.
  ///
  /// - Throws: `SyncError` `.guarded` if they are more than the stream's guard allows.
  func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [Int64]

  /// Closes the run, publishes the list if the ending says so, and releases the lease.
  ///
  /// When publishing would remove more than the guard allows, the run is closed as failed with a `.guarded` error in
  /// its report, and what was published stays. When the database has lost readings of the walk, the run is closed as
  /// failed with a `.tryLater` error, and the next run resumes the walk.
  ///
  /// - Throws: `SyncError` `.tryLater` when another process has taken over the lease.
  func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) async throws -> RunReport
}

extension WalkStore {
  package func open(_ stream: StreamDescription, fresh: Bool) async throws -> OpenWalk {
    try await open(stream, fresh: fresh, confirming: nil)
  }
}
