package import SyncCore

/// The rules of a walk through a list, as a state machine without I/O: an answer in, the next step out.
///
/// `ListWalk` goes by page numbers, `CatalogueWalk` by ids. After a restart a machine is rebuilt by replaying what was
/// stored, so there is no second copy of its state to go wrong.
package protocol Walk: Sendable {
  var start: WalkStep { get }

  func hasSeen(_ key: Int64) -> Bool

  /// Takes the answer to the address that the last step named.
  mutating func receive(
    _ page: Page, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> Reading

  /// The page was not available. Unlike a 404, that is no sign of the list's end.
  mutating func skip(_ address: PageAddress) -> Reading

  mutating func replay(_ page: StoredPage) -> WalkStep

  /// What would be requested, `count` pages behind `address`, if all pages between were not available.
  func address(_ count: Int, behind address: PageAddress) -> PageAddress?

  var advertisedPages: Int? { get }

  /// The readings that the list is published from, and that the certificate counts; nil for all. Of a page that was
  /// read more than once among them, the latest reading counts.
  var publishedReadings: Range<Int>? { get }

  func certificate(endedBy: Certificate.EndedBy) -> Certificate
}

extension Walk {
  package var publishedReadings: Range<Int>? { nil }
}

extension StreamDescription {
  package func walk(knowing repeats: ListedRepeats) -> any Walk {
    switch method {
    case .pages, .documents: ListWalk(pageSize: pageSize, mayBeEmpty: witness != nil, known: repeats)
    case .single: ListWalk(pageSize: pageSize, as: .single)
    case .sample: ListWalk(pageSize: pageSize, as: .sample)
    case .batches: ListWalk(pageSize: pageSize, as: .batches)
    case .catalogue(let pageCap): CatalogueWalk(pageSize: pageSize, pageCap: pageCap)
    }
  }
}

extension Certificate {
  package var status: RunStatus {
    switch endedBy {
    case .notFound, .emptyPage, .noNextPage, .partsMet, .echo:
      if complete { return .complete }
      return holes.isEmpty && unavailable.isEmpty ? .inconsistent : .partial
    case .pageCap, .loop, .tooManyHoles, .maxPages: return .partial
    case .interrupted: return .interrupted
    case .failed: return .failed
    }
  }

  /// No page is missing up to the list's end, or up to where the service lets one read: what was seen may be published.
  package var mayPublish: Bool {
    (endedBy.isEnd || endedBy == .pageCap) && holes.isEmpty && unavailable.isEmpty
  }
}

extension PageClaim {
  /// The list says that it holds nothing, in full or in the short form of the pagination object.
  var isEmptyList: Bool {
    total == 0 || (total == nil && hasNext == false && (lastPage ?? 2) <= 1)
  }
}

extension SyncError {
  static func listIsMissing(_ request: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "\(request.url) answered 404, so the list is not there",
      hint: "check the base URL (syncctl config) and the stream's name (syncctl run --help)")
  }

  static func witnessIsEmpty(_ witness: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "the list is empty, and \(witness.url) shows no item either, so the service is not well",
      hint: "run again later; if it stays, check the base URL (syncctl config)")
  }

  static func listIsEmpty(_ request: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "\(request.url) answered with a list that is empty and does not say so",
      hint: "check the base URL (syncctl config); if it is right, run again later")
  }
}

package enum WalkStep: Sendable, Equatable {
  case fetch(PageAddress)
  case end(Certificate.EndedBy)
}

package struct Reading: Sendable, Equatable {
  /// The reading as it is to be stored; nil if it brings nothing (the 404 or the empty page that ends the list).
  package let stored: StoredPage?
  /// Items at the page's beginning that stood at the end of the page before: known, and not counted again.
  package let overlap: Int
  package let step: WalkStep

  package init(stored: StoredPage?, overlap: Int = 0, step: WalkStep) {
    self.stored = stored
    self.overlap = overlap
    self.step = step
  }
}
