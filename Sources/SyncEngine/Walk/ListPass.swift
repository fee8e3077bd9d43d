import SyncCore

/// One pass through the pages of a list, and the signs that the list moved meanwhile.
///
/// A sign says where something may have been missed. Nothing can be missed without one, unless a removal and an
/// insertion cancel each other out between two requests, which page numbers cannot show.
struct ListPass: Sendable {
  struct Sign: Sendable {
    enum Kind: Sendable {
      /// The total fell by so many: what followed a removed item slid over the boundary.
      case shrank(by: Int)
      /// A key of an earlier page, again: something was inserted before it or moved up, or it moved down.
      case again(Int64)
      /// The total rose, or the last page changed.
      case claimChanged
    }

    let kind: Kind
    /// The page that showed it; what was missed is on the page before, or on this one.
    let page: Int
  }

  let pageSize: Int
  private(set) var seen = KeySet()
  private(set) var repeats = 0
  private(set) var signs: [Sign] = []
  private(set) var claim = PageClaim()
  /// As many different places as the list has had: the first total, and all that was added to it.
  private(set) var expected: Int?
  private(set) var lastPage = 0
  private(set) var pages: [Int: PackedKeys] = [:]
  /// The largest last page that the first pages claimed: a claim that grows with every page must not prolong the walk.
  private var firstLastPage: Int?
  private var echo = Echo()

  /// Pages in a row that brought nothing new.
  private struct Echo {
    var pages = 0
    var items = 0
    /// All of them showed what the page before them had shown.
    var isOfLastPage = true
  }

  init(pageSize: Int) {
    self.pageSize = pageSize
  }

  var drift: Int { signs.count }

  /// The list brings nothing new any more, so it has ended: it starts again, or `page=` means nothing to it.
  var repeatsItself: Bool { echo.pages >= Limits.echoedPages && echo.items >= Limits.echoedItems }

  /// The list repeats its last page instead of ending, and all that it claims was seen.
  var repeatsItsEnd: Bool {
    let newPages = lastPage - echo.pages
    guard repeatsItself, echo.isOfLastPage, isNearEnd(newPages) else { return false }
    // A list that claims nothing and shows one page only may as well have more, and no pages.
    return claim.total.map { $0 <= seen.count + repeats } ?? (newPages > 1)
  }

  mutating func add(_ keys: [Int64], claim: PageClaim, page: Int) {
    var onThisPage: Set<Int64> = []
    var new: Set<Int64> = []
    for key in keys {
      if !onThisPage.insert(key).inserted {
        // Those of a pair that has moved on from the page before were counted there.
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

  /// Whether all signs are items that are on several pages now as they were at the last walk.
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

  /// The newest claim holds; one that differs from the last is a sign that the list moved.
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

  /// Whether an end of data on this page agrees with what the list has said of itself; a list that never claimed
  /// anything ends where it ends.
  func isNearEnd(_ page: Int) -> Bool {
    guard let lastPage = claim.lastPage else { return true }
    return page + 1 >= lastPage
  }

  /// A list that has more pages than this does not end. Claims that keep growing are followed up to a multiple of the
  /// first one.
  var pageBound: Int {
    guard let lastPage = Self.lastPage(of: claim, pageSize: pageSize), let first = firstLastPage else {
      return Limits.pagesWithoutAdvertisement
    }
    return min(
      lastPage * Limits.pagesPerAdvertisedPage, first * Limits.pagesPerFirstAdvertisedPage) + Limits.pageSlack
  }

  /// The last page that a claim names, within what can be multiplied: claims may be any numbers.
  private static func lastPage(of claim: PageClaim, pageSize: Int) -> Int? {
    (claim.lastPage ?? claim.total.map { $0 / max(pageSize, 1) + 1 }).map {
      min(max($0, 1), Limits.pagesWithoutAdvertisement)
    }
  }
}

extension Int {
  /// Sums of what an upstream claims, which may be any numbers.
  func added(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }

  func subtracted(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}
