import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncEngine

@Suite("A run whose answer is ignored", .timeLimit(.minutes(10)))
struct IgnoredRunTests {
  /// A service with a list, a witness, and items that have an address of their own. The body of an answer only depends
  /// on the page.
  final class Service: PagedStream, ItemLookup, Transport {
    /// The answer to the request for a page.
    enum Answer: Sendable {
      case items([Int64])
      case ignored
      case end
    }

    let description: StreamDescription
    private let answers: Mutex<[Answer]>
    private let mustReadAll = Mutex(false)
    private let log = Mutex<[String]>([])

    init(_ answers: [Answer], method: WalkMethod = .pages, absence: Absence = .questionsItem(.wholeList)) {
      self.answers = Mutex(answers)
      description = StreamDescription(
        id: StreamID(source: SourceID(rawValue: "test"), name: "list"), provider: "test", origin: "http://test",
        pageSize: 3, method: method, absence: absence, sql: StreamSQL(folder: "test", scope: []),
        witness: UpstreamRequest(url: "http://test/witness"))
    }

    var lookup: (any ItemLookup)? { self }
    var requests: [String] { log.withLock { $0 } }

    func change(_ answers: [Answer], mustRead: Bool = false) {
      self.answers.withLock { $0 = answers }
      mustReadAll.withLock { $0 = mustRead }
      log.withLock { $0 = [] }
    }

    func mustRead(_ response: UpstreamResponse) -> Bool { mustReadAll.withLock { $0 } }

    func request(_ address: PageAddress) -> UpstreamRequest { UpstreamRequest(url: "http://test/\(address.page)") }
    func request(key: Int64) -> UpstreamRequest { UpstreamRequest(url: "http://test/items/\(key)") }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      log.withLock { $0.append(request.url.replacing("http://test/", with: "")) }
      return UpstreamResponse(status: 200, headers: [:], body: Array(request.url.utf8))
    }

    func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
      let answers = answers.withLock { $0 }
      guard let page = Int(request.url.replacing("http://test/", with: "")), page <= answers.count else {
        return .notFound
      }
      let isChain = description.method == .chain
      switch answers[page - 1] {
      case .ignored: return .ignored
      case .end: return .items([], page == 1 ? PageClaim(total: 0, hasNext: false) : PageClaim())
      case .items(let keys):
        let next = page < answers.count
        var claim = PageClaim(total: isChain ? nil : 6, lastPage: isChain ? nil : 2, hasNext: isChain ? nil : next)
        if isChain { claim.next = "\(page + 1)" }
        return TestPage(entries: keys.map { .item($0) }, claim: claim).page
      }
    }

    func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer { .gone }
  }

  private static let list: [Service.Answer] = [.items([1, 2, 3]), .items([4, 5, 6])]

  @Test(
    "nothing is published, looked up or confirmed, the run is partial and fresh, and the next run starts a new walk",
    arguments: [[Service.Answer.ignored], [.items([1, 2, 9]), .ignored]])
  func nothingFollows(answers: [Service.Answer]) async throws {
    let service = Service(Self.list)
    let store = MemoryStore()
    try #require(try await run(service, store).status == .complete)
    service.change(answers, mustRead: true)
    let report = try await run(service, store)
    #expect(report.status == .partial && report.error == nil && report.isFresh)
    #expect(report.certificate?.endedBy == .ignored && report.warning == nil)
    #expect(service.requests == (1...answers.count).map { "\($0)" }, "the witness and the lookups")
    #expect(await store.published == Set(1...6))
    #expect(await store.vanished.isEmpty)
    #expect(await store.endings.last?.isResumable == false)
    #expect(await store.endings.last?.publishes == false)
    service.change(Self.list)
    #expect(try await run(service, store).status == .complete)
    #expect(service.requests.first == "1")
  }

  @Test("a page with the body of the stored page is read if the declaration says what the answer means")
  func equalBodies() async throws {
    let service = Service(Self.list)
    let store = MemoryStore()
    try #require(try await run(service, store).status == .complete)
    #expect(try await run(service, store).counters.identical == 2, "the bodies are not recognized")
    service.change([.items([1, 2, 3]), .ignored], mustRead: true)
    let report = try await run(service, store)
    #expect(report.certificate?.endedBy == .ignored && report.counters.identical == 0)
  }

  @Test("the declared end of a chain ends the list, and its answer is never recognized by its body")
  func endOfChain() async throws {
    let service = Service(
      [.items([1, 2, 3]), .items([4, 5]), .end], method: .chain, absence: .endsEntry(.wholeList))
    let store = MemoryStore()
    for _ in 1...2 {
      let report = try await run(service, store)
      #expect(report.certificate?.endedBy == .noNextPage && report.certificate?.distinctKeys == 5)
      #expect(await store.published == Set(1...5))
    }
    #expect(await store.commits.map { $0.origin != nil } == [true, true, false, true, true, false])
    #expect(await store.commits.map { $0.confirmed.count } == [0, 0, 0, 3, 2, 0])
  }
}
