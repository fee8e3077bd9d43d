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

  /// Commits readings that follow each other: fence check, changed rows, what vanished, quarantine, the walk's pages,
  /// the run's counters. What it leaves is what they would leave if they were committed one by one.
  ///
  /// - Parameters:
  ///   - readings: at least one. Only the last has rejected items, so that a walk with too many ends where it would
  ///     alone. An item that several have is the same in all. Lookups are alone.
  ///   - counters: the run's, without these readings.
  /// - Returns: how many of them were committed, from the first on. Not all if the database refuses an item of theirs:
  ///   the walk may end because of it before the next.
  /// - Throws: `SyncError` `.tryLater` when another process has taken over, or the database has lost commits of this
  ///   run.
  func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed

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

/// What a commit has done.
package struct Committed: Sendable {
  /// Readings that were committed; at least one.
  package let readings: Int
  /// What they add to the run's counters.
  package let counters: RunCounters

  package init(readings: Int, counters: RunCounters) {
    self.readings = readings
    self.counters = counters
  }
}

/// A stream that this process may write: the lease is held, the ledger has a row.
package struct OpenWalk: Sendable {
  package let runID: String
  package let walkID: Int64
  /// The fence: every write checks that the lease still has this generation.
  package let generation: Int64
  /// How long the lease lasts without being renewed; nil if it needs no heartbeat.
  package let leaseTTL: Duration?
  /// Readings committed by earlier runs of the same walk, in order; empty for a new walk.
  package let pages: [StoredPage]
  /// A person has looked at what the guard refused, and lets it happen.
  package let isConfirmed: Bool
  /// The walk that was published last, if its pages may be requested conditionally: it is of the same service, page
  /// size and mapping.
  package let basis: Int64?
  /// The walk was begun to fetch everything, whatever is known of it.
  package let isFull: Bool
  /// Items that the walk published last showed on several pages; empty without a basis.
  package let repeats: ListedRepeats
  /// The database's clock when the run began, in microseconds since 1970.
  package let databaseTime: Int64
  /// The engine's clock at the same moment.
  package var openedAt = Duration.zero

  package init(
    runID: String, walkID: Int64, generation: Int64, leaseTTL: Duration?, pages: [StoredPage],
    isConfirmed: Bool = false, basis: Int64? = nil, isFull: Bool = false, repeats: ListedRepeats = [:],
    databaseTime: Int64
  ) {
    self.repeats = repeats
    self.basis = basis
    self.isFull = isFull
    self.runID = runID
    self.walkID = walkID
    self.generation = generation
    self.leaseTTL = leaseTTL
    self.pages = pages
    self.isConfirmed = isConfirmed
    self.databaseTime = databaseTime
  }

  /// A time of the engine's clock as microseconds since 1970.
  ///
  /// The database's clock is read once for each run: so the request times of a run are in the order of its requests,
  /// even if that clock is set meanwhile.
  package func requestTime(_ time: Duration) -> Int64 {
    databaseTime + Int64((time - openedAt) / .microseconds(1))
  }
}

/// How a walk ended, for the ledger.
package struct WalkEnding: Sendable {
  package let status: RunStatus
  package let certificate: Certificate?
  package let counters: RunCounters
  package let error: SyncError?
  /// Readings of the walk whose commit was confirmed, in all its runs.
  package let readings: Int
  /// The walk saw the end of the list without a hole: what it saw is published.
  package let publishes: Bool
  /// The readings that it is published from; nil for all.
  package let publishedReadings: Range<Int>?
  /// A later run may resume this walk.
  package let isResumable: Bool
  /// What is judged by the quarantine's limit, if it is not the walk alone.
  package var judged: ItemTally?

  package init(
    status: RunStatus, certificate: Certificate?, counters: RunCounters, error: SyncError?, readings: Int,
    publishes: Bool, publishedReadings: Range<Int>? = nil, isResumable: Bool
  ) {
    self.readings = readings
    self.publishedReadings = publishedReadings
    self.status = status
    self.certificate = certificate
    self.counters = counters
    self.error = error
    self.publishes = publishes
    self.isResumable = isResumable
  }

  /// The same walk if it ends with this error instead: nothing is published, and the next run resumes it.
  package func failed(_ error: SyncError) -> WalkEnding {
    var certificate = certificate
    certificate?.complete = false
    certificate?.endedBy = .failed
    return WalkEnding(
      status: .failed, certificate: certificate, counters: counters, error: error, readings: readings,
      publishes: false, isResumable: true)
  }
}
