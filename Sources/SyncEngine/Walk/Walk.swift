package import SyncCore

/// The rules of a walk through a list, as a state machine without I/O. Replaying stored pages restores its state.
package protocol Walk: Sendable {
  var start: WalkStep { get }

  func hasSeen(_ key: Int64) -> Bool

  mutating func receive(_ page: Page, at address: PageAddress, request: UpstreamRequest) throws(SyncError) -> Reading

  /// Skips an unavailable page. Unlike a 404, an unavailable page is not a sign of the end.
  mutating func skip(_ address: PageAddress) -> Reading

  mutating func replay(_ page: StoredPage) -> WalkStep

  /// The address `count` pages after `address`. `nil` if the walk cannot skip unavailable pages.
  func address(_ count: Int, behind address: PageAddress) -> PageAddress?

  /// Whether the walk continues after an unavailable page.
  var hasHoles: Bool { get }

  /// Whether the claims say that the list ended before this page. If the page is unavailable too, `skip` ends the walk.
  func isPastEnd(_ address: PageAddress) -> Bool

  var advertisedPages: Int? { get }

  /// The positions of the readings to publish, `nil` for all. If a page was read twice, its last reading is published.
  var publishedReadings: Range<Int>? { get }

  func certificate(endedBy: Certificate.EndedBy) -> Certificate
}

extension Walk {
  package var hasHoles: Bool { true }
  package func isPastEnd(_ address: PageAddress) -> Bool { false }
  package var publishedReadings: Range<Int>? { nil }
}

extension Walk {
  /// Passes a fetched page to the walk, or a hole if the page is unavailable.
  /// - Returns: The next step, and the reading to commit. The commit is `nil` if nothing is stored, for example because
  ///   the page is after the end of the list.
  mutating func receive(
    _ fetched: Fetcher.Outcome<FetchedPage>, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> (step: WalkStep, commit: PageCommit?) {
    let answer = fetched.answer
    let entries = answer?.page.entries ?? []
    // `hasSeen` must be called before `receive`, which marks the keys as seen. The closure of a `filter` would copy all
    // keys of the walk.
    var earlier: Set<Int64> = []
    for entry in entries { if let key = entry.key, hasSeen(key) { earlier.insert(key) } }
    let reading = if let answer { try receive(answer.page, at: address, request: request) } else { skip(address) }
    guard let stored = reading.stored else { return (reading.step, nil) }
    let new = entries.dropFirst(reading.overlap)
    let commit =
      if let confirmation = answer?.confirmation {
        PageCommit(
          confirmed: new.compactMap(\.key), confirmation, as: stored, origin: answer?.origin, known: earlier,
          requestedAt: fetched.askedAt)
      } else {
        PageCommit(of: new, as: stored, origin: answer?.origin, known: earlier, requestedAt: fetched.askedAt)
      }
    return (reading.step, commit)
  }
}

extension PageClaim {
  /// Whether the claim says that the list is empty. Without a total, the claim must say that page 1 is the last page.
  var isEmptyList: Bool { total == 0 || (total == nil && hasNext == false && (lastPage ?? 2) <= 1) }
}

extension SyncError {
  static func listIsMissing(_ request: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "\(request.url) answered 404, so the list does not exist",
      hint: "check the base URL (syncctl config) and the stream's name (syncctl run --help)")
  }

  static func witnessIsEmpty(_ witness: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "the list is empty, and \(witness.url) has no items either, so the service seems to be failing",
      hint: "run again later; if the error persists, check the base URL (syncctl config)")
  }

  static func listIsEmpty(_ request: UpstreamRequest) -> SyncError {
    SyncError(
      .upstream, "\(request.url) answered with an empty list that does not claim to be empty",
      hint: "check the base URL (syncctl config); if it is right, run again later")
  }
}

package enum WalkStep: Sendable, Equatable {
  case fetch(PageAddress)
  case end(Certificate.EndedBy)
}

package struct Reading: Sendable, Equatable {
  /// `nil` if nothing is stored, for example if a 404 or an empty page ends the list.
  package let stored: StoredPage?
  /// The number of leading items that the previous page also had. These items are not counted again.
  package var overlap = 0
  package let step: WalkStep
}
