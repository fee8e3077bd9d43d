import SyncCore
import SyncEngine
import Testing

@Suite("A walk in the order of ids")
struct CatalogueWalkTests {
  private static let request = UpstreamRequest(url: "http://test/list")

  private func walk(_ list: inout EditedList, size: Int = 10, cap: Int? = nil) throws -> Certificate {
    try list.walk { CatalogueWalk(pageSize: size, pageCap: cap) }
  }

  @discardableResult
  private func expectWhole(
    _ list: inout EditedList, _ ids: ClosedRange<Int64>, size: Int = 10, cap: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Certificate {
    let certificate = try walk(&list, size: size, cap: cap)
    #expect(list.seen == Set(ids), sourceLocation: sourceLocation)
    #expect(certificate.complete, "\(certificate)", sourceLocation: sourceLocation)
    return certificate
  }

  @Test("one page is the whole catalogue")
  func onePage() throws {
    var list = EditedList(1...7)
    let certificate = try walk(&list)
    #expect(list.asked == [PageAddress(page: 1, size: 10)])
    #expect(certificate.complete)
    #expect(certificate.endedBy == .noNextPage)
  }

  @Test("every page begins with the last item of the page before it, or earlier", arguments: [10, 25, 50])
  func overlap(size: Int) throws {
    var list = EditedList(1...600)
    let certificate = try walk(&list, size: size)
    #expect(certificate.complete)
    #expect(certificate.drift == 0)
    #expect(certificate.distinctKeys == 600)
    #expect(certificate.repeats == 0)
    for (one, next) in zip(list.stored, list.stored.dropFirst()) {
      let last = try #require(one.keys?.last)
      // After a full page that claims to be the last page, the walk reads one more page, which has no new items.
      #expect(next.keys?.contains(last) == true && (next.keys?.last.map { $0 > last } == true || last == 600))
    }
    #expect(list.asked.allSatisfy { $0.size <= size })
    if size > 10 { #expect(list.asked.count <= 600 * 4 / 3 / size + 2) }
  }

  @Test("a service that gives fewer items than are requested is read by what it gives", arguments: [true, false])
  func smallPages(tellsSize: Bool) throws {
    var list = EditedList(1...300)
    list.largestPage = 25
    list.tellsSize = tellsSize
    let certificate = try expectWhole(&list, 1...300, size: 50)
    #expect(certificate.drift == 0 && certificate.rewalked == 0)
    #expect(list.asked.prefix(2).map(\.page) == [1, tellsSize ? 2 : 1])
    #expect(list.asked.dropFirst(2).allSatisfy { $0.size <= 25 })
    #expect(list.asked.count <= 300 * 4 / 3 / 25 + 3)
  }

  @Test("pages of fewer items than are requested, behind a page cap too", arguments: 8...24)
  func smallPagesBehindCap(size: Int) throws {
    var list = EditedList(1...90)
    list.largestPage = size
    list.pageCap = 90 * 3 / 4 / max(1, size - 1) + 1
    try expectWhole(&list, 1...90, size: 25)
  }

  @Test("a first page that is short by chance does not make the others short")
  func shortFirstPage() throws {
    var list = EditedList(1...300)
    list.faults[1] = .naming([1, 2, 3])
    try expectWhole(&list, 1...300, size: 50)
    #expect(list.asked.count <= 12)
  }

  @Test("one page with a false total and a false end proves nothing, at any place", arguments: [3, 9, 14])
  func lyingPage(reading: Int) throws {
    var list = EditedList(1...300)
    list.lies = [reading]
    try expectWhole(&list, 1...300, size: 25)
  }

  @Test("finding out a page cap costs no reach: 9,000 items with a cap of 100 pages of 50")
  func learntCap() throws {
    var list = EditedList(1...9_000)
    list.pageCap = 100
    #expect(try expectWhole(&list, 1...9_000, size: 50).endedBy == .partsMet)
  }

  @Test("after a removal a page starts too late: an earlier one is requested, and nothing is missed")
  func stepBack() throws {
    var list = EditedList(1...60)
    list.edits[3] = { $0.removeFirst(2) }
    let certificate = try expectWhole(&list, 1...60)
    #expect(certificate.rewalked == 1)
    #expect(certificate.drift > 0)
  }

  @Test("removals of more than a page at once cost some steps back, and nothing is missed", arguments: [5, 10, 15, 18])
  func manyRemoved(count: Int) throws {
    var list = EditedList(1...200)
    list.edits[4] = { $0.removeFirst(count) }
    list.edits[12] = { $0.removeFirst(count) }
    try expectWhole(&list, 1...200)
  }

  @Test("a removal and an insertion between two requests, which page numbers cannot show, do not disturb a walk by ids")
  func cancelled() throws {
    var list = EditedList(1...60)
    list.edits[3] = { items in
      items.removeFirst(3)
      items += [61, 62, 63]
    }
    try expectWhole(&list, 1...63)
  }

  @Test("an item inserted before the position is not seen, and does not make the rest doubtful")
  func insertedBehind() throws {
    var list = EditedList((1...60).map { $0 * 2 })
    list.edits[3] = { $0.insert(3, at: 1) }
    let certificate = try walk(&list)
    #expect(certificate.complete)
    #expect(certificate.claimedTotal == 61)
    #expect(list.seen == Set((1...60).map { $0 * 2 }))
  }

  @Test("steps back are bounded; after that a gap is reported")
  func gaps() throws {
    var list = EditedList(1...400)
    for request in 2...60 { list.edits[request] = { $0.removeFirst(min(6, $0.count - 3)) } }
    let certificate = try walk(&list)
    #expect(!certificate.complete)
    #expect(certificate.rewalked >= Limits.rewalkPages)
    #expect(certificate.rewalked <= Limits.rewalkPages + list.stored.count / Limits.pagesPerRewalkPage)
  }

  @Test("after the page cap the catalogue is read from the other end, until the parts meet", arguments: [true, false])
  func twoEnds(isCapKnown: Bool) throws {
    var list = EditedList(1...100)
    list.pageCap = 7
    let certificate = try expectWhole(&list, 1...100, cap: isCapKnown ? 7 : nil)
    #expect(certificate.endedBy == .partsMet)
    #expect(certificate.distinctKeys == 100)
    #expect(certificate.repeats == 0)
    #expect(list.asked.contains { $0.direction == .backward })
    #expect(list.stored.contains { $0.endedBy == .pageCap } == !isCapKnown)
  }

  @Test("a catalogue that is longer than both ends reach is partial")
  func tooLong() throws {
    var list = EditedList(1...200)
    list.pageCap = 7
    let certificate = try walk(&list)
    #expect(certificate.endedBy == .pageCap)
    #expect(certificate.status == .partial)
    #expect(!certificate.complete)
  }

  @Test("an id that occurs twice is counted as a repeat, wherever the pages end and the parts meet")
  func pairs() throws {
    for count in Int64(21)...34 {
      for pair in 1...count {
        var list = EditedList((1...count).flatMap { $0 == pair ? [$0, $0] : [$0] })
        list.pageCap = count % 3 == 0 ? 2 : nil
        let certificate = try walk(&list)
        #expect(certificate.complete, "\(count) with a pair of \(pair): \(certificate)")
        #expect(certificate.distinctKeys == Int(count))
        #expect(certificate.repeats == 1)
      }
    }
  }

  @Test("a page that is missing once, near the end or not, is requested again", arguments: 2...6)
  func missingOnce(request: Int) throws {
    for content in [Page.notFound, .naming([])] {
      var list = EditedList(1...40)
      list.faults[request] = content
      try expectWhole(&list, 1...40)
    }
  }

  @Test("a page in the middle that stays missing is a hole, and the walk continues after it")
  func hole() throws {
    var list = EditedList(1...100)
    list.failures = [3]
    let certificate = try walk(&list)
    #expect(certificate.status == .partial)
    #expect(certificate.holes.count == 1)
    #expect(list.seen.contains(100))
  }

  @Test("pages at the end that stay missing are an unproven end, although as many items were removed")
  func unreachableEnd() throws {
    var list = EditedList(1...60)
    list.edits[4] = { $0.removeFirst(14) }
    list.missingFrom = 30
    let certificate = try walk(&list)
    #expect(!list.seen.contains(60))
    #expect(list.asked.count < 40)
    #expect(!certificate.complete)
  }

  @Test("a last page that brings nothing new twice is an unproven end if the total is higher")
  func unprovenEnd() throws {
    var whole = EditedList(1...60)
    whole.edits[3] = { $0.removeFirst(6) }
    #expect(try walk(&whole).complete)
    var list = EditedList(1...60)
    list.edits[3] = whole.edits[3]
    let last = whole.asked.count
    let known = try #require(whole.stored.dropLast().last?.keys?.last)
    list.faults = [last: .naming([known]), last + 1: .naming([known])]
    let certificate = try walk(&list)
    #expect(!list.seen.contains(60))
    #expect(certificate.endedBy == .noNextPage)
    #expect(!certificate.complete)
  }

  @Test("has_next_page: false is not believed if the total is higher, although as many items were removed")
  func earlyEnd() throws {
    var walk = CatalogueWalk(pageSize: 10, pageCap: nil)
    var keys = (1...20).map(Int64.init)
    func answer(_ address: PageAddress, count: Int, hasNext: Bool) -> Page {
      .naming(
        Array(keys.dropFirst(address.offset).prefix(count)),
        PageClaim(total: keys.count, lastPage: 3, hasNext: hasNext))
    }
    let start = PageAddress(page: 1, size: 10)
    let first = try walk.receive(answer(start, count: 10, hasNext: true), at: start, request: Self.request)
    guard case .fetch(let second) = first.step else {
      Issue.record("\(first.step)")
      return
    }
    keys.remove(at: 0)
    keys.insert(0, at: 0)
    keys.remove(at: 3)
    let short = answer(second, count: second.size - 1, hasNext: false)
    let reading = try walk.receive(short, at: second, request: Self.request)
    if case .end = reading.step { Issue.record("a shifted page was taken for the end") }
  }

  @Test("a service that ignores page= is detected")
  func samePage() throws {
    var list = EditedList(1...40)
    for request in 2...60 { list.faults[request] = .naming(Array(1...5)) }
    let certificate = try walk(&list)
    #expect(certificate.endedBy == .loop)
    #expect(!certificate.complete)
    #expect(list.asked.count < 10)
  }

  @Test("ids out of order, or more items than requested, are an error", arguments: [[3, 1, 2], Array(1...11)])
  func noCatalogue(keys: [Int64]) {
    var list = EditedList(1...40)
    list.faults[1] = .naming(keys)
    #expect(throws: SyncError.self) { try walk(&list) }
  }

  @Test("a first page that is missing, or empty without saying so, is an error")
  func firstPage() {
    for content in [Page.notFound, .naming([])] {
      var list = EditedList(1...40)
      list.faults[1] = content
      #expect(throws: SyncError.self) { try walk(&list) }
    }
  }
}
