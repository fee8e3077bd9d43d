import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
package import SyncCore
import Synchronization

/// The transport that uses the network, over HTTP/1.1 with AsyncHTTPClient.
///
/// It sends each request once, decompresses gzip, and limits the body's size and the request's whole time. Redirects
/// are off, so that a request never leaves its origin. It does not use URLSession, which on Linux returned half of a
/// truncated gzip body as a success and does not limit the decompressed size.
package struct HTTPTransport: Transport {
  private let direct: HTTPClient
  /// The clients for `https` and `http` addresses that are requested through a proxy.
  private let proxied: [HTTPAddress.Scheme: HTTPClient]
  private let proxies: ProxySettings
  private let deadline: Duration
  private let bodyBytes: Int
  private let userAgent: String
  private let time: @Sendable () -> Int
  private let budget = ByteBudget(bytes: Limits.bodyBytesInFlight)

  /// Calls `body` with a transport, and closes its connections afterwards. The transport must not be used after `body`
  /// has returned.
  /// - Parameters:
  ///   - userAgent: The value of the header `User-Agent`.
  ///   - deadline: The longest time of one request, its body included, without the wait for memory.
  ///   - bodyBytes: The largest body, decompressed.
  ///   - time: This machine's time in seconds since 1970. It replaces the `Date` of a response without one.
  package static func with<R: Sendable>(
    userAgent: String, proxies: ProxySettings = .none, deadline: Duration = Limits.requestDeadline,
    bodyBytes: Int = Limits.responseBodyBytes,
    time: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) },
    _ body: (HTTPTransport) async throws -> R
  ) async throws -> R {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout.connect = .nanoseconds(Limits.connectDeadline.nanoseconds)
    configuration.httpVersion = .http1Only
    // Only the engine retries. The client would retry silently during every attempt.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.http1_1ConnectionDebugInitializer = ResponseHeadFilter.install
    func client(through proxy: ProxySettings.Server?) -> HTTPClient {
      var configuration = configuration
      configuration.proxy = proxy?.clientProxy
      return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }
    var proxied: [HTTPAddress.Scheme: HTTPClient] = [:]
    if let proxy = proxies.https { proxied[.https] = client(through: proxy) }
    if let proxy = proxies.http { proxied[.http] = client(through: proxy) }
    let transport = HTTPTransport(
      direct: client(through: nil), proxied: proxied, proxies: proxies, deadline: deadline, bodyBytes: bodyBytes,
      userAgent: userAgent, time: time)
    let result: Result<R, any Error>
    do { result = .success(try await body(transport)) } catch { result = .failure(error) }
    for client in [transport.direct] + transport.proxied.values { try? await client.shutdown() }
    return try result.get()
  }

  /// Sends the request and returns the response, whatever its status, without the secrets of the request.
  ///
  /// Waits for memory if the body is large. Throws `CancellationError`, or `SyncError`: `.configuration` for an address
  /// that is not valid, `.permission` if the proxy refuses the user and password, `.upstream` for all other failures.
  package func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let added = request.additions
    let query = added.query.map { (request.url.contains("?") ? "&" : "?") + $0 } ?? ""
    // The client's `URL` encodes the whole address, percent signs too, if one character is not allowed.
    let address = try Result { () throws(HTTPAddress.Fault) in try HTTPAddress(request.url + query) }
      .mapError { TransportFault.notAnAddress(request, $0) }.get()

    var outgoing = HTTPClientRequest(url: address.description)
    outgoing.headers.add(name: "User-Agent", value: userAgent)
    outgoing.headers.add(name: "Accept", value: "application/json")
    // `BodyReader` decompresses the body, because the client would decompress it before memory is reserved.
    outgoing.headers.add(name: "Accept-Encoding", value: "gzip")

    if let etag = request.validators?.etag { outgoing.headers.add(name: "If-None-Match", value: etag) }
    if let time = request.validators?.lastModified { outgoing.headers.add(name: "If-Modified-Since", value: time) }

    if let body = request.body {
      outgoing.method = .POST
      outgoing.headers.add(name: "Content-Type", value: "application/json")
      outgoing.body = .bytes(body)
    }

    for (name, value) in added.headers { outgoing.headers.replaceOrAdd(name: name, value: value) }
    if let form = added.form {
      outgoing.method = .POST
      outgoing.headers.replaceOrAdd(name: "Content-Type", value: "application/x-www-form-urlencoded")
      outgoing.body = .bytes(ByteBuffer(string: form))
    }

    let proxy = proxies.server(for: address)
    let client = proxy == nil ? direct : proxied[address.scheme] ?? direct
    do {
      return try await withinDeadline { [outgoing] waited in
        let response = try await client.execute(outgoing, deadline: .now() + .nanoseconds(deadline.nanoseconds))
        let (body, reservation) = try await read(response, for: request, waited)
        return UpstreamResponse(
          status: Int(response.status.code), headers: Self.headers(response), body: body, reservation: reservation,
          receivedAt: time()
        ).hidingSecrets(of: request)
      }
    } catch let error as SyncError {
      throw error.hidingSecrets(of: request)
    } catch {
      // A cancelled task can fail with any error, so its cancellation is checked first.
      try Task.checkCancellation()
      throw TransportFault.explain(
        error, request: request, proxy: proxy, deadline: deadline, bodyBytes: bodyBytes
      )
      .hidingSecrets(of: request)
    }
  }

  /// Unlike the client's deadline, this deadline includes the body. Time spent waiting for memory does not count.
  private func withinDeadline<R: Sendable>(
    _ body: @escaping @Sendable (WaitedTime) async throws -> R
  ) async throws -> R {
    let waited = WaitedTime()
    let result = try await withExpiry {
      var remaining = deadline
      while remaining > .zero {
        try await Self.sleep(for: remaining)
        remaining = waited.take()
      }
    } _: {
      try await body(waited)
    }
    guard let result else { throw HTTPClientError.deadlineExceeded }
    return result
  }

  /// Sleeps on an event loop, because on Linux a cancelled `Task.sleep` keeps its memory until its end.
  private static func sleep(for time: Duration) async throws {
    let end = HTTPClient.defaultEventLoopGroup.any().scheduleTask(in: .nanoseconds(time.nanoseconds)) {}
    try await withTaskCancellationHandler {
      try await end.futureResult.get()
    } onCancel: {
      end.cancel()
    }
  }

  private func read(
    _ response: HTTPClientResponse, for request: UpstreamRequest, _ waited: WaitedTime
  ) async throws -> ([UInt8], ByteReservation?) {
    if let announced = response.headers.first(name: "content-length").flatMap({ Int($0) }), announced > bodyBytes {
      throw TransportFault.tooLarge(request, announced: announced, bodyBytes: bodyBytes)
    }
    var body = try BodyReader(
      codings: response.headers[canonicalForm: "content-encoding"], limit: bodyBytes)
    for try await chunk in response.body {
      try await body.add(Array(chunk.readableBytesView)) { bytes in
        waited.begin()
        defer { waited.end() }
        return try await budget.reserve(bytes)
      }
    }
    return try body.finish()
  }

  private static func headers(_ response: HTTPClientResponse) -> [String: String] {
    var headers = Dictionary(
      response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    // A service can send each link as a header of its own.
    if headers["link"] != nil { headers["link"] = response.headers["link"].joined(separator: ", ") }
    return headers
  }
}

/// The time for which a request waits for memory.
private final class WaitedTime: Sendable {
  private struct Stopwatch {
    var elapsed = Duration.zero
    /// The beginning of a wait that has not ended.
    var startedAt: ContinuousClock.Instant?
  }

  private let stopwatch = Mutex(Stopwatch())

  func begin() { stopwatch.withLock { $0.startedAt = .now } }

  func end() {
    stopwatch.withLock { stopwatch in
      if let startedAt = stopwatch.startedAt { stopwatch.elapsed += .now - startedAt }
      stopwatch.startedAt = nil
    }
  }

  /// Returns the time since the last call.
  func take() -> Duration {
    stopwatch.withLock { stopwatch in
      var elapsed = stopwatch.elapsed
      stopwatch.elapsed = .zero
      if let startedAt = stopwatch.startedAt {
        let now = ContinuousClock.now
        elapsed += now - startedAt
        stopwatch.startedAt = now
      }
      return elapsed
    }
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product + attoseconds / 1_000_000_000
  }
}
