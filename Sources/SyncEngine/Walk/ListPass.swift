import SyncCore

/// One pass through the pages of a list, and the signs that the list moved meanwhile.
///
/// A sign says where something may have been missed. Nothing can be missed without one, unless a removal and an
/// insertion cancel each other out between two requests, which page numbers cannot show.
struct ListPass: Sendable {
  struct Sign: Sendable {
    enum Kind: Sendable {
      /// The total fell by so many: what stood behind a removed item slid over the boundary.
      case shrank(by: Int)
      /// A key of an earlier page, again: something was inserted before it or moved up, or it moved down.
      case again
      /// The total rose, or the last page changed.
      case claimChanged
    }

    let kind: Kind
    /// The page that showed it; what was missed is on the page before, or on this one.
    let page: Int
  }

  /// Items asked for per page.
  let pageSize: Int
  private(set) var seen = KeySet()
  private(set) var repeats = 0
  private(set) var signs: [Sign] = []
  private(set) var claim = PageClaim()
  /// As many different places as the list has had: the first total, and all that was added to it.
  private(set) var expected: Int?
  private(set) var lastPage = 0
  /// Of each page, what it held and in which order.
  private(set) var digests: [Int: UInt64] = [:]
  /// Pages in a row that brought nothing new, and their items.
  private var echo = (pages: 0, items: 0)

  init(pageSize: Int) {
    self.pageSize = pageSize
  }

  var drift: Int { signs.count }

  /// So many pages in a row brought nothing new that the list does not go on: it begins anew, or `page=` means nothing
  /// to it.
  var repeatsItself: Bool { echo.pages >= Limits.echoedPages && echo.items >= Limits.echoedItems }

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
        signs.append(Sign(kind: .again, page: page))
      }
    }
    digests[page] = Self.digest(keys)
    echo = new.isEmpty ? (echo.pages + 1, echo.items + keys.count) : (0, 0)
    lastPage = max(lastPage, page)
    note(claim, page: page)
  }

  /// A page is missing.
  mutating func skip() {
    echo = (0, 0)
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
    claim.total = new.total ?? claim.total
    claim.lastPage = new.lastPage ?? claim.lastPage
  }

  /// Whether an end of data on this page agrees with what the list has said of itself; a list that never claimed
  /// anything ends where it ends.
  func isNearEnd(_ page: Int) -> Bool {
    guard let lastPage = claim.lastPage else { return true }
    return page + 1 >= lastPage
  }

  /// A list that has more pages than this does not end.
  var pageBound: Int {
    let pagesOfTotal = claim.total.map { $0 / max(pageSize, 1) + 1 }
    guard let lastPage = claim.lastPage ?? pagesOfTotal else { return Limits.pagesWithoutAdvertisement }
    // The claim is foreign: neither its sign nor its size may be trusted in a sum.
    let advertised = min(max(lastPage, 1), Limits.pagesWithoutAdvertisement)
    return advertised * Limits.pagesPerAdvertisedPage + Limits.pageSlack
  }

  /// FNV-1a over the keys in their order: the same in every process.
  static func digest(_ keys: [Int64]) -> UInt64 {
    keys.reduce(0xcbf2_9ce4_8422_2325) { hash, key in
      (hash ^ UInt64(bitPattern: key)) &* 0x100_0000_01b3
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
