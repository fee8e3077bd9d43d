import SyncCore
import SyncTestKit
import Testing

@testable import SyncEngine

@Suite("The state machine that reads the pages of a walk")
struct WalkStateMachineTests {
  @Test("one request and one commit at a time; what was read meanwhile is in the next commit")
  func order() {
    var driver = Driver(.honest(4))
    #expect(driver.actions() == ["fetch 1"])
    driver.answer()
    #expect(driver.actions() == ["commit 1", "fetch 2"])
    driver.answer()
    #expect(driver.actions() == ["fetch 3"])
    driver.answer()
    driver.committed()
    #expect(driver.actions() == ["commit 2 3", "fetch 4"])
    driver.answer()
    #expect(driver.actions() == [], "the list has ended, and a commit is under way")
    driver.committed()
    #expect(driver.actions() == ["commit 4"])
    driver.committed()
    #expect(driver.actions() == ["end noNextPage"])
    #expect(driver.machine.tally.committed == 4 && driver.machine.tally.counters.requests == 4)
  }

  @Test("a page that fails: a later page is requested, then the page again; the later page is not requested twice")
  func hole() {
    var driver = Driver(.honest(4))
    driver.read(1)
    #expect(driver.requestedPage == 2)
    driver.fail()
    #expect(driver.actions() == ["fetch 3"])
    driver.answer()
    #expect(driver.actions() == ["fetch 2"])
    driver.fail()
    #expect(driver.actions() == ["commit 2", "fetch 4"], "page 2 is a hole, and page 3 waits for the next commit")
    #expect(driver.machine.tally.settled == 3)
  }

  @Test("a request that fails after its retries ends the run if no request of the run got an answer")
  func firstPageFails() {
    var driver = Driver(.honest(4))
    _ = driver.actions()
    driver.fail()
    #expect(driver.actions() == ["end exhausted"])
    #expect(driver.machine.tally.counters.requests == 1)
  }

  @Test("`maxPages` counts settled pages, and what was read is committed before the end")
  func maxPages() {
    var driver = Driver(.honest(4), maxPages: 2)
    driver.read(1)
    _ = driver.actions()
    driver.answer()
    #expect(driver.actions() == ["commit 2"])
    driver.committed()
    #expect(driver.actions() == ["end maxPages"])
  }

  @Test("a resumed walk requests the page after its stored readings, and counts them as committed")
  func resumes() {
    var first = Driver(.honest(3))
    first.read(1)
    first.read(1)
    var second = Driver(.honest(3), resuming: first.committedReadings)
    #expect(second.actions() == ["fetch 3"])
    #expect(second.machine.tally.committed == 2 && second.machine.tally.settled == 0)
    second.answer()
    _ = second.actions()
    second.committed()
    #expect(second.actions() == ["end noNextPage"])
    #expect(second.machine.walk.certificate(endedBy: .noNextPage).distinctKeys == 9)
  }

  @Test("a cancellation stops the next request, and what was read is committed")
  func cancelled() {
    var driver = Driver(.honest(4))
    driver.read(1)
    #expect(driver.requestedPage == 2)
    driver.machine.receive(.cancelled)
    #expect(driver.actions() == [])
    driver.answer()
    #expect(driver.actions() == ["commit 2"])
    driver.committed()
    #expect(driver.actions() == ["end cancelled"])
  }

  @Test("a cancellation after the end of the list does not change the end")
  func cancelledAfterEnd() {
    var driver = Driver(.honest(1))
    _ = driver.actions()
    driver.answer()
    driver.machine.receive(.cancelled)
    #expect(driver.actions() == ["commit 1"])
    driver.committed()
    #expect(driver.actions() == ["end noNextPage"])
  }

  @Test("a commit that fails drops what waits, cancels the rest, and its error replaces every other end")
  func commitFails() {
    var driver = Driver(.honest(3))
    _ = driver.actions()
    driver.answer()
    _ = driver.actions()
    driver.answer()
    #expect(driver.actions() == ["fetch 3"], "page 2 waits for the commit of page 1")
    driver.machine.receive(.committed(.failure(SyncError(.database, "disk full"))))
    #expect(driver.actions() == ["cancelTasks"], "the request is still under way")
    driver.answer()
    #expect(driver.actions() == ["end disk full"])
    #expect(driver.machine.tally.committed == 0)
    #expect(driver.machine.tally.counters.requests == 3, "the request that arrived after the failure is counted")

    var ended = Driver(.honest(1))
    _ = ended.actions()
    ended.answer()
    #expect(ended.actions() == ["commit 1"])
    ended.machine.receive(.committed(.failure(SyncError(.database, "disk full"))))
    #expect(ended.actions() == ["cancelTasks", "end disk full"])
  }

  @Test("an error of the service ends reading after the commit of what was read, and the first error is the end")
  func stopped() {
    var driver = Driver(.honest(4), basis: 7)
    #expect(driver.actions() == ["loadCachedPages 0"], "no page is requested before it can be a cached page")
    driver.loaded(.success(([], 30)))
    #expect(driver.actions() == ["loadCachedPages 30", "fetch 1"])
    driver.answer()
    #expect(driver.actions() == ["commit 1", "fetch 2"])
    driver.stop(SyncError(.upstream, "answered 500"))
    #expect(driver.actions() == [])
    driver.loaded(.failure(SyncError(.database, "connection lost")))
    #expect(driver.actions() == [])
    driver.committed()
    #expect(driver.actions() == ["end answered 500"])
  }

  @Test("cached pages that cannot be loaded end the run")
  func cachedPagesFail() {
    var driver = Driver(.honest(4), basis: 7)
    _ = driver.actions()
    driver.loaded(.failure(SyncError(.database, "connection lost")))
    #expect(driver.actions() == ["end connection lost"])
  }

  @Test("a cached page is requested with its stored version, unless this run has changed one of its items")
  func cachedPages() {
    func cached(_ number: Int) -> CachedPage {
      CachedPage(
        address: PageAddress(page: number, size: 3), reading: number, validators: nil, digest: "d",
        keys: [0, 1, 2].map { Int64(3 * (number - 1) + $0) }, claim: PageClaim())
    }
    var pages = [TestPage].honest(3)
    pages[0].entries.append(.item(6))
    var driver = Driver(pages, basis: 7)
    _ = driver.actions()
    driver.loaded(.success(([cached(2), cached(3)], nil)))
    #expect(driver.actions() == ["fetch 1"])
    driver.answer()
    #expect(driver.actions() == ["commit 1", "fetch 2 cached"])
    driver.committed(changing: 1)
    driver.answer()
    #expect(driver.actions() == ["commit 2", "fetch 3"], "page 1 has changed item 6")
  }

  @Test(
    "whatever the order of results, the walk is the same, and nothing is left out",
    arguments: 1...200 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pages = (0..<Int.random(in: 1...12, using: &random)).map { _ in TestPage.random(&random) }
    var ends: Set<String> = []
    for _ in 0..<4 {
      var driver = Driver(pages)
      driver.finish(&random)
      let keys = driver.committedReadings.map { "\($0.number): \($0.keys ?? [])" }
      ends.insert("\(driver.end ?? "none") \(keys) \(driver.machine.walk.certificate(endedBy: .noNextPage))")
      #expect(driver.committedReadings.map(\.number) == Array(1..<(driver.committedReadings.count + 1)))
    }
    #expect(ends.count == 1, "seed \(seed)")
  }

  @Test("with any failures, the machine ends, and never before its tasks", arguments: 1...400 as ClosedRange<UInt64>)
  func anyFailure(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pages = (0..<Int.random(in: 1...12, using: &random)).map { _ in TestPage.random(&random) }
    var driver = Driver(
      pages, maxPages: Bool.random(using: &random) ? nil : Int.random(in: 0...8, using: &random),
      basis: Bool.random(using: &random) ? 7 : nil)
    driver.finish(&random, failing: 0.15)
    #expect(driver.end != nil, "seed \(seed)")
    #expect(driver.committedReadings.map(\.number) == Array(1..<(driver.committedReadings.count + 1)), "seed \(seed)")
    #expect(driver.machine.tally.committed == driver.committedReadings.count, "seed \(seed)")
    #expect(driver.machine.tally.counters.requests == driver.sent, "seed \(seed)")
  }
}

/// Carries out a machine's actions without tasks. A test decides when and how they end.
private struct Driver {
  private let pages: [TestPage]
  var machine: WalkStateMachine
  private var request: PageRequest?
  private var commit: [PageCommit]?
  private var isLoading = false
  private(set) var sent = 0
  private(set) var committedReadings: [StoredPage] = []
  private(set) var end: String?

  init(_ pages: [TestPage], maxPages: Int? = nil, resuming readings: [StoredPage] = [], basis: Int64? = nil) {
    self.pages = pages
    let open = OpenWalk(
      runID: "run", walkID: 1, generation: 1, leaseTTL: nil, pages: readings, basis: basis, databaseTime: 0)
    machine = WalkStateMachine(AnswerScript(pages), open, maxPages: maxPages)
  }

  /// Carries out the actions until an event must come first, and returns them.
  mutating func actions() -> [String] {
    var texts: [String] = []
    while end == nil, let action = machine.next() {
      switch action {
      case .fetch(let request):
        #expect(self.request == nil)
        self.request = request
        sent += 1
        texts.append("fetch \(request.page.page)\(request.cached == nil ? "" : " cached")")
      case .commit(let readings, _):
        #expect(commit == nil)
        commit = readings
        texts.append("commit " + readings.map { "\($0.page.number)" }.joined(separator: " "))
      case .loadCachedPages(let reading):
        #expect(!isLoading)
        isLoading = true
        texts.append("loadCachedPages \(reading)")
      case .cancelTasks: texts.append("cancelTasks")
      case .end(.success(let reason)): end = "\(reason)"
      case .end(.failure(let error as SyncError)): end = error.message
      case .end(.failure): end = "cancelled"
      }
    }
    if let end { texts.append("end \(end)") }
    return texts
  }

  mutating func answer() {
    let page = request.flatMap { pages.indices.contains($0.page.page - 1) ? pages[$0.page.page - 1].page : nil }
    receive(.answer(FetchedPage(page ?? .notFound, PageCommit.Origin(address: position, validators: nil), build: nil)))
  }

  mutating func fail(isOriginDown: Bool = false) {
    receive(.exhausted(SyncError(.upstream, "exhausted")), isOriginDown: isOriginDown)
  }

  mutating func stop(_ error: any Error) { receive(.stopped(error)) }

  private var position: PageAddress { request?.page ?? PageAddress(page: 1, size: 3) }

  var requestedPage: Int? { request?.page.page }

  private mutating func receive(_ result: Fetcher.Result<FetchedPage>, isOriginDown: Bool = false) {
    guard let request else { return }
    var cost = RunCounters()
    cost.requests = 1
    self.request = nil
    machine.receive(
      .fetched(
        Fetcher.Report(result: result, cost: cost, requestedAt: .zero, isOriginDown: isOriginDown, reservation: nil),
        request))
  }

  /// - Parameter items: The number of rows of the mirror that the commit changed.
  mutating func committed(changing items: Int = 0) {
    guard let commit else { return }
    self.commit = nil
    committedReadings += commit.map(\.page)
    var counters = RunCounters()
    counters.updated = items
    machine.receive(.committed(.success(Committed(readings: commit.count, counters: counters))))
  }

  mutating func loaded(_ result: Result<(pages: [CachedPage], last: Int?), any Error>) {
    isLoading = false
    machine.receive(.cachedPagesLoaded(result))
  }

  /// Reads and commits `count` pages, one after the other. The next page is then requested.
  mutating func read(_ count: Int) {
    for _ in 0..<count {
      _ = actions()
      answer()
      _ = actions()
      committed()
    }
  }

  /// Ends the tasks that are under way in any order, until the machine ends.
  /// - Parameter share: The share of tasks that fail.
  mutating func finish(_ random: inout SeededGenerator, failing share: Double = 0) {
    for _ in 0..<1000 {
      _ = actions()
      guard end == nil else { break }
      let tasks = [request == nil ? nil : 0, commit == nil ? nil : 1, isLoading ? 2 : nil].compactMap(\.self)
      #expect(!tasks.isEmpty, "the machine waits for nothing")
      guard let task = tasks.randomElement(using: &random) else { break }
      finish(task, fails: Double.random(in: 0..<1, using: &random) < share, &random)
      if share > 0, Int.random(in: 0..<60, using: &random) == 0 { machine.receive(.cancelled) }
    }
    #expect(end == nil || request == nil && commit == nil && !isLoading, "the machine ended before its tasks")
  }

  private mutating func finish(_ task: Int, fails: Bool, _ random: inout SeededGenerator) {
    switch (task, fails) {
    case (0, false): answer()
    case (0, true):
      if Int.random(in: 0..<4, using: &random) == 0 {
        stop(SyncError(.upstream, "stopped"))
      } else {
        fail(isOriginDown: Bool.random(using: &random))
      }
    case (1, false): committed()
    case (1, true):
      commit = nil
      machine.receive(.committed(.failure(SyncError(.database, "disk full"))))
    default: loaded(fails ? .failure(SyncError(.database, "lost")) : .success(([], nil)))
    }
  }
}
