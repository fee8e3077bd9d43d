import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing

/// In these tests, a list contains only the keys of its items, and each document has its own address.
@Suite("Walks of documents", .timeLimit(.minutes(10)))
struct DocumentsTests {
  private final class Library: PagedStream, ItemLookup, Transport {
    enum Answer: Sendable {
      case document(version: UInt8 = 0, build: String? = nil)
      case missing, refused, failing, budgetSpent
    }

    let description: StreamDescription
    private let listed: [Int64]
    /// Answers by path. Any other path gets a document that does not name the service's build.
    private let answers: [String: Answer]
    private let log = Mutex<[String]>([])
    private let flight = Mutex<(now: Int, most: Int)>((0, 0))

    init(_ listed: [Int64], pageSize: Int = 1000, build: String? = nil, answers: [String: Answer] = [:]) {
      self.listed = listed
      self.answers = answers
      description = StreamDescription(
        id: StreamID(source: SourceID(rawValue: "test"), name: "things"), provider: "test", origin: "http://test",
        pageSize: pageSize, method: .documents(ttl: .seconds(3600)),
        absence: .questionsItem(ShrinkGuard(maxShare: 1, minRows: 1)), sql: StreamSQL(folder: "test", scope: []),
        build: build)
    }

    var lookup: (any ItemLookup)? { self }
    var requests: [String] { log.withLock { $0 } }
    var mostAtOnce: Int { flight.withLock { $0.most } }
    var requestsOfKeys: [Int64: Int] {
      Dictionary(requests.compactMap { Int64($0.filter { $0 != "/" }) }.map { ($0, 1) }, uniquingKeysWith: +)
    }
    func requests(of key: Int64) -> Int { requestsOfKeys[key, default: 0] }

    func request(_ address: PageAddress) -> UpstreamRequest {
      UpstreamRequest(url: "http://test/list/\(address.page)")
    }

    func request(key: Int64) -> UpstreamRequest {
      UpstreamRequest(url: "http://test/\(key)/", alternatives: ["http://test/\(key)"])
    }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      log.withLock { $0.append(String(request.url.dropFirst("http://test".count))) }
      flight.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      // The yields let the other requests start.
      for _ in 0..<3 { await Task.yield() }
      flight.withLock { $0.now -= 1 }
      return UpstreamResponse(status: 200, headers: [:], body: [0x20])
    }

    func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
      let page = Int(request.url.split(separator: "/").last ?? "") ?? 0
      let size = description.pageSize
      let keys = listed.dropFirst((page - 1) * size).prefix(size)
      return .items(
        keys.map { .listed($0) },
        PageClaim(total: listed.count, lastPage: (listed.count + size - 1) / size, hasNext: page * size < listed.count))
    }

    func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
      switch answer(to: request) {
      case .missing: return .gone
      case .refused: throw SyncError(.upstream, "\(request.url) answered 400")
      case .failing: throw SyncError(.upstream, "\(request.url) answered 500", disposition: .retry(after: nil))
      case .budgetSpent: throw SyncError(.tryLater, "the budget is spent")
      case .document(let version, _):
        let item = PageItem(key: key, document: [version], contentHash: [version], counterHash: 0)
        return .item(.item(item))
      }
    }

    // A response does not contain its address, so this function uses the last request. A test of builds must fetch one
    // document at a time.
    func build(of response: UpstreamResponse) -> String? {
      guard let path = requests.last, case .document(_, let build)? = answers[path] else { return nil }
      return build
    }

    private func answer(to request: UpstreamRequest) -> Answer {
      answers[String(request.url.dropFirst("http://test".count))] ?? .document()
    }
  }

  @Test("the list, then every document once, several at a time, committed in batches; ids may be negative")
  func whole() async throws {
    let library = Library(Array(-1...120), pageSize: 50)
    let store = MemoryStore()
    let told = Mutex<[Int]>([])
    let report = try await run(library, store) { event in
      if case .documents(_, let fetched, 122, _) = event { told.withLock { $0.append(fetched) } }
    }
    #expect(report.status == .complete)
    #expect(report.certificate?.complete == true)
    #expect(await Set(store.rows.keys) == Set(-1...120))
    #expect(library.requests.count == 3 + 122 && Set(library.requests).count == 125)
    #expect(report.counters.requests == 125)
    #expect(report.counters.pages == 3)
    #expect(report.counters.rowsSeen == 122 && report.counters.inserted == 122)
    #expect((2...4).contains(library.mostAtOnce))
    let counts = told.withLock { $0 }
    // While a batch is committed, the answers to the other three requests can make the next batch larger.
    #expect(zip([0] + counts, counts.dropLast()).allSatisfy { (25...28).contains($1 - $0) }, "\(counts)")
    #expect(counts.last == 122)
    #expect(await store.published == Set(-1...120))
  }

  @Test("a second run changes nothing and skips documents that are still fresh, unless --full requests all")
  func fresh() async throws {
    let store = MemoryStore()
    _ = try await run(Library(Array(1...60)), store)
    await store.keepFresh(Set(1...50))
    let second = Library(Array(1...60))
    let report = try await run(second, store)
    #expect(report.status == .complete)
    #expect(report.counters.fresh == 50)
    #expect(report.counters.unchanged == 10 && report.counters.rowsSeen == 10)
    #expect(second.requests.count == 1 + 10)
    let third = Library(Array(1...60))
    _ = try await run(third, store, isFull: true)
    #expect(third.requests.count == 1 + 60)
  }

  @Test("a walk that is stopped several times resumes with the documents that are still missing", arguments: [1, 3, 8])
  func resumes(concurrency: Int) async throws {
    var generator = SeededGenerator(seed: testSeed)
    for _ in 0..<8 * testFactor {
      let keys = (0..<Int64.random(in: 1...400, using: &generator)).map { $0 * 3 - 5 }
      let fails = Mutex(
        (0..<Int.random(in: 1...5, using: &generator)).map { _ in Int.random(in: 1...12, using: &generator) })
      let commits = Mutex(0)
      let store = MemoryStore { _ in
        let count = commits.withLock {
          $0 += 1; return $0
        }
        if let index = fails.withLock({ $0.firstIndex(of: count) }) {
          _ = fails.withLock { $0.remove(at: index) }
          throw SyncError(.database, "the database is away")
        }
      }
      let library = Library(keys, pageSize: 100)
      var stops = 0
      var report = try await run(library, store, concurrency: concurrency)
      while report.status != .complete {
        try #require(report.status == .failed && report.certificate?.complete == false)
        stops += 1
        report = try await run(library, store, concurrency: concurrency)
      }
      #expect(await Set(store.rows.keys) == Set(keys))
      let inHand = 2 * Limits.documentsPerCommit + concurrency
      let requested = library.requestsOfKeys
      let twice = requested.values.reduce(0, +) - keys.count
      #expect(twice <= stops * inHand, "\(twice) documents were requested again after \(stops) stops")
      #expect(Set(requested.keys) == Set(keys))
    }
  }

  @Test("while a batch is committed, the next one is fetched, and not more")
  func besideCommit() async throws {
    let library = Library(Array(1...200))
    let most = Mutex(0)
    let store = MemoryStore { commit in
      guard commit.page.page == nil, most.withLock({ $0 == 0 }) else { return }
      let next = 1 + 2 * Limits.documentsPerCommit
      for _ in 0..<100_000 {
        if library.requests.count >= next { break }
        await Task.yield()
      }
      // A request beyond the limit would start during these yields.
      for _ in 0..<1000 { await Task.yield() }
      most.withLock { $0 = library.requests.count }
    }
    #expect(try await run(library, store, concurrency: 3).status == .complete)
    let wanted = 1 + 2 * Limits.documentsPerCommit
    #expect((wanted...(wanted + 3)).contains(most.withLock { $0 }))
  }

  @Test("a 404 is believed only if every address says so, and then the item is quarantined, not marked as vanished")
  func missing() async throws {
    let library = Library(Array(1...5), answers: ["/2/": .missing, "/4/": .missing, "/4": .missing, "/5": .missing])
    let store = MemoryStore()
    let report = try await run(library, store)
    #expect(report.status == .complete)
    #expect(await Set(store.rows.keys) == [1, 2, 3, 5])
    #expect(report.counters.quarantined == 1)
    #expect(await store.commits.flatMap(\.rejected).map(\.key) == [4])
    #expect(library.requests(of: 2) == 2 && library.requests(of: 4) == 2 && library.requests(of: 5) == 1)
    #expect(await store.vanished.isEmpty)
  }

  @Test("an item that left the list is looked up at all its addresses before it is marked as vanished")
  func vanished() async throws {
    let store = MemoryStore()
    _ = try await run(Library(Array(1...5)), store)
    let library = Library(Array(1...3), answers: ["/4/": .missing, "/5/": .missing, "/5": .missing])
    #expect(try await run(library, store).status == .complete)
    #expect(await store.vanished == [5])
    #expect(library.requests(of: 4) == 2 && library.requests(of: 5) == 2)
  }

  @Test("after a fault at one address the other one is requested")
  func stuckCache() async throws {
    let library = Library(Array(1...3), answers: ["/2/": .failing])
    let store = MemoryStore()
    let report = try await run(library, store)
    #expect(report.status == .complete)
    #expect(report.counters.retries == 1)
    #expect(await Set(store.rows.keys) == [1, 2, 3])
  }

  @Test("a document that fails is retried at the end, named in the certificate, and requested again by the next run")
  func unavailable() async throws {
    let store = MemoryStore()
    let library = Library(Array(1...9), answers: ["/7/": .failing, "/7": .failing, "/8/": .refused, "/8": .refused])
    let report = try await run(library, store, concurrency: 1)
    #expect(report.status == .partial)
    #expect(report.certificate?.unavailable == [7])
    #expect(report.certificate?.complete == false)
    #expect(report.counters.quarantined == 1, "a document that is refused for good is in quarantine")
    #expect(await Set(store.rows.keys) == [1, 2, 3, 4, 5, 6, 9])
    #expect(library.requests(of: 7) == 2 * RetryPolicy().attempts)
    #expect(await store.published.isEmpty)
    await store.keepFresh([1, 2, 3, 4, 5, 6, 9])
    let next = try await run(Library(Array(1...9)), store)
    #expect(next.status == .complete)
    #expect(next.counters.inserted == 2)
  }

  @Test("documents that arrived before the budget was spent are stored")
  func budgetSpent() async throws {
    let store = MemoryStore()
    let report = try await run(Library(Array(1...9), answers: ["/6/": .budgetSpent]), store, concurrency: 1)
    #expect(report.status == .failed)
    #expect(report.error?.code == .tryLater)
    #expect(report.certificate?.complete == false)
    #expect(await Set(store.rows.keys) == [1, 2, 3, 4, 5])
    let library = Library(Array(1...9))
    #expect(try await run(library, store).status == .complete)
    #expect(library.requests.count == 4)
  }

  @Test("--max-pages counts batches, and a later run resumes")
  func bounded() async throws {
    let store = MemoryStore()
    let count = Int64(Limits.documentsPerCommit * 2 + 1)
    let report = try await run(Library(Array(1...count)), store, maxPages: 2)
    #expect(report.certificate?.endedBy == .maxPages)
    #expect(report.certificate?.complete == false)
    #expect(await store.rows.count == Limits.documentsPerCommit)
    // The count of documents must not overflow, even if `maxPages` is the largest integer.
    #expect(try await run(Library(Array(1...count)), store, maxPages: .max).status == .complete)
    #expect(await store.rows.count == Int(count))
  }

  @Test("a batch has a build if all its documents have it; a document without one has the build that the service named")
  func builds() async throws {
    func builds(_ answers: [String: Library.Answer], named: String?) async throws -> [String?] {
      let store = MemoryStore()
      _ = try await run(Library([1, 2], build: named, answers: answers), store, concurrency: 1)
      return await store.commits.filter { $0.page.page == nil }.map(\.build)
    }
    #expect(try await builds([:], named: nil) == [nil])
    #expect(try await builds([:], named: "a") == ["a"])
    #expect(try await builds(["/1/": .document(build: "a")], named: "a") == ["a"])
    #expect(try await builds(["/1/": .document(build: "b")], named: "a") == [nil])
    let both: [String: Library.Answer] = ["/1/": .document(build: "b"), "/2/": .document(build: "b")]
    #expect(try await builds(both, named: "a") == ["b"])
  }

  @Test("a service that fails in the middle ends the run, and puts no document into quarantine", arguments: [1, 4])
  func down(concurrency: Int) async throws {
    let answers = Dictionary(
      uniqueKeysWithValues: (20...400).flatMap { [("/\($0)/", Library.Answer.failing), ("/\($0)", .failing)] })
    let store = MemoryStore()
    let report = try await run(Library(Array(1...400), answers: answers), store, concurrency: concurrency)
    #expect(report.status == .failed && report.error != nil)
    #expect(report.counters.quarantined == 0)
    #expect(await store.published.isEmpty)
    #expect(try await run(Library(Array(1...400)), store, concurrency: concurrency).status == .complete)
    #expect(await Set(store.rows.keys) == Set(1...400))
  }

  @Test("an address that fails is not an address that answers 404")
  func failingAddress() async throws {
    let store = MemoryStore()
    _ = try await run(Library(Array(1...5)), store)
    let library = Library(Array(1...4), answers: ["/5/": .failing, "/5": .missing])
    let report = try await run(library, store)
    #expect(await store.vanished.isEmpty, "\(library.requests)")
    #expect(report.status == .complete)
  }
}
