package import SyncCore

/// The rules of a walk through a list, as a state machine without I/O. Replaying stored pages restores its state.
package protocol Walk: Sendable {
  /// The first step of a walk without readings.
  var start: WalkStep { get }

  /// Whether an earlier page of the walk has the item. A walk in the order of ids can return true for any id that it
  /// passed.
  func hasSeen(_ key: Int64) -> Bool

  /// Passes the page that the last step requested, and returns the next step.
  /// - Parameters:
  ///   - address: The address that the last step returned.
  ///   - request: The request for the page, which only error messages use.
  /// - Throws: `SyncError` if the answer shows that the list cannot be walked.
  mutating func receive(_ page: Page, at address: PageAddress, request: UpstreamRequest) throws(SyncError) -> Reading

  /// Skips an unavailable page. Unlike a 404, an unavailable page is not a sign of the end.
  mutating func skip(_ address: PageAddress) -> Reading

  /// Restores the state after a stored reading, and returns the next step. Readings must be replayed in the order of
  /// their numbers.
  mutating func replay(_ page: StoredPage) -> WalkStep

  /// The address `count` pages after `address`. `nil` if the walk cannot skip unavailable pages.
  func address(_ count: Int, behind address: PageAddress) -> PageAddress?

  /// Whether the walk continues after an unavailable page.
  var hasHoles: Bool { get }

  /// Whether the claims say that the list ended before this page. If the page is unavailable too, `skip` ends the walk.
  func isPastEnd(_ address: PageAddress) -> Bool

  /// Whether the walk continues if the service refuses the requested page. If so, `skip` passes the page.
  var continuesAfterRefusal: Bool { get }

  /// The number of pages that the claims announce. `nil` without a claim.
  var advertisedPages: Int? { get }

  /// The positions of the readings to publish, `nil` for all. If a page was read twice, its last reading is published.
  var publishedReadings: Range<Int>? { get }

  /// Returns the certificate of the pages so far, if the walk ends for this reason. Documents and lookups are not
  /// included.
  func certificate(endedBy: Certificate.EndedBy) -> Certificate
}

extension Walk {
  package var hasHoles: Bool { true }
  /// Returns false, because a list whose page is refused cannot be read.
  package var continuesAfterRefusal: Bool { false }
  /// Returns false, for walks that cannot tell the end from the claims.
  package func isPastEnd(_ address: PageAddress) -> Bool { false }
  package var publishedReadings: Range<Int>? { nil }
}

extension Walk {
  /// Passes a fetched page to the walk, or a hole if the page is unavailable.
  /// - Throws: `SyncError` if the page shows that the list cannot be walked. Of several lists, only the page's list
  ///   ends
  ///   (`continuesAfterRefusal`), and the error is in the result.
  mutating func receive(
    _ fetched: Fetcher.Report<FetchedPage>, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> ReceivedPage {
    let answer = fetched.answer
    let entries = answer?.page.entries ?? []
    // `hasSeen` must be called before `receive`, which marks the keys as seen. The closure of a `filter` would copy all
    // keys of the walk.
    var earlierKeys: Set<Int64> = []
    for entry in entries { if let key = entry.key, hasSeen(key) { earlierKeys.insert(key) } }

    let reading: Reading
    var refusal = isPastEnd(address) ? nil : fetched.refusal
    if let answer {
      do throws(SyncError) {
        reading = try receive(answer.page, at: address, request: request)
      } catch {
        guard continuesAfterRefusal, error.isAboutList else { throw error }
        refusal = error
        reading = skip(address)
      }
    } else {
      reading = skip(address)
    }

    guard let stored = reading.stored else { return ReceivedPage(step: reading.step, commit: nil, refusal: refusal) }
    // A reading that only notes the end of a list has no items.
    guard stored.page != nil else {
      let end = PageCommit(of: [], as: stored, requestedAt: fetched.requestedAt)
      return ReceivedPage(step: reading.step, commit: end, refusal: refusal)
    }
    let new = entries.dropFirst(reading.overlap)
    let commit =
      if let confirmation = answer?.confirmation {
        PageCommit(
          confirmed: new.compactMap(\.key), confirmation, as: stored, origin: answer?.origin, earlierKeys: earlierKeys,
          requestedAt: fetched.requestedAt)
      } else {
        PageCommit(
          of: new, as: stored, origin: answer?.origin, earlierKeys: earlierKeys, requestedAt: fetched.requestedAt)
      }

    return ReceivedPage(step: reading.step, commit: commit, refusal: refusal)
  }
}

/// The effect of a fetched page on a walk, with the changes to commit.
struct ReceivedPage: Sendable {
  let step: WalkStep
  /// `nil` if nothing is stored, for example because the page is after the end of the list.
  let commit: PageCommit?
  /// The error with which the service refused the page. The walk continues, or has ended.
  let refusal: SyncError?

  /// The reason why the page's list ended. `nil` if the list continues.
  var endedBy: Certificate.EndedBy? {
    if let ending = commit?.page.list?.ending { return ending.certificate.endedBy }
    if case .end(let reason) = step { return reason }
    return nil
  }
}

extension Fetcher.Report {
  /// The error of a request that the service refused. `nil` for an answer, and if all attempts failed.
  fileprivate var refusal: SyncError? {
    if case .stopped(let error as SyncError) = result { error } else { nil }
  }
}

extension PageClaim {
  /// Whether the claim says that the list is empty. Without a total, the claim must say that page 1 is the last page.
  var isEmptyList: Bool { total == 0 || (total == nil && hasNext == false && (lastPage ?? 2) <= 1) }
}

extension SyncError {
  /// The error for a page of the list that answered 404.
  static func listIsMissing(_ request: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "\(request.url) answered 404, so the list does not exist",
      hint: "check the base URL (syncctl config) and the stream's name (syncctl run --help)")
  }

  /// The error for an empty list whose witness is empty too.
  static func witnessIsEmpty(_ witness: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "the list is empty, and \(witness.url) has no items either, so the service seems to be failing",
      hint: "run again later; if the error persists, check the base URL (syncctl config)")
  }

  /// The error for an answer without items that does not claim that the list is empty.
  static func listIsEmpty(_ request: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "\(request.url) answered with an empty list that does not claim to be empty",
      hint: "check the base URL (syncctl config); if it is right, run again later")
  }
}

/// The next step of a walk: the next page, or the end of reading with its reason.
package enum WalkStep: Sendable, Equatable {
  case fetch(PageAddress)
  case end(Certificate.EndedBy)
}

/// The effect of a page or hole on a walk: the reading to store, and the next step.
package struct Reading: Sendable, Equatable {
  /// `nil` if nothing is stored, for example if a 404 or an empty page ends the list.
  package let stored: StoredPage?
  /// The number of leading items that the previous page also had. These items are not counted again.
  package var overlap = 0
  package let step: WalkStep
}
