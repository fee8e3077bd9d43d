import SyncCore

/// One pass through the pages of a list. A sign is evidence that the list changed during the pass. Without a sign, the
/// pass misses an item only if a removal and an insertion between two requests cancel each other out.
struct ListPass: Sendable {
  struct Sign: Sendable {
    enum Kind: Sendable {
      /// The total fell. Items after a removed item can have moved to a page that was already read.
      case shrank(by: Int)
      /// A key of an earlier page occurs again, because items were inserted before it or the order changed.
      case again(Int64)
      case claimChanged
    }

    let kind: Kind
    /// If an item was missed, it is on this page or the previous page.
    let page: Int
  }

  let pageSize: Int
  private(set) var seen = KeySet()
  private(set) var repeats = 0
  private(set) var signs: [Sign] = []
  private(set) var claim = PageClaim()
  /// The first claimed total plus all later increases. A complete walk has at least this many items.
  private(set) var expected: Int?
  private(set) var lastPage = 0
  private(set) var pages: [Int: PackedKeys] = [:]
  /// The largest last page that the first pages claimed. It limits the walk if the claim grows with every page.
  private var firstLastPage: Int?
  private var echo = Echo()

  private struct Echo {
    var pages = 0
    var items = 0
    /// Whether each page without new items equals the page before it.
    var isOfLastPage = true
  }

  init(pageSize: Int) { self.pageSize = pageSize }

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

  mutating func add(_ keys: [Int64], claim: PageClaim, page: Int) {
    var onThisPage: Set<Int64> = []
    var new: Set<Int64> = []
    for key in keys {
      if !onThisPage.insert(key).inserted {
        // If the key was also on an earlier page, `repeats` can already contain it.
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

  /// Whether the only signs of drift are repeated items that had the same neighbours in the previous walk.
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

  mutating func skip() { echo = Echo() }

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

  func subtracted(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}
