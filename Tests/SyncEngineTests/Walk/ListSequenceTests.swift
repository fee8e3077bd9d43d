import SyncCore
import SyncTestKit
import Testing

@testable import SyncEngine

@Suite("The rules of a walk through several lists")
struct ListSequenceTests {
  /// The lists of a test's service, with changes before certain requests.
  struct Lists {
    var items: [String: [Int64]]
    var serving = ListServing()
    /// Changes by list and number (from 1) of the request for the list.
    var edits: [String: [Int: EditedList.Edit]] = [:]
    /// Answers instead of the list's pages. `nil` is a page that is unavailable.
    var answers: [String: [Int: Page?]] = [:]
    private(set) var asked: [PageAddress] = []
    private var counts: [String: Int] = [:]

    var places: [String] { asked.map(\.place) }

    init(_ items: [String: [Int64]], _ serving: ListServing = ListServing()) {
      self.items = items
      self.serving = serving
    }

    /// - Parameter list: The list of an address without a list.
    mutating func answer(_ address: PageAddress, list: String) -> Page? {
      asked.append(address)
      let name = address.list ?? list
      let count = counts[name, default: 0] + 1
      counts[name] = count
      edits[name]?[count]?(&items[name, default: []])
      if let answer = answers[name]?[count] { return answer }
      return serving.page(address, of: items[name, default: []])
    }
  }

  /// A walk with the readings that it stored.
  struct Walked {
    /// The state after a stored reading.
    struct Moment: Equatable {
      let step: WalkStep
      let certificate: Certificate
      let advertised: Int?
    }

    var walk: any Walk
    var step: WalkStep
    var stored: [StoredPage] = []
    private(set) var moments: [Moment] = []
    /// The answers, each with the number of readings before it. `nil` is a page that is unavailable.
    private(set) var answers: [(address: PageAddress, page: Page?, before: Int)] = []

    init(_ walk: any Walk, step: WalkStep, stored: [StoredPage] = []) {
      self.walk = walk
      self.step = step
      self.stored = stored
    }

    var certificate: Certificate {
      if case .end(let reason) = step { walk.certificate(endedBy: reason) } else { walk.certificate(endedBy: .failed) }
    }

    var moment: Moment {
      Moment(step: step, certificate: walk.certificate(endedBy: .interrupted), advertised: walk.advertisedPages)
    }

    /// Passes an answer to the walk. A refused page is skipped, as by the state machine.
    mutating func receive(_ page: Page?, at address: PageAddress) throws(SyncError) {
      answers.append((address, page, stored.count))
      let reading = try reading(of: page, at: address)
      step = reading.step
      guard let page = reading.stored else { return }
      stored.append(page)
      moments.append(moment)
    }

    private mutating func reading(of page: Page?, at address: PageAddress) throws(SyncError) -> Reading {
      guard let page else { return walk.skip(address) }
      do throws(SyncError) {
        return try walk.receive(page, at: address, request: request)
      } catch {
        guard walk.continuesAfterRefusal, error.isAboutList else { throw error }
        return walk.skip(address)
      }
    }
  }

  static let request = UpstreamRequest(url: "http://test/list")

  /// Reads at most `limit` pages.
  /// - Parameter list: The list of a walk through one list.
  static func read(
    _ lists: inout Lists, _ walked: inout Walked, list: String = "", limit: Int = 1000
  ) throws {
    var left = limit
    while left > 0, case .fetch(let address) = walked.step {
      try #require(lists.asked.count < 10_000, "the walk does not end")
      try walked.receive(lists.answer(address, list: list), at: address)
      left -= 1
    }
  }

  /// Opens a walk after its first readings.
  static func resumed(_ stream: StreamDescription, after stored: [StoredPage] = []) -> Walked {
    let lists = WalkedLists(stored)
    let open = OpenWalk(
      runID: "run", walkID: 1, generation: 1, leaseTTL: nil, pages: lists.replayed, endedLists: lists.endedLists,
      databaseTime: 0)
    var walk = ListSequence(stream, continuing: open)
    let step = open.pages.reduce(walk.start) { walk.replay($1) }
    return Walked(walk, step: step, stored: stored)
  }

  static func walk(
    _ lists: inout Lists, _ names: [String], after stored: [StoredPage] = [], limit: Int = 1000
  ) throws -> Walked {
    var walked = resumed(lists.serving.stream(names), after: stored)
    try read(&lists, &walked, limit: limit)
    return walked
  }

  static func items(_ first: Int64, _ count: Int) -> [Int64] { (0..<Int64(count)).map { first + $0 } }

  static func endings(_ stored: [StoredPage]) -> [String: ListEnding] {
    Dictionary(uniqueKeysWithValues: WalkedLists(stored).ended.map { ($0.name, $0.ending) })
  }

  // MARK: Reading

  @Test("each list is read as if the stream had no other list", arguments: ListServing.all)
  func likeOneList(_ serving: ListServing) throws {
    let counts = [0, 1, 3, 4, 6, 7, 0, 12]
    let names = counts.indices.map { "list \($0)" }
    var lists = Lists([:], serving)
    for (index, name) in names.enumerated() { lists.items[name] = Self.items(Int64(100 * index), counts[index]) }
    let walked = try Self.walk(&lists, names)
    #expect(walked.step == .end(.lists))
    #expect(walked.stored.map(\.number) == Array(1...walked.stored.count), "readings are numbered without gaps")

    var before = 0
    var largestPage = 0
    for name in names {
      let stream = serving.stream([name])
      let single = stream.listWalk(largestOtherPage: largestPage)
      var alone = Walked(single, step: single.start)
      var other = Lists(lists.items, serving)
      try Self.read(&other, &alone, list: name)
      var certificate = alone.certificate
      if stream.enumerates { certificate.requireEvidence() }

      #expect(lists.asked.filter { $0.list == name }.map { $0.of(list: nil) } == other.asked)
      let readings = walked.stored.filter { $0.list?.name == name }
      let last = try #require(readings.last)
      #expect(last.list?.ending?.certificate == certificate, "\(name)")
      #expect(last.list?.ending?.firstReading == before + 1 && last.list?.ending?.superseded == [])
      #expect(readings.dropLast().allSatisfy { $0.list?.ending == nil }, "only the last reading has the ending")
      #expect(readings.filter { $0.page != nil }.map { $0.numbered($0.number - before, of: nil) } == alone.stored)
      #expect(readings.count == alone.stored.count || readings.count == alone.stored.count + 1 && last.keys == [])
      before += readings.count
      largestPage = max(largestPage, alone.stored.map { $0.keys?.count ?? 0 }.max() ?? 0)
    }

    let endings = Self.endings(walked.stored)
    var certificate = walked.certificate
    if serving.stream([""]).enumerates { certificate.requireEvidence() }
    #expect(certificate.distinctKeys == counts.reduce(0, +) && certificate.endedBy == .lists)
    #expect(certificate.claimedTotal == (serving.tellsTotal ? counts.reduce(0, +) : nil))
    #expect(certificate.lists?.total == names.count)
    #expect(certificate.lists?.complete == endings.values.count { $0.status == .complete })
    #expect(certificate.complete == endings.values.allSatisfy { $0.status == .complete })
    let isProven = serving.tellsTotal || serving.isByKey || [.positions, .single].contains(serving.method)
    if serving.end == .flag { #expect(certificate.complete == isProven) }
  }

  @Test("a stream without lists is complete with 0 items, without a request")
  func noLists() throws {
    for stream in [ListServing().stream([String]()), ListServing(method: .chain).stream([String]())] {
      let walked = Self.resumed(stream)
      #expect(walked.step == .end(.lists))
      var certificate = walked.certificate
      certificate.requireEvidence()
      #expect(certificate.status == .complete && certificate.distinctKeys == 0 && certificate.mayPublish)
      #expect(certificate.lists?.total == 0 && walked.walk.advertisedPages == 0)
    }
  }

  @Test("lists that are not requested are not read, and count nowhere")
  func unrequested() throws {
    var lists = Lists(["a": [1], "b": [2], "c": [3]])
    let stream = lists.serving.stream([
      StreamList(name: "a", values: [], isRequested: false), StreamList(name: "b", values: [], version: "7"),
      StreamList(name: "c", values: [], isRequested: false),
    ])
    var walked = Self.resumed(stream)
    try Self.read(&lists, &walked)
    #expect(lists.asked.map(\.list) == ["b"])
    #expect(walked.certificate.lists?.counts == [1, 1, 0, 0, 0, 0])
    #expect(Self.endings(walked.stored)["b"]?.version == "7")
  }

  @Test("only the items of the present list are known")
  func knowsPresentList() throws {
    var lists = Lists(["a": [1, 2], "b": [3, 4, 5, 6]])
    let walked = try Self.walk(&lists, ["a", "b"], limit: 2)
    #expect(walked.walk.hasSeen(3) && !walked.walk.hasSeen(1))
  }

  @Test("a walk keeps nothing of the lists that it has read but sums")
  func memory() throws {
    func size(afterLists count: Int) throws -> Int {
      let names = (1...2000).map { "list \($0)" }
      var lists = Lists([:])
      for (index, name) in names.enumerated() { lists.items[name] = Self.items(Int64(10 * index), 4) }
      return try Self.parts(of: Self.walk(&lists, names, limit: 2 * count).walk)
    }
    let before = try size(afterLists: 10)
    #expect(try size(afterLists: 1900) == before)
    #expect(before > 2000, "the names of the lists to read are counted")
  }

  /// The number of all values in a value, the elements of its collections included.
  private static func parts(of value: Any) -> Int {
    Mirror(reflecting: value).children.reduce(1) { $0 + parts(of: $1.value) }
  }

  @Test("two pages with the same place in two lists are different pages, and the stored form of both is the same")
  func addresses() {
    let page = PageAddress(page: 2, size: 3)
    #expect(page.of(list: "a") != page.of(list: "b") && page.of(list: "a") != page)
    #expect(page.of(list: "a").text == page.of(list: "b").text && page.of(list: "a").of(list: nil) == page)
  }

  // MARK: Lists that change

  @Test("a list that changed is read again: its earlier readings are not published, and other lists are not affected")
  func readAgain() throws {
    var lists = Lists(["a": [1, 2, 3, 4], "b": Self.items(10, 9), "c": [30, 31]])
    lists.edits["b"] = [2: { $0.removeFirst() }]
    let walked = try Self.walk(&lists, ["a", "b", "c"])
    let ending = try #require(Self.endings(walked.stored)["b"])
    #expect(lists.asked.filter { $0.list == "b" }.map(\.page) == [1, 2, 3, 1, 2, 3])
    #expect(ending.firstReading == 3 && ending.superseded == [3..<6])
    #expect(ending.status == .complete && ending.certificate.rewalked == 3)
    let places = WalkedLists(walked.stored)
    #expect(places.ended.map(places.places(of:)) == [[1, 2, 3, 4], Self.items(11, 8), [30, 31]])
    #expect(walked.certificate.complete && walked.certificate.distinctKeys == 14 && walked.certificate.rewalked == 3)
    #expect(walked.certificate.drift == ending.certificate.drift && walked.certificate.claimedTotal == 14)
  }

  @Test("if the second reading breaks off, the first one is published")
  func readAgainInVain() throws {
    var lists = Lists(["a": [1], "b": Self.items(10, 9), "c": [30]])
    lists.edits["b"] = [2: { $0.removeFirst() }]
    lists.answers["b"] = [5: Page?.none]
    let walked = try Self.walk(&lists, ["a", "b", "c"])
    let ending = try #require(Self.endings(walked.stored)["b"])
    #expect(ending.firstReading == 2 && ending.superseded == [5..<7])
    #expect(ending.status == .inconsistent && ending.publishes)
    let places = WalkedLists(walked.stored)
    #expect(places.ended.map(places.places(of:)) == [[1], [10, 11, 12, 14, 15, 16, 17, 18], [30]])
    #expect(walked.certificate.status == .inconsistent && walked.certificate.mayPublish)
  }

  @Test("if only the pages around a change are read again, all readings are published")
  func readPartlyAgain() throws {
    var lists = Lists(["a": [1], "b": Self.items(10, 36), "c": [90]])
    lists.edits["b"] = [6: { $0.insert(99, at: 0) }]
    let walked = try Self.walk(&lists, ["a", "b", "c"])
    let ending = try #require(Self.endings(walked.stored)["b"])
    #expect(ending.superseded == [] && ending.certificate.rewalked == 3 && ending.status == .inconsistent)
    let places = WalkedLists(walked.stored)
    #expect(places.ended.map { places.places(of: $0).count } == [1, ending.certificate.distinctKeys, 1])
  }

  @Test("a list that is read again at its end, after a 404")
  func readAgainAfterNotFound() throws {
    var lists = Lists(
      ["a": Self.items(1, 6), "b": Self.items(10, 2)], ListServing(tellsTotal: true, end: .notFound))
    lists.edits["a"] = [2: { $0.removeFirst() }]
    let walked = try Self.walk(&lists, ["a", "b"])
    let ending = try #require(Self.endings(walked.stored)["a"])
    let readings = walked.stored.filter { $0.list?.name == "a" }
    #expect(ending.superseded.count == 1 && ending.superseded.first?.lowerBound == 1)
    #expect(ending.status == .complete && readings.last?.list?.ending == ending)
    let places = WalkedLists(walked.stored)
    #expect(places.ended.map(places.places(of:)) == [Self.items(2, 5), [10, 11]])
  }

  // MARK: Certificates

  private static func certificate(
    _ status: ListStatus, claimed: Int? = nil, items: Int = 0
  ) -> Certificate {
    Certificate(
      complete: status == .complete, endedBy: status == .partial ? .failed : .noNextPage, claimedTotal: claimed,
      distinctKeys: items, repeats: 1, drift: 2, rewalked: 3, holes: [], unreadable: 4, unaccounted: 5, listedTwice: 6)
  }

  @Test("the walk is complete only if each list is complete with evidence, or ignored")
  func statuses() {
    let cases: [(lists: [ListStatus], status: RunStatus)] = [
      ([.complete, .complete], .complete), ([.complete, .ignored], .complete), ([.ignored], .complete),
      ([.complete, .unproven], .unproven), ([.unproven, .ignored], .unproven), ([.unproven], .unproven),
      ([.complete, .inconsistent], .inconsistent), ([.unproven, .inconsistent], .inconsistent),
      ([.complete, .partial], .partial), ([.inconsistent, .partial], .partial), ([.unproven, .partial], .partial),
      ([], .complete),
    ]
    for (lists, status) in cases {
      var tally = ListTally()
      for list in lists { tally.add(list, Self.certificate(list)) }
      var certificate = tally.certificate(endedBy: .lists, of: lists.count)
      certificate.requireEvidence()
      #expect(certificate.status == status, "\(lists)")
      #expect(certificate.complete == (status == .complete) && certificate.unproven == (status == .unproven))
      #expect(certificate.mayPublish)
      let counts = ListStatus.allCases.map { status in lists.count { $0 == status } }
      #expect(certificate.lists?.counts == [lists.count] + counts)

      for reason in [Certificate.EndedBy.maxPages, .interrupted, .failed] {
        var stopped = tally.certificate(endedBy: reason, of: lists.count)
        stopped.requireEvidence()
        #expect(!stopped.isWhole, "\(reason)")
      }
      var short = tally.certificate(endedBy: .lists, of: lists.count + 1)
      short.requireEvidence()
      #expect(!short.isWhole, "a list is missing")
    }
  }

  @Test("items that only lookups found make an unproven walk inconsistent, and no other")
  func missed() {
    for (list, status) in [(ListStatus.unproven, RunStatus.inconsistent), (.complete, .complete)] {
      var tally = ListTally()
      tally.add(.complete, Self.certificate(.complete))
      tally.add(list, Self.certificate(list))
      var certificate = tally.certificate(endedBy: .lists, of: 2)
      certificate.requireEvidence(missed: 3)
      #expect(certificate.status == status && certificate.missed == (list == .unproven ? 3 : 0))
    }
  }

  @Test("numbers are summed; a list without a claim counts its items; no claim at all is none")
  func sums() {
    var tally = ListTally()
    tally.add(.complete, Self.certificate(.complete, items: 3))
    #expect(tally.certificate(endedBy: .lists, of: 1).claimedTotal == nil)
    tally.add(.complete, Self.certificate(.complete, claimed: 7, items: 5))
    #expect(tally.certificate(endedBy: .lists, of: 2).claimedTotal == 10)
    tally.add(.complete, Self.certificate(.complete, items: 4))
    tally.add(.inconsistent, Self.certificate(.inconsistent, claimed: -9, items: 2), count: 3)
    let certificate = tally.certificate(endedBy: .lists, of: 6)
    #expect(certificate.claimedTotal == 14 && certificate.distinctKeys == 14 && tally.lists.values.reduce(0, +) == 6)
    #expect(certificate.lists?.inconsistent == 3)
    #expect([certificate.repeats, certificate.drift, certificate.rewalked] == [4, 8, 12])
    #expect([certificate.unreadable, certificate.unaccounted, certificate.listedTwice] == [16, 20, 24])
  }

  @Test("absurd claims of several lists do not overflow")
  func absurdClaims() throws {
    var lists = Lists(["a": [1], "b": [2], "c": [3]])
    for name in ["a", "b"] {
      lists.answers[name] = [1: TestPage([1], total: .max, last: .max, hasNext: true).page, 2: Page.notFound]
    }
    let walked = try Self.walk(&lists, ["a", "b", "c"])
    #expect(walked.certificate.claimedTotal == .max && !walked.certificate.isWhole)
    #expect(walked.moments.allSatisfy { $0.advertised != nil })
  }

  @Test("a walk that stops counts the present list's items, and the list in none but the total")
  func stopped() throws {
    var lists = Lists(["a": [1, 2], "b": Self.items(10, 7), "c": [90]])
    let walked = try Self.walk(&lists, ["a", "b", "c"], limit: 3)
    for reason in [Certificate.EndedBy.maxPages, .interrupted, .failed] {
      let certificate = walked.walk.certificate(endedBy: reason)
      #expect(certificate.distinctKeys == 8 && certificate.claimedTotal == 9 && certificate.endedBy == reason)
      #expect(certificate.lists?.counts == [3, 1, 0, 0, 0, 0])
      #expect(!certificate.isWhole && !certificate.isFresh)
    }
  }

  @Test("the advertised pages are never fewer than the readings, and end with their number", arguments: ListServing.all)
  func advertised(_ serving: ListServing) throws {
    var lists = Lists(["a": Self.items(1, 12), "b": [], "c": Self.items(50, 4), "d": Self.items(60, 3)], serving)
    if !serving.isByKey { lists.edits["a"] = [2: { $0.removeFirst() }] }
    let walked = try Self.walk(&lists, ["a", "b", "c", "d"])
    for (reading, moment) in zip(walked.stored, walked.moments) {
      #expect(try #require(moment.advertised) >= reading.number)
    }
    #expect(walked.moments.last?.advertised == walked.stored.count)
  }

  // MARK: Refused and unavailable lists

  @Test("a refused or unavailable list is partial and keeps its places; the next list is read", arguments: 0...2)
  func refused(index: Int) throws {
    let names = ["a", "b", "c"]
    let isEnd: [Page?] = [.notFound, Page?.none, .refused(SyncError(.upstream, "answered 400")), .naming([])]
    for answer in isEnd {
      var lists = Lists(["a": [1, 2], "b": [3, 4], "c": [5, 6]])
      lists.answers[names[index]] = [1: answer]
      let walked = try Self.walk(&lists, names)
      #expect(lists.asked.map(\.list) == names, "each list is requested")
      #expect(walked.step == .end(.lists) && walked.stored.map(\.number) == [1, 2, 3])
      let ending = try #require(Self.endings(walked.stored)[names[index]])
      #expect(ending.status == .partial && !ending.publishes && ending.certificate.endedBy == .failed)
      #expect(walked.stored[index].page == nil && walked.stored[index].keys == [])
      #expect(walked.certificate.status == .partial && !walked.certificate.isFresh)
      #expect(walked.certificate.mayPublish && walked.certificate.distinctKeys == 4)
      #expect(walked.certificate.lists?.counts == [3, 2, 0, 0, 1, 0])
    }
  }

  @Test("a page that is unavailable in the middle is a hole, and in a chain the end of its list")
  func middle() throws {
    var pages = Lists(["a": Self.items(1, 9), "b": [20]])
    pages.answers["a"] = [2: Page?.none]
    let walked = try Self.walk(&pages, ["a", "b"])
    #expect(Self.endings(walked.stored)["a"]?.certificate.holes == [2])
    #expect(Self.endings(walked.stored)["a"]?.publishes == false && walked.certificate.lists?.partial == 1)
    #expect(walked.certificate.distinctKeys == 7 && walked.certificate.holes == [])

    var chain = Lists(["a": Self.items(1, 9), "b": [20]], ListServing(method: .chain, isByKey: true))
    chain.answers["a"] = [2: Page?.none]
    let chained = try Self.walk(&chain, ["a", "b"])
    #expect(chain.places == ["a 1", "a k3", "b 1"])
    let ending = try #require(Self.endings(chained.stored)["a"])
    #expect(ending.status == .partial && ending.firstReading == 1 && chained.stored.count == 3)
    #expect(chained.certificate.distinctKeys == 4 && chained.certificate.status == .partial)
  }

  @Test("ten lists in a row that are refused end the walk, and an answer in between begins a new count")
  func refusalLimit() throws {
    let names = (1...25).map { "list \($0)" }
    var lists = Lists([:])
    for name in names { lists.answers[name] = [1: .notFound] }
    #expect(throws: SyncError.self) { try Self.walk(&lists, names) }
    #expect(lists.asked.count == Limits.refusedLists)

    var answering = Lists([names[9]: [1], names[19]: [2]])
    for name in names where answering.items[name] == nil { answering.answers[name] = [1: .notFound] }
    let walked = try Self.walk(&answering, names)
    #expect(walked.step == .end(.lists) && walked.certificate.lists?.partial == 23)
  }

  @Test("holes within a list do not count as refused lists")
  func holesAreNoRefusals() throws {
    var lists = Lists(["a": Self.items(1, 60), "b": [99]])
    lists.answers["a"] = Dictionary(uniqueKeysWithValues: (2...15).map { ($0, Page?.none) })
    var walked = Self.resumed(lists.serving.stream(["a", "b"]))
    try Self.read(&lists, &walked, limit: 15)
    #expect(walked.walk.continuesAfterRefusal)
    try Self.read(&lists, &walked)
    #expect(walked.certificate.lists?.partial == 1 && walked.certificate.lists?.complete == 1)
  }

  @Test("after a page that fails, the next page of the list is requested, or the first page of a later list")
  func laterPages() throws {
    var lists = Lists(["a": Self.items(1, 9), "b": [20], "c": [30]])
    let names = ["a", "b", "c"]
    let start = Self.resumed(lists.serving.stream(names)).walk
    let first = PageAddress(page: 1, size: 3)
    #expect(start.address(1, behind: first.of(list: "a")) == first.of(list: "b"))
    #expect(start.address(2, behind: first.of(list: "a")) == first.of(list: "c"))
    #expect(start.address(3, behind: first.of(list: "a")) == nil)
    let within = try Self.walk(&lists, names, limit: 1).walk
    let second = PageAddress(page: 2, size: 3).of(list: "a")
    #expect(within.address(1, behind: second) == PageAddress(page: 3, size: 3).of(list: "a"))
    #expect(within.address(0, behind: second) == second)

    // A chain, and a list that is read again, have no later page of their own.
    var chains = Lists(lists.items, ListServing(method: .chain, isByKey: true))
    let chain = try Self.walk(&chains, names, limit: 1)
    guard case .fetch(let next) = chain.step else { return #expect(Bool(false), "\(chain.step)") }
    #expect(next.next == "k3" && chain.walk.address(0, behind: next) == next)
    #expect(chain.walk.address(1, behind: next) == first.of(list: "b"))
    var again = Self.resumed(lists.serving.stream(names))
    lists = Lists(lists.items)
    lists.edits["a"] = [2: { $0.insert(99, at: 0) }]
    try Self.read(&lists, &again, limit: 5)
    #expect(lists.places == ["a 1", "a 2", "a 3", "a 4", "a 1"] && again.step == .fetch(second))
    #expect(again.walk.address(0, behind: second) == second)
    #expect(again.walk.address(1, behind: second) == first.of(list: "b"))
  }
}
