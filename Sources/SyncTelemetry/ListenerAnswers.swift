import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import SyncCore

/// Answers the requests of a `HealthListener`.
struct ListenerAnswers: HTTPResponder {
  typealias Context = ListenerContext

  let metrics: @Sendable () async -> String
  let health: HealthListener.Check
  let readiness: HealthListener.Check
  let pages: HealthListener.Pages?
  let deadline: Duration

  func respond(to request: Request, context: ListenerContext) async throws -> Response {
    let target = request.head.path ?? "/"
    let path = target.prefix { $0 != "?" }
    guard let page = Page(rawValue: String(path)) else {
      if let pages {
        var response = try await pages(request, context)
        response.headers[.connection] = "close"
        return response
      }
      return answer("not found; the paths are /metrics, /healthz and /readyz", .notFound, to: request)
    }
    guard request.method == .get || request.method == .head else {
      return answer("use GET or HEAD", .methodNotAllowed, [.allow: "GET, HEAD"], to: request)
    }
    switch page {
    case .metrics:
      switch await result(of: metrics) {
      case .success(let text):
        return answer(raw: text, .ok, [.contentType: "text/plain; version=0.0.4; charset=utf-8"], to: request)
      case .failure(let refusal): return answer(refusal.reason, .serviceUnavailable, to: request)
      }
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
    switch await result(of: check) {
    case .success(.well): answer("ok", .ok, to: request)
    case .success(.unwell(let reason)): answer(Excerpt.of(reason), .serviceUnavailable, to: request)
    case .failure(let refusal): answer(refusal.reason, .serviceUnavailable, to: request)
    }
  }

  private struct Refusal: Error {
    let reason: String
  }

  private func result<R: Sendable>(of work: @escaping @Sendable () async -> R) async -> Result<R, Refusal> {
    let result = await cancelWhenGracefulShutdown { [deadline] in
      await AnswerDeadline.result(within: deadline, of: work)
    }
    return result.mapError { refusal in
      switch refusal {
      case .late: Refusal(reason: "it took longer than \(deadline)")
      case .cancelled: Refusal(reason: "the program is shutting down")
      }
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
    fields[.connection] = "close"
    fields[.cacheControl] = "no-store"
    let response = Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    return request.method == .head ? response.createHeadResponse() : response
  }
}
