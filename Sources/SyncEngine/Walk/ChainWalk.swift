package import SyncCore

/// A walk through a list whose pages name the next page. It cannot skip a page, and it cannot read a page again without
/// reading all pages before it. It is whole if it reached the end, no item was on two pages, and it saw as many items
/// as the list claimed. Its evidence is a total that agrees, one page, or pages that continue after the last item's
/// key. Without evidence, it can miss an item if the list changes and the service counts places.
package struct ChainWalk: Walk {
  private let pageSize: Int
  /// Whether the declaration says that the pages continue after the last item's key.
  private let isByKey: Bool
  private var seen = KeySet()
  private var readings = 0
  private var lookups = 0
  private var items = 0
  private var repeats = 0
  private var unreadable = 0
  private var drift = 0
  private var claimedTotal: Int?
  /// The first claimed total plus all later increases.
  private var expected: Int?
  /// Whether the first page claimed a total. A later total does not count the items that were removed before it.
  private var claimsTotalFromStart = false
  private var trail = KeyTrail()
  /// The address of the last page. `nil` for page 1.
  private var lastAddress: String?
  /// The last pages without new items that are not empty.
  private var idle = IdlePages()
  /// Hashes of the next addresses that the pages since the last new item named. Empty pages are legal as long as each
  /// of them names another page: DynamoDB documents them for filtered queries.
  private var named: Set<Int> = []
  private var endedBy: Certificate.EndedBy?

  /// The pages since the last new item, without empty pages, and their items.
  private struct IdlePages: Sendable {
    var pages = 0
    var items = 0

    /// Whether the pages repeat known items, so that the list has probably begun again.
    var isLoop: Bool {
      pages >= Limits.echoedPages + Limits.pageSlack || pages >= Limits.echoedPages && items >= Limits.echoedItems
    }
  }

  /// Creates a walk at the start of the list.
  /// - Parameters:
  ///   - pageSize: The number of items that each request asks for.
  ///   - isByKey: Whether the declaration says that each page continues after the last item's key.
  package init(pageSize: Int, isByKey: Bool = false) {
    self.pageSize = pageSize
    self.isByKey = isByKey
  }

  package var start: WalkStep { .fetch(PageAddress(page: 1, size: pageSize)) }

  /// Whether an earlier page of the walk has the item.
  package func hasSeen(_ key: Int64) -> Bool { seen.contains(key) }

  /// Passes the next page of the chain. Only its claim names the page after it, so `address` is not used.
  /// - Throws: `SyncError` if the answer is not a page of items, or if the list ends without items and does not claim
  ///   to be empty.
  package mutating func receive(
    _ answer: Page, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    if case .ignored = answer { return Reading(stored: nil, step: finish(.ignored)) }
    guard case .items = answer else { throw .listIsMissing(request) }
    let keys = answer.keys
    // A service that fails can also name the next page of an empty page.
    if seen.count == 0, unreadable == 0, keys.isEmpty, Self.next(of: answer.claim) == nil {
      note(answer.claim.total)
      guard answer.claim.isEmptyList || claimedTotal == 0, expected ?? 0 <= 0 else { throw .listIsEmpty(request) }
      if readings == 0 { return Reading(stored: nil, step: finish(.emptyPage)) }
    }

    let stored = StoredPage(
      number: readings + lookups + 1, page: readings + 1, found: keys, claim: answer.claim)
    return Reading(stored: stored, step: advance(past: stored))
  }

  /// Ends the walk as failed. Never called, because the run stops at a page that is unavailable (`hasHoles`).
  package mutating func skip(_ address: PageAddress) -> Reading { Reading(stored: nil, step: finish(.failed)) }

  /// Restores the state after a stored reading. A reading without a page number is a batch of lookups.
  package mutating func replay(_ page: StoredPage) -> WalkStep {
    guard page.page != nil else {
      lookups += 1
      return endedBy.map(WalkStep.end) ?? start
    }
    return advance(past: page)
  }

  /// Returns the next page's address, unless another member says that the list ends here. Zendesk and Dropbox name a
  /// next page also on the last page.
  private static func next(of claim: PageClaim) -> String? { claim.hasNext == false ? nil : claim.next }

  /// Updates the state with a stored page, both for a new and for a replayed page.
  private mutating func advance(past page: StoredPage) -> WalkStep {
    readings += 1
    if readings == 1 { claimsTotalFromStart = page.claim.total != nil }
    unreadable += page.unreadable
    items += (page.keys?.count ?? 0) + page.unreadable
    note(page.claim.total)
    let isEmpty = (page.keys ?? []).isEmpty && page.unreadable == 0
    noteProgress(count(page.keys ?? []), isEmpty: isEmpty, items: page.keys?.count ?? 0)

    guard let next = Self.next(of: page.claim) else { return finish(.noNextPage) }
    trail.note(page.claim, items: items, pages: readings)
    if next == lastAddress {
      // The page names itself. The total is the other member that tells an end from a loop.
      return finish(hasSeenTotal ? .noNextPage : .loop)
    }

    let isNamedAgain = !named.insert(next.hashValue).inserted
    if isEmpty && isNamedAgain || idle.isLoop || readings >= Limits.pagesWithoutAdvertisement { return finish(.loop) }

    lastAddress = next
    return .fetch(PageAddress(page: readings + 1, size: pageSize, next: next))
  }

  /// Returns the number of new items.
  private mutating func count(_ keys: [Int64]) -> Int {
    let countBefore = seen.count
    var onThisPage: Set<Int64> = []
    for key in keys {
      let isFirst = onThisPage.insert(key).inserted
      guard !seen.insert(key) else { continue }
      repeats += 1
      drift += isFirst ? 1 : 0
    }
    return seen.count - countBefore
  }

  /// Counts pages without new items. `items` is the number of items of the page.
  private mutating func noteProgress(_ new: Int, isEmpty: Bool, items: Int) {
    if new > 0 {
      idle = IdlePages()
      named = []
    } else if !isEmpty {
      idle.pages += 1
      idle.items += items
    }
  }

  /// Updates the claimed total. A changed total counts as drift.
  private mutating func note(_ total: Int?) {
    guard let total else { return }
    if let claimedTotal, total != claimedTotal {
      drift += 1
      if total > claimedTotal { expected = expected.map { $0.added(total.subtracted(claimedTotal)) } }
    }
    claimedTotal = total
    expected = expected ?? total
  }

  /// Whether the list claims a total and the walk has seen as many items.
  private var hasSeenTotal: Bool {
    guard let claimedTotal else { return false }
    return seen.count >= max(claimedTotal, expected ?? 0)
  }

  private mutating func finish(_ reason: Certificate.EndedBy) -> WalkStep {
    endedBy = reason
    return .end(reason)
  }

  /// Returns `nil`, because only a page names the address of the next page.
  package func address(_ count: Int, behind address: PageAddress) -> PageAddress? { nil }

  package var hasHoles: Bool { false }

  package var advertisedPages: Int? { nil }

  /// The evidence that no item was missed. `nil` if the walk has none.
  private var evidence: Certificate.Evidence? {
    if readings <= 1 { return .onePage }
    if claimsTotalFromStart, claimedTotal == seen.count { return .total }
    // A declared `cursor: by_key` is believed, because many cursors cannot be read, but not against the addresses.
    return trail.isByKey || isByKey && !trail.countsPositions ? .key : nil
  }

  /// Returns a certificate that is complete if the chain ended, no item occurred twice, all items were readable, and
  /// the claimed total was reached.
  package func certificate(endedBy: Certificate.EndedBy) -> Certificate {
    let isWhole = repeats == 0 && unreadable == 0 && seen.count >= max(claimedTotal ?? 0, expected ?? 0)
    return Certificate(
      complete: endedBy.isEnd && isWhole, endedBy: endedBy, claimedTotal: claimedTotal, distinctKeys: seen.count,
      repeats: repeats, drift: drift, rewalked: 0, holes: [], unreadable: unreadable, evidence: evidence)
  }
}
