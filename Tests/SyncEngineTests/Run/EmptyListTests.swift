import SyncCore
import SyncEngine
import Synchronization
import Testing

@Suite("Narrowed lists that are empty", .timeLimit(.minutes(10)))
struct EmptyListTests {
  private final class Narrowed: PagedStream, Transport {
    let description: StreamDescription
    private let narrowed: TestPage?
    private let whole: TestPage?
    private let log = Mutex<[String]>([])

    init(_ narrowed: TestPage?, whole: TestPage?, mayBeEmpty: Bool = true) {
      self.narrowed = narrowed
      self.whole = whole
      description = StreamDescription(
        id: StreamID(source: SourceID(rawValue: "test"), name: "list"), provider: "test", origin: "http://test",
        pageSize: 3, absence: .endsEntry(.filteredList), sql: StreamSQL(folder: "test", scope: []),
        witness: mayBeEmpty ? UpstreamRequest(url: "http://test/whole") : nil)
    }

    var requests: [String] { log.withLock { $0 } }

    func request(_ address: PageAddress) -> UpstreamRequest {
      UpstreamRequest(url: "http://test/narrowed?page=\(address.page)")
    }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      log.withLock { $0.append(String(request.url.dropFirst("http://test/".count))) }
      return UpstreamResponse(status: 200, headers: [:], body: Array(repeating: 0x20, count: 10))
    }

    func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
      let page = request.url.hasSuffix("page=1") ? narrowed : request.url.hasSuffix("whole") ? whole : nil
      return page?.page ?? .notFound
    }

    func run() async throws -> (report: RunReport, ending: WalkEnding?) {
      let clock = ManualClock(isAutomatic: true)
      let store = MemoryStore()
      let report = try await StreamRun(
        stream: self, fetcher: .forTests(self, clock: clock), store: store, clock: clock, observer: { _ in }
      ).run(StreamRun.Options())
      return (report, await store.endings.last)
    }
  }

  private static let nothing = TestPage([], total: 0, last: 1, hasNext: false)

  @Test(
    "a page 1 that is missing or empty is complete with 0 rows if the whole list has items",
    arguments: [(nil, Certificate.EndedBy.notFound), (nothing, .emptyPage)] as [(TestPage?, Certificate.EndedBy)])
  func empty(_ page: TestPage?, _ endedBy: Certificate.EndedBy) async throws {
    let stream = Narrowed(page, whole: TestPage([1, 2]))
    let (report, ending) = try await stream.run()
    #expect(report.status == .complete && report.error == nil)
    let certificate = try #require(report.certificate)
    #expect(certificate.complete && certificate.distinctKeys == 0 && certificate.endedBy == endedBy)
    #expect(ending?.publishes == true)
    #expect(stream.requests == ["narrowed?page=1", "whole"] && report.counters.requests == 2)
  }

  @Test(
    "it is an error if the whole list has none either, or only unusable items",
    arguments: [nil, nothing, TestPage(entries: [.rejected(1), .rejected(nil)])] as [TestPage?])
  func unwell(_ whole: TestPage?) async throws {
    for page in [nil, Self.nothing] {
      let (report, ending) = try await Narrowed(page, whole: whole).run()
      #expect(report.status == .failed && report.error?.code == .upstream)
      #expect(report.error?.message.contains("http://test/whole has no items either") == true)
      #expect(ending?.publishes == false && report.certificate?.complete == false)
    }
  }

  @Test("a list with items requests nothing else, and an empty page that does not say so stays an error")
  func others() async throws {
    let full = Narrowed(TestPage([1], total: 1, last: 1, hasNext: false), whole: TestPage([1]))
    #expect(try await full.run().report.status == .complete)
    #expect(full.requests == ["narrowed?page=1"])
    let silent = Narrowed(TestPage([], total: 7, last: 3, hasNext: true), whole: TestPage([1]))
    #expect(try await silent.run().report.error?.message.contains("does not claim to be empty") == true)
  }

  @Test("404 on page 1 of a list that is never empty is an error")
  func whole() async throws {
    let stream = Narrowed(nil, whole: TestPage([1]), mayBeEmpty: false)
    #expect(try await stream.run().report.error?.message.contains("the list does not exist") == true)
    #expect(stream.requests == ["narrowed?page=1"])
  }
}
