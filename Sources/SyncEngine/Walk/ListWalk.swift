package import SyncCore

/// A walk by page numbers through a list that can change during the walk. If the list changed, some pages are read
/// again. A hole is a page before the end that is unavailable, empty or a 404. The list is allowed to end one page
/// before the advertised last page, because real lists advertise one page too many. An earlier end is not accepted,
/// because real lists sometimes report `has_next_page: false` too early. `ListType` says how its other types differ.
package struct ListWalk: Walk {
  private let type: ListType
  private let mayBeEmpty: Bool
  private let largestOtherPage: Int
  private var pass: ListPass
  private var rewalk: Rewalk?
  private var endedBy: Certificate.EndedBy?
  private var readings = 0
  private var holes: [Int] = []
  private var holesInARow = 0
  private var unreadable = 0
  private let previousRepeats: ListedRepeats
  private var listedTwice = 0

  /// The type of a list, which decides what an end and a repeated item mean.
  ///
  /// - `list`: The list can change during the walk, so pages can be read again.
  /// - `single`: The list has one page. An empty page is valid.
  /// - `sample`: The walk reads at most `Limits.samplePages` pages and ends at a page that only repeats items.
  /// - `batches`: Each page is a request for given items. An empty page is an ordinary page.
  package enum ListType: Sendable {
    case list
    case single
    case sample
    case batches

    var canDrift: Bool { self == .list || self == .single }
  }

  /// Creates a walk at the start of the list.
  /// - Parameters:
  ///   - pageSize: The number of items that each request asks for.
  ///   - isByPosition: Whether a request has the position of the first item instead of a page number.
  ///   - mayBeEmpty: Whether a 404 for page 1 is an empty list.
  ///   - largestOtherPage: The number of items of the largest page of other lists of the stream. A shorter page 1 with
  ///     all claimed items is the only page.
  ///   - previousRepeats: The items that the previous walk found on several pages.
  package init(
    pageSize: Int, as type: ListType = .list, isByPosition: Bool = false, mayBeEmpty: Bool = false,
    largestOtherPage: Int = 0, previousRepeats: ListedRepeats = [:]
  ) {
    self.largestOtherPage = largestOtherPage
    self.previousRepeats = previousRepeats
    self.type = type
    self.mayBeEmpty = mayBeEmpty
    pass = ListPass(pageSize: pageSize, isByPosition: isByPosition)
  }

  package var start: WalkStep { .fetch(pass.address(of: 1)) }

  /// Whether the walk has the item from any page, read for the first time or again.
  package func hasSeen(_ key: Int64) -> Bool {
    pass.seen.contains(key) || (rewalk?.found.contains(key) ?? false)
  }

  /// Passes the page that the last step requested, and returns the reading to store with the next step.
  /// - Throws: `SyncError` if page 1 is a 404 or empty although the list should have items, or if the service refused a
  ///   page before the end that the list claims.
  package mutating func receive(
    _ answer: Page, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    if case .ignored = answer { return ignore() }
    let keys = answer.keys
    if rewalk != nil { return reread(answer, address) }

    let page = pass.number(of: address)
    let storedNumber = pass.storedNumber(of: address)
    if readings == 0, case .notFound = answer {
      guard mayBeEmpty else { throw .listIsMissing(request) }
      return Reading(stored: nil, step: .end(.notFound))
    }
    if readings == 0, case .refused(let error) = answer { throw error }
    if readings == 0, keys.isEmpty, type != .batches {
      guard answer.claim.isEmptyList || type == .single else { throw .listIsEmpty(request) }
      pass.note(answer.claim, page: 1)
      return Reading(stored: nil, step: .end(.emptyPage))
    }

    if type == .sample, page > 1, !keys.isEmpty, keys.allSatisfy({ $0.map(pass.seen.contains) ?? false }) {
      return Reading(stored: nil, step: finish(.echo))
    }

    switch answer {
    case .ignored:
      return ignore()
    case .pageCap:
      return Reading(stored: nil, step: finish(.pageCap))
    case .refused(let error):
      return try refused(error, at: address)
    // The claims of an empty page are ignored, because services fill them with defaults.
    case .notFound where type != .batches && pass.isNearEnd(page):
      return end(.notFound, at: storedNumber)
    case .items where keys.isEmpty && type != .batches && pass.isNearEnd(page):
      return end(.emptyPage, at: storedNumber)
    case .notFound,
      .items where keys.isEmpty && type != .batches:
      // Before the end, an empty page or a 404 is a hole, because the page can have items on the next attempt.
      return settle(StoredPage(hole: storedNumber, number: readings + 1, claim: answer.claim))
    case .items where pass.repeatsPageBefore(keys, at: address):
      return endOfOverlap(keys.compactMap(\.self), at: address, hasNext: answer.claim.hasNext)
    case .items where pass.showsAlignment(keys, at: address):
      pass.align()
      return Reading(stored: nil, step: next(after: page - 1))
    case .items:
      let overlap = pass.expectedOverlap(at: address)
      return settle(
        StoredPage(number: readings + 1, page: storedNumber, found: keys, overlap: overlap, claim: answer.claim))
    }
  }

  /// Ends the walk at an ignored answer, also while pages are read again. Nothing of the answer is stored.
  private mutating func ignore() -> Reading { Reading(stored: nil, step: finish(.ignored)) }

  /// Ends the list at a page that the service refused, if the claims or a short last page allow the end.
  /// - Throws: `error` if the list claims further items.
  private mutating func refused(_ error: SyncError, at address: PageAddress) throws(SyncError) -> Reading {
    let isPastClaim = pass.isPastClaimedEnd(pass.number(of: address))
    guard !isPastClaim else { return end(.refused, at: pass.storedNumber(of: address)) }
    guard !pass.hasClaim else { throw error }
    guard pass.isLastPageShort else { return Reading(stored: nil, step: finish(.pageCap)) }
    return end(.refused, at: pass.storedNumber(of: address))
  }

  /// Handles a page that has only items of the page before it, as the last page of a list whose pages overlap.
  /// - Parameter hasNext: Whether the page says that another page follows.
  private mutating func endOfOverlap(_ keys: [Int64], at address: PageAddress, hasNext: Bool?) -> Reading {
    let hidesItems = pass.noteRepeatedEnd(keys, at: address.offset)

    let canGoOn = hasNext == true || hasNext == nil && hidesItems && !pass.hasAllClaimedItems
    let number = pass.number(of: address)
    if canGoOn, pass.passNextPage() {
      return Reading(stored: nil, step: next(after: number - 1))
    }
    if hasNext == true { return Reading(stored: nil, step: finish(.loop)) }
    return end(.emptyPage, at: pass.storedNumber(of: address), keys: keys)
  }

  /// Stores a hole, or ends the list if all claimed items were seen before this page.
  package mutating func skip(_ address: PageAddress) -> Reading {
    if isPastEnd(address) { return end(.refused, at: pass.storedNumber(of: address)) }
    let storedNumber = pass.storedNumber(of: address)
    return settle(StoredPage(hole: storedNumber, number: readings + 1))
  }

  /// Whether all claimed items were seen and the claims end before this page. False after only one page.
  package func isPastEnd(_ address: PageAddress) -> Bool {
    // After one page, the claim could be the number of items on that page.
    guard rewalk == nil, type == .list, pass.lastPage > 1 else { return false }
    return pass.hasAllClaimedItems && pass.isPastClaimedEnd(pass.number(of: address))
  }

  /// Restores the state after a stored reading, and returns the next step.
  package mutating func replay(_ page: StoredPage) -> WalkStep {
    guard page.page != nil else {
      // A stored reading without a page number is a batch of lookups or documents. The list ended before this batch.
      return finish(endedBy ?? .noNextPage)
    }
    return advance(past: page).step
  }

  /// Updates the state with a reading that is stored.
  private mutating func settle(_ page: StoredPage) -> Reading {
    let (step, overlap) = advance(past: page)
    return Reading(stored: page, overlap: overlap, step: step)
  }

  /// - Parameter keys: The items of the last page that the page before it also has.
  private mutating func end(_ reason: Certificate.EndedBy, at storedNumber: Int, keys: [Int64] = []) -> Reading {
    let ended = StoredPage(end: reason, page: storedNumber, number: readings + 1, keys: keys)
    let step = finishPass(endingWith: ended, reason)
    guard case .fetch = step else { return Reading(stored: nil, step: step) }
    readings += 1
    return Reading(stored: ended, overlap: keys.count, step: step)
  }

  /// - Returns: The next step, and the number of leading keys that the page before also has.
  private mutating func advance(past page: StoredPage) -> (step: WalkStep, overlap: Int) {
    readings += 1
    if rewalk != nil { return (rereadAdvance(past: page), 0) }
    if let reason = page.endedBy { return (finishPass(endingWith: page, reason), 0) }

    if endedBy != nil, page.page != nil, type.canDrift {
      // A stored page after the end shows that an earlier run of this walk had begun to read pages again.
      listedTwice = 0
      rewalk = Rewalk(of: pass)
      return (rereadAdvance(past: page), 0)
    }

    guard let number = pass.number(of: page) else { return (start, 0) }
    guard page.keys != nil else {
      holes.append(number)
      holesInARow += 1
      pass.skip(page)
      return (holesInARow >= Limits.consecutiveHoles ? finish(.tooManyHoles) : next(after: number), 0)
    }

    holesInARow = 0
    unreadable += page.unreadable
    // The list ends only if the claims before and after this page allow the end, because a single claim can be wrong.
    let wasNearEnd = pass.isNearEnd(number)
    let overlap = pass.add(page, number: number)
    return (step(after: page, number: number, wasNearEnd: wasNearEnd), overlap)
  }

  /// The step after a page with items, which the pass already has.
  private mutating func step(after page: StoredPage, number: Int, wasNearEnd: Bool) -> WalkStep {
    if type == .single { return finish(.noNextPage) }
    if pass.repeatsItself, type.canDrift { return finish(pass.repeatsItsEnd ? .echo : .loop) }
    if page.claim.hasNext == false, wasNearEnd, pass.isNearEnd(number) {
      return finishPass(.noNextPage)
    }
    let isLast = pass.endsWithShortPage || pass.lastPage == 1 && pass.lastCount < largestOtherPage
    if type == .list, pass.hasAllClaimedItems, isLast, pass.isNearEnd(number) {
      return finishPass(.claimedTotal)
    }
    return next(after: number)
  }

  /// Returns the request for the page after a page of the pass, unless a limit ends the walk.
  private mutating func next(after page: Int) -> WalkStep {
    if type == .sample, page >= Limits.samplePages { return finish(.pageCap) }
    return page >= pass.pageBound ? finish(.loop) : .fetch(pass.address(of: page + 1))
  }

  private mutating func finish(_ reason: Certificate.EndedBy) -> WalkStep {
    endedBy = reason
    return .end(reason)
  }

  /// Returns the address `count` pages after `address`. Returns `nil` for a single page, and while pages are read
  /// again.
  package func address(_ count: Int, behind address: PageAddress) -> PageAddress? {
    rewalk == nil && type != .single ? pass.address(count, behind: address) : nil
  }

  package var advertisedPages: Int? { pass.advertisedPages }

  /// Whether each page of the published pass began with the last item of the page before it. If only some pages were
  /// read again, an item can have moved between the others.
  private var isOverlapping: Bool {
    let published = rewalk.map(\.publishedPass) ?? pass
    return published.map { $0.isOverlapping && ($0.lastPage > 1 || $0.endOverlaps) } ?? false
  }

  package var publishedReadings: Range<Int>? { rewalk?.publishedReadings }

  /// Ends the first pass at a page without new items.
  private mutating func finishPass(endingWith page: StoredPage, _ reason: Certificate.EndedBy) -> WalkStep {
    if let storedNumber = page.page, page.keys?.isEmpty == true, let number = pass.number(of: page) {
      pass.noteMissingOverlap(at: storedNumber - 1, page: number)
    }
    return finishPass(reason)
  }

  /// Ends the first pass. If the list changed during the pass, and the walk can still become complete, pages are read
  /// again.
  private mutating func finishPass(_ reason: Certificate.EndedBy) -> WalkStep {
    endedBy = reason

    // If the walk cannot become complete anyway, no page is read again.
    guard pass.drift > 0, type.canDrift, holes.isEmpty, unreadable == 0 else { return .end(reason) }
    if pass.showsOnly(previousRepeats) {
      listedTwice = pass.drift
      return .end(reason)
    }
    rewalk = Rewalk(of: pass)
    return rewalkStep
  }

  /// The next page to read again, or the end of the walk.
  private var rewalkStep: WalkStep {
    if let address = rewalk?.nextAddress { return .fetch(address) }
    return .end(endedBy ?? .noNextPage)
  }

  /// Stores a page that is read again. The claims of an empty page are ignored.
  private mutating func reread(_ answer: Page, _ address: PageAddress) -> Reading {
    let keys = answer.keys
    let claim = keys.isEmpty ? PageClaim() : answer.claim
    let storedNumber = pass.storedNumber(of: address)
    return settle(StoredPage(number: readings + 1, page: storedNumber, found: keys, claim: claim))
  }

  /// Passes a page that was read again to the rewalk.
  private mutating func rereadAdvance(past page: StoredPage) -> WalkStep {
    unreadable += page.unreadable
    rewalk?.take(page)
    return rewalkStep
  }

  /// Returns the certificate of the pages that are published. A list that can change is complete only without unsettled
  /// drift.
  package func certificate(endedBy: Certificate.EndedBy) -> Certificate {
    let published = rewalk?.publishedPass
    let claim = rewalk?.claim ?? pass.claim
    let distinct = published?.seen.count ?? pass.seen.count + (rewalk?.found.count ?? 0)
    let repeats = published?.repeats ?? pass.repeats
    let expected = rewalk.map(\.expected) ?? pass.expected
    let drift = pass.drift - listedTwice + (rewalk?.drift ?? 0)

    var certificate = Certificate(
      complete: endedBy.isEnd && holes.isEmpty && unreadable == 0, endedBy: endedBy,
      claimedTotal: type.canDrift ? claim.total : nil, distinctKeys: distinct, repeats: repeats,
      drift: type.canDrift ? drift : 0, rewalked: rewalk?.readings ?? 0, holes: holes, unreadable: unreadable,
      unaccounted: rewalk?.unaccounted ?? 0, listedTwice: listedTwice)

    guard type.canDrift else { return certificate }
    certificate.complete =
      certificate.complete && (rewalk?.isSettled ?? (pass.drift == 0)) && certificate.deficit == 0
      && distinct + repeats >= expected ?? 0
    certificate.evidence = evidence(for: certificate, published ?? pass)
    return certificate
  }
}

extension ListWalk {
  /// Returns the evidence of the pass `pass`. A total that is smaller than the number of seen items is not evidence,
  /// for example the number of items on the page.
  private func evidence(for certificate: Certificate, _ pass: ListPass) -> Certificate.Evidence? {
    // A walk that stored no page has read one empty answer.
    if type == .single || pass.lastPage == 0 || pass.lastPage == 1 && pass.saysItIsOnePage { return .onePage }
    if isOverlapping { return .overlap }
    guard let total = certificate.claimedTotal, pass.claimsTotalFromStart else { return nil }
    let seen = certificate.distinctKeys + certificate.repeats
    return (seen...(seen + certificate.listedTwice)).contains(total) ? .total : nil
  }
}

extension StoredPage {
  /// A reading of an unavailable page. `page` is its number or position, from 1.
  init(hole page: Int, number: Int, claim: PageClaim = PageClaim()) {
    self.init(number: number, page: page, keys: nil, unreadable: 0, claim: claim)
  }

  /// A reading of the end of the list. `keys` are items that the page before it also has.
  init(end reason: Certificate.EndedBy, page: Int, number: Int, keys: [Int64] = []) {
    self.init(number: number, page: page, keys: keys, unreadable: 0, claim: PageClaim(), endedBy: reason)
  }
}
