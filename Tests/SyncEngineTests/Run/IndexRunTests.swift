import SyncCore
import SyncEngine
import Synchronization
import Testing

@Suite("Reading an index")
struct IndexRunTests {
  private final class Source: IndexedSource, Transport {
    let id = SourceID(rawValue: "test")
    let origin = "http://test"
    let named: String?
    private let tellsAt: String
    private let isDown: Bool
    private let log = Mutex<[String]>([])

    init(build: String?, isDown: Bool = false, at path: String = "meta") {
      named = build
      tellsAt = path
      self.isDown = isDown
    }

    var requests: [String] { log.withLock { $0 } }
    var buildRequest: UpstreamRequest { UpstreamRequest(url: "http://test/meta", alternatives: ["http://test/meta/"]) }
    var indexRequest: UpstreamRequest { UpstreamRequest(url: "http://test/") }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      log.withLock { $0.append(String(request.url.dropFirst("http://test/".count))) }
      if isDown { throw SyncError(.upstream, "refused", disposition: .retry(after: nil)) }
      return UpstreamResponse(status: 200, headers: [:], body: [0x20])
    }

    func build(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> String? {
      request.url == "http://test/\(tellsAt)" ? named : nil
    }
    func streams(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> [String] { ["a", "b", "c"] }
  }

  private actor Store: IndexStore {
    let stored: StoredIndex
    private(set) var looks: [IndexLook] = []

    init(_ stored: StoredIndex = StoredIndex()) { self.stored = stored }

    func index(of source: SourceID, origin: String) -> StoredIndex { stored }

    func record(_ look: IndexLook) -> RunReport {
      looks.append(look)
      return RunReport(
        id: "1", stream: StreamID(source: look.source, name: StoredIndex.stream),
        status: look.status, counters: look.counters, walBytes: 0, duration: .zero,
        certificate: nil, error: look.error)
    }
  }

  private func look(
    _ source: Source, _ store: Store, requested: [String]? = nil, isFull: Bool = false,
    clock: ManualClock = ManualClock(isAutomatic: true), windows: [RateWindow] = [],
    observer: @escaping RunObserver = { _ in }
  ) async throws -> IndexRun.StreamPlan {
    try await IndexRun(
      source: source, fetcher: .forTests(source, clock: clock, windows: windows), store: store, clock: clock,
      observer: observer
    ).selectStreams(requested: requested, isFull: isFull)
  }

  private let mirrored = StoredIndex(streams: ["a", "b", "c"], builds: ["a": "1", "b": "1", "c": "1"])

  @Test("a source that was never mirrored: its build, its index, all its streams")
  func first() async throws {
    let (source, store) = (Source(build: "1"), Store())
    let found = try await look(source, store)
    #expect(source.requests == ["meta", ""])
    #expect(found.streams == ["a", "b", "c"] && found.unchanged.isEmpty && found.unknown.isEmpty)
    #expect(found.report.counters.requests == 2)
    #expect(await store.looks.first?.streams == ["a", "b", "c"])
  }

  @Test("the build that was mirrored: one request, and no stream")
  func unchanged() async throws {
    let (source, store) = (Source(build: "1"), Store(mirrored))
    let found = try await look(source, store)
    #expect(source.requests == ["meta"])
    #expect(found.streams.isEmpty && found.unchanged == ["a", "b", "c"])
    #expect(await store.looks.first?.build == "1")
    #expect(await store.looks.first?.streams == nil)
    let full = try await look(source, store, isFull: true)
    #expect(full.streams == ["a", "b", "c"] && full.unchanged.isEmpty)
  }

  @Test("one address that names no build is not believed: the other one is requested too")
  func otherAddress() async throws {
    let (source, store) = (Source(build: "1", at: "meta/"), Store(mirrored))
    let found = try await look(source, store)
    #expect(source.requests == ["meta", "meta/"])
    #expect(found.build == "1" && found.streams.isEmpty)
  }

  @Test("another build, no build, or one stale stream: the index is read, and stale streams are run")
  func changed() async throws {
    #expect(try await look(Source(build: "2"), Store(mirrored)).streams == ["a", "b", "c"])
    #expect(try await look(Source(build: nil), Store(mirrored)).streams == ["a", "b", "c"])
    let behind = StoredIndex(streams: ["a", "b"], builds: ["a": "1"])
    let found = try await look(Source(build: "1"), Store(behind))
    #expect(found.streams == ["b", "c"] && found.unchanged == ["a"])
  }

  @Test("requested streams that the index lacks are reported")
  func requested() async throws {
    let found = try await look(Source(build: "2"), Store(mirrored), requested: ["c", "x"])
    #expect(found.streams == ["c"] && found.unknown == ["x"] && found.indexed == ["a", "b", "c"])
    let (source, store) = (Source(build: "1"), Store(mirrored))
    #expect(try await look(source, store, requested: ["b"]).unchanged == ["b"])
    #expect(source.requests == ["meta"])
  }

  @Test("a service that is down is recorded in the ledger, and no stream is run")
  func down() async throws {
    let (source, store) = (Source(build: "1", isDown: true), Store(mirrored))
    let found = try await look(source, store)
    #expect(found.report.error?.code == .upstream)
    #expect(found.report.counters.requests == RetryPolicy().attempts)
    #expect(found.streams.isEmpty)
    #expect(await store.looks.count == 1)
  }

  private static let slow = [RateWindow(requests: 1, interval: .seconds(60))]

  @Test("the observer is told of a wait, and of the end")
  func waits() async throws {
    let events = Mutex<[String]>([])
    _ = try await look(Source(build: "1"), Store(), windows: Self.slow) { event in
      switch event {
      case .waiting(let stream, .permit(let reason, _)): events.withLock { $0.append("\(stream): \(reason)") }
      case .finished(let report): events.withLock { $0.append("\(report.stream) \(report.status.rawValue)") }
      default: break
      }
    }
    #expect(events.withLock { $0 } == ["test/index: waiting for a request slot", "test/index complete"])
  }

  @Test("cancelled while it waits: an interrupted run with the requests before it, and no stream is run")
  func interrupted() async throws {
    let (clock, store) = (ManualClock(), Store())
    let task = Task { try await look(Source(build: "1"), store, clock: clock, windows: Self.slow) }
    await clock.sleepers(1)
    task.cancel()
    let found = try await task.value
    #expect(found.report.status == .interrupted && found.report.error == nil && found.streams.isEmpty)
    #expect(await store.looks.map(\.counters.requests) == [1])
  }
}
