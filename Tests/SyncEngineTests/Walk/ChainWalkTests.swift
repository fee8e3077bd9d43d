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
      testDescription = name
      self.pages = pages
      self.totals = totals
      self.isComplete = isComplete
      self.repeats = repeats
      self.drift = drift
      self.unreadable = unreadable
      self.deficit = deficit
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

  @Test("a list that repeats itself, or whose empty pages name a page again, is a loop and not published")
  func loops() throws {
    let silent = Limits.echoedPages + Limits.pageSlack
    let lists: [(name: String, pages: Int, list: [Page])] = [
      (
        "the same next address", 3,
        [.naming([1], PageClaim(next: "a")), .naming([2], PageClaim(next: "b")), .naming([3], PageClaim(next: "b"))]
      ),
      ("one page again and again", 5, Self.looping(9) { _ in [1, 2, 3] }),
      ("two pages in turn", 6, Self.looping(2) { $0 == 0 ? [1, 2, 3] : [4, 5, 6] }),
      ("empty pages after the first", silent + 11, Self.looping(silent + 9) { $0 == 0 ? [1] : [] }),
      ("empty pages", silent + 10, Self.looping(silent + 9) { _ in [] }),
      (
        "two empty pages that name each other", 3,
        [.naming([1], PageClaim(next: "a")), .naming([], PageClaim(next: "b")), .naming([], PageClaim(next: "a"))]
      ),
      ("items without ids", silent, Self.looping(silent + 9) { _ in [nil] }),
    ]
    for (name, pages, list) in lists {
      let walked = try walk(list, limit: 100)
      #expect(walked.step == .end(.loop) && walked.stored.count == pages, "\(name)")
      #expect(walked.certificate.status == .partial && !walked.certificate.mayPublish, "\(name)")
    }
  }

  @Test("empty pages are read on as long as each of them names another page")
  func emptyPages() throws {
    let many = 3 * (Limits.echoedPages + Limits.pageSlack)
    let pages = [[1, 2]] + Array(repeating: [Int64?](), count: many) + [[3]]
    let walked = try walk(Self.list(pages, totals: [3]))
    #expect(walked.step == .end(.noNextPage) && walked.stored.count == pages.count)
    #expect(walked.certificate.complete && walked.certificate.evidence == .total)
    // The two names are legal twice, because an item is new in between.
    let again: [Page] = [
      .naming([1], PageClaim(next: "a")), .naming([], PageClaim(next: "b")), .naming([2], PageClaim(next: "a")),
      .naming([], PageClaim(next: "b")), .naming([3]),
    ]
    #expect(try walk(again).step == .end(.noNextPage))
  }

  @Test("a page that says with another member that the list ends is the last one, whatever it names")
  func saysNoMore() throws {
    let next = "to 2"
    for claims in [
      [PageClaim(hasNext: false, next: next)], [PageClaim(hasNext: true, next: next), PageClaim(hasNext: false)],
      [PageClaim(hasNext: true, next: next), PageClaim(hasNext: false, next: next)],
      [PageClaim(total: 4, next: next), PageClaim(total: 4, next: next)],
    ] {
      let list = claims.enumerated().map { Page.naming([Int64(2 * $0), Int64(2 * $0 + 1)], $1) }
      let walked = try walk(list + [.naming([99])])
      #expect(walked.step == .end(.noNextPage) && walked.stored.count == claims.count, "\(claims)")
      #expect(try walk(list, after: walked.stored, limit: 0).step == walked.step)
    }
    // An empty page that names itself is the end only if the claimed items were seen.
    for (total, end) in [(2, Certificate.EndedBy.noNextPage), (3, .loop)] {
      let list: [Page] = [.naming([1, 2], PageClaim(total: total, next: "a")), .naming([], PageClaim(next: "a"))]
      #expect(try walk(list).step == .end(end), "\(total)")
    }
  }

  @Test("a first empty page that says that no page follows must also claim the total 0")
  func emptyWithoutTotal() throws {
    let claim = PageClaim(hasNext: false, next: "a")
    #expect(throws: SyncError.self) { try walk([.naming([], claim)]) }
    var empty = claim
    empty.total = 0
    #expect(try walk([.naming([], empty)]).step == .end(.emptyPage))
  }

  @Test(
    "evidence is a total that the first page claims and that agrees, or one page",
    arguments: [
      ([[1, 2, 3], [4, 5]], [], nil), ([[1, 2, 3], [4, 5]], [5, 5], .total), ([[1, 2, 3], [4, 5]], [5], .total),
      ([[1, 2, 3], [4, 5]], [nil, 5], nil), ([[1, 2, 3], [4, 5]], [3, 2], nil), ([[1, 2, 3], [4, 5]], [4, 4], nil),
      ([[1, 2, 3]], [], .onePage), ([[1], []], [], nil), ([[1, 2], [3, 4]], [3, 4], .total),
    ] as [([[Int64?]], [Int?], Certificate.Evidence?)])
  func evidence(pages: [[Int64?]], totals: [Int?], expected: Certificate.Evidence?) throws {
    let list = Self.list(pages, totals: totals)
    let walked = try walk(list)
    #expect(walked.certificate.evidence == expected)
    var certificate = walked.certificate
    certificate.requireEvidence()
    #expect(certificate.status == (expected != nil ? .complete : .unproven))
    #expect(try walk(list, after: walked.stored, limit: 0).certificate == walked.certificate)
  }

  /// Returns pages of three items with the keys that their next addresses have.
  private static func naming(_ keys: [String?]) -> [Page] {
    let pages = keys.enumerated().map { place, key in
      let items = (1...3).map { Int64(3 * place + $0) as Int64? }
      return Page.naming(items, PageClaim(next: "to \(place + 2)", nextKey: key))
    }
    return pages + [.naming([1000])]
  }

  @Test(
    "next addresses with the last item's key are evidence, but not numbers that can count places or pages",
    arguments: [
      ("texts", ["abc"], true), ("a page without the key", ["abc", nil, "ghi"], false),
      ("the same text twice", ["abc", "abc"], false), ("a time", ["2026-01-02T00:00:00Z"], true),
      ("ids without gaps", ["3", "6", "9", "12", "15"], false), ("page numbers", ["2", "3", "4", "5"], false),
      ("equal steps of another size", ["25", "50", "75", "100"], false), ("one number", ["7"], false),
      ("two numbers", ["7", "19"], false), ("uneven numbers", ["7", "19", "21"], true),
      ("uneven numbers in the end", ["3", "6", "9", "13"], true), ("descending numbers", ["250", "247"], true),
      ("a number that no place has", ["2467283107917"], true),
      ("a number of 20 digits", ["12345678901234567890"], true),
      ("a constant text and places", ["anime\n3", "anime\n6", "anime\n9"], false),
      ("a constant number and uneven ids", ["4\n3", "4\n9", "4\n11"], true), ("two texts", ["a\nb", "a\nc"], true),
    ] as [(String, [String?], Bool)])
  func keys(name: String, keys: [String?], isEvidence: Bool) throws {
    let list = Self.naming(keys)
    let walked = try walk(list)
    #expect(walked.certificate.evidence == (isEvidence ? .key : nil))
    for limit in 0..<list.count {
      let part = try walk(list, limit: limit)
      #expect(try walk(list, after: part.stored).certificate == walked.certificate, "resumed after \(limit)")
    }
  }

  @Test("places are no evidence if pages differ in size, so that the steps are uneven")
  func unevenPlaces() throws {
    let sizes = [3, 5, 2, 4]
    var last = 0
    let list = sizes.map { size -> Page in
      let keys = (1...size).map { Int64(last + $0) as Int64? }
      last += size
      return .naming(keys, PageClaim(next: "at \(last)", nextKey: "\(last)"))
    }
    #expect(try walk(list + [.naming([1000])]).certificate.evidence == nil)
  }

  /// A service whose list changes between two requests.
  private struct ChangingService {
    var ids: [Int64]
    var throughout: Set<Int64>
    let isByKey: Bool
    let tellsTotal: Bool
    let pageSize: Int
    let changes: Double

    init(_ generator: inout SeededGenerator) {
      let isDense = Bool.random(using: &generator)
      let count = Int64.random(in: 1...40, using: &generator)
      var last: Int64 = 0
      ids = (0..<count).map { _ in
        last += isDense ? 1 : Int64.random(in: 1...9, using: &generator)
        return last
      }
      throughout = Set(ids)
      isByKey = Bool.random(using: &generator)
      tellsTotal = Int.random(in: 0..<3, using: &generator) == 0
      pageSize = Int.random(in: 1...7, using: &generator)
      changes = [0, 0.2, 0.6][Int.random(in: 0..<3, using: &generator)]
    }

    mutating func change(_ generator: inout SeededGenerator) {
      guard Double.random(in: 0..<1, using: &generator) < changes else { return }
      if Bool.random(using: &generator), !ids.isEmpty {
        throughout.remove(ids.remove(at: Int.random(in: ids.indices, using: &generator)))
      } else {
        ids.append((ids.last ?? 0) + Int64.random(in: 1...9, using: &generator))
      }
    }

    /// - Parameter next: The last key or the number of places, in digits.
    func answer(to next: String?) -> Page {
      let start = next.flatMap { Int64($0) } ?? 0
      let rest = isByKey ? ids.drop { $0 <= start } : ids.dropFirst(Int(start))
      let page = rest.prefix(pageSize)
      var claim = PageClaim(total: tellsTotal ? ids.count : nil)
      if page.count < rest.count, let last = page.last {
        let value = isByKey ? last : start + Int64(page.count)
        claim.next = "\(value)"
        claim.nextKey = abs(last - value) <= 1 ? claim.next : nil
      }
      return .naming(page.map { $0 }, claim)
    }
  }

  @Test("no walk of a changing list is complete without an item that was listed throughout")
  func changingLists() throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    var statuses: [RunStatus: Int] = [:]
    for number in 0..<1000 * testFactor {
      var service = ChangingService(&generator)
      var walk = ChainWalk(pageSize: service.pageSize)
      var step = walk.start
      var seen: Set<Int64> = []
      while case .fetch(let address) = step {
        let answer = service.answer(to: address.next)
        guard !answer.keys.isEmpty || address.next != nil else { break }
        seen.formUnion(answer.keys.compactMap(\.self))
        step = try walk.receive(answer, at: address, request: Self.request).step
        service.change(&generator)
      }
      guard case .end(let reason) = step else { continue }
      var certificate = walk.certificate(endedBy: reason)
      certificate.requireEvidence()
      statuses[certificate.status, default: 0] += 1
      let missed = service.throughout.subtracting(seen)
      try #require(!certificate.complete || missed.isEmpty, "seed \(seed), list \(number): \(missed), \(certificate)")
    }
    #expect(Set(statuses.keys) == [.complete, .unproven, .inconsistent], "\(statuses)")
  }

  @Test("cursor: by_key is believed, unless each next address counts items or pages and none has a key")
  func declared() throws {
    func evidence(_ next: [String], keys: [String?] = []) throws -> Certificate.Evidence? {
      var walk = ChainWalk(pageSize: 3, isByKey: true)
      for (place, next) in (next + [nil as String?]).enumerated() {
        let claim = PageClaim(next: next, nextKey: place < keys.count ? keys[place] : nil)
        _ = walk.replay(
          StoredPage(
            number: place + 1, page: place + 1, keys: (1...3).map { Int64(3 * place + $0) }, unreadable: 0, claim: claim
          ))
      }
      return walk.certificate(endedBy: .noNextPage).evidence
    }
    #expect(try evidence(["b3BhcXVl", "Y3Vyc29y"]) == .key)
    #expect(try evidence(["http://test/list?after=3", "http://test/list?after=6"], keys: ["3", "6"]) == .key)
    #expect(try evidence(["http://test/list?offset=3", "http://test/list?offset=6"]) == nil)
    #expect(try evidence(["http://test/list?page=2&size=3", "http://test/list?page=3&size=3"]) == nil)
    #expect(try evidence(["http://test/list/2", "opaque"]) == .key)
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
