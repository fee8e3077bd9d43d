package import SyncCore

/// A walk in the order of ids. It cannot miss an item, because each page overlaps the page before it by at least one
/// item. If a page begins after the last id that was read, items were removed, and the walk steps back half a page. If
/// the service limits page numbers, the walk also reads the list from its other end. The upstream accepts only `page`
/// and `limit`, so the walk chooses a `limit` that makes a page begin at the wanted item.
package struct CatalogueWalk: Walk {
  /// Items per page. The walk reduces it if the service returns fewer items than requested.
  private var pageSize: Int
  private var pageCap: Int?
  private var part = Part(direction: .forward)
  private var front: Part?
  private var readings = 0
  private var stepsBack = 0
  private var drift = 0
  private var holes: [Int] = []
  private var holesInARow = 0
  private var unreadable = 0
  private var lookups = 0
  private var idle = 0
  private var gaps = 0
  private var lastMissing: PageAddress?
  private var claimedTotal: Int?
  private var grown = 0
  private var claimedPositions: Int?
  private var firstClaimedPositions: Int?
  private var endedBy: Certificate.EndedBy?

  /// The readings from one end of the list. With a page cap, a walk has two parts, which meet in the middle.
  private struct Part: Sendable {
    let direction: PageAddress.Direction
    var end = 0
    var covered: Int64?
    var copies = 0
    var distinct = 0
    var repeats = 0
    var isBroken = false

    /// Whether `key` is at or before `other` in the direction of the part.
    func reaches(_ key: Int64, from other: Int64) -> Bool {
      direction == .forward ? key <= other : key >= other
    }

    func hasSeen(_ key: Int64) -> Bool { covered.map { reaches(key, from: $0) } ?? false }
  }

  /// Creates a walk at the start of the catalogue.
  /// - Parameters:
  ///   - pageSize: The largest number of items that a request asks for.
  ///   - pageCap: The largest page number that the service accepts. `nil` if the service states none.
  package init(pageSize: Int, pageCap: Int?) {
    self.pageSize = pageSize
    self.pageCap = pageCap
  }

  package var start: WalkStep { .fetch(PageAddress(page: 1, size: pageSize)) }

  /// Whether the walk has passed the id from either end. Ids that no item has are included.
  package func hasSeen(_ key: Int64) -> Bool {
    part.hasSeen(key) || (front?.hasSeen(key) ?? false)
  }

  /// Passes a page. A page that does not overlap the pages before it is not stored, and the walk steps back.
  /// - Throws: `SyncError` if page 1 is a 404 or unexpectedly empty, if the service refused the page, or if the page
  ///   has more items than requested or is not in the order of ids.
  package mutating func receive(
    _ page: Page, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    if case .ignored = page { return ignore() }
    let keys = page.keys
    if readings == 0, case .notFound = page { throw .listIsMissing(request) }
    // Each page begins with an item that was already read, so no page is requested after the end of the list.
    if case .refused(let error) = page { throw error }
    if readings == 0, keys.isEmpty {
      guard page.claim.isEmptyList else { throw .listIsEmpty(request) }
      return Reading(stored: nil, step: finish(.emptyPage))
    }

    switch page {
    case .ignored:
      return ignore()
    case .pageCap:
      // The page cap is stored, because a resumed run could not detect it again.
      return end(.pageCap, at: address)
    case .notFound, .refused:
      return missing(.notFound, at: address)
    case .items where keys.isEmpty:
      return missing(.emptyPage, at: address)
    case .items:
      try check(keys.compactMap(\.self), at: address, request: request)
      return take(keys, page.claim, at: address)
    }
  }

  /// Ends the walk at an ignored answer. Nothing of the answer is stored.
  private mutating func ignore() -> Reading { Reading(stored: nil, step: finish(.ignored)) }

  /// Handles a 404 or an empty page. The page should overlap the previous page, so items were removed, or the response
  /// is wrong. The walk steps back half a page once. If the page is missing again, the list ends or the page is a hole.
  private mutating func missing(_ reason: Certificate.EndedBy, at address: PageAddress) -> Reading {
    if !part.isBroken, address.offset > 0, lastMissing != address, stepsBack < stepsAllowed {
      lastMissing = address
      return Reading(stored: nil, step: stepBack(from: address))
    }
    let isNearEnd = claimedPositions.map { address.offset + 2 * address.size >= $0 } ?? true
    return isNearEnd ? end(reason, at: address) : skip(address)
  }

  /// Requests a page that begins about half a page before the address. Each step back counts as drift.
  private mutating func stepBack(from address: PageAddress) -> WalkStep {
    stepsBack += 1
    drift += 1
    return step(from: max(0, address.offset - pageSize / 2))
  }

  /// Checks that the page has at most the requested number of items, in the order of the part.
  private func check(
    _ keys: [Int64], at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) {
    let isSorted = zip(keys, keys.dropFirst()).allSatisfy { part.reaches($0, from: $1) }
    guard keys.count <= address.size, isSorted else {
      throw SyncError(
        .upstream,
        keys.count > address.size
          ? "\(request.url) answered with \(keys.count) items" : "\(request.url) is not in the order of ids",
        hint: "the service does not support order_by or limit, so only its top lists can be mirrored")
    }
  }

  /// Uses a page with items, or steps back if the page begins after the last id that was read.
  private mutating func take(_ keys: [Int64?], _ claim: PageClaim, at address: PageAddress) -> Reading {
    if let covered = part.covered, !part.isBroken, let first = keys.compactMap(\.self).first,
      !part.reaches(first, from: covered), address.offset > 0, stepsBack < stepsAllowed
    {
      return Reading(stored: nil, step: stepBack(from: address))
    }

    let overlap = overlap(of: keys, offset: address.offset)
    let stored = StoredPage(
      number: nextNumber, page: address.offset + 1, keys: keys.compactMap(\.self),
      unreadable: keys.dropFirst(overlap).count { $0 == nil }, claim: claim)
    return settle(stored, at: address, overlap: overlap)
  }

  /// Returns the number of leading items that were already read.
  private func overlap(of keys: [Int64?], offset: Int) -> Int {
    let overlapping = keys.prefix(max(0, part.end - offset)).prefix { $0.map(part.hasSeen) ?? true }
    // Unreadable items at the end of `overlapping` are not part of the overlap, because they can be new items.
    return (overlapping.lastIndex { $0 != nil } ?? -1) + 1
  }

  private var nextNumber: Int { readings + lookups + 1 }

  /// Stores a hole. The page after the hole does not have to overlap the page before it.
  package mutating func skip(_ address: PageAddress) -> Reading {
    settle(StoredPage(hole: address.offset + 1, number: nextNumber), at: address)
  }

  /// Stores the end of the list, or the page cap, at an address.
  private mutating func end(_ reason: Certificate.EndedBy, at address: PageAddress) -> Reading {
    settle(StoredPage(end: reason, page: address.offset + 1, number: nextNumber), at: address)
  }

  private mutating func settle(_ page: StoredPage, at address: PageAddress, overlap: Int = 0) -> Reading {
    Reading(stored: page, overlap: overlap, step: advance(past: page, offset: address.offset, size: address.size))
  }

  /// Restores the state after a stored page, and returns the next step. A stored page has only the position of its
  /// first item, so the page size is computed again from this position.
  package mutating func replay(_ page: StoredPage) -> WalkStep {
    guard let storedNumber = page.page else {
      lookups += 1
      return endedBy.map(WalkStep.end) ?? start
    }
    return advance(past: page, offset: storedNumber - 1, size: size(ofPageAt: storedNumber - 1))
  }

  /// Returns the page size with which the walk requested the page at a position, counted from 0.
  private func size(ofPageAt offset: Int) -> Int {
    var address = plan(after: part.end)
    while let planned = address, planned.offset > offset {
      address = plan(after: max(0, planned.offset - pageSize / 2))
    }
    return address?.size ?? pageSize
  }

  /// Updates the state with a stored reading, both for a new and for a replayed reading.
  private mutating func advance(past page: StoredPage, offset: Int, size: Int) -> WalkStep {
    readings += 1
    if page.endedBy == .pageCap {
      // The service limits page numbers, not positions. With more items per page, the walk can still read further.
      pageCap = min(pageCap ?? .max, offset / max(size, 1))
      return readings < readingBound ? step(from: part.end) : finish(.loop)
    }

    if let reason = page.endedBy {
      gaps += 1
      return finish(reason)
    }

    guard let keys = page.keys else {
      holes.append(offset / pageSize + 1)
      holesInARow += 1
      part.isBroken = true
      part.end = max(part.end, offset + size)
      return holesInARow >= Limits.consecutiveHoles ? finish(.tooManyHoles) : step(from: part.end)
    }

    holesInARow = 0
    unreadable += page.unreadable
    noteSize(of: page, offset: offset)
    let size = min(size, pageSize)

    let before = (claimedTotal, claimedPositions)
    note(page.claim, size: size)
    let distinctBefore = part.distinct
    add(keys, offset: offset)
    // `end` can decrease, because removals move the items to lower positions.
    part.end = offset + keys.count + page.unreadable
    idle = part.distinct == distinctBefore ? idle + 1 : 0

    // The parts met only if a key is below the first part's last id. An equal key can be another copy of the item.
    if let last = front?.covered, keys.contains(where: { $0 < last }) { return finish(.partsMet) }
    if isLast(page, offset: offset, size: size, before: before) { return finish(.noNextPage) }
    if idle >= Limits.echoedPages || readings >= readingBound { return finish(.loop) }
    return step(from: part.end)
  }

  /// Whether the list ends with this page. Two of three conditions must hold: the page is short, has no new items, or
  /// says that it is the last page. The page must also reach the totals that it and the previous page claim. After
  /// `Limits.echoedPages` pages without new items, the list ends anyway, but the walk can be incomplete.
  private mutating func isLast(
    _ page: StoredPage, offset: Int, size: Int, before: (total: Int?, positions: Int?)
  ) -> Bool {
    let count = (page.keys?.count ?? 0) + page.unreadable
    let saysSo = page.claim.hasNext == false
    guard page.keys?.last == part.covered, saysSo || count < size, idle > 0 || (saysSo && count < size) else {
      return false
    }

    let isReached =
      if let total = claimedTotal {
        offset + count >= max(total, before.total ?? 0)
      } else {
        idle > 0 && offset + 2 * size >= max(claimedPositions ?? 0, before.positions ?? 0)
      }

    if !isReached, idle >= Limits.echoedPages { gaps += 1 }
    return isReached || idle >= Limits.echoedPages
  }

  /// Counts the items of a page. A page that begins after the last known id is a gap, unless a hole is before it.
  private mutating func add(_ keys: [Int64], offset: Int) {
    if let covered = part.covered, let first = keys.first, offset > 0, !part.isBroken,
      !part.reaches(first, from: covered)
    {
      gaps += 1
    }

    part.isBroken = false
    // Copies of an id are adjacent. Copies of ids before the last covered id have already been counted.
    var copies = 0
    for (index, key) in keys.enumerated() {
      copies = index > 0 && keys[index - 1] == key ? copies + 1 : 1
      add(key, copies: copies)
    }
  }

  /// Counts an item once.
  /// - Parameter copies: The number of copies of the id up to here on the page.
  private mutating func add(_ key: Int64, copies: Int) {
    if part.covered == key {
      guard copies > part.copies else { return }
      part.copies = copies
    } else if part.hasSeen(key) {
      return
    } else {
      part.covered = key
      part.copies = 1
    }

    if let front, front.hasSeen(key) {
      if key == front.covered, copies > front.copies { part.repeats += 1 }
    } else if copies > 1 {
      part.repeats += 1
    } else {
      part.distinct += 1
    }
  }

  /// Reduces `pageSize` if the claim or a second reading shows that the service returns smaller pages.
  ///
  /// A page without claims that has no new item and fewer items than requested is the end of the list, or a page of a
  /// service that returns no larger pages. The next request, for no more items than arrived, shows which.
  private mutating func noteSize(of page: StoredPage, offset: Int) {
    let count = (page.keys?.count ?? 0) + page.unreadable
    let claim = page.claim
    let isAgain = part.end == offset + count && page.keys?.last == part.covered
    let hasClaim = claim.total != nil || claim.lastPage != nil || claim.hasNext != nil
    let isLarge = count >= Limits.smallestCataloguePage && count < pageSize
    if isAgain, isLarge, !hasClaim, offset > 0 { pageSize = count }

    // Pages of one item cannot overlap and also have a new item.
    guard offset == 0, count >= 2, count < pageSize, part.end == 0 || isAgain else { return }
    let isByClaim =
      if let total = claim.total, let lastPage = claim.lastPage {
        lastPage > 1 && total > count && (total - 1) / count + 1 == lastPage
      } else {
        false
      }

    let hasMore = claim.hasNext == true || (claim.total ?? 0) > count || (claim.lastPage ?? 0) > 1
    if isByClaim || (isAgain && (hasMore || !hasClaim)) { pageSize = count }
  }

  /// Updates the claimed length. `size` is the number of items per page, for a claim that counts pages.
  private mutating func note(_ claim: PageClaim, size: Int) {
    let positions = claim.total ?? claim.lastPage.map { min(max($0, 0), Limits.pagesWithoutAdvertisement) * size }
    if let total = claim.total, let earlier = claimedTotal, total != earlier {
      drift += 1
      grown = grown.added(max(0, total.subtracted(earlier)))
    }

    claimedTotal = claim.total ?? claimedTotal
    claimedPositions =
      positions.map { min(max($0, 0), Limits.pagesWithoutAdvertisement * pageSize) } ?? claimedPositions
    if firstClaimedPositions == nil || readings <= Limits.pageSlack {
      firstClaimedPositions = claimedPositions.map { max($0, firstClaimedPositions ?? 0) }
    }
  }

  /// Returns the request for the page at a position, or goes on from the other end if the page cap forbids the page.
  private mutating func step(from position: Int) -> WalkStep {
    plan(after: position).map(WalkStep.fetch) ?? turnAround()
  }

  /// Begins the second part at the other end of the list. Without items, or in the second part, the walk ends.
  private mutating func turnAround() -> WalkStep {
    guard front == nil, part.direction == .forward, part.covered != nil else { return finish(.pageCap) }
    front = part
    part = Part(direction: .backward)
    idle = 0
    return .fetch(PageAddress(page: 1, size: pageSize, direction: .backward))
  }

  private mutating func finish(_ reason: Certificate.EndedBy) -> WalkStep {
    endedBy = reason
    return .end(reason)
  }

  /// Returns the page that reaches furthest, among the pages that begin within the first `end` positions.
  private func plan(after end: Int) -> PageAddress? {
    guard end > 0 else { return PageAddress(page: 1, size: pageSize, direction: part.direction) }
    var best: PageAddress?
    for size in stride(from: pageSize, through: max(2, pageSize / 2), by: -1) {
      let address = PageAddress(page: (end - 1) / size + 1, size: size, direction: part.direction)
      let reach = address.offset + size
      guard pageCap.map({ address.page <= $0 }) ?? true, reach > end else { continue }
      if best.map({ reach > $0.offset + $0.size }) ?? true { best = address }
    }
    return best
  }

  /// Returns the address of the page that is `count` pages after `address` in the walk's current direction, as if all
  /// pages between them had as many items as requested. `count` 0 means `address` itself.
  ///
  /// Each page overlaps the page before it, so its number and size can differ from those of `address`. Returns `nil` if
  /// the page cap forbids the page.
  package func address(_ count: Int, behind address: PageAddress) -> PageAddress? {
    var address: PageAddress? = address
    for _ in 0..<count {
      address = address.flatMap { plan(after: $0.offset + $0.size) }
    }
    return address
  }

  /// The largest number of steps back. It grows with the number of readings.
  private var stepsAllowed: Int { Limits.rewalkPages + readings / Limits.pagesPerRewalkPage }

  /// The largest number of readings. Growing claims raise it only up to a multiple of the first claims.
  private var readingBound: Int {
    guard let claimedPositions, let firstClaimedPositions else { return Limits.pagesWithoutAdvertisement }
    func pages(_ positions: Int) -> Int { positions * 4 / 3 / pageSize + 1 }
    return min(
      pages(claimedPositions) * Limits.pagesPerAdvertisedPage,
      pages(firstClaimedPositions) * Limits.pagesPerFirstAdvertisedPage)
      + Limits.pageSlack
  }

  package var advertisedPages: Int? {
    guard let claimedPositions else { return nil }
    let unread = max(0, claimedPositions - (front?.end ?? 0) - part.end)
    // Pages overlap, so about four fifths of their items are new.
    return readings + (unread * 5 / 4 + pageSize - 1) / pageSize
  }

  /// Returns a certificate whose evidence is the overlap of the pages. A gap, hole or unreadable item makes it
  /// incomplete.
  package func certificate(endedBy: Certificate.EndedBy) -> Certificate {
    var certificate = Certificate(
      complete: false, endedBy: endedBy, claimedTotal: claimedTotal,
      distinctKeys: part.distinct + (front?.distinct ?? 0), repeats: part.repeats + (front?.repeats ?? 0),
      drift: drift + gaps, rewalked: stepsBack, holes: holes, unreadable: unreadable, evidence: .overlap)
    certificate.complete =
      endedBy.isEnd && holes.isEmpty && unreadable == 0 && gaps == 0 && certificate.deficit <= grown
    return certificate
  }
}
