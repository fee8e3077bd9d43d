import SyncCore
import SyncEngine
import SyncTestKit
import Testing

@Suite("The rules of a walk")
struct WalkTests {
  private static let request = UpstreamRequest(url: "http://test/list?page=1")

  /// Answers the requests for pages 1, 2, … until the walk ends. `nil` stands for a 404.
  private func walk(_ answers: [TestPage?]) throws -> (walk: ListWalk, readings: [Reading]) {
    var walk = ListWalk(pageSize: 3)
    var readings: [Reading] = []
    for (index, answer) in answers.enumerated() {
      let reading = try walk.receive(answer, page: index + 1, request: Self.request)
      readings.append(reading)
      if case .end = reading.step { break }
    }
    return (walk, readings)
  }

  private func end(of answers: [TestPage?]) throws -> Certificate {
    let (walk, readings) = try walk(answers)
    guard case .end(let reason) = readings.last?.step else {
      Issue.record("the walk continues: \(readings)")
      return walk.certificate(endedBy: .failed)
    }
    return walk.certificate(endedBy: reason)
  }

  @Test(
    "a list has evidence if page 1 claims the total that the walk saw, or says that it is the only page",
    arguments: [
      ([TestPage([1, 2, 3], total: 5), TestPage([4, 5], total: 5)], .total),
      ([TestPage([1, 2, 3], total: 5), TestPage([4, 5])], .total), ([TestPage([1, 2, 3]), TestPage([4, 5])], nil),
      ([TestPage([1, 2, 3]), TestPage([4, 5], total: 5)], nil),
      ([TestPage([1, 2, 3], total: 3), TestPage([4, 5], total: 3)], nil),
      ([TestPage([1, 2, 3], total: 2), TestPage([4, 5], total: 2)], nil),
      ([TestPage([1, 2, 3], last: 2), TestPage([4, 5], last: 2)], nil),
      ([TestPage([1, 1, 2], total: 4), TestPage([4], total: 4)], .total),
      ([TestPage([1, 2], hasNext: false)], .onePage), ([TestPage([1, 2], last: 1)], .onePage),
      ([TestPage([1, 2], total: 2)], .total), ([TestPage([1, 2])], nil), ([TestPage([], total: 0)], .onePage),
    ] as [([TestPage], Certificate.Evidence?)])
  func evidence(pages: [TestPage], expected: Certificate.Evidence?) throws {
    let request = UpstreamRequest(url: "http://test/list")
    var walk = ListWalk(pageSize: 3)
    var replayed = walk
    var step = walk.start
    while case .fetch(let address) = step {
      let page = address.page <= pages.count ? pages[address.page - 1] : nil
      let reading = try walk.receive(page, page: address.page, request: request)
      step = reading.step
      if let stored = reading.stored { _ = replayed.replay(stored) }
    }
    guard case .end(let reason) = step else { return }
    for walk in [walk, replayed] {
      var certificate = walk.certificate(endedBy: reason)
      #expect(certificate.complete && certificate.evidence == expected)
      certificate.requireEvidence()
      #expect(certificate.status == (expected == nil ? .unproven : .complete))
    }
  }

  @Test("a 404 after the advertised last page ends the list, and brings nothing to store")
  func endedByNotFound() throws {
    let (walk, readings) = try walk([.init([1, 2], last: 2), .init([3, 4], last: 2), nil])
    #expect(readings.map(\.step) == [.page(2), .page(3), .end(.notFound)])
    #expect(readings.last?.stored == nil)
    let certificate = walk.certificate(endedBy: .notFound)
    #expect(certificate.complete)
    #expect(certificate.status == .complete)
    #expect(certificate.mayPublish)
    #expect(certificate.distinctKeys == 4)
  }

  @Test("an empty page after the end ends the list")
  func endedByEmptyPage() throws {
    let (_, readings) = try walk([.init([1], last: 1), .init([], last: 1, hasNext: false)])
    #expect(readings.last?.step == .end(.emptyPage))
    #expect(readings.last?.stored == nil)
  }

  @Test("has_next_page: false ends the list on the last page, which is stored")
  func endedByFlag() throws {
    let (_, readings) = try walk([.init([1], last: 2, hasNext: true), .init([2], last: 2, hasNext: false)])
    #expect(readings.last?.step == .end(.noNextPage))
    #expect(readings.last?.stored?.keys == [2])
  }

  @Test("each kind of end is believed from the page before the advertised last one on, and not earlier")
  func nearEnd() throws {
    let full = (1...7).map { TestPage([Int64($0)], last: 10, hasNext: true) as TestPage? }
    for at in 8...10 {
      var before = full
      for page in 8..<max(8, at) { before.append(.init([Int64(page)], last: 10, hasNext: true)) }
      let number = Int64(at)
      #expect(try walk(before + [nil]).readings.last?.step == (at >= 9 ? .end(.notFound) : .page(at + 1)))
      #expect(
        try walk(before + [.init([], last: 10)]).readings.last?.step == (at >= 9 ? .end(.emptyPage) : .page(at + 1)))
      let (last, readings) = try walk(before + [.init([number], last: 10, hasNext: false)])
      #expect(readings.last?.step == (at >= 9 ? .end(.noNextPage) : .page(at + 1)))
      #expect(last.certificate(endedBy: .noNextPage).complete, "a false end is not a hole")
    }
  }

  @Test("a list that claims nothing ends where its pages end")
  func noClaims() throws {
    let certificate = try end(of: [.init([1]), .init([2]), nil])
    #expect(certificate.endedBy == .notFound)
    #expect(certificate.claimedTotal == nil)
    #expect(certificate.complete)
    #expect(try end(of: [.init([1]), .init([])]).endedBy == .emptyPage)
  }

  @Test("an empty page 1 is an error unless the list says that it is empty")
  func emptyFirstPage() throws {
    for page in [TestPage([]), .init([], last: 600, hasNext: true), .init([], total: 9, last: 1, hasNext: false)] {
      #expect(throws: SyncError.self) { try walk([page]) }
    }
    // The short form of the pagination object has no total.
    for total in [0, nil] { #expect(try end(of: [.init([], total: total, last: 1, hasNext: false)]).complete) }
  }

  @Test("the claims of an empty or shifted page do not end the list early")
  func claimsOfOnePage() throws {
    let before = (1...2).map { TestPage([Int64($0)], total: 600, last: 600, hasNext: true) as TestPage? }
    let (_, empty) = try walk(before + [.init([], last: 1, hasNext: false)])
    #expect(empty.last?.step == .page(4))
    #expect(empty.last?.stored?.keys == nil, "a hole")
    let (walk, slip) = try walk(before + [.init([3], total: 600, last: 1, hasNext: false)])
    #expect(slip.last?.step == .page(4))
    #expect(walk.certificate(endedBy: .notFound).drift == 1, "a changed last page")
  }

  @Test("several missing pages in a row end the walk")
  func manyHoles() throws {
    let first = TestPage([1], total: 9000, last: 9000, hasNext: true) as TestPage?
    let missing = [TestPage?](repeating: nil, count: Limits.consecutiveHoles)
    let (walk, readings) = try walk([first] + missing)
    #expect(readings.last?.step == .end(.tooManyHoles))
    #expect(readings.count == 1 + Limits.consecutiveHoles)
    #expect(walk.certificate(endedBy: .tooManyHoles).status == .partial)
    let second = TestPage([2], total: 9000, last: 9000, hasNext: true) as TestPage?
    #expect(
      try self.walk([first] + missing.dropLast() + [second] + missing.dropLast()).readings.allSatisfy {
        $0.step != .end(.tooManyHoles)
      })
  }

  @Test("a 404 or an empty page in the middle is a hole: the walk continues, is partial, and publishes nothing")
  func holes() throws {
    for hole in [nil, TestPage([], total: 5, last: 5)] {
      let (walk, readings) = try walk([
        .init([1], total: 5, last: 5), hole, .init([3], total: 5, last: 5), .init([4], total: 5, last: 5),
        .init([5], total: 5, last: 5, hasNext: false),
      ])
      #expect(readings[1].step == .page(3))
      #expect(readings[1].stored?.number == 2)
      #expect(readings[1].stored.map { $0.keys == nil } == true)
      let certificate = walk.certificate(endedBy: .noNextPage)
      #expect(certificate.holes == [2])
      #expect(!certificate.complete)
      #expect(certificate.status == .partial)
      #expect(!certificate.mayPublish)
    }
  }

  @Test("a page of items without ids is not an empty page")
  func unreadablePage() throws {
    let (walk, readings) = try walk([.init([1], last: 2), .init([], unreadable: 3, last: 2, hasNext: false)])
    #expect(readings.last?.stored?.unreadable == 3)
    let certificate = walk.certificate(endedBy: .noNextPage)
    #expect(certificate.unreadable == 3)
    #expect(!certificate.complete, "an id that could not be read may be any id")
    #expect(certificate.status == .inconsistent)
  }

  @Test("a 404 on page 1 is an error that names the request, never an empty list")
  func firstPageMissing() throws {
    let error = #expect(throws: SyncError.self) { try walk([nil]) }
    #expect(error?.code == .upstream)
    #expect(error?.disposition == .stopStream)
    #expect(error?.message.contains("http://test/list?page=1") == true)
  }

  @Test("a key twice on one page is a repeat and not drift")
  func repeats() throws {
    let certificate = try end(of: [
      .init([1, 1, 2], total: 5, last: 2), .init([3, 3], total: 5, last: 2, hasNext: false),
    ])
    #expect(certificate.repeats == 2)
    #expect(certificate.drift == 0)
    #expect(certificate.distinctKeys == 3)
    #expect(certificate.complete)
  }

  @Test("a key again on another page is drift: the walk reads again, and is complete only when the list stays the same")
  func drift() throws {
    let (walk, readings) = try walk([
      .init([1, 2], total: 3, last: 2), .init([2, 3], total: 3, last: 2, hasNext: false),
    ])
    #expect(readings.last?.step == .page(1), "from the beginning, because the list is short")
    let certificate = walk.certificate(endedBy: .noNextPage)
    #expect(certificate.drift == 1)
    #expect(certificate.repeats == 0)
    #expect(certificate.status == .inconsistent)
    #expect(certificate.mayPublish)
  }

  @Test("a changed total is drift; a total that appears late is not")
  func changedTotal() throws {
    let moved = try walk([.init([1], total: 2, last: 2), .init([2, 3], total: 3, last: 2, hasNext: false)])
      .walk.certificate(endedBy: .noNextPage)
    #expect(moved.drift == 1)
    #expect(!moved.complete)
    #expect(moved.claimedTotal == 3)
    let late = try end(of: [.init([1], last: 2), .init([2], total: 2, last: 2, hasNext: false)])
    #expect(late.drift == 0)
    #expect(late.complete)
    let lastPage = try walk([.init([1], last: 2), .init([2], last: 3), .init([3], last: 3, hasNext: false)])
      .walk.certificate(endedBy: .noNextPage)
    #expect(lastPage.drift == 1)
    let onEmptyPage = try end(of: [.init([1], total: 1, last: 1), .init([], total: 2, last: 1)])
    #expect(onEmptyPage.drift == 0, "an empty page proves no drift")
  }

  @Test("fewer items than claimed is inconsistent, and the number is reported")
  func deficit() throws {
    let certificate = try end(of: [.init([1, 1, 2], total: 5, last: 1, hasNext: false)])
    #expect(certificate.deficit == 2)
    #expect(!certificate.complete)
    #expect(certificate.status == .inconsistent)
    #expect(certificate.mayPublish)
  }

  @Test("a list that never ends is stopped a little after twice its advertised pages")
  func loop() throws {
    let endless = (1...100).map { TestPage([Int64($0)], last: 3, hasNext: true) as TestPage? }
    let (walk, readings) = try walk(endless)
    #expect(readings.count == 3 * Limits.pagesPerAdvertisedPage + Limits.pageSlack)
    #expect(readings.last?.step == .end(.loop))
    let certificate = walk.certificate(endedBy: .loop)
    #expect(certificate.status == .partial)
    #expect(!certificate.complete)
    #expect(!certificate.mayPublish)
  }

  @Test("a claim that grows with every page is followed up to a multiple of the first pages' claim")
  func growingClaim() throws {
    let endless = (1...200).map { TestPage([Int64($0)], last: $0 + 1, hasNext: true) as TestPage? }
    let (_, readings) = try walk(endless)
    #expect(readings.last?.step == .end(.loop))
    #expect(readings.count == (Limits.pageSlack + 1) * Limits.pagesPerFirstAdvertisedPage + Limits.pageSlack)
  }

  @Test("a list that repeats its last page instead of ending is published, and inconsistent", arguments: [nil, 6])
  func repeatedEnd(total: Int?) throws {
    let pages = [TestPage([1, 2, 3], total: total), .init([4, 5, 6], total: total)]
    let (walk, readings) = try walk(pages + Array(repeating: .init([4, 5, 6], total: total), count: 9))
    #expect(readings.last?.step == .end(.echo))
    let certificate = walk.certificate(endedBy: .echo)
    #expect(certificate.status == .inconsistent)
    #expect(certificate.mayPublish)
    #expect(certificate.distinctKeys == 6)
  }

  @Test("pages that repeat before all claimed items were seen, or restart, are a loop")
  func repeatedMiddle() throws {
    let short = [TestPage([1, 2, 3], total: 9), .init([4, 5, 6], total: 9)]
    let again = [TestPage([1, 2, 3]), .init([4, 5, 6]), .init([1, 2, 3]), .init([4, 5, 6]), .init([1, 2, 3])]
    for pages in [short + Array(repeating: short[1], count: 9), again + again, Array(repeating: again[0], count: 9)] {
      let (walk, readings) = try walk(pages)
      #expect(readings.last?.step == .end(.loop))
      #expect(!walk.certificate(endedBy: .loop).mayPublish)
    }
  }

  @Test("absurd claims do not overflow", arguments: [Int.max, Int.min, 0, -1, Int.max / 2 + 1])
  func absurdClaims(number: Int) throws {
    _ = try walk([
      .init([1], total: number, last: number, hasNext: true), .init([1], total: 0, last: number, hasNext: false), nil,
    ])
    _ = try walk([.init([1], total: number, last: number, hasNext: false), .init([], last: number)])
  }

  @Test(
    "an end that is not the list's own is never complete",
    arguments: [
      (Certificate.EndedBy.maxPages, RunStatus.partial), (.interrupted, .interrupted), (.failed, .failed),
      (.loop, .partial), (.tooManyHoles, .partial),
    ])
  func otherEnds(endedBy: Certificate.EndedBy, status: RunStatus) throws {
    let certificate = try walk([.init([1], total: 1, last: 1, hasNext: false)]).walk.certificate(endedBy: endedBy)
    #expect(!certificate.complete)
    #expect(certificate.status == status)
    #expect(!certificate.mayPublish)
  }

  @Test(
    "a refused page ends a list after a short page or after the claimed end, and is a page cap after full pages",
    arguments: [
      ([4, 5, 6], nil, .pageCap), ([4], nil, .refused), ([4, 5, 6], 6, .refused),
    ] as [([Int64], Int?, Certificate.EndedBy)])
  func refused(second: [Int64], total: Int?, end: Certificate.EndedBy) throws {
    var (walk, _) = try walk([.init([1, 2, 3], total: total), .init(second, total: total)])
    let answer = Page.refused(SyncError(.upstream, "answered 400"))
    let reading = try walk.receive(answer, at: PageAddress(page: 3, size: 3), request: Self.request)
    #expect(reading.step == .end(end))
  }

  @Test("a page that is refused before the claimed end is an error")
  func refusedEarly() throws {
    var (walk, _) = try walk([.init([1, 2, 3], total: 9), .init([4, 5, 6], total: 9)])
    let answer = Page.refused(SyncError(.upstream, "answered 400"))
    #expect(throws: SyncError.self) {
      try walk.receive(answer, at: PageAddress(page: 3, size: 3), request: Self.request)
    }
  }

  @Test("the stored pages rebuild the same walk, at every point of random walks")
  func replay() throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 * testFactor {
      var walk = ListWalk(pageSize: 3)
      var stored: [StoredPage] = []
      var step = walk.start
      while case .fetch(let address) = step, stored.count < 60 {
        let random = Int.random(in: 0..<8, using: &generator) == 0 ? nil : TestPage.random(&generator)
        let answer = stored.isEmpty ? TestPage([1], last: 9, hasNext: true) : random
        let reading = try walk.receive(answer, page: address.page, request: Self.request)
        guard let kept = reading.stored else { break }
        #expect(kept.number == stored.count + 1)
        stored.append(kept)
        var again = ListWalk(pageSize: 3)
        step = stored.reduce(again.start) { again.replay($1) }
        try #require(step == reading.step, "seed \(seed)")
        try #require(
          again.certificate(endedBy: .interrupted) == walk.certificate(endedBy: .interrupted), "seed \(seed)")
        try #require(again.advertisedPages == walk.advertisedPages, "seed \(seed)")
        try #require((0..<60).allSatisfy { again.hasSeen($0) == walk.hasSeen($0) }, "seed \(seed)")
      }
    }
  }
}
