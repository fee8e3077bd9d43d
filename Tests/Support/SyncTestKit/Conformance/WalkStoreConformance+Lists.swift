import SyncCore

/// The checks of walks of several lists.
extension WalkStoreConformance {
  private static func stream(_ test: WalkStoreUnderTest, lists names: [String]) -> StreamDescription {
    var stream = test.list
    stream.lists = StreamLists(names.map { StreamList(name: $0, values: [$0]) })
    return stream
  }

  private static func ending(
    _ first: Int, status: ListStatus = .complete, claimed: Int?, items: Int
  ) -> ListEnding {
    var certificate = Certificate(
      complete: [.complete, .unproven].contains(status), endedBy: status == .partial ? .failed : .noNextPage,
      claimedTotal: claimed, distinctKeys: items, repeats: 1, drift: 2, rewalked: 3, holes: [], unreadable: 4,
      unaccounted: 5, listedTwice: 6, evidence: status == .unproven ? nil : .total)
    certificate.requireEvidence()
    return ListEnding(certificate: certificate, firstReading: first)
  }

  func lists(_ test: WalkStoreUnderTest) async throws {
    let stream = Self.stream(test, lists: ["a", "b", "c", "d", "e"])
    var first = try await WalkScript(test.other, stream, test)
    try promise(first.open.endedLists?.names, [], "a walk begins without lists that have ended")
    try promise(first.open.readings, 0, "and without readings")

    var tally = ListTally()
    var number = 0
    func reading(_ list: String, page: Int? = 1, _ keys: [Int64], _ ending: ListEnding? = nil) -> StoredPage {
      number += 1
      if let ending { tally.add(ending.status, ending.certificate) }
      return StoredPage(number: 1, page: page, keys: keys, unreadable: 0, claim: PageClaim(total: 9, next: "\(number)"))
        .numbered(number, of: ListReading(name: list, ending: ending))
    }
    try await first.commit(reading("a", [1, 2]), [1, 2])
    try await first.commit(reading("a", page: 2, [3], Self.ending(1, claimed: nil, items: 3)), [3])
    try await first.commit(reading("b", page: nil, [], Self.ending(3, status: .partial, claimed: nil, items: 0)))
    try await first.commit(reading("c", [4], Self.ending(4, status: .unproven, claimed: .max, items: 1)), [4])
    try await first.commit(reading("d", [5], Self.ending(5, claimed: -8, items: 1)), [5])
    try await first.commit(reading("e", [6, 7]), [6, 7])
    try await first.commit(reading("e", page: 2, [8]), [8])
    _ = try await first.finish(.interrupted)
    tally.readings = 5

    let again = try await test.store.open(stream, fresh: false)
    try promise(again.pages, Array(first.readings.suffix(2)), "only the readings of the unfinished list are replayed")
    try promise(again.endedLists?.names, ["a", "b", "c", "d"], "the lists that have ended are known")
    try promise(again.endedLists?.tally, tally, "with the sums of their certificates")
    try promise(again.readings, 7, "and all readings count")
    guard test.parts.contains(.writes) else { return }

    // `e` is no list of the stream any more, and `f` is new.
    var next = WalkScript(test.store, Self.stream(test, lists: ["a", "f"]), test, again)
    try await next.commit(reading("f", [9], Self.ending(8, claimed: 1, items: 1)), [9])
    try await next.commit(StoredPage(number: 9, page: nil, keys: [], unreadable: 0, claim: PageClaim(), missed: 1))
    _ = try await next.finish(.interrupted, committed: 9)
    tally.readings = 6
    let last = try await test.other.open(stream, fresh: false)
    try promise(last.pages.map(\.number), [6, 7, 9], "batches are replayed too, in the order of their numbers")
    try promise(last.pages.map(\.list?.name), ["e", "e", nil], "a batch belongs to no list")
    try promise(last.endedLists?.names, ["a", "b", "c", "d", "f"], "a new list can end")
    try promise(last.endedLists?.tally, tally, "its sums are added")
    try promise(last.readings, 9, "all readings count")
  }

  func cachedPagesOfLists(_ test: WalkStoreUnderTest) async throws {
    let stream = Self.stream(test, lists: ["a", "b"])
    var first = try await WalkScript(test.other, stream, test)
    func page(_ number: Int, _ list: String, _ page: Int, _ keys: [Int64], _ ending: ListEnding? = nil) -> PageCommit {
      let stored = StoredPage(number: 1, page: page, keys: keys, unreadable: 0, claim: PageClaim(next: "next"))
        .numbered(number, of: ListReading(name: list, ending: ending))
      let address = PageAddress(page: page, size: stream.pageSize, next: page == 1 ? nil : "next").of(list: list)
      let rows = keys.map { PageCommit.Row(item: test.item(stream, $0, 0), isDuplicate: false) }
      return PageCommit(
        page: stored,
        origin: PageCommit.Origin(address: address, validators: Validators(etag: "same", lastModified: nil)),
        rows: rows, rejected: [], counters: RunCounters(), requestedAt: .zero)
    }
    try await first.commit([
      page(1, "a", 1, [1]), page(2, "a", 2, [2], Self.ending(1, claimed: nil, items: 2)), page(3, "b", 1, [3]),
      page(4, "b", 2, [4], Self.ending(3, claimed: nil, items: 2)),
    ])
    _ = try await first.finish()

    let open = try await test.store.open(stream, fresh: false)
    let cached = try await test.store.cachedPages(in: open, stream: stream, after: 0, limit: 10).pages
    try promise(cached.map(\.address.list), ["a", "a", "b", "b"], "a known page belongs to its list")
    try promise(cached.map(\.address.next), [nil, "next", nil, "next"], "no page before it names page 1 of a list")
    try promise(cached.map(\.keys), [[1], [2], [3], [4]], "a page of another list does not supersede it")
  }

  func itemOfTwoLists(_ test: WalkStoreUnderTest) async throws {
    let stream = Self.stream(test, lists: ["a", "b"])
    var script = try await WalkScript(test.store, stream, test)
    // The walk has forgotten the keys of list a when list b has one of them.
    let pages = zip(["a", "b"], [[1, 2], [2]] as [[Int64]]).enumerated().map { index, list -> PageCommit in
      let (name, keys) = list
      let ending = Self.ending(index + 1, claimed: nil, items: keys.count)
      let stored = StoredPage(number: 1, page: 1, keys: keys, unreadable: 0, claim: PageClaim())
        .numbered(index + 1, of: ListReading(name: name, ending: ending))
      var counters = RunCounters()
      counters.rowsSeen = keys.count
      let rows = keys.map { PageCommit.Row(item: test.item(stream, $0, 0), isDuplicate: false) }
      return PageCommit(page: stored, rows: rows, rejected: [], counters: counters, requestedAt: .zero)
    }
    try await script.commit(pages)
    try promise(script.counters.rowsSeen, 3, "each row of a list is counted")
    try promise(script.counters.inserted, 2, "an item of two lists is inserted once")
    let counters = script.counters
    try promise(counters.inserted + counters.unchanged + counters.duplicates, 3, "and each row has one outcome")
  }
}
