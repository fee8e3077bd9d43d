import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import SyncCore

/// What is answered to a request.
struct ListenerAnswers: HTTPResponder {
  typealias Context = BasicRequestContext

  let metrics: @Sendable () async -> String
  let health: HealthListener.Check
  let readiness: HealthListener.Check
  let checkDeadline: Duration

  func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    let target = request.head.path ?? "/"
    let path = target.prefix { $0 != "?" }
    guard let page = Page(rawValue: String(path)) else {
      return answer("not found: there are /metrics, /healthz and /readyz", .notFound, to: request)
    }
    guard request.method == .get || request.method == .head else {
      return answer("use GET or HEAD", .methodNotAllowed, [.allow: "GET, HEAD"], to: request)
    }
    switch page {
    case .metrics:
      let fields: HTTPFields = [.contentType: "text/plain; version=0.0.4; charset=utf-8"]
      return answer(raw: await metrics(), .ok, fields, to: request)
    case .health: return await answer(health, to: request)
    case .readiness: return await answer(readiness, to: request)
    }
  }

  private enum Page: String {
    case metrics = "/metrics"
    case health = "/healthz"
    case readiness = "/readyz"
  }

  private func answer(_ check: @escaping HealthListener.Check, to request: Request) async -> Response {
    switch await outcome(of: check) {
    case .well: answer("ok", .ok, to: request)
    // One line, and nothing that steers the terminal of who asks with curl.
    case .unwell(let reason): answer(Excerpt.of(reason), .serviceUnavailable, to: request)
    }
  }

  /// The check's own word, unless it takes too long: a check that hangs is an answer too.
  ///
  /// Not in a task group, which would wait for the check, and with it the client and the end of the program. One that
  /// does not end when it is cancelled goes on by itself.
  private func outcome(of check: @escaping HealthListener.Check) async -> HealthStatus {
    let (outcomes, outcome) = AsyncStream.makeStream(of: HealthStatus.self, bufferingPolicy: .bufferingOldest(1))
    let checking = Task { outcome.yield(await check()) }
    let waiting = Task { [checkDeadline] in
      try await Task.sleep(for: checkDeadline)
      outcome.yield(.unwell("the check took longer than \(checkDeadline)"))
    }
    defer {
      checking.cancel()
      waiting.cancel()
    }
    return await cancelWhenGracefulShutdown {
      for await first in outcomes { return first }
      return .unwell("the program is shutting down")
    }
  }

  private func answer(
    _ line: String, _ status: HTTPResponse.Status, _ fields: HTTPFields = [:], to request: Request
  ) -> Response {
    var fields = fields
    fields[.contentType] = "text/plain; charset=utf-8"
    return answer(raw: line + "\n", status, fields, to: request)
  }

  private func answer(
    raw text: String, _ status: HTTPResponse.Status, _ fields: HTTPFields, to request: Request
  ) -> Response {
    var fields = fields
    // A connection is for one request; who asks every quarter of a minute loses nothing by it.
    fields[.connection] = "close"
    fields[.cacheControl] = "no-store"
    let response = Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    return request.method == .head ? response.createHeadResponse() : response
  }
}
