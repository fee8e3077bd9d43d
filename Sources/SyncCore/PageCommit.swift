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
