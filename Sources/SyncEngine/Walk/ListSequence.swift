package import SyncCore

/// A walk through the lists of a stream that has several, one after the other. A walk of its own reads each list. Only
/// the present list is in memory. The lists that were read to their ends are sums.
///
/// ```
/// list 1: page 1 ─▶ … ─▶ end ─▶ list 2: page 1 ─▶ … ─▶ end ─▶ … ─▶ the last list's end
///                                        └── refused or unavailable ─▶ the list is partial ─▶ list 3
/// ```
///
/// The last reading of a list has the list's certificate. If a list ends without a page that is stored, for example
/// with a 404, a reading without items is stored for it.
package struct ListSequence: Walk {
  /// The lists to read, without the lists that earlier runs of the walk have read.
  private let lists: [StreamList]
  private let stream: StreamDescription
  /// The first step of each list's walk, without the list's name.
  private let firstStep: WalkStep
  /// The number of lists that the walk requests, with the lists of earlier runs.
  private let total: Int
  private var ended: ListTally
  /// The index of the present list in `lists`. Its count after the last list.
  private var index = 0
  /// The walk of the present list.
  private var walk: any Walk
  /// The number of the walk's last reading. 0 before the first reading.
  private var lastReading: Int
  /// The number of `lastReading` when the present list began.
  private var readingsBefore: Int
  /// The number of items of the largest page that this run has read.
  private var largestPage = 0
  /// The number of lists in a row that the service refused. No answer came between them.
  private var refusals = 0
  /// Whether an earlier run has read pages of the present list.
  private var isResumed: Bool

  /// Creates a walk that continues after the lists that earlier runs have read. `replay` continues the present list.
  ///
  /// The present list is the list of the walk's last reading, if the stream still has the list. A list that an earlier
  /// run left for another reason begins again, because its readings are too old to be continued.
  /// - Parameters:
  ///   - stream: A stream with several lists.
  ///   - open: The walk. All its pages must be replayed.
  package init(_ stream: StreamDescription, continuing open: OpenWalk) {
    let endedNames = open.endedLists?.names ?? []
    let missing = (stream.lists?.lists ?? []).filter { $0.isRequested && !endedNames.contains($0.name) }

    var readingsBefore = open.readings
    let last = open.pages.last?.list?.name
    let present = missing.contains { $0.name == last } ? last : nil
    for page in open.pages.reversed() {
      guard present != nil, page.list?.name == present, page.number == readingsBefore else { break }
      readingsBefore -= 1
    }
    self.readingsBefore = readingsBefore
    lastReading = readingsBefore
    isResumed = readingsBefore < open.readings

    lists = isResumed ? missing.filter { $0.name == present } + missing.filter { $0.name != present } : missing
    self.stream = stream
    total = endedNames.count + lists.count
    ended = open.endedLists?.tally ?? ListTally()
    walk = stream.listWalk()
    firstStep = walk.start
  }

  package var start: WalkStep { first(of: 0) }

  /// Returns the request for page 1 of a list, or the end after the last list.
  private func first(of index: Int) -> WalkStep {
    index < lists.count ? address(firstStep, in: index) : .end(.lists)
  }

  /// Returns the step with the list's name in its address.
  private func address(_ step: WalkStep, in index: Int) -> WalkStep {
    guard case .fetch(let address) = step else { return step }
    return .fetch(address.of(list: lists[index].name))
  }

  /// Whether an earlier page of the present list has the item.
  package func hasSeen(_ key: Int64) -> Bool { walk.hasSeen(key) }

  /// Passes the page to the present list's walk.
  /// - Throws: `SyncError` if the answer shows that the list cannot be walked. `skip` then ends the list.
  package mutating func receive(
    _ page: Page, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    let reading = try walk.receive(page, at: address.of(list: nil), request: request)
    refusals = 0
    largestPage = max(largestPage, page.entries.count)
    return take(reading)
  }

  /// Skips a page that is unavailable or that the service refuses. If the page is the first page of its list, or the
  /// list's walk cannot skip pages, the list ends as partial.
  package mutating func skip(_ address: PageAddress) -> Reading {
    if walk.hasHoles, lastReading > readingsBefore { return take(walk.skip(address.of(list: nil))) }
    refusals += 1
    return take(Reading(stored: nil, step: .end(.failed)))
  }

  /// Numbers a reading of the present list, and begins the next list if the present list has ended.
  private mutating func take(_ reading: Reading) -> Reading {
    let list = lists[index]
    guard case .end(let reason) = reading.step else {
      let stored = reading.stored.map { page in
        lastReading += 1
        return page.numbered(lastReading, of: ListReading(name: list.name))
      }
      return Reading(stored: stored, overlap: reading.overlap, step: address(reading.step, in: index))
    }

    lastReading += 1
    let ending = ending(of: list, reason)
    let last =
      reading.stored
      ?? StoredPage(number: 1, page: nil, keys: [], unreadable: 0, claim: PageClaim(), endedBy: reason)
    let stored = last.numbered(lastReading, of: ListReading(name: list.name, ending: ending))
    return Reading(stored: stored, overlap: reading.overlap, step: begin(after: ending))
  }

  /// Returns the end of the present list, whose last reading is `lastReading`.
  private func ending(of list: StreamList, _ reason: Certificate.EndedBy) -> ListEnding {
    var certificate = walk.certificate(endedBy: reason)
    if stream.enumerates { certificate.requireEvidence() }

    let readings = readingsBefore + 1..<lastReading + 1
    var superseded: [Range<Int>] = []
    if let published = walk.publishedReadings {
      let first = min(readingsBefore + published.lowerBound, readings.upperBound)
      let end = min(published.upperBound, readings.count + 1) + readingsBefore
      superseded = [readings.lowerBound..<first, end..<readings.upperBound].filter { !$0.isEmpty }
    }
    // The next walk requests the list again if this walk can have missed a change of the list. The first pages of a
    // resumed list were perhaps read before the parent item got its present version.
    let version = certificate.isWhole && !isResumed ? list.version : nil
    return ListEnding(
      certificate: certificate, firstReading: readings.lowerBound, superseded: superseded, version: version)
  }

  /// Adds the end of the present list and begins the next list.
  private mutating func begin(after ending: ListEnding) -> WalkStep {
    ended.add(ending.status, ending.certificate)
    ended.readings = lastReading
    index += 1
    readingsBefore = lastReading
    isResumed = false
    walk = stream.listWalk(largestOtherPage: largestPage)
    return first(of: index)
  }

  /// Restores the state after a stored reading of the present list.
  package mutating func replay(_ page: StoredPage) -> WalkStep {
    // Other readings are batches, or belong to a list that an earlier run left before its end.
    guard page.number > readingsBefore else { return first(of: index) }
    lastReading = page.number
    let step = walk.replay(page.numbered(page.number - readingsBefore, of: nil))
    return address(step, in: index)
  }

  /// The address `count` pages after `address`. After a list that cannot skip pages, the first page of the next list,
  /// which shows whether the service answers.
  package func address(_ count: Int, behind address: PageAddress) -> PageAddress? {
    guard count > 0 else { return address }
    if lastReading > readingsBefore, let later = walk.address(count, behind: address.of(list: nil)) {
      return later.of(list: address.list)
    }
    guard case .fetch(let next) = first(of: index + count) else { return nil }
    return next
  }

  package func isPastEnd(_ address: PageAddress) -> Bool {
    lastReading > readingsBefore && walk.isPastEnd(address.of(list: nil))
  }

  /// Whether the next list is read if the service refuses a page of this list. After several refused lists in a row,
  /// the service probably refuses each list, for example because a credential lacks a right.
  package var continuesAfterRefusal: Bool { refusals + 1 < Limits.refusedLists }

  /// The readings so far, the further readings that the present list announces, and one reading for each list that is
  /// left.
  package var advertisedPages: Int? {
    guard index < lists.count else { return lastReading }
    let present = max(walk.advertisedPages ?? 1, lastReading - readingsBefore, 1)
    return (readingsBefore + lists.count - index - 1).added(present)
  }

  /// Returns the sums of the lists' certificates, with the present list as far as it was read.
  package func certificate(endedBy: Certificate.EndedBy) -> Certificate {
    var tally = ended
    var certificate = tally.certificate(endedBy: endedBy, of: total)
    guard endedBy != .lists, lastReading > readingsBefore else { return certificate }
    let lists = certificate.lists
    tally.add(.partial, walk.certificate(endedBy: endedBy))
    certificate = tally.certificate(endedBy: endedBy, of: total)
    certificate.lists = lists
    return certificate
  }
}
