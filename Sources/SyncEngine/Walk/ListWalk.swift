package import SyncCore

/// A walk by page numbers through a list that can change during the walk. If the list changed, some pages are read
/// again. A hole is a page before the end that is unavailable, empty or a 404. The list is allowed to end one page
/// before the advertised last page, because real lists advertise one page too many. An earlier end is not accepted,
/// because real lists sometimes report `has_next_page: false` too early.
package struct ListWalk: Walk {
  private let pageSize: Int
  private let kind: Kind
  private let mayBeEmpty: Bool
  private var pass: ListPass
  private var rewalk: Rewalk?
  private var endedBy: Certificate.EndedBy?
  private var readings = 0
  private var holes: [Int] = []
  private var holesInARow = 0
  private var unreadable = 0
  private let known: ListedRepeats
  private var listedTwice = 0

  package enum Kind: Sendable {
    case list
    case single
    case sample
    case batches

    var canDrift: Bool { self == .list || self == .single }
  }

  package init(pageSize: Int, as kind: Kind = .list, mayBeEmpty: Bool = false, known: ListedRepeats = [:]) {
    (self.known, self.kind, self.mayBeEmpty, self.pageSize) = (known, kind, mayBeEmpty, pageSize)
    pass = ListPass(pageSize: pageSize)
  }

  package var start: WalkStep { .fetch(address(of: 1)) }

  package func hasSeen(_ key: Int64) -> Bool {
    pass.seen.contains(key) || (rewalk?.found.contains(key) ?? false)
  }

  /// - Throws: `SyncError` if page 1 is a 404 or empty although the list should have items.
  package mutating func receive(
    _ answer: Page, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    let page = address.page
    let keys = answer.keys
    if rewalk != nil { return reread(answer, page) }
    if readings == 0, case .notFound = answer {
      guard mayBeEmpty else { throw .listIsMissing(request) }
      return Reading(stored: nil, step: .end(.notFound))
    }
    if readings == 0, keys.isEmpty, kind != .batches {
      guard answer.claim.isEmptyList || kind == .single else { throw .listIsEmpty(request) }
      pass.note(answer.claim, page: 1)
      return Reading(stored: nil, step: .end(.emptyPage))
    }
    if kind == .sample, page > 1, !keys.isEmpty, keys.allSatisfy({ $0.map(pass.seen.contains) ?? false }) {
      return Reading(stored: nil, step: finish(.echo))
    }
    switch answer {
    case .pageCap:
      return Reading(stored: nil, step: finish(.pageCap))
    // The claims of an empty page are ignored, because services fill them with defaults.
    case .notFound where kind != .batches && pass.isNearEnd(page):
      return end(.notFound, at: page)
    case .items where keys.isEmpty && kind != .batches && pass.isNearEnd(page):
      return end(.emptyPage, at: page)
    case .notFound,
      .items where keys.isEmpty && kind != .batches:
      // Before the end, an empty page or a 404 is a hole, because the page can have items on the next attempt.
      return settle(StoredPage(hole: page, number: readings + 1, claim: answer.claim))
    case .items:
      return settle(StoredPage(number: readings + 1, page: page, found: keys, claim: answer.claim))
    }
  }

  package mutating func skip(_ address: PageAddress) -> Reading {
    settle(StoredPage(hole: address.page, number: readings + 1))
  }

  package mutating func replay(_ page: StoredPage) -> WalkStep {
    guard page.page != nil else {
      // A stored reading without a page number is a batch of lookups or documents. The list ended before this batch.
      return finish(endedBy ?? .noNextPage)
    }
    return advance(past: page)
  }

  private mutating func settle(_ page: StoredPage) -> Reading { Reading(stored: page, step: advance(past: page)) }

  private mutating func end(_ reason: Certificate.EndedBy, at page: Int) -> Reading {
    let ended = StoredPage(end: reason, page: page, number: readings + 1)
    let step = finishPass(reason)
    guard case .fetch = step else { return Reading(stored: nil, step: step) }
    readings += 1
    return Reading(stored: ended, step: step)
  }

  private mutating func advance(past page: StoredPage) -> WalkStep {
    readings += 1
    if rewalk != nil { return rereadAdvance(past: page) }
    if let reason = page.endedBy { return finishPass(reason) }
    if endedBy != nil, page.page != nil, kind.canDrift {
      // A stored page after the end shows that an earlier run of this walk had begun to read pages again.
      listedTwice = 0
      rewalk = Rewalk(of: pass)
      return rereadAdvance(past: page)
    }
    guard let number = page.page else { return start }
    guard let keys = page.keys else {
      holes.append(number)
      holesInARow += 1
      pass.skip()
      if holesInARow >= Limits.consecutiveHoles { return finish(.tooManyHoles) }
      return next(after: number)
    }
    holesInARow = 0
    unreadable += page.unreadable
    // The list ends only if the claims before and after this page allow the end, because a single claim can be wrong.
    let wasNearEnd = pass.isNearEnd(number)
    pass.add(keys, claim: page.claim, page: number)
    if kind == .single { return finish(.noNextPage) }
    if pass.repeatsItself, kind.canDrift { return finish(pass.repeatsItsEnd ? .echo : .loop) }
    if page.claim.hasNext == false, wasNearEnd, pass.isNearEnd(number) {
      return finishPass(.noNextPage)
    }
    return next(after: number)
  }

  private mutating func next(after page: Int) -> WalkStep {
    if kind == .sample, page >= Limits.samplePages { return finish(.pageCap) }
    return page >= pass.pageBound ? finish(.loop) : .fetch(address(of: page + 1))
  }

  private mutating func finish(_ reason: Certificate.EndedBy) -> WalkStep {
    endedBy = reason
    return .end(reason)
  }

  private func address(of page: Int) -> PageAddress { PageAddress(page: page, size: pageSize) }

  package func address(_ count: Int, behind address: PageAddress) -> PageAddress? {
    rewalk == nil && kind != .single ? self.address(of: address.page + count) : nil
  }

  package var advertisedPages: Int? { pass.claim.lastPage }

  package var publishedReadings: Range<Int>? { rewalk?.publishedReadings }

  private mutating func finishPass(_ reason: Certificate.EndedBy) -> WalkStep {
    endedBy = reason
    // If the walk cannot become complete anyway, no page is read again.
    guard pass.drift > 0, kind.canDrift, holes.isEmpty, unreadable == 0 else { return .end(reason) }
    if pass.showsOnly(known) {
      listedTwice = pass.drift
      return .end(reason)
    }
    rewalk = Rewalk(of: pass)
    return rewalkStep
  }

  private var rewalkStep: WalkStep {
    if let page = rewalk?.nextPage { return .fetch(address(of: page)) }
    return .end(endedBy ?? .noNextPage)
  }

  private mutating func reread(_ answer: Page, _ page: Int) -> Reading {
    let keys = answer.keys
    let claim = keys.isEmpty ? PageClaim() : answer.claim
    return settle(StoredPage(number: readings + 1, page: page, found: keys, claim: claim))
  }

  private mutating func rereadAdvance(past page: StoredPage) -> WalkStep {
    unreadable += page.unreadable
    rewalk?.take(page)
    return rewalkStep
  }

  package func certificate(endedBy: Certificate.EndedBy) -> Certificate {
    let published = rewalk?.publishedPass
    let claim = rewalk?.claim ?? pass.claim
    let distinct = published?.seen.count ?? pass.seen.count + (rewalk?.found.count ?? 0)
    let repeats = published?.repeats ?? pass.repeats
    let expected = rewalk.map(\.expected) ?? pass.expected
    let drift = pass.drift - listedTwice + (rewalk?.drift ?? 0)
    var certificate = Certificate(
      complete: endedBy.isEnd && holes.isEmpty && unreadable == 0, endedBy: endedBy,
      claimedTotal: kind.canDrift ? claim.total : nil, distinctKeys: distinct, repeats: repeats,
      drift: kind.canDrift ? drift : 0, rewalked: rewalk?.readings ?? 0, holes: holes, unreadable: unreadable,
      unaccounted: rewalk?.unaccounted ?? 0, listedTwice: listedTwice)
    guard kind.canDrift else { return certificate }
    certificate.complete =
      certificate.complete && (rewalk?.isSettled ?? (pass.drift == 0)) && certificate.deficit == 0
      && distinct + repeats >= expected ?? 0
    return certificate
  }
}

extension StoredPage {
  init(hole page: Int, number: Int, claim: PageClaim = PageClaim()) {
    self.init(number: number, page: page, keys: nil, unreadable: 0, claim: claim)
  }

  init(end reason: Certificate.EndedBy, page: Int, number: Int) {
    self.init(number: number, page: page, keys: [], unreadable: 0, claim: PageClaim(), endedBy: reason)
  }

  /// - Parameter keys: The keys of all items; `nil` for an unreadable item.
  init(number: Int, page: Int, found keys: [Int64?], claim: PageClaim) {
    self.init(
      number: number, page: page, keys: keys.compactMap(\.self), unreadable: keys.count { $0 == nil }, claim: claim)
  }
}
