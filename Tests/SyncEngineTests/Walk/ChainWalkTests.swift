import SyncCore
import SyncEngine
import SyncTestKit
import Testing

@Suite("The rules of a chain")
struct ChainWalkTests {
  private static let request = UpstreamRequest(url: "http://test/list")

  private struct Walked {
    var walk = ChainWalk(pageSize: 3)
    var step: WalkStep
    var stored: [StoredPage] = []

    var certificate: Certificate {
      if case .end(let reason) = step { walk.certificate(endedBy: reason) } else { walk.certificate(endedBy: .failed) }
    }
  }

  /// Replays `stored`, and reads up to `limit` more pages of `list`. After its last page, the list begins again.
  private func walk(_ list: [Page], after stored: [StoredPage] = [], limit: Int = .max) throws -> Walked {
    var walked = Walked(step: ChainWalk(pageSize: 3).start, stored: stored)
    for page in stored { walked.step = walked.walk.replay(page) }
    var left = limit
    while left > 0, case .fetch(let address) = walked.step {
      let answer = list[(address.page - 1) % list.count]
      let reading = try walked.walk.receive(answer, at: address, request: Self.request)
      walked.step = reading.step
      if let page = reading.stored { walked.stored.append(page) }
      left -= 1
    }
    return walked
  }

  /// - Parameter totals: The claimed totals. If there are fewer totals than pages, the last pages claim none.
  private static func list(_ pages: [[Int64?]], totals: [Int?] = []) -> [Page] {
    pages.enumerated().map { place, keys in
      let next = place + 1 < pages.count ? "to \(place + 2)" : nil
      return .naming(keys, PageClaim(total: place < totals.count ? totals[place] : nil, next: next))
    }
  }

  @Test("each page is requested with the name that the page before gave it, and the last page names none")
  func end() throws {
    let list = Self.list([[1, 2], [3]])
    let first = try walk(list, limit: 1)
    #expect(first.walk.start == .fetch(PageAddress(page: 1, size: 3)))
    #expect(first.step == .fetch(PageAddress(page: 2, size: 3, next: "to 2")))
    let whole = try walk(list)
    #expect(whole.step == .end(.noNextPage))
    #expect(whole.stored.map(\.number) == [1, 2] && whole.stored.map(\.page) == [1, 2])
    #expect(whole.stored.map(\.claim.next) == ["to 2", nil])
    #expect((1...3).allSatisfy { whole.walk.hasSeen($0) } && !whole.walk.hasSeen(4))
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let pages: [[Int64?]]
    var totals: [Int?] = []
    let isComplete: Bool
    var repeats = 0
    var drift = 0
    var unreadable = 0
    var deficit = 0

    init(
      _ name: String, _ pages: [[Int64?]], totals: [Int?] = [], isComplete: Bool, repeats: Int = 0, drift: Int = 0,
      unreadable: Int = 0, deficit: Int = 0
    ) {
      (testDescription, self.pages, self.totals, self.isComplete) = (name, pages, totals, isComplete)
      (self.repeats, self.drift, self.unreadable, self.deficit) = (repeats, drift, unreadable, deficit)
    }
  }

  @Test(
    "an end is complete if all claimed items were seen, none of them twice and each with an id",
    arguments: [
      Ending("no claims", [[1, 2, 3], [4, 5]], isComplete: true),
      Ending("a true total", [[1, 2, 3], [4, 5]], totals: [5, 5], isComplete: true),
      Ending("a total that appears late", [[1, 2, 3], [4, 5]], totals: [nil, 5], isComplete: true),
      Ending("an empty last page", [[1, 2, 3], []], totals: [3, 3], isComplete: true),
      Ending("an empty first page that names a next one", [[], [1]], isComplete: true),
      Ending("a total that is too small", [[1, 2, 3], [4, 5]], totals: [4, 4], isComplete: true),
      Ending("a total that is too large", [[1, 2, 3], [4, 5]], totals: [7, 7], isComplete: false, deficit: 2),
      Ending("an absurd total", [[1], [2]], totals: [.max, .min], isComplete: false, drift: 1),
      Ending("a new item that was read", [[1, 2], [3, 4]], totals: [3, 4], isComplete: true, drift: 1),
      Ending("a new item that was not read", [[1, 2], [3]], totals: [3, 4], isComplete: false, drift: 1, deficit: 1),
      Ending("a removed item that was read", [[1, 2], [3]], totals: [3, 2], isComplete: true, drift: 1),
      Ending("a removed item and a skipped one", [[1, 2], [4]], totals: [4, 3], isComplete: false, drift: 1),
      Ending("a removed item and a new one", [[1], [2], [3]], totals: [3, 2, 3], isComplete: false, drift: 2),
      Ending("a repeat on one page", [[1, 1, 1], [2]], isComplete: false, repeats: 2),
      Ending("a repeat on another page", [[1, 2], [2, 3]], isComplete: false, repeats: 1, drift: 1),
      Ending("a repeat twice on another page", [[1, 2], [2, 2, 3]], isComplete: false, repeats: 2, drift: 1),
      Ending("an item without an id", [[1, nil], [2]], isComplete: false, unreadable: 1),
      Ending("only items without ids", [[nil], [nil, nil]], isComplete: false, unreadable: 3),
    ])
  func endings(_ ending: Ending) throws {
    let walked = try walk(Self.list(ending.pages, totals: ending.totals))
    let certificate = walked.certificate
    #expect(certificate.endedBy == .noNextPage && certificate.complete == ending.isComplete)
    #expect(certificate.status == (ending.isComplete ? .complete : .inconsistent) && certificate.mayPublish)
    #expect(certificate.repeats == ending.repeats && certificate.drift == ending.drift)
    #expect(certificate.unreadable == ending.unreadable)
    #expect(certificate.claimedTotal == ending.totals.compactMap(\.self).last && certificate.deficit == ending.deficit)
    #expect(certificate.distinctKeys == Set(ending.pages.joined().compactMap(\.self)).count)
    for reason in [Certificate.EndedBy.maxPages, .interrupted, .failed] {
      #expect(!walked.walk.certificate(endedBy: reason).complete, "\(reason)")
    }
  }

  @Test(
    "a list without items is complete if it claims a total of 0",
    arguments: [([[]], [0]), ([[], []], [0, 0]), ([[], []], [0, nil]), ([[], []], [nil, 0])]
      as [([[Int64?]], [Int?])])
  func empty(pages: [[Int64?]], totals: [Int?]) throws {
    let walked = try walk(Self.list(pages, totals: totals))
    #expect(walked.step == .end(pages.count == 1 ? .emptyPage : .noNextPage))
    #expect(walked.stored.count == (pages.count == 1 ? 0 : pages.count))
    #expect(walked.certificate.complete && walked.certificate.claimedTotal == 0)
  }

  @Test("a list without items that claims none, or more, is an error that names the request, and so is a 404")
  func emptyWithoutClaim() throws {
    let lists: [[Page]] = [
      [.notFound], Self.list([[]]), Self.list([[]], totals: [5]), Self.list([[]], totals: [-1]), Self.list([[], []]),
      Self.list([[], []], totals: [5, 0]), Self.list([[], []], totals: [0, 5]),
    ]
    for list in lists {
      let error = #expect(throws: SyncError.self) { try walk(list) }
      #expect(error?.code == .upstream && error?.disposition == .stopStream)
      #expect(error?.message.contains(Self.request.url) == true)
    }
  }

  @Test("a list that repeats itself, or has only empty pages, is a loop and not published")
  func loops() throws {
    let silent = Limits.echoedPages + Limits.pageSlack
    let lists: [(name: String, pages: Int, list: [Page])] = [
      (
        "the same next address", 3,
        [.naming([1], PageClaim(next: "a")), .naming([2], PageClaim(next: "b")), .naming([3], PageClaim(next: "b"))]
      ),
      ("one page again and again", 5, Self.looping(9) { _ in [1, 2, 3] }),
      ("two pages in turn", 6, Self.looping(2) { $0 == 0 ? [1, 2, 3] : [4, 5, 6] }),
      ("empty pages after the first", 1 + silent, Self.looping(silent + 9) { $0 == 0 ? [1] : [] }),
      ("empty pages", silent, Self.looping(silent + 9) { _ in [] }),
      ("items without ids", silent, Self.looping(silent + 9) { _ in [nil] }),
    ]
    for (name, pages, list) in lists {
      let walked = try walk(list, limit: 100)
      #expect(walked.step == .end(.loop) && walked.stored.count == pages, "\(name)")
      #expect(walked.certificate.status == .partial && !walked.certificate.mayPublish, "\(name)")
    }
  }

  /// Returns pages that all name different addresses, even the last one.
  private static func looping(_ count: Int, _ keys: (Int) -> [Int64?]) -> [Page] {
    (0..<count).map { .naming(keys($0), PageClaim(next: "to \($0 + 1)")) }
  }

  @Test("a few pages without new items are not a loop, even if items were repeated before them")
  func quietPages() throws {
    let shifted: [Int64?] = (1...20).map { Int64($0) }
    let list = Self.list([shifted, shifted + [21], [], [], [], [22]])
    #expect(try walk(list).step == .end(.noNextPage))
  }

  @Test("a list that always has new items is read up to the bound, whatever it claims")
  func endless() {
    var walk = ChainWalk(pageSize: 1)
    var step = walk.start
    var readings = 0
    while case .fetch(let address) = step, address.page == readings + 1 {
      readings += 1
      step = walk.replay(
        StoredPage(
          number: readings, page: readings, keys: [Int64(readings)], unreadable: 0,
          claim: PageClaim(total: 3, next: "\(readings)")))
    }
    #expect(step == .end(.loop))
    #expect(readings == Limits.pagesWithoutAdvertisement)
  }

  @Test("a walk that is stopped anywhere, any number of times, ends like a walk in one piece")
  func replay() throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    var reasons: Set<Certificate.EndedBy> = []
    for _ in 0..<200 * testFactor {
      let list = Self.random(&generator)
      let whole = try walk(list, limit: 500)
      var parts = try walk(list, limit: Int.random(in: 0...5, using: &generator))
      while case .fetch = parts.step {
        parts = try walk(list, after: parts.stored, limit: Int.random(in: 1...5, using: &generator))
      }
      let replayed = try walk(list, after: whole.stored, limit: 0)
      for other in [parts, replayed] {
        try #require(other.step == whole.step, "seed \(seed)")
        try #require(other.stored == whole.stored, "seed \(seed)")
        try #require(other.certificate == whole.certificate, "seed \(seed)")
        try #require((0..<40).allSatisfy { other.walk.hasSeen($0) == whole.walk.hasSeen($0) }, "seed \(seed)")
      }
      reasons.insert(whole.certificate.endedBy)
    }
    #expect(reasons == [.noNextPage, .loop])
  }

  /// Pages with repeats, items without ids, changing totals and, in some lists, names that lead back.
  private static func random(_ generator: inout SeededGenerator) -> [Page] {
    let count = Int.random(in: 1...20, using: &generator)
    let isEndless = Int.random(in: 0..<4, using: &generator) == 0
    let firstKey = Int64.random(in: 0..<40, using: &generator)
    return (0..<count).map { place -> Page in
      let keys = (0..<Int.random(in: 0...4, using: &generator)).map { _ -> Int64? in
        Int.random(in: 0..<12, using: &generator) == 0 ? nil : Int64.random(in: 0..<40, using: &generator)
      }
      let name = Int.random(in: 0..<30, using: &generator) == 0 ? place : place + 1
      let isLast = place + 1 == count && !isEndless
      return .naming(
        place == 0 ? [firstKey] + keys : keys,
        PageClaim(
          total: Bool.random(using: &generator) ? Int.random(in: 5...8, using: &generator) : nil,
          next: isLast ? nil : "to \(name)"))
    }
  }

  @Test("lookups after the end do not move the end; on an empty list they are counted, and the list is read again")
  func lookups() throws {
    func lookup(_ number: Int) -> StoredPage {
      StoredPage(number: number, page: nil, keys: [9], unreadable: 0, claim: PageClaim())
    }
    for list in [Self.list([[1, 2], [3]], totals: [3, 3]), Self.list([[], []], totals: [0, 0])] {
      let whole = try walk(list)
      let resumed = try walk(list, after: whole.stored + [lookup(3), lookup(4)])
      #expect(resumed.step == whole.step && resumed.certificate == whole.certificate)
      let again = try walk(list, after: [lookup(1), lookup(2)])
      #expect(again.stored.map(\.number) == [1, 2, 3, 4] && again.stored.map(\.page) == [nil, nil, 1, 2])
      #expect(again.certificate == whole.certificate)
    }
  }
}
