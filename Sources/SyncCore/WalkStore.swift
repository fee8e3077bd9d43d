package protocol WalkStore: Sendable {
  /// Takes the stream's lease, opens a run in the ledger, and resumes the stream's unfinished walk, unless `fresh`, or
  /// starts one. `confirmed` is the beginning of the id of a run that the guard stopped: its walk is resumed, however
  /// old, and the guard lets it pass. Throws `.leaseHeld` naming the holder; `.missing` or `.usage` if there is nothing
  /// to confirm.
  func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) async throws -> OpenWalk

  /// Pages of the walk's basis that may be requested conditionally, among the next `limit` readings behind `reading`.
  /// `last` is the last reading that was looked at; nil if there is none after it.
  func known(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [KnownPage], last: Int?)

  /// The heartbeat: keeps the lease while no page is committed. Throws `.tryLater` when another process has taken over.
  func renew(_ walk: OpenWalk, stream: StreamDescription) async throws

  /// Commits readings that follow each other: fence check, changed rows, what vanished, quarantine, the walk's pages,
  /// the run's counters. It leaves what they would leave if they were committed one by one. Only the last of them has
  /// rejected items, an item that several have is the same in all, and lookups are alone. `counters` are the run's,
  /// without these readings. Not all are committed if the database refuses an item, because the walk may end there.
  /// Throws `.tryLater` when another process has taken over, or the database has lost commits of this run.
  func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed

  /// Those of the keys whose documents need not be requested: an earlier walk of the same service and mapping had them
  /// within their time to live, and the mirror has them still.
  func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) async throws -> Set<Int64>

  /// The live items that the complete walk has not met, by key. Throws `.guarded` if the guard does not allow so many.
  func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [Int64]

  /// Closes the run, publishes the list if the ending says so, and releases the lease. If publishing would remove more
  /// than the guard allows, the run is closed as failed with `.guarded`, and what was published stays. If the database
  /// has lost readings of the walk, it is closed with `.tryLater`, and the next run resumes the walk. Throws
  /// `.tryLater` when another process has taken over the lease.
  func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) async throws -> RunReport
}

extension WalkStore {
  package func open(_ stream: StreamDescription, fresh: Bool) async throws -> OpenWalk {
    try await open(stream, fresh: fresh, confirming: nil)
  }
}

package struct Committed: Sendable {
  package let readings: Int
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
    (self.repeats, self.basis, self.isFull, self.runID, self.walkID) = (repeats, basis, isFull, runID, walkID)
    (self.generation, self.leaseTTL, self.pages, self.isConfirmed) = (generation, leaseTTL, pages, isConfirmed)
    self.databaseTime = databaseTime
  }

  /// A time of the engine's clock in microseconds since 1970. The database's clock is read once for each run, so that
  /// request times are in the order of the requests even if that clock is set meanwhile.
  package func requestTime(_ time: Duration) -> Int64 {
    databaseTime + Int64((time - openedAt) / .microseconds(1))
  }
}

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
  package let isResumable: Bool
  /// What is judged by the quarantine's limit, if it is not the walk alone.
  package var judged: ItemTally?

  package init(
    status: RunStatus, certificate: Certificate?, counters: RunCounters, error: SyncError?, readings: Int,
    publishes: Bool, publishedReadings: Range<Int>? = nil, isResumable: Bool
  ) {
    (self.readings, self.publishedReadings, self.status) = (readings, publishedReadings, status)
    (self.certificate, self.counters, self.error, self.publishes) = (certificate, counters, error, publishes)
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
