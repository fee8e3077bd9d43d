import SyncCore
import SyncEngine
import Testing

@Suite("Looking up what a catalogue lacks")
struct LookupTests {
  private struct Catalogue: PagedStream, ItemLookup, Transport {
    let listed: [Int64]
    /// Items without an entry here answer with status 404.
    var answers: [Int64: Answer] = [:]

    enum Answer: Sendable {
      case there, refused, budgetSpent
    }

    let description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "catalogue"), provider: "test", origin: "http://test",
      pageSize: 50, method: .catalogue(pageCap: nil), absence: .questionsItem(ShrinkGuard(maxShare: 1, minRows: 1)),
      sql: StreamSQL(folder: "test", scope: []))
    var lookup: (any ItemLookup)? { self }

    func request(_ address: PageAddress) -> UpstreamRequest { UpstreamRequest(url: "http://test/list") }
    func request(key: Int64) -> UpstreamRequest { UpstreamRequest(url: "http://test/\(key)") }
    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      UpstreamResponse(status: 200, headers: [:], body: Array("\(listed)".utf8))
    }

    func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
      TestPage(listed, total: listed.count, last: 1, hasNext: false).page
    }

    func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
      switch answers[key] {
      case nil: return .gone
      case .there: return .item(TestPage([key]).page.entries[0])
      case .refused: throw SyncError(.upstream, "\(request.url) answered 410")
      case .budgetSpent: throw SyncError(.tryLater, "the budget is spent")
      }
    }
  }

  private func mirror() async throws -> MemoryStore {
    let store = MemoryStore()
    let report = try await run(Catalogue(listed: Array(1...40)), store)
    try #require(report.status == .complete)
    return store
  }

  @Test("an item that answers 404 is marked as vanished, one that exists is not, and a listed one returns")
  func goneAndBack() async throws {
    let store = try await mirror()
    let report = try await run(Catalogue(listed: Array(1...37), answers: [39: .there]), store)
    #expect(report.status == .complete)
    #expect(report.counters.vanished == 2)
    #expect(report.counters.requests == 1 + 3)
    #expect(await store.vanished == [38, 40])
    _ = try await run(Catalogue(listed: Array(1...40)), store)
    #expect(await store.vanished.isEmpty)
  }

  @Test("an item whose address returns another item confirms neither, and stays as it is")
  func poisoned() async throws {
    let store = try await mirror()
    #expect(try await run(Catalogue(listed: Array(1...30), answers: [33: .refused]), store).status == .complete)
    #expect(await store.vanished == Set(31...40).subtracting([33]))
  }

  @Test("lookups before a run must stop are kept, and the certificate still says how the walk ended")
  func stopped() async throws {
    let store = try await mirror()
    let report = try await run(Catalogue(listed: Array(1...30), answers: [35: .budgetSpent]), store)
    #expect(report.status == .failed)
    #expect(report.error?.code == .tryLater)
    #expect(report.certificate?.endedBy == .noNextPage)
    #expect(await store.vanished == Set(31...34))
    #expect(await store.endings.last?.publishes == false)
    let next = try await run(Catalogue(listed: Array(1...30)), store)
    #expect(next.counters.requests == 6, "the walk and the four items are not requested again")
    #expect(next.status == .complete)
    #expect(await store.vanished == Set(31...40))
  }

  @Test("--max-pages stops lookups too, batch by batch")
  func bounded() async throws {
    let store = try await mirror()
    #expect(try await run(Catalogue(listed: [1]), store, maxPages: 2).certificate?.endedBy == .maxPages)
    #expect(await store.vanished.count == Limits.lookupsPerCommit)
    #expect(try await run(Catalogue(listed: [1]), store, maxPages: 2).status == .complete)
    #expect(await store.vanished.count == 39)
  }

  @Test("an empty catalogue that says so: the lookups are its only readings, and a run resumes after them")
  func empty() async throws {
    let store = try await mirror()
    #expect(try await run(Catalogue(listed: [], answers: [30: .budgetSpent]), store).status == .failed)
    #expect(try await run(Catalogue(listed: Array(1...40)), store).status == .complete)
    #expect(await store.vanished.isEmpty)
  }
}
