package import SyncCore

/// A walk through a list whose pages name the next page. It cannot skip a page, and it cannot read a page again without
/// reading all pages before it. It is complete if it reached the end, no item was on two pages, and it saw as many
/// items as the list claimed. Without a claim, it misses an item if the list changes and the service counts places.
package struct ChainWalk: Walk {
  private let pageSize: Int
  private var seen = KeySet()
  private var readings = 0
  private var lookups = 0
  private var repeats = 0
  private var unreadable = 0
  private var drift = 0
  private var claimedTotal: Int?
  /// The first claimed total plus all later increases.
  private var expected: Int?
  /// The address of the last page. `nil` for page 1.
  private var lastAddress: String?
  /// The last pages without new items.
  private var idle = (pages: 0, items: 0)
  private var endedBy: Certificate.EndedBy?

  package init(pageSize: Int) { self.pageSize = pageSize }

  package var start: WalkStep { .fetch(PageAddress(page: 1, size: pageSize)) }

  package func hasSeen(_ key: Int64) -> Bool { seen.contains(key) }

  package mutating func receive(
    _ answer: Page, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    guard case .items = answer else { throw .listIsMissing(request) }
    let keys = answer.keys
    // A service that fails can also name the next page of an empty page.
    if seen.count == 0, unreadable == 0, keys.isEmpty, answer.claim.next == nil {
      note(answer.claim.total)
      guard answer.claim.isEmptyList || claimedTotal == 0, expected ?? 0 <= 0 else { throw .listIsEmpty(request) }
      if readings == 0 { return Reading(stored: nil, step: finish(.emptyPage)) }
    }
    let stored = StoredPage(
      number: readings + lookups + 1, page: readings + 1, found: keys, claim: answer.claim)
    return Reading(stored: stored, step: advance(past: stored))
  }

  /// Never called, because the run stops at a page that is unavailable (`hasHoles`).
  package mutating func skip(_ address: PageAddress) -> Reading { Reading(stored: nil, step: finish(.failed)) }

  package mutating func replay(_ page: StoredPage) -> WalkStep {
    guard page.page != nil else {
      lookups += 1
      return endedBy.map(WalkStep.end) ?? start
    }
    return advance(past: page)
  }

  private mutating func advance(past page: StoredPage) -> WalkStep {
    readings += 1
    unreadable += page.unreadable
    note(page.claim.total)
    let known = seen.count
    var onThisPage: Set<Int64> = []
    for key in page.keys ?? [] {
      let isFirst = onThisPage.insert(key).inserted
      guard !seen.insert(key) else { continue }
      repeats += 1
      drift += isFirst ? 1 : 0
    }
    idle = seen.count == known ? (idle.pages + 1, idle.items + (page.keys?.count ?? 0)) : (0, 0)
    guard let next = page.claim.next else { return finish(.noNextPage) }
    let isStuck = next == lastAddress || idle.pages >= Limits.echoedPages + Limits.pageSlack
    let isLoop = isStuck || idle.pages >= Limits.echoedPages && idle.items >= Limits.echoedItems
    if isLoop || readings >= Limits.pagesWithoutAdvertisement { return finish(.loop) }
    lastAddress = next
    return .fetch(PageAddress(page: readings + 1, size: pageSize, next: next))
  }

  private mutating func note(_ total: Int?) {
    guard let total else { return }
    if let claimedTotal, total != claimedTotal {
      drift += 1
      if total > claimedTotal { expected = expected.map { $0.added(total.subtracted(claimedTotal)) } }
    }
    claimedTotal = total
    expected = expected ?? total
  }

  private mutating func finish(_ reason: Certificate.EndedBy) -> WalkStep {
    endedBy = reason
    return .end(reason)
  }

  package func address(_ count: Int, behind address: PageAddress) -> PageAddress? { nil }

  package var hasHoles: Bool { false }

  package var advertisedPages: Int? { nil }

  package func certificate(endedBy: Certificate.EndedBy) -> Certificate {
    let isWhole = repeats == 0 && unreadable == 0 && seen.count >= max(claimedTotal ?? 0, expected ?? 0)
    return Certificate(
      complete: endedBy.isEnd && isWhole, endedBy: endedBy, claimedTotal: claimedTotal, distinctKeys: seen.count,
      repeats: repeats, drift: drift, rewalked: 0, holes: [], unreadable: unreadable)
  }
}
