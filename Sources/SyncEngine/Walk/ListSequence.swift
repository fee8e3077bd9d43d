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

  /// The number of the first reading that `replay` passes to the present list's walk. Earlier readings belong to lists
  /// that the walk does not continue.
  private let firstReplayed: Int

  /// Creates a walk that continues after the lists that earlier runs have read. `replay` continues the present list.
  /// - Parameters:
  ///   - stream: A stream with several lists.
  ///   - open: The walk. If its last readings belong to a list without an end, this list comes first.
  package init(_ stream: StreamDescription, continuing open: OpenWalk) {
    let endedNames = open.endedLists?.names ?? []
    let missing = (stream.lists?.lists ?? []).filter { $0.isRequested && !endedNames.contains($0.name) }

    // Readings of a list with a gap between them cannot be continued, so such a list is read again.
    var firstReplayed = open.readings + 1
    var present: String?
    for page in open.pages.reversed() {
      guard page.number == firstReplayed - 1, let name = page.list?.name, name == present ?? name else { break }
      present = name
      firstReplayed = page.number
    }

    lists = missing.filter { $0.name == present } + missing.filter { $0.name != present }
    self.stream = stream
    self.firstReplayed = firstReplayed
    total = endedNames.count + lists.count
    ended = open.endedLists?.tally ?? ListTally()
    walk = stream.listWalk()
    lastReading = open.readings
    readingsBefore = lists.first?.name == present ? firstReplayed - 1 : open.readings
  }

  package var start: WalkStep { lists.isEmpty ? .end(.lists) : first(of: 0) }

  private func first(of index: Int) -> WalkStep {
    guard index < lists.count else { return .end(.lists) }
    return address(stream.listWalk().start, in: index)
  }

  /// Returns the step with the list's name in its address.
  private func address(_ step: WalkStep, in index: Int) -> WalkStep {
    guard case .fetch(let address) = step else { return step }
    return .fetch(address.of(list: lists[index].name))
  }

  /// Whether an earlier page of the present list has the item.
  package func hasSeen(_ key: Int64) -> Bool { walk.hasSeen(key) }

  /// Passes the page to the present list's walk.
  /// - Throws: `SyncError` if the answer shows that the list cannot be walked.
  package mutating func receive(
    _ page: Page, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    largestPage = max(largestPage, page.entries.count)
    let reading = try walk.receive(page, at: address.of(list: nil), request: request)
    refusals = 0
    return take(reading)
  }

  /// Skips an unavailable page. If the page is the first page of its list, or the list's walk cannot skip pages, the
  /// list ends as partial.
  package mutating func skip(_ address: PageAddress) -> Reading {
    if walk.hasHoles, lastReading > readingsBefore { return take(walk.skip(address.of(list: nil))) }
    return refuse(address)
  }

  /// Ends the present list as partial.
  package mutating func refuse(_ address: PageAddress) -> Reading {
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
    return ListEnding(
      certificate: certificate, firstReading: readings.lowerBound, superseded: superseded, version: list.version)
  }

  /// Adds the end of the present list and begins the next list.
  private mutating func begin(after ending: ListEnding) -> WalkStep {
    ended.add(ending.status, ending.certificate)
    ended.readings = lastReading
    index += 1
    readingsBefore = lastReading
    walk = stream.listWalk(largestOtherPage: largestPage)
    return first(of: index)
  }

  /// Restores the state after a stored reading of the present list. Other readings do not change the state.
  package mutating func replay(_ page: StoredPage) -> WalkStep {
    guard page.number >= firstReplayed, index < lists.count, lists[index].name == page.list?.name else {
      return first(of: index)
    }
    let step = walk.replay(page.numbered(page.number - readingsBefore, of: nil))
    return address(step, in: index)
  }

  /// The address `count` pages after `address`. After a page of a list that cannot skip pages, the first page of a
  /// following list, which shows whether the service answers. `nil` while a list is read again.
  package func address(_ count: Int, behind address: PageAddress) -> PageAddress? {
    guard count > 0 else { return address }
    if lastReading > readingsBefore, walk.hasHoles {
      return walk.address(count, behind: address.of(list: nil))?.of(list: address.list)
    }
    guard case .fetch(let next) = first(of: index + count) else { return nil }
    return next
  }

  package func isPastEnd(_ address: PageAddress) -> Bool {
    lastReading > readingsBefore && walk.isPastEnd(address.of(list: nil))
  }

  /// Whether the next list is read if the service refuses a page of this list. After several refused lists in a row,
  /// the service probably refuses each list, for example because a credential lacks a right.
  package var continuesAfterRefusal: Bool { refusals < Limits.refusedLists }

  /// The readings so far, and one reading for each list that is left.
  package var advertisedPages: Int? {
    let present = walk.advertisedPages ?? max(1, lastReading - readingsBefore)
    return index < lists.count ? readingsBefore + present + lists.count - index - 1 : lastReading
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
