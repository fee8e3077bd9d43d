/// The changes of one reading: a page, or a batch of documents or lookups. They are committed atomically.
package struct PageCommit: Sendable {
  /// A usable item of the reading.
  package struct Row: Sendable {
    package let item: PageItem
    /// Whether an earlier page of this walk contained the key. A duplicate is written if it changes the stored item.
    package let isDuplicate: Bool
    /// The time of the item's own request by the engine's clock. `nil` means the reading's time.
    package let requestedAt: Duration?

    /// `requestedAt` is a time of the engine's clock; `nil` means the reading's time.
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

    /// `cachedReading` counts from 1. It is `nil` for a page that was parsed.
    package init(address: PageAddress, validators: Validators?, digest: String? = nil, cachedReading: Int? = nil) {
      self.digest = digest
      self.cachedReading = cachedReading
      self.address = address
      self.validators = validators
    }
  }

  /// `requestedAt` is a time of the engine's clock. `origin` must be `nil` unless every item of the page is stored.
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
