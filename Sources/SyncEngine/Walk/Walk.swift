package import SyncCore

/// The rules of a walk through a list, as a state machine without I/O. Replaying stored pages restores its state.
package protocol Walk: Sendable {
  var start: WalkStep { get }

  func hasSeen(_ key: Int64) -> Bool

  mutating func receive(_ page: Page, at address: PageAddress, request: UpstreamRequest) throws(SyncError) -> Reading

  /// Skips an unavailable page. Unlike a 404, an unavailable page is not a sign of the end.
  mutating func skip(_ address: PageAddress) -> Reading

  mutating func replay(_ page: StoredPage) -> WalkStep

  /// The address `count` pages after `address`. `nil` if the walk cannot skip unavailable pages.
  func address(_ count: Int, behind address: PageAddress) -> PageAddress?

  /// Whether the walk continues after an unavailable page.
  var hasHoles: Bool { get }

  /// Whether the claims say that the list ended before this page. If the page is unavailable too, `skip` ends the walk.
  func isPastEnd(_ address: PageAddress) -> Bool

  var advertisedPages: Int? { get }

  /// The positions of the readings to publish, `nil` for all. If a page was read twice, its last reading is published.
  var publishedReadings: Range<Int>? { get }

  func certificate(endedBy: Certificate.EndedBy) -> Certificate
}

extension Walk {
  package var hasHoles: Bool { true }
  package func isPastEnd(_ address: PageAddress) -> Bool { false }
  package var publishedReadings: Range<Int>? { nil }
}

extension StreamDescription {
  package func walk(knowing repeats: ListedRepeats) -> any Walk {
    switch method {
    case .pages, .documents: ListWalk(pageSize: pageSize, mayBeEmpty: witness != nil, known: repeats)
    case .positions:
      ListWalk(pageSize: pageSize, isByPosition: true, mayBeEmpty: witness != nil, known: repeats)
    case .single: ListWalk(pageSize: pageSize, as: .single)
    case .sample: ListWalk(pageSize: pageSize, as: .sample)
    case .batches: ListWalk(pageSize: pageSize, as: .batches)
    case .chain: ChainWalk(pageSize: pageSize, isByKey: isChainByKey)
    case .catalogue(let pageCap): CatalogueWalk(pageSize: pageSize, pageCap: pageCap)
    }
  }
}

extension Certificate {
  package var status: RunStatus {
    switch endedBy {
    case .notFound, .emptyPage, .noNextPage, .claimedTotal, .refused, .partsMet, .echo:
      if complete { return .complete }
      if unproven { return .unproven }
      return holes.isEmpty && unavailable.isEmpty ? .inconsistent : .partial
    case .pageCap, .loop, .tooManyHoles, .maxPages: return .partial
    case .interrupted: return .interrupted
    case .failed: return .failed
    }
  }

  package var mayPublish: Bool {
    (endedBy.isEnd || endedBy == .pageCap) && holes.isEmpty && unavailable.isEmpty
  }
}

extension PageClaim {
  /// Whether the claim says that the list is empty. Without a total, the claim must say that page 1 is the last page.
  var isEmptyList: Bool { total == 0 || (total == nil && hasNext == false && (lastPage ?? 2) <= 1) }
}

extension SyncError {
  static func listIsMissing(_ request: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "\(request.url) answered 404, so the list does not exist",
      hint: "check the base URL (syncctl config) and the stream's name (syncctl run --help)")
  }

  static func witnessIsEmpty(_ witness: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "the list is empty, and \(witness.url) has no items either, so the service seems to be failing",
      hint: "run again later; if the error persists, check the base URL (syncctl config)")
  }

  static func listIsEmpty(_ request: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "\(request.url) answered with an empty list that does not claim to be empty",
      hint: "check the base URL (syncctl config); if it is right, run again later")
  }
}

package enum WalkStep: Sendable, Equatable {
  case fetch(PageAddress)
  case end(Certificate.EndedBy)
}

package struct Reading: Sendable, Equatable {
  /// `nil` if nothing is stored, for example if a 404 or an empty page ends the list.
  package let stored: StoredPage?
  /// The number of leading items that the previous page also had. These items are not counted again.
  package var overlap = 0
  package let step: WalkStep
}
