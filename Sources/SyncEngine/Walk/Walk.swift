package import SyncCore

/// The rules of a walk through a numbered list, as a state machine without I/O: a page in, the next step out.
///
/// ```
/// fetch(1) ── page ──▶ fetch(n + 1) ── … ──▶ end(noNextPage | emptyPage | notFound)
///    │                    │
///    │ 404                │ 404 or empty before the advertised end, or not to be had: a hole, fetch(n + 1)
///    ▼                    │ more than twice the advertised pages
///  error                  ▼
///                      end(loop), or end(tooManyHoles) after a row of them
/// ```
///
/// An end of data (404, an empty page, `has_next_page: false`) is believed on a page ≥ the advertised last page − 1:
/// real lists advertise one page too many, and now and then say `false` too early. The machine is rebuilt after a
/// restart by replaying the stored pages, so there is no second copy of its state to go wrong.
package struct Walk: Sendable {
  package enum Step: Sendable, Equatable {
    case fetch(page: Int)
    case end(Certificate.EndedBy)
  }

  /// What the machine makes of one page.
  package struct Reading: Sendable, Equatable {
    /// The page as it is to be stored; nil if it brings nothing (the 404 or the empty page that ends the list).
    package let stored: StoredPage?
    package let step: Step
  }

  private var seen: Set<Int64> = []
  private var repeats = 0
  private var drift = 0
  private var holes: [Int] = []
  private var unreadable = 0
  private var claim = PageClaim()
  private var holesInARow = 0

  package init() {}

  /// Rebuilds the walk that committed `pages`, and tells what comes next.
  package static func resume(_ pages: [StoredPage]) -> (walk: Walk, step: Step) {
    var walk = Walk()
    var step = Step.fetch(page: 1)
    for page in pages {
      step = walk.advance(past: page)
    }
    return (walk, step)
  }

  package func hasSeen(_ key: Int64) -> Bool {
    seen.contains(key)
  }

  /// The answer to `number` had these keys (in order, repeats included), or nil if it was a 404.
  ///
  /// - Throws: `SyncError` for a 404 on page 1: an endpoint that is not there must never pass for an empty list.
  package mutating func receive(
    page number: Int, keys: [Int64]?, unreadable: Int, claim: PageClaim, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    if keys == nil, number == 1 {
      throw SyncError(
        .upstream, "\(request.url) answered 404, so the list is not there",
        hint: "check the base URL (syncctl config) and the stream's name (syncctl run --help)")
    }
    let isEmpty = (keys ?? []).isEmpty && unreadable == 0
    if isEmpty, number == 1 {
      guard claim.isEmptyList else {
        throw SyncError(
          .upstream, "\(request.url) answered with a list that is empty and does not say so",
          hint: "check the base URL (syncctl config); if it is right, run again later")
      }
      note(claim)
      return Reading(stored: nil, step: .end(.emptyPage))
    }
    // What an empty page says of the list is no witness: services fill in defaults for what they do not have.
    if isEmpty, isNearEnd(number) {
      return Reading(stored: nil, step: .end(keys == nil ? .notFound : .emptyPage))
    }
    // An empty page in the middle is a hole just as a 404 is: both may be there at the next try.
    let stored = StoredPage(number: number, keys: isEmpty ? nil : keys, unreadable: unreadable, claim: claim)
    return Reading(stored: stored, step: advance(past: stored))
  }

  /// The page could not be had. Unlike a 404, that is no sign of the list's end.
  package mutating func skip(page number: Int) -> Reading {
    let hole = StoredPage(number: number, keys: nil, unreadable: 0, claim: PageClaim())
    return Reading(stored: hole, step: advance(past: hole))
  }

  private mutating func advance(past page: StoredPage) -> Step {
    guard let keys = page.keys else {
      holes.append(page.number)
      holesInARow += 1
      if holesInARow >= Limits.consecutiveHoles { return .end(.tooManyHoles) }
      return page.number >= pageBound ? .end(.loop) : .fetch(page: page.number + 1)
    }
    holesInARow = 0
    count(keys)
    unreadable += page.unreadable
    // Before and after: a claim that has just shrunk may be a slip of this page.
    let wasNearEnd = isNearEnd(page.number)
    note(page.claim)
    if page.claim.hasNext == false, wasNearEnd, isNearEnd(page.number) {
      return .end(.noNextPage)
    }
    return page.number >= pageBound ? .end(.loop) : .fetch(page: page.number + 1)
  }

  private mutating func count(_ keys: [Int64]) {
    var onThisPage: Set<Int64> = []
    for key in keys {
      if !onThisPage.insert(key).inserted {
        repeats += 1
      } else if !seen.insert(key).inserted {
        drift += 1
      }
    }
  }

  /// The newest claim holds; one that differs from the last is a sign that the list moved.
  private mutating func note(_ new: PageClaim) {
    let moved = [(claim.total, new.total), (claim.lastPage, new.lastPage)].contains { known, new in
      known != nil && new != nil && known != new
    }
    drift += moved ? 1 : 0
    claim.total = new.total ?? claim.total
    claim.lastPage = new.lastPage ?? claim.lastPage
  }

  /// Whether an end of data on this page agrees with what the list has said of itself; a list that never claimed
  /// anything ends where it ends.
  private func isNearEnd(_ number: Int) -> Bool {
    guard let lastPage = claim.lastPage else { return true }
    return number + 1 >= lastPage
  }

  private var pageBound: Int {
    guard let lastPage = claim.lastPage else { return Limits.pagesWithoutAdvertisement }
    // The claim is foreign: neither its sign nor its size may be trusted in a sum.
    let advertised = min(max(lastPage, 1), Limits.pagesWithoutAdvertisement)
    return advertised * Limits.pagesPerAdvertisedPage + Limits.pageSlack
  }

  /// Pages that the list says it has.
  package var advertisedPages: Int? { claim.lastPage }

  /// What the walk can vouch for if it ends now.
  package func certificate(endedBy: Certificate.EndedBy) -> Certificate {
    let sawEnd = [.notFound, .emptyPage, .noNextPage].contains(endedBy)
    var certificate = Certificate(
      complete: false, endedBy: endedBy, claimedTotal: claim.total, distinctKeys: seen.count, repeats: repeats,
      drift: drift, holes: holes, unreadable: unreadable)
    certificate.complete =
      sawEnd && holes.isEmpty && drift == 0 && unreadable == 0 && certificate.deficit == 0
    return certificate
  }
}

extension Certificate {
  /// The word for a run that ended with this certificate.
  package var status: RunStatus {
    switch endedBy {
    case .notFound, .emptyPage, .noNextPage:
      if complete { return .complete }
      return holes.isEmpty ? .inconsistent : .partial
    case .loop, .tooManyHoles, .maxPages: return .partial
    case .interrupted: return .interrupted
    case .failed: return .failed
    }
  }

  /// The end of the list was seen and no page is missing: what was seen may be published.
  package var mayPublish: Bool {
    [.notFound, .emptyPage, .noNextPage].contains(endedBy) && holes.isEmpty
  }
}

extension PageClaim {
  /// The list says that it holds nothing, in full or in the short form of the pagination object.
  fileprivate var isEmptyList: Bool {
    total == 0 || (total == nil && hasNext == false && (lastPage ?? 2) <= 1)
  }
}
