/// The database's part of a walk: leases, the pages that were read, the mirror's rows, and the ledger.
///
/// A run calls `open` once, then `cachedPages`, `renew`, `commit`, `fresh` and `missing` as it needs them, and `finish`
/// at its end. `renew`, `commit` and `finish` fail if another process has taken over the lease.
package protocol WalkStore: Sendable {
  /// Takes the stream's lease, creates a run in the ledger, and resumes the stream's unfinished walk unless `fresh` is
  /// true. `confirmed` is a prefix of the id of a run that the guard stopped. This run's walk is resumed at any age.
  /// Throws `.leaseHeld` with the holder's name, `.missing` if no run has this id, or `.usage` if the run cannot be
  /// confirmed.
  func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) async throws -> OpenWalk

  /// Examines the next `limit` readings of the walk `basis`. Returns the pages that can be requested conditionally, and
  /// the last examined reading, or `nil` if no reading was left.
  func cachedPages(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [CachedPage], last: Int?)

  /// Extends the lease by its TTL. Throws `.tryLater` if another process has taken over the lease.
  func renew(_ walk: OpenWalk, stream: StreamDescription) async throws

  /// Commits consecutive readings in one transaction. Only the last reading is allowed to have rejected items. If
  /// several readings have the same item, its content must be the same. `counters` are the run's counters before the
  /// commit. If the database refuses an item, only the first reading is committed. Throws `.tryLater` if another
  /// process has taken over the lease, or if the database has lost commits of this run.
  func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed

  /// Returns the keys of documents that earlier walks of the same service and mapping fetched within the TTL.
  func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) async throws -> Set<Int64>

  /// Returns the live items that a walk which reached the end did not see. Throws `.guarded` if too many are missing.
  func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [MissingItem]

  /// Closes the run, publishes the list if `ending` says so, and releases the lease. The run fails with `.guarded` if
  /// publishing would remove more than the guard allows, and with `.tryLater` if the database has lost readings of the
  /// walk. Throws `.tryLater` if another process has taken over the lease.
  func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) async throws -> RunReport
}

/// The result of a commit. `readings` is the number of readings that were committed, from the first one on. `counters`
/// are the counters that they add to the run.
package struct Committed: Sendable {
  package let readings: Int
  package let counters: RunCounters
  /// A sentence for the run's report, for example about a column that most items lack.
  package let warning: String?

  package init(readings: Int, counters: RunCounters, warning: String? = nil) {
    self.readings = readings
    self.counters = counters
    self.warning = warning
  }
}

/// A run that holds its stream's lease, and the walk that it continues or begins.
package struct OpenWalk: Sendable {
  package let runID: String
  package let walkID: Int64
  /// The fencing token. It increases each time a process takes the lease.
  package let generation: Int64
  /// The lease ends after this time without a renewal. `nil` if the lease needs no heartbeat.
  package let leaseTTL: Duration?
  /// The readings that earlier runs of this walk committed.
  package let pages: [StoredPage]
  /// Whether the user has confirmed what a guard stopped.
  package let isConfirmed: Bool
  /// The id of the last published walk. `nil` if its pages cannot be requested conditionally.
  package let basis: Int64?
  /// Whether the walk ignores TTLs and validators (`--full`).
  package let isFull: Bool
  /// The items that the previous walk found on several pages.
  package let repeats: ListedRepeats
  /// The database's time at the run's start, in microseconds since 1970.
  package let databaseTime: Int64
  /// The time of the engine's clock at `databaseTime`.
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

  /// Returns the database's time, in microseconds since 1970, at a time of the engine's clock. The database's clock is
  /// read once per run, so that a change of the clock does not change the order of request times.
  package func requestTime(_ time: Duration) -> Int64 {
    databaseTime + Int64((time - openedAt) / .microseconds(1))
  }
}

/// The engine's judgement of a walk. The store can still refuse to publish, and then reports another status.
package struct WalkEnding: Sendable {
  package let status: RunStatus
  package let certificate: Certificate?
  package let counters: RunCounters
  package let error: SyncError?
  /// The number of readings that this walk has committed, earlier runs included. If the database has another number, it
  /// has lost commits, and the run fails.
  package let readings: Int
  /// True if the walk reached the end of the list or the page cap, without holes and without missing documents.
  package let publishes: Bool
  /// The readings whose items are published, if the walk read the list again. `nil` means all readings.
  package let publishedReadings: Range<Int>?
  /// Whether the next run can continue this walk.
  package let isResumable: Bool
  /// The tally that is compared with the quarantine limit. `nil` means the walk's own tally.
  package var judged: ItemTally?
  /// A sentence for the run's report. The store's own warning replaces it.
  package var warning: String?

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

  /// Returns this ending as a failure with `error`, which publishes nothing and can be resumed. `judged` and `warning`
  /// are not kept.
  package func failed(_ error: SyncError) -> WalkEnding {
    var certificate = certificate
    certificate?.fail()
    return WalkEnding(
      status: .failed, certificate: certificate, counters: counters, error: error, readings: readings,
      publishes: false, isResumable: true)
  }
}

/// The changes of one reading: a page, or a batch of documents or lookups. They are committed atomically.
package struct PageCommit: Sendable {
  /// A usable item of the reading.
  package struct Row: Sendable {
    package let item: PageItem
    /// Whether an earlier page of this walk contained the key. A duplicate is written if it changes the stored item.
    package let isDuplicate: Bool
    /// The time of the item's own request by the engine's clock. `nil` means the reading's time.
    package let requestedAt: Duration?

    package init(item: PageItem, isDuplicate: Bool, requestedAt: Duration? = nil) {
      self.item = item
      self.isDuplicate = isDuplicate
      self.requestedAt = requestedAt
    }
  }

  /// The reading, which a resumed walk replays.
  package let page: StoredPage
  /// The data for conditional requests by later walks. `nil` unless every item of the page is stored.
  package let origin: Origin?
  package let rows: [Row]
  /// The items for the quarantine.
  package let rejected: [RejectedItem]
  /// Keys of items whose own address returned 404. The items are marked as vanished, unless a later request found them.
  package let gone: [Int64]
  /// Keys of items that are still current, although no document was parsed: the response was a 304 or an identical
  /// body.
  package let confirmed: [Int64]
  /// The counters of the reading, except the counters that the store determines.
  package let counters: RunCounters
  /// The time of the page's request, or of the first request of a batch, by the engine's clock.
  package let requestedAt: Duration
  /// The build of the page, or of all documents in the batch. `nil` if the build is unknown or not the same for all.
  package var build: String?

  /// The address of a page and what identifies its content.
  package struct Origin: Sendable, Equatable {
    package let address: PageAddress
    package let validators: Validators?
    /// A hash of the body, of the link to the next page, and of the versions of reader and mapping. An equal digest
    /// means that reading the body again finds the same items.
    package let digest: String?
    /// The position at which the last published walk read this page (1, 2, …). `nil` if the page was parsed.
    package let cachedReading: Int?

    package init(address: PageAddress, validators: Validators?, digest: String? = nil, cachedReading: Int? = nil) {
      self.digest = digest
      self.cachedReading = cachedReading
      self.address = address
      self.validators = validators
    }
  }

  package init(
    page: StoredPage, origin: Origin? = nil, rows: [Row], rejected: [RejectedItem], gone: [Int64] = [],
    confirmed: [Int64] = [], counters: RunCounters, requestedAt: Duration
  ) {
    self.page = page
    self.gone = gone
    self.origin = origin
    self.confirmed = confirmed
    self.rows = rows
    self.rejected = rejected
    self.counters = counters
    self.requestedAt = requestedAt
  }
}

/// A page that can be requested conditionally, because the mirror still has all its items unchanged.
package struct CachedPage: Sendable, Equatable {
  package let address: PageAddress
  /// The position at which the last published walk read this page (1, 2, …). Stores return pages in this order.
  package let reading: Int
  package let validators: Validators?
  /// The digest of `PageCommit.Origin`.
  package let digest: String?
  /// The keys in the upstream's order, with repeats.
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

/// A page that a walk has read. A restarted walk replays its stored pages.
package struct StoredPage: Sendable, Equatable {
  /// The reading's position within the walk, from 1.
  package let number: Int
  /// The page's number, or in a catalogue the position of its first item. `nil` for a batch of documents or lookups.
  package let page: Int?
  /// The keys in the upstream's order, with repeats. `nil` if the page is a hole.
  package let keys: [Int64]?
  /// The number of items whose keys cannot be read.
  package let unreadable: Int
  /// For each unreadable item, the number of keys before it. Positions in the published list count these items. Items
  /// that the page before has counted are omitted. Empty for catalogues and batches, which publish no positions.
  package let unreadableAfter: [Int]
  package let claim: PageClaim
  /// The reason why the walk cannot read beyond this page. `nil` if the walk can read on.
  package let endedBy: Certificate.EndedBy?
  /// In a batch of lookups, the number of found items of the previous list.
  package let missed: Int

  package init(
    number: Int, page: Int?, keys: [Int64]?, unreadable: Int, unreadableAfter: [Int] = [], claim: PageClaim,
    endedBy: Certificate.EndedBy? = nil, missed: Int = 0
  ) {
    self.unreadableAfter = unreadableAfter
    self.missed = missed
    self.number = number
    self.page = page
    self.keys = keys
    self.unreadable = unreadable
    self.claim = claim
    self.endedBy = endedBy
  }

  /// - Parameters:
  ///   - found: The keys of all items of the page; `nil` for an unreadable item.
  ///   - overlap: The number of items at the beginning that the page before also has.
  package init(number: Int, page: Int?, found: [Int64?], overlap: Int = 0, claim: PageClaim) {
    var keys: [Int64] = []
    var unreadableAfter: [Int] = []
    for (index, key) in found.enumerated() {
      if let key {
        keys.append(key)
      } else if index >= overlap {
        unreadableAfter.append(keys.count)
      }
    }
    self.init(
      number: number, page: page, keys: keys, unreadable: found.count - keys.count, unreadableAfter: unreadableAfter,
      claim: claim)
  }
}

/// The items that are on several pages of a list, by key, with their neighbours on each page.
package typealias ListedRepeats = [Int64: [ListedNeighbors]]

/// The keys before and after an item on a page. `nil` at the page's edge.
package struct ListedNeighbors: Sendable, Equatable {
  package let before: Int64?
  package let after: Int64?

  package init(before: Int64?, after: Int64?) {
    self.before = before
    self.after = after
  }
}
