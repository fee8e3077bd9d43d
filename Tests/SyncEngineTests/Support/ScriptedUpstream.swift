import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization

/// A list behind a network, both written by a test: no sockets and no time.
final class ScriptedUpstream: PagedStream, Transport {
  /// The result of the n-th request for a page (from 1), before the page itself is looked up.
  typealias Fault = @Sendable (_ page: Int, _ attempt: Int) async throws -> Void

  let description: StreamDescription
  private let pages: Mutex<[Int: TestPage]>
  private let log = Mutex<[Int]>([])
  private let fault: Fault
  /// Whether pages have an ETag, and a client that has a page gets 304 instead of it.
  private let hasETags: Bool

  init(_ pages: [TestPage], hasETags: Bool = false, fault: @escaping Fault = { _, _ in }) {
    self.pages = Mutex(Dictionary(uniqueKeysWithValues: zip(1..., pages)))
    self.fault = fault
    self.hasETags = hasETags
    description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "list"), provider: "test", origin: "http://test",
      pageSize: 3, absence: .endsEntry(.wholeList), sql: StreamSQL(folder: "test", scope: []))
  }

  /// The page of every request that was sent, in order.
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
    if hasETags, let content = pages.withLock({ $0[page] }) {
      let etag = "\"\("\(content)".utf8.reduce(5381) { $0 &* 33 ^ Int($1) })\""
      let isKnown = request.validators?.etag == etag
      return UpstreamResponse(
        status: isKnown ? 304 : 200, headers: ["etag": etag], body: isKnown ? [] : Array(repeating: 0x20, count: 10))
    }
    // Ten bytes, for the sums; `read` looks up the content.
    return UpstreamResponse(status: 200, headers: [:], body: Array(repeating: 0x20, count: 10))
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    pages.withLock { $0[Self.page(of: request)] }.map(\.page) ?? .notFound
  }

  /// The list as it is from now on.
  func change(_ pages: [TestPage]) {
    self.pages.withLock { $0 = Dictionary(uniqueKeysWithValues: zip(1..., pages)) }
  }

  private static func page(of request: UpstreamRequest) -> Int {
    Int(request.url.drop { $0 != "=" }.dropFirst()) ?? 0
  }
}

extension [TestPage] {
  /// `count` pages of three new keys each, whose claims are true.
  static func honest(_ count: Int) -> [TestPage] {
    (0..<count).map { page in
      TestPage(
        (0..<3).map { Int64(3 * page + $0) }, total: 3 * count, last: count, hasNext: page + 1 < count)
    }
  }
}

extension Fetcher {
  /// A fetcher without limits on an automatic clock; each backoff takes half of its maximum.
  static func forTests(
    _ upstream: ScriptedUpstream, clock: ManualClock = ManualClock(isAutomatic: true), windows: [RateWindow] = []
  ) -> Fetcher {
    Fetcher(
      transport: upstream, limiter: RateLimiter(budget: LocalRateBudget(windows: windows, clock: clock), clock: clock),
      clock: clock, chance: { 0.5 })
  }
}

extension Fetcher {
  func fetch(
    page: Int, of stream: any PagedStream, retries: RunRetries, onRetry: @Sendable (SyncError, Duration) -> Void
  ) async -> Outcome<FetchedPage> {
    await fetch(PageAddress(page: page, size: 3), of: stream, retries: retries, onRetry: onRetry)
  }
}
