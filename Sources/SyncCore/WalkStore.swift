package protocol WalkStore: Sendable {
  /// Takes the stream's lease, creates a run in the ledger, and resumes the stream's unfinished walk unless `fresh`.
  /// `confirmed` is the prefix of the id of a run that the guard stopped, whose walk is resumed at any age. Throws
  /// `.leaseHeld` with the holder's name; `.missing` or `.usage` if there is nothing to confirm.
  func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) async throws -> OpenWalk

  /// Loads pages of the walk's basis that may be requested conditionally. `last` is the last reading examined.
  func known(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [KnownPage], last: Int?)

  /// Throws `.tryLater` if another process has taken over.
  func renew(_ walk: OpenWalk, stream: StreamDescription) async throws

  /// Commits consecutive readings, with the same result as if each were committed alone. Only the last reading can have
  /// rejected items, an item must be the same in all readings, and lookups are committed alone. `counters` are the
  /// run's counters before these readings. If the database refuses an item, fewer readings can be committed. Throws
  /// `.tryLater` if another process has taken over, or if the database has lost commits of this run.
  func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed

  /// The keys of mirrored documents that an earlier walk of the same service and mapping fetched within their TTL.
  func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) async throws -> Set<Int64>

  /// The keys of live items that the complete walk did not see. Throws `.guarded` if the guard refuses their number.
  func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [Int64]

  /// Closes the run, publishes the list if `ending` says so, and releases the lease. The run fails with `.guarded` if
  /// publishing would remove more than the guard allows, and with `.tryLater` if the database has lost readings of the
  /// walk. Throws `.tryLater` if another process has taken over the lease.
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

package struct OpenWalk: Sendable {
  package let runID: String
  package let walkID: Int64
  package let generation: Int64
  /// The lease's duration without renewal; nil if it needs no heartbeat.
  package let leaseTTL: Duration?
  /// Readings of earlier runs of this walk.
  package let pages: [StoredPage]
  package let isConfirmed: Bool
  /// The last published walk, if its pages may be requested conditionally.
  package let basis: Int64?
  package let isFull: Bool
  package let repeats: ListedRepeats
  /// The database's time at the run's start, in microseconds since 1970.
  package let databaseTime: Int64
  /// The engine's clock at `databaseTime`.
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

  /// Microseconds since 1970. The database's clock is read once per run, so that request times keep their order.
  package func requestTime(_ time: Duration) -> Int64 {
    databaseTime + Int64((time - openedAt) / .microseconds(1))
  }
}

package struct WalkEnding: Sendable {
  package let status: RunStatus
  package let certificate: Certificate?
  package let counters: RunCounters
  package let error: SyncError?
  /// The number of confirmed readings of the walk, over all its runs.
  package let readings: Int
  /// True if the walk reached the end of the list without a hole.
  package let publishes: Bool
  package let publishedReadings: Range<Int>?
  package let isResumable: Bool
  /// The tally that the quarantine limit judges; nil for the walk's own tally.
  package var judged: ItemTally?

  package init(
    status: RunStatus, certificate: Certificate?, counters: RunCounters, error: SyncError?, readings: Int,
    publishes: Bool, publishedReadings: Range<Int>? = nil, isResumable: Bool
  ) {
    (self.readings, self.publishedReadings, self.status) = (readings, publishedReadings, status)
    (self.certificate, self.counters, self.error, self.publishes) = (certificate, counters, error, publishes)
    self.isResumable = isResumable
  }

  package func failed(_ error: SyncError) -> WalkEnding {
    var certificate = certificate
    certificate?.complete = false
    certificate?.endedBy = .failed
    return WalkEnding(
      status: .failed, certificate: certificate, counters: counters, error: error, readings: readings,
      publishes: false, isResumable: true)
  }
}

/// The changes of one reading: a page, or a batch of documents or lookups. Committed atomically.
package struct PageCommit: Sendable {
  package struct Row: Sendable {
    package let item: PageItem
    /// Whether the key occurred on an earlier page of this walk. A duplicate is written if it differs.
    package let isDuplicate: Bool
    package let requestedAt: Duration?

    package init(item: PageItem, isDuplicate: Bool, requestedAt: Duration? = nil) {
      self.item = item
      self.isDuplicate = isDuplicate
      self.requestedAt = requestedAt
    }
  }

  package let page: StoredPage
  /// The page's identity for conditional requests by later walks; nil unless every item is stored.
  package let origin: Origin?
  package let rows: [Row]
  package let rejected: [RejectedItem]
  /// Keys whose own address returned 404. They are marked as vanished unless their content was requested later.
  package let gone: [Int64]
  package let confirmed: [Int64]
  /// The outcomes of the reading, except those that the store determines.
  package let counters: RunCounters
  /// The engine's time of the page's request, or of a batch's first request. Content requested later is newer.
  package let requestedAt: Duration
  /// The build of a batch of documents or of a list page that names documents. Nil if unknown or mixed.
  package var build: String?

  package struct Origin: Sendable, Equatable {
    package let address: PageAddress
    package let validators: Validators?
    package let digest: String?
    /// The earlier walk's reading of an unchanged page; nil for a page that was read.
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

/// A page that can be requested conditionally, because the mirror still has all its items as the page showed them.
package struct KnownPage: Sendable, Equatable {
  package let address: PageAddress
  /// The reading of the earlier walk. Stores return pages in this order.
  package let reading: Int
  package let validators: Validators?
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

/// Enough data to replay the walk's rules after a restart.
package struct StoredPage: Sendable, Equatable {
  /// The reading's number within the walk, from 1. Equal to the page's number until pages are read again.
  package let number: Int
  /// The page's number; nil for a batch of lookups, whose `keys` are the found items.
  package let page: Int?
  /// Keys in the upstream's order, with repeats; nil for an unavailable page (a 404 in the middle).
  package let keys: [Int64]?
  package let unreadable: Int
  package let claim: PageClaim
  /// Set if the list ended here but the walk continued.
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

/// Items on several pages of a list, with their neighbours. If an item has moved, its neighbours differ in the next
/// walk.
package typealias ListedRepeats = [Int64: [ListedPlace]]

package struct ListedPlace: Sendable, Equatable {
  package let before: Int64?
  package let after: Int64?

  package init(before: Int64?, after: Int64?) {
    self.before = before
    self.after = after
  }
}
