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

/// Everything that one reading changes: a page, or a batch of documents or lookups. Committed whole or not at all,
/// alone or with the readings that follow it.
package struct PageCommit: Sendable {
  package struct Row: Sendable {
    package let item: PageItem
    /// The key stood on an earlier page of this walk: written if it differs, counted as a duplicate.
    package let isDuplicate: Bool
    /// When it was requested by itself, by the engine's clock; nil for an item of a page.
    package let requestedAt: Duration?

    package init(item: PageItem, isDuplicate: Bool, requestedAt: Duration? = nil) {
      self.item = item
      self.isDuplicate = isDuplicate
      self.requestedAt = requestedAt
    }
  }

  package let page: StoredPage
  /// Of a page that is known another time, because every item of it is stored.
  package let origin: Origin?
  /// One per key.
  package let rows: [Row]
  package let rejected: [RejectedItem]
  /// Keys whose own address answered 404. They are marked as vanished, unless their content was requested later.
  package let gone: [Int64]
  /// Keys of a page that is still the same; there are no rows then.
  package let confirmed: [Int64]
  /// What the reading adds to the run's counters, except the outcomes that the store finds out.
  package let counters: RunCounters
  /// When the page, or the first of a batch, was requested, by the engine's clock: content requested later is newer.
  package let requestedAt: Duration
  /// Of a batch of documents, or a page of the list that names them: the one build of the service's data that all of it
  /// is of; nil if it is of several, or nothing is known of it.
  package var build: String?

  package struct Origin: Sendable, Equatable {
    package let address: PageAddress
    package let validators: Validators?
    package let digest: String?
    /// The reading of the earlier walk that had this page; nil for a page that was read.
    package let known: Int?

    package init(address: PageAddress, validators: Validators?, digest: String? = nil, known: Int? = nil) {
      (self.digest, self.known, self.address, self.validators) = (digest, known, address, validators)
    }
  }

  package init(
    page: StoredPage, origin: Origin? = nil, rows: [Row], rejected: [RejectedItem], gone: [Int64] = [],
    confirmed: [Int64] = [], counters: RunCounters, requestedAt: Duration
  ) {
    (self.page, self.gone, self.origin, self.confirmed, self.rows) = (page, gone, origin, confirmed, rows)
    (self.rejected, self.counters, self.requestedAt) = (rejected, counters, requestedAt)
  }
}

/// A page of an earlier walk that need not be sent or read again if it is still the same: every item of it is in the
/// mirror as that page had it, and none has vanished.
package struct KnownPage: Sendable, Equatable {
  package let address: PageAddress
  /// The reading of the earlier walk; stores return pages in this order.
  package let reading: Int
  package let validators: Validators?
  /// Of its body, in hexadecimal.
  package let digest: String?
  package let keys: [Int64]
  package let claim: PageClaim

  package init(
    address: PageAddress, reading: Int, validators: Validators?, digest: String? = nil, keys: [Int64], claim: PageClaim
  ) {
    self.digest = digest
    self.address = address
    self.reading = reading
    self.validators = validators
    self.keys = keys
    self.claim = claim
  }
}

/// A reading of a walk as it is kept: enough to replay the walk's rules after a restart.
package struct StoredPage: Sendable, Equatable {
  /// Number of the reading within the walk, from 1. The number of the page as well, until pages are read again.
  package let number: Int
  /// Which page of the list it was; nil for a batch of lookups, whose keys are those that were found.
  package let page: Int?
  /// In the upstream's order, repeats included; nil for a page that was not there (a 404 in the middle).
  package let keys: [Int64]?
  package let unreadable: Int
  package let claim: PageClaim
  /// The list ended here, and the walk continued: to read pages again, or from the other end.
  package let endedBy: Certificate.EndedBy?

  package init(
    number: Int, page: Int?, keys: [Int64]?, unreadable: Int, claim: PageClaim, endedBy: Certificate.EndedBy? = nil
  ) {
    self.number = number
    self.page = page
    self.keys = keys
    self.unreadable = unreadable
    self.claim = claim
    self.endedBy = endedBy
  }
}

/// Items that a list shows on several pages, each with its neighbours wherever it is.
///
/// Those of two walks are equal if the list itself has an item twice. An item that was met twice because it moved is
/// somewhere else the next time.
package typealias ListedRepeats = [Int64: [ListedPlace]]

/// A place of an item in a list, by its neighbours; nil at the ends of the list.
package struct ListedPlace: Sendable, Equatable {
  package let before: Int64?
  package let after: Int64?

  package init(before: Int64?, after: Int64?) {
    self.before = before
    self.after = after
  }
}
