import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization

/// The property by which a walk recognizes an unchanged page.
enum Recognition: Sendable, CaseIterable {
  case none
  case etags
  case bodies
}

/// A request uses no socket and takes no time.
final class AnswerScript: PagedStream, Transport {
  /// Runs before the n-th request (from 1) for a page is answered; a thrown error is the request's outcome.
  typealias Fault = @Sendable (_ page: Int, _ attempt: Int) async throws -> Void

  let description: StreamDescription
  private let pages: Mutex<[Int: TestPage]>
  private let log = Mutex<[Int]>([])
  private let fault: Fault
  private let recognition: Recognition

  init(_ pages: [TestPage], _ recognition: Recognition = .none, fault: @escaping Fault = { _, _ in }) {
    self.pages = Mutex(Dictionary(uniqueKeysWithValues: zip(1..., pages)))
    self.fault = fault
    self.recognition = recognition
    description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "list"), provider: "test", origin: "http://test",
      pageSize: 3, absence: .endsEntry(.wholeList), sql: StreamSQL(folder: "test", scope: []))
  }

  var requests: [Int] { log.withLock { $0 } }

  func request(_ address: PageAddress) -> UpstreamRequest {
    UpstreamRequest(url: "http://test/list?page=\(address.page)")
  }

  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let page = Self.page(of: request)
    let attempt = log.withLock { log in
      log.append(page)
      return log.count { $0 == page }
    }
    try await fault(page, attempt)
    let content = pages.withLock { $0[page] }
    let hash = "\(content, default: "")".utf8.reduce(5381) { $0 &* 33 ^ Int($1) }
    if recognition == .etags, content != nil {
      let etag = "\"\(hash)\""
      let isKnown = request.validators?.etag == etag
      return UpstreamResponse(status: isKnown ? 304 : 200, headers: ["etag": etag], body: isKnown ? [] : Self.newBody())
    }
    return UpstreamResponse(
      status: 200, headers: [:], body: recognition == .bodies ? Array("\(hash)".utf8) : Self.newBody())
  }

  /// Each body is a new ten-digit number, so that the totals of body sizes are predictable.
  private static func newBody() -> [UInt8] {
    bodies.withLock { bodies in
      bodies += 1
      return Array("\(bodies)".utf8)
    }
  }
  private static let bodies = Mutex(1_000_000_000)

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    pages.withLock { $0[Self.page(of: request)] }.map(\.page) ?? .notFound
  }

  func change(_ pages: [TestPage]) { self.pages.withLock { $0 = Dictionary(uniqueKeysWithValues: zip(1..., pages)) } }

  private static func page(of request: UpstreamRequest) -> Int { Int(request.url.drop { $0 != "=" }.dropFirst()) ?? 0 }
}

extension [TestPage] {
  /// Returns `count` pages of three new keys each, with true claims.
  static func honest(_ count: Int) -> [TestPage] {
    (0..<count).map { page in
      TestPage((0..<3).map { Int64(3 * page + $0) }, total: 3 * count, last: count, hasNext: page + 1 < count)
    }
  }
}

extension Fetcher {
  /// By default, the fetcher has no rate limits and an automatic clock. Each backoff takes half of its maximum.
  static func forTests(
    _ upstream: some Transport, clock: ManualClock = ManualClock(isAutomatic: true), windows: [RateWindow] = []
  ) -> Fetcher {
    Fetcher(
      transport: upstream, limiter: RateLimiter(budget: LocalRateBudget(windows: windows, clock: clock), clock: clock),
      clock: clock, chance: { 0.5 })
  }

  func fetch(
    page: Int, of stream: any PagedStream, retries: RunRetries, onWait: @Sendable (Wait) -> Void
  ) async -> Report<FetchedPage> {
    await fetch(PageAddress(page: page, size: 3), of: stream, retries: retries, onWait: onWait)
  }
}

func run(
  _ upstream: some PagedStream & Transport, _ store: MemoryStore, clock: ManualClock = ManualClock(isAutomatic: true),
  maxPages: Int? = nil, isFull: Bool = false, concurrency: Int = 4, observer: @escaping RunObserver = { _ in }
) async throws -> RunReport {
  var options = StreamRun.Options()
  options.maxPages = maxPages
  options.isFull = isFull
  return try await StreamRun(
    stream: upstream, fetcher: .forTests(upstream, clock: clock), store: store, clock: clock, concurrency: concurrency,
    observer: observer
  ).run(options)
}

extension StreamRun {
  /// Runs the stream and closes its ledger row. Throws only errors that the ledger does not record.
  func run(_ options: Options) async throws -> RunReport { try await publish(readList(options)) }
}
