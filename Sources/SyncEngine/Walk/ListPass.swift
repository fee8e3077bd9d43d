import SyncCore

/// One pass through the pages of a list. A sign is evidence that the list changed during the pass. Without a sign, the
/// pass misses an item only if a removal and an insertion between two requests cancel each other out.
struct ListPass: Sendable {
  /// Evidence that the list changed during the pass.
  struct Sign: Sendable {
    /// The change that the pages show.
    enum Change: Sendable {
      /// The total fell. Items after a removed item can have moved to a page that was already read.
      case shrank(by: Int)
      /// A key of an earlier page occurs again, because items were inserted before it or the order changed.
      case again(Int64)
      case claimChanged
    }

    let change: Change
    /// If an item was missed, it is on this page or the previous page.
    let page: Int
    /// The size of a page that would explain the sign. A service that removes items after it has counted positions
    /// returns short pages in the middle of the list. The next page then begins with items of such a page. `nil` if
    /// only a change of the list explains the sign.
    var explainedBySize: Int?
  }

  /// The number of items that each request asks for.
  let requestedSize: Int
  /// `nil` if the list is requested by page number.
  private(set) var positions: PagePositions?
  /// Whether each page after page 1 began with the last item of the page before it. False for a list that is requested
  /// by page number.
  private(set) var isOverlapping: Bool
  /// Whether the page after the last page had only the last item of the last page.
  private(set) var endOverlaps = false
  /// The number of items on the largest page, with unreadable items.
  private(set) var largestPage = 0
  /// The number of items on the last page that was added, with unreadable items.
  private(set) var lastCount = 0
  /// Whether a page before the last page was shorter than another page, as if the service hides items.
  private var hidesItems = false
  /// The items of all pages of the pass.
  private(set) var seen = KeySet()
  /// The number of items that occur again on the same page. Items of other pages are signs instead.
  private(set) var repeats = 0
  /// The signs of change. A sign that a larger page explains is removed.
  private(set) var signs: [Sign] = []
  /// The last values that the pages claimed.
  private(set) var claim = PageClaim()
  /// The first claimed total plus all later increases. A complete walk has at least this many items.
  private(set) var expected: Int?
  /// The largest number of a page with items. 0 before page 1.
  private(set) var lastPage = 0
  /// The keys of each page with items, by the page's number.
  private(set) var pages: [Int: PackedKeys] = [:]
  /// Whether page 1 claimed the total. A later total does not count the items that were removed before it.
  private(set) var claimsTotalFromStart = false
  /// Whether page 1 said that it is the last page.
  private(set) var saysItIsOnePage = false
  /// The largest last page that the first pages claimed. It limits the walk if the claim grows with every page.
  private var firstLastPage: Int?
  private var echo = Echo()

  /// The last pages without new items.
  private struct Echo {
    var pages = 0
    var items = 0
    /// Whether each page without new items equals the page before it.
    var isOfLastPage = true
  }

  /// - Parameters:
  ///   - pageSize: The number of items that each request asks for.
  ///   - isByPosition: Whether a request has the position of the first item instead of a page number.
  init(pageSize: Int, isByPosition: Bool = false) {
    requestedSize = pageSize
    positions = isByPosition ? PagePositions(limit: pageSize) : nil
    isOverlapping = isByPosition
  }

  /// Another pass through the same list.
  func restarted() -> ListPass {
    var pass = ListPass(pageSize: requestedSize)
    pass.positions = positions?.restarted()
    pass.largestPage = largestPage
    pass.isOverlapping = positions != nil
    return pass
  }

  /// The address of a page, by its number in this pass.
  func address(of number: Int) -> PageAddress {
    guard let positions else { return PageAddress(page: number, size: requestedSize) }
    return PageAddress(offset: positions.start(of: number), size: positions.limit)
  }

  /// The address of a page that no earlier page has determined yet, if all pages before it have the usual size.
  func address(_ count: Int, behind address: PageAddress) -> PageAddress {
    guard let positions else { return PageAddress(page: address.page + count, size: address.size) }
    return PageAddress(offset: address.offset + count * max(largestPage, 1), size: positions.limit)
  }

  /// The number of a requested page in this pass, from 1.
  func number(of address: PageAddress) -> Int { positions?.number(at: address.offset) ?? address.page }

  /// The number of a stored page in this pass, from 1. `nil` if the reading is not a page.
  func number(of page: StoredPage) -> Int? {
    guard let storedNumber = page.page else { return nil }
    return positions?.number(at: storedNumber - 1) ?? storedNumber
  }

  /// The value of `StoredPage.page` for a requested page: its number, or its position from 1.
  func storedNumber(of address: PageAddress) -> Int { positions == nil ? address.page : address.offset + 1 }

  /// The number of signs of change.
  var drift: Int { signs.count }

  /// Whether the last pages had no new items, because the list starts again or the service ignores `page=`.
  var repeatsItself: Bool { echo.pages >= Limits.echoedPages && echo.items >= Limits.echoedItems }

  /// Whether the list repeats its last page instead of ending, and all claimed items were seen.
  var repeatsItsEnd: Bool {
    let newPages = lastPage - echo.pages
    guard repeatsItself, echo.isOfLastPage, isNearEnd(newPages) else { return false }
    // If a list without claims repeats its only page, the service possibly ignores `page=` and has more items.
    return claim.total.map { $0 <= seen.count + repeats } ?? (newPages > 1)
  }

  /// Adds a page with at least one item.
  /// - Returns: The number of leading keys that belong to the walk's own overlap with the page before. They are neither
  ///   repeats nor drift.
  @discardableResult
  mutating func add(_ page: StoredPage, number: Int) -> Int {
    let keys = page.keys ?? []
    noteSize(keys.count + page.unreadable)
    note(page.claim, page: number)
    let overlap = addPosition(of: page, keys, number: number)

    var onThisPage: Set<Int64> = []
    var new: Set<Int64> = []
    for (index, key) in keys.enumerated() where !overlap.own.contains(index) {
      if !onThisPage.insert(key).inserted {
        // If the key was also on an earlier page, `repeats` can already contain it.
        repeats += new.contains(key) ? 1 : 0
      } else if seen.insert(key) {
        new.insert(key)
      } else {
        let size = index < overlap.own.lowerBound ? overlap.explainedBySize : nil
        signs.append(Sign(change: .again(key), page: number, explainedBySize: size))
      }
    }

    let packed = PackedKeys(keys)
    if new.isEmpty {
      echo.pages += 1
      echo.items += keys.count
      echo.isOfLastPage = echo.isOfLastPage && pages[number - 1] == packed
    } else {
      echo = Echo()
    }

    pages[number] = packed
    lastPage = max(lastPage, number)
    return overlap.own.lowerBound == 0 ? overlap.own.upperBound : 0
  }

  /// The leading keys of a page that the page before it also has.
  private struct Overlap {
    /// The keys that the page has again because of its position, as a range of the page's keys.
    var own = 0..<0
    /// The size of a page that would explain the keys before `own` too. `nil` if no size that a request asks for does.
    var explainedBySize: Int?
  }

  /// Notes the position of a page, and compares its first items with the last items of the page before.
  private mutating func addPosition(of page: StoredPage, _ keys: [Int64], number: Int) -> Overlap {
    guard var positions, let storedNumber = page.page else { return Overlap() }
    defer { self.positions = positions }
    let expected = positions.expectedOverlap(at: storedNumber - 1)
    let largest = largestOverlap(at: storedNumber - 1)
    let before = self.keys(ofPage: number - 1)

    let common = PageOverlap.length(of: keys, after: before)

    // More common items than expected can be items that the service hides, or an item that moved to an earlier page.
    if number > 1, expected == 0 || common != expected { isOverlapping = false }

    if common < expected, let last = before.last, !keys.contains(last) {
      // The last item of the page before is not here, so items before it were removed, or it moved to another page.
      signs.append(Sign(change: .shrank(by: expected), page: number))
    }

    let size = positions.lastCount + common - expected
    positions.add(at: storedNumber - 1, items: keys.count + page.unreadable, overlaps: claim.total == nil)
    return Overlap(
      own: common - min(common, largest)..<common,
      explainedBySize: size <= requestedSize ? size : nil)
  }

  /// The largest number of leading items that a page can share with the page before it although the list did not
  /// change.
  private func largestOverlap(at position: Int) -> Int {
    guard let positions, positions.lastCount > 0 else { return 0 }
    return positions.expectedOverlap(at: position) + max(0, largestPage - positions.lastCount)
  }

  /// Notes the number of items of a page, and removes the signs that a larger page explains.
  private mutating func noteSize(_ count: Int) {
    if lastCount > 0, lastCount < largestPage { hidesItems = true }
    lastCount = count
    guard count > largestPage else { return }
    largestPage = count
    signs.removeAll { sign in sign.explainedBySize.map { $0 <= count } ?? false }
  }

  /// The number of requested items, or the number of items on the largest page if the service returns fewer.
  var pageSize: Int { largestPage == 0 ? requestedSize : min(largestPage, requestedSize) }

  /// Returns the keys of a page, or an empty array for an unknown page.
  private func keys(ofPage number: Int) -> [Int64] {
    var keys: [Int64] = []
    pages[number]?.forEach { keys.append($0) }
    return keys
  }

  /// The number of items that the next page shares with the page before it, if the list did not change. 0 for a list
  /// that is requested by page numbers.
  func expectedOverlap(at address: PageAddress) -> Int { positions?.expectedOverlap(at: address.offset) ?? 0 }

  /// Whether a page only repeats the last items of the page before it, as at the end of a list whose pages overlap.
  func repeatsPageBefore(_ keys: [Int64?], at address: PageAddress) -> Bool {
    let readable = keys.compactMap(\.self)
    return readable.count == keys.count && repeatsPageBefore(readable, at: address.offset, number(of: address))
  }

  /// Whether a stored page only repeats the last items of the page before it.
  func repeatsPageBefore(_ keys: [Int64], at page: StoredPage) -> Bool {
    guard let storedNumber = page.page, let number = number(of: page), page.unreadable == 0 else { return false }
    return repeatsPageBefore(keys, at: storedNumber - 1, number)
  }

  private func repeatsPageBefore(_ keys: [Int64], at position: Int, _ number: Int) -> Bool {
    guard !keys.isEmpty, keys.count <= largestOverlap(at: position) else { return false }
    return PageOverlap.length(of: keys, after: self.keys(ofPage: number - 1)) == keys.count
  }

  /// Whether the service answered a page that should overlap the page before with the page before itself.
  func showsAlignment(_ keys: [Int64?], at address: PageAddress) -> Bool {
    guard let positions, !positions.isAligned else { return false }
    let expected = positions.expectedOverlap(at: address.offset)
    guard expected > 0, keys.count > expected else { return false }
    return keys.elementsEqual(self.keys(ofPage: number(of: address) - 1).map(Optional.some))
  }

  /// Requests the next page after the last item, because the service rounds positions down.
  mutating func align() { positions?.align() }

  /// Notes a page that only repeats the last items of the page before it.
  /// - Returns: Whether the service can hide items, because a page was shorter than another page or than the request.
  ///   The rest of this page can then consist of hidden items although the list continues.
  mutating func noteRepeatedEnd(_ keys: [Int64?], at position: Int) -> Bool {
    let expected = positions?.expectedOverlap(at: position) ?? 0
    endOverlaps = keys.count == expected
    let hidesMore = keys.count > expected && positions?.isAligned == false
    if hidesMore { isOverlapping = false }
    return hidesItems || hidesMore || isLastPageShort
  }

  /// Requests the items behind the place of the next page instead.
  /// - Returns: False if this was already done.
  mutating func passNextPage() -> Bool { positions?.passNextPage() ?? false }

  /// Notes that no item is left at a position where the last item of the page before should be.
  mutating func noteMissingOverlap(at position: Int, page number: Int) {
    guard let positions, positions.expectedOverlap(at: position) > 0 else { return }
    isOverlapping = false
    signs.append(Sign(change: .shrank(by: positions.expectedOverlap(at: position)), page: number))
  }

  /// Whether the only signs of drift are repeated items that had the same neighbours in the previous walk.
  func showsOnly(_ previousRepeats: ListedRepeats) -> Bool {
    var repeated: Set<Int64> = []
    for sign in signs {
      guard case .again(let key) = sign.change, previousRepeats[key] != nil else { return false }
      repeated.insert(key)
    }

    return neighbors(of: repeated).allSatisfy { previousRepeats[$0] == $1 }
  }

  /// Returns the neighbours of each occurrence of the wanted items.
  private func neighbors(of keys: Set<Int64>) -> ListedRepeats {
    var neighbors: ListedRepeats = [:]
    var (last, beforeLast): (Int64?, Int64?)
    func note(_ next: Int64?) {
      if let last, keys.contains(last) { neighbors[last, default: []].append(.init(before: beforeLast, after: next)) }
    }

    for (_, page) in pages.sorted(by: { $0.key < $1.key }) {
      page.forEach { key in
        note(key)
        beforeLast = last
        last = key
      }
    }

    note(nil)
    return neighbors
  }

  /// Skips an unavailable page.
  mutating func skip(_ page: StoredPage) {
    echo = Echo()
    guard let storedNumber = page.page else { return }
    isOverlapping = false
    lastCount = 0
    positions?.skip(at: storedNumber - 1, items: largestPage)
  }

  /// Updates the claim with the claim of a page, and notes a sign if the claimed length changed.
  mutating func note(_ new: PageClaim, page: Int) {
    if page == 1 {
      claimsTotalFromStart = new.total != nil
      saysItIsOnePage = new.hasNext == false || (new.lastPage ?? 2) <= 1
    }
    if let earlier = claim.total, let total = new.total, total != earlier {
      signs.append(Sign(change: total < earlier ? .shrank(by: earlier.subtracted(total)) : .claimChanged, page: page))
      if total > earlier { expected = expected.map { $0.added(total.subtracted(earlier)) } }
    } else if let earlier = claim.lastPage, let lastPage = new.lastPage, lastPage != earlier {
      signs.append(Sign(change: .claimChanged, page: page))
    }

    expected = expected ?? new.total
    if firstLastPage == nil || page <= Limits.pageSlack, let claimed = Self.lastPage(of: new, pageSize: pageSize) {
      firstLastPage = max(firstLastPage ?? 0, claimed)
    }

    claim.total = new.total ?? claim.total
    claim.lastPage = new.lastPage ?? claim.lastPage
    claim.hasNext = new.hasNext
  }

  /// Whether as many items were seen as the list claims, and the list never changed its claim.
  var hasAllClaimedItems: Bool {
    guard let total = claim.total, total > 0, signs.isEmpty else { return false }
    return total == expected && seen.count + repeats == total && claim.hasNext != true
  }

  /// Whether the last page was shorter than another page, or is the only page and has fewer items than requested. A
  /// list without claims can have ended after such a page.
  var isLastPageShort: Bool { lastCount < (lastPage > 1 ? largestPage : requestedSize) }

  /// Whether the last page was shorter than the others. Together with `hasAllClaimedItems`, it proves the end.
  var endsWithShortPage: Bool { lastPage > 1 && isLastPageShort }

  /// Whether the claims say that the list ended before a page.
  func isPastClaimedEnd(_ number: Int) -> Bool {
    guard claim.hasNext != true, number > lastPage else { return false }
    if let lastPage = claim.lastPage { return number > lastPage }
    guard let total = claim.total else { return false }
    let position = positions?.start(of: number) ?? (number - 1) * max(pageSize, 1)
    return position >= total || seen.count + repeats >= total
  }

  /// Whether a page claims how long the list is, or that another page follows.
  var hasClaim: Bool { claim.total != nil || claim.lastPage != nil || claim.hasNext == true }

  /// Whether the list can end at this page: the claimed last page is at most one page later, or not claimed.
  func isNearEnd(_ page: Int) -> Bool {
    guard let lastPage = claim.lastPage else { return true }
    return page + 1 >= lastPage
  }

  /// The last page that the walk can read. Growing claims raise this limit only up to a multiple of the first claim.
  var pageBound: Int {
    guard let lastPage = Self.lastPage(of: claim, pageSize: pageSize), let first = firstLastPage else {
      return Limits.pagesWithoutAdvertisement
    }
    return min(lastPage * Limits.pagesPerAdvertisedPage, first * Limits.pagesPerFirstAdvertisedPage) + Limits.pageSlack
  }

  /// The number of pages that the claims announce. `nil` without a claim.
  var advertisedPages: Int? {
    if let lastPage = claim.lastPage { return lastPage }
    guard positions != nil, let total = claim.total, total > 0, largestPage > 0 else { return nil }
    return (total - 1) / pageSize + 1
  }

  /// The last page according to the claim. The result is bounded, because an upstream can claim any number.
  private static func lastPage(of claim: PageClaim, pageSize: Int) -> Int? {
    (claim.lastPage ?? claim.total.map { $0 / max(pageSize, 1) + 1 }).map {
      min(max($0, 1), Limits.pagesWithoutAdvertisement)
    }
  }
}

extension Int {
  /// Returns `.max` or `.min` instead of overflowing, because an upstream can claim any number.
  func added(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }

  /// Returns `.max` or `.min` instead of overflowing.
  func subtracted(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}
