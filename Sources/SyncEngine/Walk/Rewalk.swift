import SyncCore

/// Reads again what may have moved while a list was walked: at most two rounds, at most 10 pages and 5 % of the list.
///
/// A list that fits into that is walked anew, and the new pass is judged alone. Of a longer one, the pages around
/// every sign are read; those that differ, once more. It has settled when a round shows nothing new.
struct Rewalk: Sendable {
  private enum Scope: Sendable {
    case whole(ListPass)
    case bands(Bands)
  }

  private let first: ListPass
  private var scope: Scope
  private var round = 1
  private var left: Int
  private(set) var nextPage: Int?
  private(set) var isSettled = false
  /// Pages read again.
  private(set) var readings = 0
  /// Signs met while reading again.
  private(set) var drift = 0

  init(of pass: ListPass) {
    first = pass
    left = Limits.rewalkPages + pass.lastPage / Limits.pagesPerRewalkPage
    if pass.lastPage <= left {
      scope = .whole(ListPass(pageSize: pass.pageSize))
      nextPage = 1
    } else {
      let bands = Bands(pass, limit: left)
      scope = .bands(bands)
      nextPage = bands.pending.first
    }
  }

  /// The pass that counts, when the list was walked anew.
  var wholePass: ListPass? {
    guard case .whole(let pass) = scope, isSettled else { return nil }
    return pass
  }

  /// Keys that the first pass has not met.
  private(set) var found = KeySet()

  /// Places that the list has had; what is seen must fill them.
  var expected: Int? {
    switch scope {
    case .whole: first.expected
    case .bands(let bands): bands.expected
    }
  }

  var claim: PageClaim {
    switch scope {
    case .whole: first.claim
    case .bands(let bands): bands.claim
    }
  }

  mutating func take(_ page: StoredPage) {
    guard let number = page.page else { return }
    readings += 1
    left -= 1
    for key in page.keys ?? [] where !first.seen.contains(key) { found.insert(key) }
    guard let keys = page.keys else {
      // The page could not be had, so nothing can be said of it.
      nextPage = nil
      drift += 1
      return
    }
    switch scope {
    case .whole(let pass): takeWhole(pass, keys, page, number)
    case .bands(let bands): takeBand(bands, keys, page, number)
    }
  }

  private mutating func takeWhole(_ pass: ListPass, _ keys: [Int64], _ page: StoredPage, _ number: Int) {
    var pass = pass
    let before = pass.drift
    var hasEnded = keys.isEmpty
    if keys.isEmpty {
      // A pass that has read nothing knows of no end, and the first pass may have shown that the list is longer.
      guard pass.lastPage > 0, pass.isNearEnd(number), number + 1 >= first.lastPage else {
        nextPage = nil
        return
      }
    } else {
      let wasNearEnd = pass.isNearEnd(number)
      pass.add(keys, claim: page.claim, page: number)
      let saysSo = page.claim.hasNext == false && wasNearEnd && pass.isNearEnd(number)
      hasEnded = saysSo && number + 1 >= first.lastPage
    }
    drift += pass.drift - before
    scope = .whole(pass)
    if !hasEnded {
      nextPage = left > 0 ? number + 1 : nil
      return
    }
    isSettled = pass.drift == 0
    nextPage = nil
    if !isSettled, round < Limits.rewalkRounds, left >= number {
      round += 1
      scope = .whole(ListPass(pageSize: pass.pageSize))
      nextPage = 1
    }
  }

  private mutating func takeBand(_ bands: Bands, _ keys: [Int64], _ page: StoredPage, _ number: Int) {
    var bands = bands
    drift += bands.take(keys, claim: page.claim, page: number)
    if let next = bands.pending.first {
      scope = .bands(bands)
      nextPage = left > 0 ? next : nil
      return
    }
    if bands.unsettled.isEmpty {
      isSettled = !bands.isCut
      nextPage = nil
    } else if round < Limits.rewalkRounds, bands.unsettled.count <= left {
      round += 1
      bands.startRound()
      nextPage = bands.pending.first
    } else {
      nextPage = nil
    }
    scope = .bands(bands)
  }
}

/// The pages around the signs of a pass.
private struct Bands: Sendable {
  private var digests: [Int: UInt64]
  private(set) var pending: [Int]
  /// Pages that differed in this round, or showed another claim.
  private(set) var unsettled: Set<Int> = []
  private(set) var claim: PageClaim
  private(set) var expected: Int?
  /// More pages than may be read again.
  let isCut: Bool

  init(_ pass: ListPass, limit: Int) {
    digests = pass.digests
    claim = pass.claim
    expected = pass.expected
    var removed = 0
    for sign in pass.signs {
      if case .shrank(let count) = sign.kind { removed = removed.added(count) }
    }
    // What slid over a boundary has been drawn further up by all that was removed later.
    let reach = min(max(1, removed.added(pass.pageSize - 1) / max(pass.pageSize, 1)), limit + 1)
    var pages: Set<Int> = []
    for page in Set(pass.signs.map(\.page)).sorted() where pages.count <= limit {
      pages.formUnion(max(1, page - reach)...page)
    }
    pending = Array(pages.sorted().prefix(limit))
    isCut = pages.count > limit
  }

  /// - Returns: signs that the list still moves.
  mutating func take(_ keys: [Int64], claim new: PageClaim, page: Int) -> Int {
    pending.removeAll { $0 == page }
    let digest = ListPass.digest(keys)
    let isOther = digests[page] != digest
    digests[page] = digest
    let moved = [(claim.total, new.total), (claim.lastPage, new.lastPage)].contains { known, new in
      known != nil && new != nil && known != new
    }
    if let known = claim.total, let total = new.total, total > known {
      expected = expected.map { $0.added(total.subtracted(known)) }
    }
    claim.total = new.total ?? claim.total
    claim.lastPage = new.lastPage ?? claim.lastPage
    if moved { unsettled.formUnion(max(1, page - 1)...page) }
    if isOther { unsettled.insert(page) }
    return (isOther ? 1 : 0) + (moved ? 1 : 0)
  }

  mutating func startRound() {
    pending = unsettled.sorted()
    unsettled = []
  }
}
