import SyncCore

/// Reads pages of a list again because the list changed during the walk. The limit is 10 pages plus 5 % of the list. A
/// list within this limit is read again as a whole, at most twice, and only the last pass that reached the end is
/// published. In a longer list, only the pages around each change are read again. A page that differs from its first
/// reading is read once more.
struct Rewalk: Sendable {
  /// The pages that are read again: the whole list, or only pages around the changes.
  private enum Scope: Sendable {
    case whole(Whole)
    case bands(Bands)
  }

  private let first: ListPass
  private var scope: Scope
  private var round = 1
  private var remainingPages: Int
  private var nextPage: Int?
  /// Whether the last round was complete and showed no further change.
  private(set) var isSettled = false
  /// The number of pages that were read again.
  private(set) var readings = 0
  /// The number of signs of change in pages that were read again.
  private(set) var drift = 0
  private var firstReading: Int?

  /// The address of the page that must be read next. `nil` if no page is left.
  var nextAddress: PageAddress? {
    nextPage.map { (whole?.pass ?? first).address(of: $0) }
  }

  /// Plans the pages to read again after a pass that ended with signs of change.
  init(of pass: ListPass) {
    first = pass
    remainingPages = Limits.rewalkPages + pass.lastPage / Limits.pagesPerRewalkPage
    if pass.lastPage <= remainingPages {
      scope = .whole(Whole(pass: pass.restarted()))
      nextPage = 1
    } else {
      let bands = Bands(pass, limit: remainingPages)
      scope = .bands(bands)
      nextPage = bands.pending.first
    }
  }

  private var whole: Whole? { if case .whole(let whole) = scope { whole } else { nil } }
  private var bands: Bands? { if case .bands(let bands) = scope { bands } else { nil } }

  /// The pass whose list is published. `nil` if only pages around the changes are read again.
  var publishedPass: ListPass? { whole.map { $0.ended?.pass ?? first } }

  /// The numbers of the readings that are published. `nil` means all readings.
  var publishedReadings: Range<Int>? {
    guard let whole, let firstReading else { return nil }
    return whole.ended?.readings ?? 1..<firstReading
  }

  /// The items that only the pages that were read again have.
  private(set) var found = KeySet()

  /// The number of items that only superseded readings have. 0 if the whole list is read again.
  var unaccounted: Int { bands?.unaccounted.count ?? 0 }
  /// The first claimed total plus all later increases.
  var expected: Int? { bands?.expected ?? publishedPass?.expected }
  var claim: PageClaim { bands?.claim ?? publishedPass?.claim ?? first.claim }

  /// Passes a page that was read again. A reading without items because the page was unavailable ends the rewalk.
  mutating func take(_ page: StoredPage) {
    guard let number = (whole?.pass ?? first).number(of: page) else { return }
    readings += 1
    remainingPages -= 1
    firstReading = firstReading ?? page.number
    for key in page.keys ?? [] where !first.seen.contains(key) { found.insert(key) }

    guard let keys = page.keys else {
      nextPage = nil
      drift += 1
      return
    }

    switch scope {
    case .whole(let whole): take(page, keys: keys, number: number, in: whole)
    case .bands(let bands): take(page, keys: keys, number: number, in: bands)
    }
  }

  /// Passes a page of a further pass through the whole list.
  private mutating func take(_ page: StoredPage, keys: [Int64], number: Int, in whole: Whole) {
    var whole = whole
    let before = whole.pass.drift
    var hasEnded = keys.isEmpty || whole.pass.repeatsPageBefore(keys, at: page)
    if hasEnded {
      // An empty page can be an error, so it ends the pass only if the first pass ended at most one page later.
      guard whole.pass.lastPage > 0, whole.pass.isNearEnd(number), number + 1 >= first.lastPage else {
        nextPage = nil
        return
      }
      if let storedNumber = page.page, keys.isEmpty {
        whole.pass.noteMissingOverlap(at: storedNumber - 1, page: number)
      }
    } else {
      let wasNearEnd = whole.pass.isNearEnd(number)
      whole.pass.add(page, number: number)
      let saysSo = page.claim.hasNext == false && wasNearEnd && whole.pass.isNearEnd(number)
      hasEnded = saysSo && number + 1 >= first.lastPage
    }

    drift += whole.pass.drift - before
    whole.firstReading = whole.firstReading ?? page.number
    defer { scope = .whole(whole) }
    if !hasEnded {
      nextPage = remainingPages > 0 ? number + 1 : nil
      return
    }

    isSettled = whole.pass.drift == 0
    nextPage = nil
    whole.end(at: page.number)

    if !isSettled, round < Limits.rewalkRounds, remainingPages >= number {
      round += 1
      nextPage = 1
    }
  }

  /// Passes a page around a change. When a round is over, pages that changed again are read in another round.
  private mutating func take(_ page: StoredPage, keys: [Int64], number: Int, in bands: Bands) {
    var bands = bands
    drift += bands.take(keys, claim: page.claim, page: number)
    if bands.pending.isEmpty {
      isSettled = bands.unsettled.isEmpty && bands.isWhole
      if !bands.unsettled.isEmpty, round < Limits.rewalkRounds {
        round += 1
        bands.startRound()
      }
    }

    nextPage = bands.pending.count <= remainingPages ? bands.pending.first : nil
    scope = .bands(bands)
  }
}

/// Further passes through the whole list.
private struct Whole: Sendable {
  var pass: ListPass
  var firstReading: Int?
  /// The last pass that reached the end, with the numbers of its readings.
  private(set) var ended: (pass: ListPass, readings: Range<Int>)?

  init(pass: ListPass) { self.pass = pass }

  /// Ends the current pass with the reading of this number and prepares another pass.
  mutating func end(at reading: Int) {
    ended = (pass, (firstReading ?? reading)..<reading + 1)
    pass = pass.restarted()
    firstReading = nil
  }
}

/// The pages around the changes of a list, with the last reading of each page of the list.
private struct Bands: Sendable {
  private var pages: [Int: PackedKeys]
  /// The pages that must still be read in this round.
  private(set) var pending: [Int]
  /// The pages that must be read in the next round, because they or their claims changed.
  private(set) var unsettled: Set<Int> = []
  private(set) var claim: PageClaim
  private(set) var expected: Int?
  /// Whether more pages should have been read again than the limit allows.
  private let isCut: Bool
  private var hasShrunk: Bool
  /// The items of readings that a later, different reading of the same page superseded.
  private var lost: Set<Int64> = []

  /// Plans the pages around the signs of a pass, at most `limit` pages.
  init(_ pass: ListPass, limit: Int) {
    pages = pass.pages
    claim = pass.claim
    expected = pass.expected
    var removed = 0
    for sign in pass.signs {
      if case .shrank(let count) = sign.change { removed = removed.added(count) }
    }
    hasShrunk = removed > 0

    // Each removal moves all later items forward. After many removals, a missed item can be several pages away.
    let reach = min(max(1, removed.added(pass.pageSize - 1) / max(pass.pageSize, 1)), limit + 1)
    var pages: Set<Int> = []
    for page in Set(pass.signs.map(\.page)).sorted() where pages.count <= limit {
      pages.formUnion(max(1, page - reach)...page)
    }

    pending = Array(pages.sorted().prefix(limit))
    isCut = pages.count > limit
  }

  /// Replaces the reading of a page.
  /// - Returns: The number of signs of change: other items, and another claim.
  mutating func take(_ keys: [Int64], claim new: PageClaim, page: Int) -> Int {
    pending.removeAll { $0 == page }
    let packed = PackedKeys(keys)
    let before = pages.updateValue(packed, forKey: page)
    let isOther = before != packed
    if isOther { before?.forEach { lost.insert($0) } }

    let moved = [(claim.total, new.total), (claim.lastPage, new.lastPage)].contains { earlier, new in
      earlier != nil && new != nil && earlier != new
    }

    if let earlier = claim.total, let total = new.total {
      if total > earlier { expected = expected.map { $0.added(total.subtracted(earlier)) } }
      hasShrunk = hasShrunk || total < earlier
    }

    claim.total = new.total ?? claim.total
    claim.lastPage = new.lastPage ?? claim.lastPage

    if moved { unsettled.formUnion(max(1, page - 1)...page) }
    if isOther { unsettled.insert(page) }
    return (isOther ? 1 : 0) + (moved ? 1 : 0)
  }

  /// The items of superseded readings that no current page has.
  var unaccounted: Set<Int64> {
    var missing = lost
    if missing.isEmpty { return missing }
    for page in pages.values { page.forEach { missing.remove($0) } }
    return missing
  }

  /// Whether no item can be missed: all pages were read, the list did not shrink, and each item is on a page.
  var isWhole: Bool { !isCut && !hasShrunk && unaccounted.isEmpty }

  /// Begins another round with the pages that changed in the last round.
  mutating func startRound() {
    pending = unsettled.sorted()
    unsettled = []
  }
}
