import Foundation
import HTTPTypes
package import Hummingbird
package import HummingbirdCore
import NIOCore
package import SyncCore
package import SyncPostgres
import SyncTelemetry

/// A form that changes the mirror. After it, the browser returns to the page of the form.
package struct WebAction: Sendable {
  package typealias Perform = @Sendable (WebRequest, Database) async throws -> Void

  let path: String
  let perform: Perform

  package init(_ path: String, perform: @escaping Perform) { (self.path, self.perform) = (path, perform) }
}

package struct WebSite: Sendable {
  private let responder: RouterResponder<BasicRequestContext>

  /// - Parameter safe: Replaces control and hidden characters of all texts.
  /// - Throws: `SyncError` `.configuration` if a template is invalid, or if two pages have the same path.
  package init(
    _ parts: [WebPart], actions: [WebAction], rules: WebRules, showsPictures: Bool, sessions: WebSessions,
    safe: @escaping @Sendable (String) -> String
  ) throws(SyncError) {
    let pages = parts.flatMap(\.pages)
    for paths in pages.map(\.path).gathered(by: \.self) where paths.count > 1 {
      throw SyncError(.configuration, "two pages have the path \(paths[0])", hint: "this is a bug in syncctl")
    }
    let maker = PageMaker(
      templates: try WebTemplates(pages: pages, safe: safe), parts: parts, rules: rules,
      showsPictures: showsPictures, sessions: sessions)
    let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: WebGuard(maker: maker))
    router.get("/style.css") { _, _ in PageMaker.file(WebTemplates.style, "text/css; charset=utf-8") }
    router.get("/icon.svg") { _, _ in PageMaker.file(WebTemplates.icon, "image/svg+xml") }
    for page in pages {
      router.get(RouterPath(page.path)) { request, context in try await maker.response(page, request, context) }
    }
    for action in actions {
      router.post(RouterPath(action.path)) { request, _ in try await maker.response(action, request) }
    }
    responder = router.buildResponder()
  }

  package func respond(to request: Request, _ context: BasicRequestContext) async throws -> Response {
    try await responder.respond(to: request, context: context)
  }
}

private struct WebGuard: RouterMiddleware {
  typealias Context = BasicRequestContext

  let maker: PageMaker

  func handle(
    _ request: Request, context: BasicRequestContext,
    next: @concurrent (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      // The first `Host` header becomes the authority. Only further `Host` headers are in the header fields.
      guard !Self.has("Host", in: request) else { throw WebFault.badForm("The request names more than one host.") }
      guard maker.rules.serves(host: request.head.authority) else { throw WebFault.wrongHost }
      // A loopback address shows notes and permits changes. A proxy would pass on requests of other machines.
      let isForwarded = Self.has("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "Via", in: request)
      guard !maker.rules.showsPersonalData || !isForwarded else { throw WebFault.proxy }
      guard [.get, .head, .post].contains(request.method) else { throw WebFault.wrongMethod }
      response = try await next(request, context)
    } catch {
      response = maker.response(WebFault(error), request)
    }
    for (name, value) in WebRules.headers(showsPictures: maker.showsPictures) {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return request.method == .head ? response.createHeadResponse() : response
  }

  private static func has(_ names: String..., in request: Request) -> Bool {
    names.contains { name in HTTPField.Name(name).map { request.headers[$0] != nil } ?? false }
  }
}

private struct PageMaker: Sendable {
  let templates: WebTemplates
  let parts: [WebPart]
  let rules: WebRules
  let showsPictures: Bool
  let sessions: WebSessions
  let cache = WebCache<String>()

  func response(_ page: WebPage, _ request: Request, _ context: BasicRequestContext) async throws -> Response {
    let asked = try asked(request, query: request.uri.query ?? "", context.parameters)
    let make: @Sendable () async throws -> String = {
      try await Self.bounded {
        let made = try await sessions.withDatabase { database -> (content: WebContent, links: [WebLink]) in
          let content = try await page.content(asked, database)
          return (content, try await links(database))
        }
        return text(made.content, page.template, path: page.path, links: made.links)
      }
    }
    let body =
      page.isShared ? try await cache.value(of: page.path, for: Limits.sharedPageLife, make: make) : try await make()
    return Self.page(body)
  }

  private static func bounded<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) async throws -> R {
    let result = await AnswerDeadline.result(within: Limits.pageDeadline) { () async -> Result<R, any Error> in
      do { return .success(try await work()) } catch { return .failure(error) }
    }
    switch result {
    case .success(let made): return try made.get()
    case .failure(.late): throw WebFault.slow
    case .failure(.cancelled): throw CancellationError()
    }
  }

  func response(_ action: WebAction, _ request: Request) async throws -> Response {
    let (host, fields) = (request.head.authority, request.headers)
    let fetchSite = HTTPField.Name("Sec-Fetch-Site").flatMap { fields[$0] }
    guard rules.isOwnForm(fetchSite: fetchSite, origin: fields[.origin], host: host) else {
      throw WebFault.foreignForm
    }
    guard rules.allowsWriting else { throw WebFault.readOnly }
    guard rules.authorizes(fields[.authorization]) else { throw WebFault.unauthorized }
    var request = request
    let form = String(buffer: try await request.collectBody(upTo: Limits.formBytes))
    let asked = try asked(request, query: form, Parameters())
    try await Self.bounded {
      try await sessions.withDatabase(writing: true) { database in try await action.perform(asked, database) }
    }
    return .redirect(to: WebRules.path(from: fields[.referer], host: host, otherwise: "/"))
  }

  func response(_ fault: WebFault, _ request: Request) -> Response {
    let fault = rules.showsPersonalData ? fault : fault.withoutDetails
    // A page of the navigation exists even if the mirror has nothing to show on it.
    let isPlain = fault.status == .notFound && [.get, .head].contains(request.method) && request.uri.query == nil
    let (path, error) = (request.uri.path, "shared/error")
    let empty = isPlain ? parts.flatMap(\.links).first { $0.path == path } : nil
    // A fault can be a missing database, so the navigation has only the links that need none.
    let links = parts.filter { $0.showsLinks == nil }.flatMap(\.links)
    let content = WebContent(title: empty?.text ?? fault.title, fault.values)
    var response = Self.page(text(content, error, path: path, links: links))
    response.status = empty == nil ? fault.status : .ok
    response.headers.append(contentsOf: fault.fields)
    return response
  }

  private func links(_ database: Database) async throws -> [WebLink] {
    var links: [WebLink] = []
    for part in parts {
      let isShown = try await part.showsLinks?(database) ?? true
      if isShown { links += part.links }
    }
    return links
  }

  private func text(_ content: WebContent, _ template: String, path: String, links: [WebLink]) -> String {
    var values = content.values
    values["title"] = .text(content.title)
    values["refreshes"] = .flag(content.refreshes)
    values["links"] = .list(
      links.map { .object(["text": .text($0.text), "path": .text($0.path), "isCurrent": .flag($0.path == path)]) })
    return templates.page(template, values)
  }

  private static func page(_ text: String) -> Response { answer(text, "text/html; charset=utf-8", cached: "no-store") }

  static func file(_ text: String, _ type: String) -> Response { answer(text, type, cached: "max-age=60") }

  private static func answer(_ text: String, _ type: String, cached: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type, .cacheControl: cached],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  private func asked(_ request: Request, query: String, _ parameters: Parameters) throws -> WebRequest {
    try WebRequest(
      path: request.uri.path,
      parameters: Dictionary(
        parameters.map { (String($0.key), $0.value.removingPercentEncoding ?? String($0.value)) },
        uniquingKeysWith: { first, _ in first }),
      query: WebForm.values(query), languages: request.headers[.acceptLanguage] ?? "", showsPictures: showsPictures,
      showsPersonalData: rules.showsPersonalData, allowsWriting: rules.allowsWriting
    ).checked()
  }
}
