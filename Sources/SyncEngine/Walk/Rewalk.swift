import SyncCore

/// Reads pages of a list again because the list changed during the walk. The limit is 10 pages plus 5 % of the list. A
/// list within this limit is read again as a whole, at most twice, and only the last pass that reached the end is
/// published. In a longer list, only the pages around each change are read again. A page that differs from its first
/// reading is read once more.
struct Rewalk: Sendable {
  private enum Scope: Sendable {
    case whole(Whole)
    case bands(Bands)
  }

  private let first: ListPass
  private var scope: Scope
  private var round = 1
  private var left: Int
  private var nextPage: Int?
  private(set) var isSettled = false
  private(set) var readings = 0
  private(set) var drift = 0
  private var firstReading: Int?

  /// The address of the page that must be read next. `nil` if no page is left.
  var nextAddress: PageAddress? {
    nextPage.map { (whole?.pass ?? first).address(of: $0) }
  }

  init(of pass: ListPass) {
    first = pass
    left = Limits.rewalkPages + pass.lastPage / Limits.pagesPerRewalkPage
    if pass.lastPage <= left {
      scope = .whole(Whole(pass: pass.restarted()))
      nextPage = 1
    } else {
      let bands = Bands(pass, limit: left)
      scope = .bands(bands)
      nextPage = bands.pending.first
    }
  }

  private var whole: Whole? { if case .whole(let whole) = scope { whole } else { nil } }
  private var bands: Bands? { if case .bands(let bands) = scope { bands } else { nil } }

  var publishedPass: ListPass? { whole.map { $0.ended?.pass ?? first } }

  var publishedReadings: Range<Int>? {
    guard let whole, let firstReading else { return nil }
    return whole.ended?.readings ?? 1..<firstReading
  }

  private(set) var found = KeySet()

  var unaccounted: Int { bands?.unaccounted.count ?? 0 }
  var expected: Int? { bands?.expected ?? publishedPass?.expected }
  var claim: PageClaim { bands?.claim ?? publishedPass?.claim ?? first.claim }

  mutating func take(_ page: StoredPage) {
    guard let number = (whole?.pass ?? first).number(of: page) else { return }
    readings += 1
    left -= 1
    firstReading = firstReading ?? page.number
    for key in page.keys ?? [] where !first.seen.contains(key) { found.insert(key) }
    guard let keys = page.keys else {
      nextPage = nil
      drift += 1
      return
    }
    switch scope {
    case .whole(let whole): takeWhole(whole, keys, page, number)
    case .bands(let bands): takeBand(bands, keys, page, number)
    }
  }

  private mutating func takeWhole(_ whole: Whole, _ keys: [Int64], _ page: StoredPage, _ number: Int) {
    var whole = whole
    let before = whole.pass.drift
    var hasEnded = keys.isEmpty || whole.pass.repeatsPageBefore(keys, at: page)
    if hasEnded {
      // An empty page can be an error, so it ends the pass only if the first pass ended at most one page later.
      guard whole.pass.lastPage > 0, whole.pass.isNearEnd(number), number + 1 >= first.lastPage else {
        nextPage = nil
        return
      }
      if let place = page.page, keys.isEmpty { whole.pass.noteMissingOverlap(at: place - 1, page: number) }
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
      nextPage = left > 0 ? number + 1 : nil
      return
    }
    isSettled = whole.pass.drift == 0
    nextPage = nil
    whole.end(at: page.number)
    if !isSettled, round < Limits.rewalkRounds, left >= number {
      round += 1
      nextPage = 1
    }
  }

  private mutating func takeBand(_ bands: Bands, _ keys: [Int64], _ page: StoredPage, _ number: Int) {
    var bands = bands
    drift += bands.take(keys, claim: page.claim, page: number)
    if bands.pending.isEmpty {
      isSettled = bands.unsettled.isEmpty && bands.isWhole
      if !bands.unsettled.isEmpty, round < Limits.rewalkRounds {
        round += 1
        bands.startRound()
      }
    }
    nextPage = bands.pending.count <= left ? bands.pending.first : nil
    scope = .bands(bands)
  }
}

private struct Whole: Sendable {
  var pass: ListPass
  var firstReading: Int?
  private(set) var ended: (pass: ListPass, readings: Range<Int>)?

  init(pass: ListPass) { self.pass = pass }

  mutating func end(at reading: Int) {
    ended = (pass, (firstReading ?? reading)..<reading + 1)
    pass = pass.restarted()
    firstReading = nil
  }
}

private struct Bands: Sendable {
  private var pages: [Int: PackedKeys]
  private(set) var pending: [Int]
  private(set) var unsettled: Set<Int> = []
  private(set) var claim: PageClaim
  private(set) var expected: Int?
  private let isCut: Bool
  private var hasShrunk: Bool
  private var lost: Set<Int64> = []

  init(_ pass: ListPass, limit: Int) {
    pages = pass.pages
    claim = pass.claim
    expected = pass.expected
    var removed = 0
    for sign in pass.signs {
      if case .shrank(let count) = sign.kind { removed = removed.added(count) }
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

  mutating func take(_ keys: [Int64], claim new: PageClaim, page: Int) -> Int {
    pending.removeAll { $0 == page }
    let packed = PackedKeys(keys)
    let before = pages.updateValue(packed, forKey: page)
    let isOther = before != packed
    if isOther { before?.forEach { lost.insert($0) } }
    let moved = [(claim.total, new.total), (claim.lastPage, new.lastPage)].contains { known, new in
      known != nil && new != nil && known != new
    }
    if let known = claim.total, let total = new.total {
      if total > known { expected = expected.map { $0.added(total.subtracted(known)) } }
      hasShrunk = hasShrunk || total < known
    }
    claim.total = new.total ?? claim.total
    claim.lastPage = new.lastPage ?? claim.lastPage
    if moved { unsettled.formUnion(max(1, page - 1)...page) }
    if isOther { unsettled.insert(page) }
    return (isOther ? 1 : 0) + (moved ? 1 : 0)
  }

  var unaccounted: Set<Int64> {
    var missing = lost
    if missing.isEmpty { return missing }
    for page in pages.values { page.forEach { missing.remove($0) } }
    return missing
  }

  var isWhole: Bool { !isCut && !hasShrunk && unaccounted.isEmpty }

  mutating func startRound() {
    pending = unsettled.sorted()
    unsettled = []
  }
}
