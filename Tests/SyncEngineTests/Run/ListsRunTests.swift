import SyncCore
import SyncEngine
import Synchronization
import Testing

@Suite("Runs of streams with several lists", .timeLimit(.minutes(2)))
struct ListsRunTests {
  private static let refusal = SyncError(.upstream, "answered 403", disposition: .refused(answer: [1]))
  private static let fault = SyncError(.upstream, "answered 500", disposition: .retry(after: nil))

  @Test("each list is read to its end, whatever its pages name", arguments: [WalkMethod.pages, .chain])
  func pages(method: WalkMethod) async throws {
    let script = ListsScript(.three, method)
    let store = MemoryStore()
    let report = try await script.run(store)
    #expect(report.status == .complete && report.certificate?.lists?.complete == 3, "\(report)")
    #expect(report.counters.inserted == 15)
    #expect(script.requests == ["a1", "a2", "b1", "b2", "b3", "c1", "c2"])
    #expect(await store.ended == ["a": 1...2, "b": 3...5, "c": 6...7])
  }

  @Test("a list that changes is read again, and then the next list is read")
  func drift() async throws {
    let script = ListsScript(.three)
    let isChanged = Mutex(false)
    script.onRequest { script, page in
      guard page == "b2", !isChanged.withLock(\.self) else { return }
      isChanged.withLock { $0 = true }
      script.lists["b"] = .list([21, 22, 23, 24, 25, 26], size: 3)
    }
    let store = MemoryStore()
    let report = try await script.run(store)
    #expect(report.certificate?.lists?.total == 3 && report.certificate?.endedBy == .lists, "\(report)")
    #expect(script.requests.prefix(5) == ["a1", "a2", "b1", "b2", "b1"] && script.requests.suffix(2) == ["c1", "c2"])
    #expect(script.requests.count < 15)
  }

  @Test(
    "a list whose page is refused is partial, and its later pages are not requested",
    arguments: [WalkMethod.pages, .chain], ["b1", "b2"])
  func refused(method: WalkMethod, page: String) async throws {
    let script = ListsScript(.three, method)
    script.onRequest { _, requested in if requested == page { throw Self.refusal } }
    let report = try await script.run(MemoryStore())
    #expect(report.status == .partial && report.error == nil && report.warning == "answered 403", "\(report)")
    #expect(report.certificate?.lists?.partial == 1 && report.certificate?.lists?.complete == 2)
    #expect(script.requests == ["a1", "a2"] + (page == "b2" ? ["b1"] : []) + [page, "c1", "c2"])
  }

  @Test("a list whose answer shows that it cannot be walked is partial", arguments: ["b1", "b2"])
  func unreadable(page: String) async throws {
    let script = ListsScript(.three)
    script.unreadable = page
    let report = try await script.run(MemoryStore())
    #expect(report.status == .partial && report.error == nil && report.warning == "no list", "\(report)")
    #expect(script.requests.suffix(3) == [page, "c1", "c2"])
  }

  @Test("a list whose page fails while another list answers is partial", arguments: [WalkMethod.pages, .chain])
  func failing(method: WalkMethod) async throws {
    let script = ListsScript(.three, method)
    script.onRequest { _, requested in if requested == "b2" { throw Self.fault } }
    let report = try await script.run(MemoryStore())
    #expect(report.status == .partial && report.error == nil, "\(report)")
    #expect(report.certificate?.lists?.partial == 1 && report.certificate?.lists?.complete == 2)
    #expect(script.requests.count { $0 == "c1" } == 1)
  }

  @Test("a list that fails while the next list is refused is partial, and so is the next one")
  func failingBeforeRefused() async throws {
    let script = ListsScript(.three)
    script.onRequest { _, requested in
      if requested == "a1" { throw Self.fault }
      if requested.hasPrefix("b") { throw Self.refusal }
    }
    let report = try await script.run(MemoryStore())
    #expect(report.status == .partial && report.error == nil, "\(report)")
    #expect(report.certificate?.lists?.partial == 2 && report.certificate?.lists?.complete == 1)
  }

  @Test("after ten refused lists in a row, the run fails; the next run continues after them")
  func allRefused() async throws {
    let lists = Dictionary((10...30).map { ("\($0)", [TestPage].list([$0], size: 3)) }) { $1 }
    let script = ListsScript(lists)
    let hasRight = Mutex(false)
    script.onRequest { _, _ in if !hasRight.withLock(\.self) { throw Self.refusal } }
    let store = MemoryStore()
    let refused = try await script.run(store)
    #expect(refused.status == .failed && refused.error?.message == "answered 403", "\(refused)")
    #expect(script.requests.count == Limits.refusedLists + 1)
    hasRight.withLock { $0 = true }
    let next = try await script.run(store)
    #expect(next.status == .partial && next.certificate?.lists?.partial == Limits.refusedLists, "\(next)")
    #expect(script.requests[Limits.refusedLists + 1] == "201")
  }

  @Test(
    "a stopped run continues in its list, without the lists that it has read",
    arguments: [WalkMethod.pages, .chain])
  func resumed(method: WalkMethod) async throws {
    let script = ListsScript(.three, method)
    let store = MemoryStore()
    #expect(try await script.run(store, maxPages: 3).status == .partial)
    #expect(try await script.run(store).status == .complete)
    #expect(script.requests == ["a1", "a2", "b1", "b2", "b3", "c1", "c2"])
    #expect(await store.ended == ["a": 1...2, "b": 3...5, "c": 6...7])
  }

  @Test("a walk goes on without the list in which it stopped, and reads this list anew when it is back")
  func withoutStoppedList() async throws {
    let all = [String: [TestPage]].three.merging(["d": .list([41, 42, 43, 44], size: 3)]) { $1 }
    let script = ListsScript(all)
    let store = MemoryStore()
    // The run stops in b, c, d, and b again, and b is absent meanwhile.
    _ = try await script.run(store, maxPages: 3)
    _ = try await script.run(store, maxPages: 1, without: "b")
    _ = try await script.run(store, maxPages: 2, without: "b")
    _ = try await script.run(store, maxPages: 3)
    let last = try await script.run(store)
    #expect(last.status == .complete && last.certificate?.lists?.complete == 4, "\(last)")
    #expect(script.requests == ["a1", "a2", "b1", "c1", "c2", "d1", "d2", "b1", "b2", "b3"])
    #expect(await store.ended == ["a": 1...2, "c": 4...5, "d": 6...7, "b": 8...10])
  }
}

extension MemoryStore {
  /// The readings of each list that was read to its end.
  fileprivate var ended: [String: ClosedRange<Int>] {
    commits.reduce(into: [:]) { ended, commit in
      guard let list = commit.page.list, let ending = list.ending else { return }
      ended[list.name] = ending.firstReading...commit.page.number
    }
  }
}

extension [String: [TestPage]] {
  fileprivate static let three = [
    "a": [TestPage].list([11, 12, 13, 14], size: 3), "b": .list([21, 22, 23, 24, 25, 26, 27], size: 3),
    "c": .list([31, 32, 33, 34], size: 3),
  ]
}

extension [TestPage] {
  fileprivate static func list(_ keys: [Int64], size: Int) -> [TestPage] {
    stride(from: 0, to: keys.count, by: size).map { TestPage(Array(keys[$0...].prefix(size)), total: keys.count) }
  }
}

/// Several lists. The request `b2` is for page 2 of the list `b`. A request uses no socket and takes no time.
private final class ListsScript: PagedStream, Transport {
  /// Runs before a request is answered; a thrown error is the request's outcome.
  typealias Hook = @Sendable (_ script: ListsScript, _ page: String) throws -> Void

  private struct State {
    var lists: [String: [TestPage]]
    var requests: [String] = []
    var unreadable: String?
    var hook: Hook?
    var absent: String?
  }

  private let state: Mutex<State>
  private let method: WalkMethod

  init(_ lists: [String: [TestPage]], _ method: WalkMethod = .pages) {
    state = Mutex(State(lists: lists))
    self.method = method
  }

  var lists: [String: [TestPage]] {
    get { state.withLock { $0.lists } }
    set { state.withLock { $0.lists = newValue } }
  }
  var requests: [String] { state.withLock { $0.requests } }
  /// The page that the service answers without a list.
  var unreadable: String? {
    get { state.withLock { $0.unreadable } }
    set { state.withLock { $0.unreadable = newValue } }
  }

  func onRequest(_ hook: @escaping Hook) { state.withLock { $0.hook = hook } }

  /// - Parameter absent: The list that the stream does not have now.
  func run(_ store: MemoryStore, maxPages: Int? = nil, without absent: String? = nil) async throws -> RunReport {
    state.withLock { $0.absent = absent }
    var options = StreamRun.Options()
    options.maxPages = maxPages
    let clock = ManualClock(isAutomatic: true)
    return try await StreamRun(
      stream: self, fetcher: .forTests(self, clock: clock), store: store, clock: clock, observer: { _ in }
    ).run(options)
  }

  var description: StreamDescription {
    var description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "lists"), provider: "test", origin: "http://test",
      pageSize: 3, method: method, absence: .endsEntry(.wholeList), sql: StreamSQL(folder: "test", scope: []))
    let (names, absent) = state.withLock { ($0.lists.keys.sorted(), $0.absent) }
    description.lists = StreamLists(names.filter { $0 != absent }.map { StreamList(name: $0, values: [$0]) })
    return description
  }

  func request(_ address: PageAddress) -> UpstreamRequest {
    var request = UpstreamRequest(url: "http://test/\(address.list ?? "")\(address.next ?? "\(address.page)")")
    request.list = address.list
    return request
  }

  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let page = String(request.url.dropFirst("http://test/".count))
    let hook = try state.withLock { state in
      state.requests.append(page)
      // Otherwise, a walk that never ends would fill the memory.
      if state.requests.count > 200 { throw SyncError(.upstream, "too many requests", disposition: .stopRun) }
      return state.hook
    }
    try hook?(self, page)
    return UpstreamResponse(status: 200, headers: [:], body: Array(page.utf8))
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    let name = String(decoding: response.body, as: UTF8.self)
    guard name != unreadable else { return .refused(SyncError(.upstream, "no list", disposition: .stopStream)) }
    let list = lists[request.list ?? ""] ?? []
    let number = Int(name.dropFirst(request.list?.count ?? 0)) ?? 0
    guard number <= list.count else { return .notFound }
    var page = list[number - 1]
    if method == .chain, number < list.count { page.claim.next = "\(number + 1)" }
    return page.page
  }
}
