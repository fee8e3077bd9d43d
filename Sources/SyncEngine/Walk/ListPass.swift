import SyncCore

/// One pass through the pages of a list, and the signs that the list moved during it. Without a sign, an item can only
/// be missed if a removal and an insertion cancel out between two requests.
struct ListPass: Sendable {
  struct Sign: Sendable {
    enum Kind: Sendable {
      /// The total fell, so items after a removed item moved to the previous page.
      case shrank(by: Int)
      /// A key of an earlier page occurs again: another item was inserted before it or moved up, or the item itself
      /// moved down.
      case again(Int64)
      case claimChanged
    }

    let kind: Kind
    /// A missed item is on this page or the previous one.
    let page: Int
  }

  let pageSize: Int
  private(set) var seen = KeySet()
  private(set) var repeats = 0
  private(set) var signs: [Sign] = []
  private(set) var claim = PageClaim()
  /// The first total plus all increases: the number of positions that the list has used.
  private(set) var expected: Int?
  private(set) var lastPage = 0
  private(set) var pages: [Int: PackedKeys] = [:]
  /// The largest claim of the first pages, because a claim that grows with every page must not prolong the walk.
  private var firstLastPage: Int?
  private var echo = Echo()

  private struct Echo {
    var pages = 0
    var items = 0
    /// Whether all echoed pages repeat the page before them.
    var isOfLastPage = true
  }

  init(pageSize: Int) {
    self.pageSize = pageSize
  }

  var drift: Int { signs.count }

  /// Whether the list has ended because it only repeats: it starts again, or ignores `page=`.
  var repeatsItself: Bool { echo.pages >= Limits.echoedPages && echo.items >= Limits.echoedItems }

  /// Whether the list repeats its last page instead of ending, and all claimed items were seen.
  var repeatsItsEnd: Bool {
    let newPages = lastPage - echo.pages
    guard repeatsItself, echo.isOfLastPage, isNearEnd(newPages) else { return false }
    // A list without claims that repeats its only page may have more items and ignore `page=`.
    return claim.total.map { $0 <= seen.count + repeats } ?? (newPages > 1)
  }

  mutating func add(_ keys: [Int64], claim: PageClaim, page: Int) {
    var onThisPage: Set<Int64> = []
    var new: Set<Int64> = []
    for key in keys {
      if !onThisPage.insert(key).inserted {
        // Pairs that moved here from the previous page were counted there.
        repeats += new.contains(key) ? 1 : 0
      } else if seen.insert(key) {
        new.insert(key)
      } else {
        signs.append(Sign(kind: .again(key), page: page))
      }
    }
    let packed = PackedKeys(keys)
    if new.isEmpty {
      echo.pages += 1
      echo.items += keys.count
      echo.isOfLastPage = echo.isOfLastPage && pages[page - 1] == packed
    } else {
      echo = Echo()
    }
    pages[page] = packed
    lastPage = max(lastPage, page)
    note(claim, page: page)
  }

  /// Whether the list repeats items as in the previous walk and shows no other sign.
  func showsOnly(_ known: ListedRepeats) -> Bool {
    var repeated: Set<Int64> = []
    for sign in signs {
      guard case .again(let key) = sign.kind, known[key] != nil else { return false }
      repeated.insert(key)
    }
    return places(of: repeated).allSatisfy { known[$0] == $1 }
  }

  private func places(of wanted: Set<Int64>) -> ListedRepeats {
    var places: ListedRepeats = [:]
    var (last, beforeLast): (Int64?, Int64?)
    func note(_ next: Int64?) {
      if let last, wanted.contains(last) { places[last, default: []].append(.init(before: beforeLast, after: next)) }
    }
    for (_, page) in pages.sorted(by: { $0.key < $1.key }) {
      page.forEach { key in
        note(key)
        (beforeLast, last) = (last, key)
      }
    }
    note(nil)
    return places
  }

  mutating func skip() {
    echo = Echo()
  }

  /// The latest claim applies. A difference from the claim before is a sign.
  mutating func note(_ new: PageClaim, page: Int) {
    if let known = claim.total, let total = new.total, total != known {
      signs.append(Sign(kind: total < known ? .shrank(by: known.subtracted(total)) : .claimChanged, page: page))
      if total > known { expected = expected.map { $0.added(total.subtracted(known)) } }
    } else if let known = claim.lastPage, let lastPage = new.lastPage, lastPage != known {
      signs.append(Sign(kind: .claimChanged, page: page))
    }
    expected = expected ?? new.total
    if firstLastPage == nil || page <= Limits.pageSlack, let claimed = Self.lastPage(of: new, pageSize: pageSize) {
      firstLastPage = max(firstLastPage ?? 0, claimed)
    }
    claim.total = new.total ?? claim.total
    claim.lastPage = new.lastPage ?? claim.lastPage
  }

  /// Whether ending on this page is consistent with the list's own claims. True for a list without claims.
  func isNearEnd(_ page: Int) -> Bool {
    guard let lastPage = claim.lastPage else { return true }
    return page + 1 >= lastPage
  }

  /// The largest number of pages; a list with more pages never ends. Growing claims are followed up to a multiple of
  /// the first claim.
  var pageBound: Int {
    guard let lastPage = Self.lastPage(of: claim, pageSize: pageSize), let first = firstLastPage else {
      return Limits.pagesWithoutAdvertisement
    }
    return min(
      lastPage * Limits.pagesPerAdvertisedPage, first * Limits.pagesPerFirstAdvertisedPage) + Limits.pageSlack
  }

  /// The last page of a claim, bounded because claims may be any numbers.
  private static func lastPage(of claim: PageClaim, pageSize: Int) -> Int? {
    (claim.lastPage ?? claim.total.map { $0 / max(pageSize, 1) + 1 }).map {
      min(max($0, 1), Limits.pagesWithoutAdvertisement)
    }
  }
}

extension Int {
  /// Saturates, because claims of an upstream may be any numbers.
  func added(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }

  func subtracted(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}
