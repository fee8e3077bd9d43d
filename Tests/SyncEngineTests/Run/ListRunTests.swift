import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing

@Suite("Runs of a stream with several lists", .timeLimit(.minutes(10)))
struct ListRunTests {
  private static let failing = SyncError(.upstream, "answered 500", disposition: .retry(after: nil))
  private static let missing = SyncError(.upstream, "answered 404, so the list does not exist")
  private static let forbidden = SyncError(.upstream, "answered 403", disposition: .refused(answer: [1]))

  /// Returns a fault of all requests for a list.
  private static func fault(of lists: Set<String>, _ error: SyncError) -> ListService.Fault {
    { place, _ in if lists.contains(String(place.prefix { $0 != " " })) { throw error } }
  }

  private static func items(_ first: Int64, _ count: Int) -> [Int64] { (0..<Int64(count)).map { first + $0 } }

  // MARK: Places

  @Test("the places of each list are published, and an item can be in several lists")
  func places() async throws {
    let service = ListService(["a": [3, 1, 2, 7], "b": [], "c": [2, 9]])
    let store = MemoryStore()
    let report = try await run(service, store)
    #expect(report.status == .complete && report.certificate?.endedBy == .lists && report.warning == nil)
    #expect(await store.places == ["a": [3, 1, 2, 7], "b": [], "c": [2, 9]])
    #expect(service.requests == ["a 1", "a 2", "b 1", "c 1"])
    #expect(report.counters.pages == 3 && report.counters.rowsSeen == 6)
  }

  @Test("a list that the stream no longer has loses its places; no list at all is complete with 0 items")
  func vanishedLists() async throws {
    let store = MemoryStore()
    _ = try await run(ListService(["a": [1], "b": [2]]), store)
    let report = try await run(ListService(["b": [2]]), store)
    #expect(report.status == .complete)
    #expect(await store.places == ["b": [2]])
    let empty = try await run(ListService([:]), store)
    #expect(empty.status == .complete && empty.certificate?.distinctKeys == 0 && empty.certificate?.lists?.total == 0)
    #expect(await store.places.isEmpty)
  }

  @Test("a page is requested with the validators of the same page of the same list")
  func conditional() async throws {
    let store = MemoryStore()
    let lists: KeyValuePairs = ["a": Self.items(1, 5), "b": Self.items(1, 5), "c": Self.items(1, 5)]
    _ = try await run(ListService(lists), store)
    let service = ListService(lists)
    service.change("b", [1, 2, 3, 4, 9])
    let report = try await run(service, store)
    #expect(service.conditional == ["a 1", "a 2", "b 1", "b 2", "c 1"], "page 2 of `b` has written an item of `c`")
    #expect(report.counters.notModified == 4)
    #expect(await store.places == ["a": Self.items(1, 5), "b": [1, 2, 3, 4, 9], "c": Self.items(1, 5)])

    // Lists in another order: the pages of the other list have the same tag, and must not count.
    let other = ListService(["c": [7], "a": Self.items(1, 5)])
    #expect(try await run(other, store).counters.notModified == 2)
    #expect(await store.places == ["c": [7], "a": Self.items(1, 5)])
  }

  // MARK: Refused lists

  @Test(
    "a refused list is partial, keeps its places and is named in the warning; the others are published",
    arguments: ["a", "b", "c"], [missing, forbidden])
  func refused(_ list: String, _ error: SyncError) async throws {
    let store = MemoryStore()
    _ = try await run(ListService(["a": [1, 2], "b": [3, 4], "c": [5, 6]]), store)
    let service = ListService(["a": [1], "b": [3], "c": [5]], fault: Self.fault(of: [list], error))
    let report = try await run(service, store)
    #expect(report.status == .partial && report.error == nil && report.warning == error.message)
    #expect(report.certificate?.lists?.partial == 1 && report.certificate?.lists?.complete == 2)
    var places: [String: [Int64]] = ["a": [1], "b": [3], "c": [5]]
    places[list] = ["a": [1, 2], "b": [3, 4], "c": [5, 6]][list]
    #expect(await store.places == places)
    #expect(service.requests == ["a 1", "b 1", "c 1"], "a refusal is not repeated")
    #expect(await store.endings.last?.isResumable == false)
  }

  @Test("a first page that is a 404, or empty without a claim, is a refused list")
  func notFound() async throws {
    let store = MemoryStore()
    let service = ListService(["a": [1], "b": [2]], names: ["a", "none", "b"])
    let report = try await run(service, store)
    #expect(report.status == .partial && report.warning?.contains("404") == true)
    #expect(await store.places == ["a": [1], "b": [2]])
  }

  @Test("ten refused lists in a row end the run with the refusal; the next run continues there")
  func refusalLimit() async throws {
    let names = (1...30).map { "list\($0)" }
    let isRefusing = Mutex(true)
    let service = ListService(["list2": [2], "list30": [30]], names: names) { place, _ in
      if place != "list2 1", isRefusing.withLock({ $0 }) { throw Self.forbidden }
    }
    for name in names where name != "list2" { service.change(name, [7]) }
    let store = MemoryStore()
    let report = try await run(service, store)
    #expect(report.status == .failed && report.error?.message == "answered 403")
    #expect(report.error?.disposition == .refused(answer: [1]), "the source compares refusals of its streams")
    #expect(service.requests.count == 2 + Limits.refusedLists)
    #expect(await store.endings.last?.isResumable == true)
    #expect(await store.places.isEmpty)

    isRefusing.withLock { $0 = false }
    let next = try await run(service, store)
    #expect(next.status == .partial && next.certificate?.lists?.partial == Limits.refusedLists)
    #expect(next.certificate?.lists?.complete == 20)
    #expect(service.requests[12] == "list12 1", "the list of the last refusal is requested again")
  }

  @Test("an answer between two refused lists begins a new count")
  func refusalCount() async throws {
    let names = (1...40).map { "list\($0)" }
    let service = ListService(["list10": [1], "list20": [2], "list30": [3], "list40": [4]], names: names)
    let report = try await run(service, MemoryStore())
    #expect(report.status == .partial && report.certificate?.lists?.partial == 36)
  }

  @Test("an access token that the service refuses ends the run at once, and no list is partial")
  func stopRun() async throws {
    let unauthorized = SyncError(.upstream, "answered 401", disposition: .stopRun)
    let service = ListService(["a": [1], "b": [2], "c": [3]], fault: Self.fault(of: ["b"], unauthorized))
    let store = MemoryStore()
    let report = try await run(service, store)
    #expect(report.status == .failed && report.certificate?.lists?.partial == 0)
    #expect(await store.readings.map(\.list?.name) == ["a"])
  }

  // MARK: Unavailable lists

  @Test("a list that stays unavailable is partial after a later list answered", arguments: ["a", "b", "c"])
  func unavailable(_ list: String) async throws {
    let service = ListService(["a": [1], "b": [2], "c": [3]], fault: Self.fault(of: [list], Self.failing))
    let store = MemoryStore()
    let report = try await run(service, store)
    #expect(report.status == .partial && report.warning?.hasPrefix("answered 500") == true)
    #expect(report.certificate?.lists?.partial == 1 && report.certificate?.lists?.complete == 2)
    #expect(await Set(store.places.keys) == Set(["a", "b", "c"]).subtracting([list]))
    let attempts = service.requests.count { $0 == "\(list) 1" }
    #expect(attempts == (list == "c" ? 4 : 8), "after the last list, no list can answer")
    #expect(service.requests.count == attempts + 2, "the later list is requested once")
  }

  @Test("a list that fails while its service restarts is read, and the later list is requested after it")
  func restart() async throws {
    let service = ListService(["a": Self.items(1, 7), "b": [20], "c": [30]]) { place, attempt in
      if place == "a 1", attempt <= 4 { throw Self.failing }
    }
    #expect(try await run(service, MemoryStore()).status == .complete)
    #expect(
      service.requests == ["a 1", "a 1", "a 1", "a 1", "b 1", "a 1", "a 2", "a 3", "b 1", "c 1"],
      "the first answer of `b` was old when `a` had been read")
  }

  @Test("if the later list refuses the request, the service is up, and the failed list is partial")
  func unavailableBeforeRefused() async throws {
    let service = ListService(["a": [1], "b": [2], "c": [3], "d": [4]]) { place, _ in
      if place == "b 1" { throw Self.failing }
      if place == "c 1" { throw Self.forbidden }
    }
    let report = try await run(service, MemoryStore())
    #expect(report.status == .partial && report.certificate?.lists?.partial == 2)
    #expect(report.certificate?.lists?.complete == 2)
    #expect(service.requests.count { $0 == "c 1" } == 1)
  }

  @Test("a page in the middle that stays unavailable is a hole, and its list keeps its places")
  func hole() async throws {
    let store = MemoryStore()
    _ = try await run(ListService(["a": Self.items(1, 9), "b": [20]]), store)
    let service = ListService(["a": Self.items(101, 9), "b": [21]]) { place, _ in
      if place == "a 2" { throw Self.failing }
    }
    let report = try await run(service, store)
    #expect(report.status == .partial && report.certificate?.lists?.partial == 1)
    #expect(await store.places == ["a": Self.items(1, 9), "b": [21]])
  }

  @Test(
    "a chain ends as partial at a page that stays unavailable, is refused, or whose cursor is no longer known",
    arguments: [
      failing, forbidden, missing, SyncError(.upstream, "cursor expired", disposition: .restart),
    ], [false, true])
  func chain(_ error: SyncError, isLast: Bool) async throws {
    let items = Self.items(1, 9)
    let service = ListService(
      isLast ? ["b": [20], "a": items] : ["a": items, "b": [20]], ListServing(method: .chain, isByKey: true)
    ) { place, _ in
      if place == "a k3" { throw error }
    }
    let store = MemoryStore()
    let report = try await run(service, store)
    #expect(report.status == .partial && report.certificate?.lists?.partial == 1 && report.error == nil)
    #expect(report.warning?.hasPrefix(error.message) == true)
    #expect(await store.places == ["b": [20]])
    #expect(await store.rows.count == 4, "the items of page 1 are stored")
    #expect(service.requests.count { $0 == "b 1" } == 1)
  }

  @Test("a service that is down from the start fails the run, and no list is partial", arguments: [1, 3, 8, 1000])
  func downFromTheStart(lists: Int) async throws {
    let clock = ManualClock(isAutomatic: true)
    let service = ListService([:], names: (1...lists).map { "list\($0)" }) { _, _ in throw Self.failing }
    let store = MemoryStore()
    let report = try await run(service, store, clock: clock)
    #expect(report.status == .failed && report.error?.message.hasPrefix("answered 500") == true)
    #expect(report.certificate?.lists?.partial == 0)
    #expect(await store.readings.isEmpty)
    #expect(await store.endings.last?.isResumable == true)
    #expect(service.requests.count <= 20 && !clock.sleeps.contains(Limits.breakerPause))
  }

  @Test("a service that goes down fails the run, no list is partial, and the next run continues")
  func outage() async throws {
    let names = (1...1000).map { "list\($0)" }
    let isDown = Mutex(true)
    let service = ListService([:], names: names) { place, _ in
      if place != "list1 1", place != "list2 1", isDown.withLock({ $0 }) { throw Self.failing }
    }
    for (index, name) in names.enumerated() { service.change(name, [Int64(index)]) }
    let store = MemoryStore()
    let report = try await run(service, store)
    #expect(report.status == .failed && report.error?.message.hasPrefix("answered 500") == true)
    #expect(report.certificate?.lists?.partial == 0 && report.certificate?.lists?.complete == 2)
    #expect(await store.readings.count == 2)
    #expect(await store.endings.last?.isResumable == true)

    isDown.withLock { $0 = false }
    let next = try await run(service, store)
    #expect(next.status == .complete && next.certificate?.lists?.complete == 1000)
    #expect(await store.places.count == 1000)
  }

  @Test("an outage of a minute costs no list")
  func shortOutage() async throws {
    let clock = ManualClock(isAutomatic: true)
    let names = (1...20).map { "list\($0)" }
    let service = ListService([:], names: names) { place, _ in
      if place != "list1 1", clock.now() < .seconds(60) { throw Self.failing }
    }
    for name in names { service.change(name, [1]) }
    let report = try await run(service, MemoryStore(), clock: clock)
    #expect(report.status == .complete && report.certificate?.lists?.complete == 20)
  }

  @Test("a page that was fetched ahead is not used when its list is read again")
  func rereadPage() async throws {
    // Page 2 fails, page 3 is read ahead, and then page 2 says that the list ends and shows that the list changed.
    let service = ListService(["a": Self.items(1, 9), "b": [20]]) { place, attempt in
      if place == "a 2", attempt <= 4 { throw Self.failing }
    }
    let store = MemoryStore()
    let edited = EditingService(service) { place, attempt in
      if place == "a 2", attempt == 5 { return ("a", [1, 2, 99, 3, 4]) }
      if place == "a 1", attempt == 2 { return ("a", [1, 2, 99, 3, 4, 5, 6, 7, 8]) }
      return nil
    }
    let report = try await run(edited, store)
    #expect(await store.places["a"] == [1, 2, 99, 3, 4, 5, 6, 7, 8])
    #expect(service.requests.filter { $0 == "a 3" }.count == 2, "\(service.requests)")
    #expect(report.status == .complete)
  }

  /// A service whose lists change before certain requests.
  private struct EditingService: PagedStream, Transport {
    let service: ListService
    let edit: @Sendable (_ place: String, _ attempt: Int) -> (list: String, items: [Int64])?

    init(
      _ service: ListService, edit: @escaping @Sendable (String, Int) -> (list: String, items: [Int64])?
    ) {
      self.service = service
      self.edit = edit
    }

    var description: StreamDescription { service.description }
    func request(_ address: PageAddress) -> UpstreamRequest { service.request(address) }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      let place = String(request.url.dropFirst("http://test/".count))
      let attempt = service.requests.count { $0 == place } + 1
      if let (list, items) = edit(place, attempt) { service.change(list, items) }
      return try await service.fetch(request)
    }

    func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
      try service.read(response, to: request)
    }
  }

  // MARK: Stops

  @Test(
    "a run that is killed after any reading is continued, with the same places and certificate",
    arguments: ListServing.all)
  func killed(_ serving: ListServing) async throws {
    func service() -> ListService {
      ListService(
        ["a": Self.items(1, 7), "b": [], "c": Self.items(20, 6), "d": [40], "e": Self.items(50, 4)], serving,
        fault: Self.fault(of: ["d"], Self.missing))
    }
    func mirror() async throws -> MemoryStore {
      let store = MemoryStore()
      _ = try await run(ListService(["a": [1], "d": [41, 42], "gone": [90]], serving), store)
      return store
    }
    let straight = try await mirror()
    let whole = try await run(service(), straight)
    let readings = await straight.readings
    #expect(whole.certificate?.lists?.partial ?? 0 > 0)
    for count in 0..<readings.count {
      let store = try await mirror()
      _ = try await run(service(), store)
      await store.cut(to: count)
      #expect(await store.places == ["a": [1], "d": [41, 42], "gone": [90]])
      let resumed = service()
      let report = try await run(resumed, store)
      #expect(report.certificate == whole.certificate && report.status == whole.status, "after \(count)")
      let places = await store.places
      #expect(await places == straight.places, "after \(count)")
      #expect(await store.readings.count == readings.count, "after \(count)")
      #expect(places["d"] == [41, 42] && places["gone"] == nil)
    }
  }

  @Test("`maxPages` stops after each page, and the runs together read each page once", arguments: ListServing.all)
  func maxPages(_ serving: ListServing) async throws {
    let lists: KeyValuePairs = ["a": Self.items(1, 7), "b": [], "c": Self.items(20, 4)]
    let straight = MemoryStore()
    let whole = try await run(ListService(lists, serving), straight)
    let store = MemoryStore()
    let service = ListService(lists, serving)
    // At the end of a list by positions, an answer without a reading is followed by another request.
    let maxPages = serving.method == .positions ? 2 : 1
    var report = try await run(service, store, maxPages: maxPages)
    var runs = 1
    while report.certificate?.endedBy == .maxPages, runs < 50 {
      #expect(report.status == .partial && report.certificate?.lists?.total == 3)
      #expect(await store.places.isEmpty)
      report = try await run(service, store, maxPages: maxPages)
      runs += 1
    }
    #expect(report.certificate == whole.certificate && runs > 2)
    #expect(await store.places == straight.places)
    #expect(Set(service.requests).count == service.requests.count || serving.method == .positions)
  }

  @Test("a run that is cancelled ends as interrupted, and is continued")
  func cancelled() async throws {
    let service = ListService(["a": [1], "b": Self.items(10, 7), "c": [30]]) { place, attempt in
      if place == "b 2", attempt == 1 { withUnsafeCurrentTask { $0?.cancel() } }
      try Task.checkCancellation()
    }
    let store = MemoryStore()
    let report = try await run(service, store)
    #expect(report.status == .interrupted && report.certificate?.lists?.complete == 1)
    #expect(report.certificate?.distinctKeys == 4)
    let next = try await run(service, store)
    #expect(next.status == .complete)
    #expect(service.requests == ["a 1", "b 1", "b 2", "b 2", "b 3", "c 1"])
  }

  // MARK: Lookups

  private static let questions = Absence.questionsItem(.none, publishes: true)

  @Test("items that no list has are looked up, but not the items of a list that was not read")
  func lookups() async throws {
    let store = MemoryStore()
    _ = try await run(ListService(["a": [1, 2], "b": [3, 4], "c": [5]], absence: Self.questions), store)
    let service = ListService(
      ["a": [1], "b": [], "c": [5], "d": [7]], names: ["a", "b", "c"], absence: Self.questions,
      fault: Self.fault(of: ["b"], Self.missing))
    let report = try await run(service, store)
    #expect(service.requests == ["a 1", "b 1", "c 1", "item 2"])
    #expect(await store.vanished == [2])
    #expect(await store.places == ["a": [1], "b": [3, 4], "c": [5]])
    #expect(report.status == .partial && report.counters.vanished == 1)
  }

  @Test("a run that stopped between the lists and the lookups looks up the rest, and requests no page")
  func lookupsLeft() async throws {
    let store = MemoryStore()
    let many = Self.items(100, 40)
    _ = try await run(ListService(["a": [1, 2], "b": many], absence: Self.questions), store)
    let lists: KeyValuePairs = ["a": [Int64(1)], "b": []]
    let first = ListService(lists, absence: Self.questions)
    #expect(try await run(first, store, maxPages: 3).certificate?.endedBy == .maxPages)
    let second = ListService(lists, absence: Self.questions)
    let report = try await run(second, store)
    #expect(report.status == .complete && second.requests.allSatisfy { $0.hasPrefix("item ") })
    #expect(second.requests.count == 41 - Limits.lookupsPerCommit)
    #expect(await store.vanished == Set(many + [2]))
    #expect(await store.places == ["a": [1], "b": []])
    #expect(await store.readings.map(\.number) == Array(1...4))
  }
}
