import SyncCore
import SyncEngine
import Testing

@Suite("Reading again what may have moved")
struct RewalkTests {
  private func walk(_ list: inout EditedList) throws -> Certificate { try list.walk { ListWalk(pageSize: 3) } }

  @Test("a short list that moved is walked again, and only the new pass counts")
  func whole() throws {
    var list = EditedList(1...9)
    list.edits[2] = { $0.removeFirst() }
    let certificate = try walk(&list)
    #expect(list.pages == [1, 2, 3, 1, 2, 3])
    #expect(list.seen == Set(1...9))
    #expect(certificate.complete)
    #expect(certificate.distinctKeys == 8)
    #expect(certificate.claimedTotal == 8)
    #expect(certificate.rewalked == 3)
    #expect(certificate.drift > 0)
  }

  @Test("a list that moves again is walked again a second time, and not a third time")
  func rounds() throws {
    var list = EditedList(1...9)
    for request in [2, 5] { list.edits[request] = { $0.removeFirst() } }
    #expect(try walk(&list).complete)
    #expect(list.pages == [1, 2, 3, 1, 2, 3, 1, 2, 3])

    var moving = EditedList(1...9)
    for request in [2, 6, 10] { moving.edits[request] = { $0.insert(Int64(100 + request), at: 0) } }
    let certificate = try walk(&moving)
    #expect(certificate.status == .inconsistent)
    #expect(certificate.mayPublish)
    #expect(moving.pages == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])
  }

  @Test("a first page that is missing when the list is walked again is not the end", arguments: [true, false])
  func firstPageMissing(isEmpty: Bool) throws {
    for count in [3, 6, 12] {
      var list = EditedList((1...Int64(count)).map(\.self))
      list.edits[2] = { $0.insert(99, at: 0) }
      list.tellsEnd = false
      let pages = (count + 2) / 3
      for request in (pages + 2)...(pages + 4) { list.faults[request] = isEmpty ? .naming([]) : .notFound }
      let certificate = try walk(&list)
      #expect(!certificate.complete, "\(count) items: \(certificate)")
    }
  }

  @Test("a page that is missing in the middle of the new pass is not the end")
  func middleMissing() throws {
    var list = EditedList(1...15)
    list.edits[2] = { $0.removeFirst() }
    list.faults[7] = .notFound
    let certificate = try walk(&list)
    #expect(list.pages == [1, 2, 3, 4, 5, 1, 2])
    #expect(certificate.status == .inconsistent)
  }

  @Test("an id on two pages may also have moved: the walk never settles, and costs at most the bound")
  func pairAcrossPages() throws {
    var list = EditedList([1, 2, 3, 3, 4, 5])
    let certificate = try walk(&list)
    #expect(certificate.status == .inconsistent)
    #expect(list.pages.count <= 2 + Limits.rewalkPages)
  }

  private static let pair: ListedRepeats = [
    3: [ListedNeighbors(before: 2, after: 3), ListedNeighbors(before: 3, after: 4)]
  ]

  @Test("an id on two pages as at the last walk, with the same neighbours, is a fault of the list")
  func standingPair() throws {
    var list = EditedList([1, 2, 3, 3, 4, 5])
    let certificate = try list.walk { ListWalk(pageSize: 3, previousRepeats: Self.pair) }
    #expect(list.pages == [1, 2])
    #expect(certificate.listedTwice == 1 && certificate.drift == 0 && certificate.deficit == 0)
    #expect(certificate.isFresh)
    #expect(certificate.status == .inconsistent, "that nothing moved is not proven")
  }

  @Test("with other neighbours, or any other sign, the pages are read again", arguments: 1...4)
  func otherPair(_ difference: Int) throws {
    var list = EditedList(difference == 1 ? [1, 2, 3, 3, 5, 4] : [1, 2, 3, 3, 4, 5])
    if difference == 2 { list.items = [1, 3, 2, 3, 4, 5] }
    if difference == 3 { list.items += [1] }
    if difference == 4 { list.edits[2] = { $0.removeLast() } }
    let certificate = try list.walk { ListWalk(pageSize: 3, previousRepeats: Self.pair) }
    #expect(certificate.listedTwice == 0)
    #expect(list.pages.count > 3 && certificate.rewalked > 0)
  }

  @Test("pages that a run had read again are replayed by one that knows the pair")
  func replayedPair() throws {
    var list = EditedList([1, 2, 3, 3, 4, 5])
    let certificate = try walk(&list)
    var again = ListWalk(pageSize: 3, previousRepeats: Self.pair)
    let step = list.stored.reduce(again.start) { again.replay($1) }
    #expect(step == .end(certificate.endedBy))
    #expect(again.certificate(endedBy: certificate.endedBy) == certificate)
  }

  @Test("a list with holes, or with an item whose id is unreadable, is not read again")
  func hopeless() throws {
    var holes = EditedList(1...15)
    holes.edits[4] = { $0.removeFirst() }
    holes.faults[2] = .notFound
    #expect(try walk(&holes).status == .partial)
    #expect(holes.pages == [1, 2, 3, 4, 5])
    var unreadable = EditedList(1...9)
    unreadable.edits[2] = { $0.removeFirst() }
    unreadable.faults[3] = .naming([7, nil])
    #expect(try walk(&unreadable).rewalked == 0)
  }

  @Test("a removal and a climb in a short list: the certificate counts what is published, the last pass")
  func removedAndClimbed() throws {
    var list = EditedList(1...499)
    list.edits[3] = { items in
      items.remove(at: 5)
      items.insert(items.remove(at: 398), at: 2)
    }
    let (certificate, published) = try list.walkAndPublish { ListWalk(pageSize: 50) }
    #expect(certificate.complete)
    #expect(certificate.claimedTotal == 498)
    #expect(certificate.distinctKeys == 498)
    #expect(published.symmetricDifference(list.items) == [])
  }

  @Test("a pass that cannot be ended is not published: the one before it is")
  func brokenPass() throws {
    var list = EditedList(1...9)
    list.edits[2] = { $0.removeFirst() }
    list.failures = [5]
    let (certificate, published) = try list.walkAndPublish { ListWalk(pageSize: 3) }
    #expect(certificate.status == .inconsistent)
    #expect(published == [1, 2, 3, 5, 6, 7, 8, 9], "the first pass, which missed 4")
    #expect(certificate.distinctKeys == 8)
  }

  @Test("a removal before the reader: the page before is read again until it stays the same, and finds what slid there")
  func band() throws {
    var list = EditedList(1...36)
    list.edits[6] = { $0.remove(at: 1) }
    let certificate = try walk(&list)
    #expect(list.pages == Array(1...12) + [5, 6, 5])
    #expect(list.seen == Set(1...36))
    #expect(certificate.status == .inconsistent, "2 was removed from a page that is not read again")
    #expect(certificate.unaccounted == 1, "13 slid to page 4")
    #expect(certificate.distinctKeys == 36)
    #expect(certificate.claimedTotal == 35)
  }

  @Test("an item that moved to a page that is read again is placed there")
  func placed() throws {
    var list = EditedList(1...36)
    list.edits[6] = { $0.insert(99, at: 0) }
    let (certificate, published) = try list.walkAndPublish { ListWalk(pageSize: 3) }
    #expect(list.pages == Array(1...13) + [5, 6, 5])
    #expect(certificate.unaccounted == 0)
    #expect(certificate.distinctKeys == published.count)
    #expect(certificate.deficit == 1, "99 was not read")
  }

  @Test("after many removals, what slid over the page boundary is found further up")
  func reach() throws {
    var list = EditedList(1...72)
    list.edits[5] = { $0.removeFirst() }
    list.edits[9] = { $0.removeFirst(3) }
    let certificate = try walk(&list)
    #expect(list.seen.isSuperset(of: [13, 25]))
    #expect(list.seen == Set(1...72))
    #expect(certificate.status == .inconsistent)
    #expect(certificate.unaccounted > 0)
  }

  @Test("a removal after the reader looks the same, so the count does not fit, and the walk says so")
  func removedUnread() throws {
    var list = EditedList(1...36)
    list.edits[6] = { $0.remove(at: 30) }
    let certificate = try walk(&list)
    #expect(certificate.status == .inconsistent)
    #expect(certificate.distinctKeys == 35)
  }

  @Test("an item that moves from unread to read pages is missed, and the walk says so")
  func movedUp() throws {
    var list = EditedList(1...36)
    list.edits[6] = { $0.insert($0.remove(at: 30), at: 0) }
    let certificate = try walk(&list)
    #expect(!list.seen.contains(31))
    #expect(certificate.status == .inconsistent)
  }

  @Test("a pair on one page that is pushed to the next one is counted once")
  func pushedPair() throws {
    var list = EditedList(Array(1...8) + (8...36))
    list.edits[4] = { $0.insert($0.remove(at: 29), at: 0) }
    let certificate = try walk(&list)
    #expect(list.pages == Array(1...13) + [3, 4, 3])
    #expect(!list.seen.contains(29))
    #expect(certificate.repeats == 1)
    #expect(certificate.status == .inconsistent)
  }

  @Test("a pair that is pushed to the next page as a whole is counted once")
  func pushedWholePair() throws {
    var list = EditedList(Array(1...8) + (8...36))
    list.edits[4] = { items in
      for _ in 0..<2 { items.insert(items.remove(at: 30), at: 0) }
    }
    #expect(try walk(&list).repeats == 1)
  }

  @Test("items that appear while pages are read again do not make up for missed ones")
  func insertedMeanwhile() throws {
    var list = EditedList(1...36)
    list.edits[6] = { $0.remove(at: 30) }
    list.edits[13] = { $0.insert(99, at: 12) }
    list.edits[14] = { $0.removeLast() }
    let certificate = try walk(&list)
    #expect(list.pages == Array(1...12) + [5, 6, 4, 5, 6])
    #expect(!list.seen.contains(31))
    #expect(certificate.deficit == 0)
    #expect(certificate.status == .inconsistent)
  }

  @Test("more signs than may be read again settle nothing, and cost the bound")
  func cut() throws {
    var list = EditedList(1...120)
    for request in stride(from: 3, through: 39, by: 3) { list.edits[request] = { $0.removeFirst() } }
    let certificate = try walk(&list)
    #expect(certificate.status == .inconsistent)
    #expect(certificate.rewalked <= Limits.rewalkPages + 40 / Limits.pagesPerRewalkPage)
  }

  @Test("a list whose end brought nothing to store remembers its end, so that a new process resumes reading again")
  func resume() throws {
    var list = EditedList(1...9)
    list.tellsEnd = false
    list.edits[2] = { $0.removeFirst() }
    #expect(try walk(&list).complete)
    #expect(list.stored.map(\.endedBy) == [nil, nil, nil, .notFound, nil, nil, nil, nil])
  }
}
