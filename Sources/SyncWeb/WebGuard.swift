import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Checks the sender of each request, signs browsers in, turns errors into pages and adds the headers of all responses.
struct WebGuard: RouterMiddleware {
  typealias Context = WebContext

  let maker: PageMaker

  func handle(
    _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    var response: Response
    do {
      try admit(request, &context)
      if let answer = try maker.signIn(request, in: context) {
        response = answer
      } else {
        guard context.isBelowPath else { throw WebFault.outside(maker.rules.base) }
        response = try await next(request, context)
      }
    } catch {
      response = maker.response(WebFault(error), to: request, in: context)
    }

    for (name, value) in maker.headers {
      if let name = HTTPField.Name(name), response.headers[name] == nil { response.headers[name] = value }
    }
    return request.method == .head ? response.createHeadResponse() : response
  }

  /// Finds the sender of the request and its rights, which the page of an error needs, too.
  /// - Throws: `WebFault` for a request that no page answers.
  private func admit(_ request: Request, _ context: inout WebContext) throws {
    // The first `Host` header becomes the authority. Only further `Host` headers are in the header fields.
    guard !Self.has("host", in: request) else { throw WebFault.badForm("The request names more than one host.") }
    let host = request.head.authority
    context.sender = try maker.rules.sender(host: host, isForwarded: Self.isForwarded(request))
    context.rights = maker.rules.rights(context.sender, host: host, cookies: request.headers[values: .cookie])
    guard [.get, .head, .post].contains(request.method) else { throw WebFault.wrongMethod }
  }

  private static func has(_ name: String, in request: Request) -> Bool {
    request.headers.contains { $0.name.canonicalName == name }
  }

  /// Whether a proxy says that it passes on the request. A proxy in its default form can omit this.
  private static func isForwarded(_ request: Request) -> Bool {
    request.headers.contains { field in
      let name = field.name.canonicalName
      return name.hasPrefix("x-forwarded-") || ["forwarded", "via", "x-real-ip"].contains(name)
    }
  }
}
