import Foundation
import HTTPTypes
import Hummingbird
package import HummingbirdCore
import NIOCore
package import SyncCore
package import SyncPostgres
package import SyncTelemetry
import Synchronization

/// A form that changes the mirror. After it, the browser returns to the page of the form.
package struct WebAction: Sendable {
  package typealias Perform = @Sendable (WebRequest, Database) async throws -> Void

  let path: String
  let perform: Perform

  package init(_ path: String, perform: @escaping Perform) { (self.path, self.perform) = (path, perform) }
}

/// The context of a request for a page.
private struct WebContext: RequestContext {
  typealias Source = ListenerContext

  var coreContext: CoreRequestContextStorage
  let client: String?
  /// The path and the query, as in the request. The request that pages see has the path without `web.path`.
  var target = "/"
  /// Whether the request's path is below `web.path`.
  var isBelowPath = true
  var sender = WebRules.Sender.others
  var rights = WebRights()

  init(source: ListenerContext) {
    coreContext = source.coreContext
    client = source.client
  }
}

/// The pages and actions of all parts, with the access rules of the site. A listener passes requests to `respond`.
package struct WebSite: Sendable {
  private let responder: RouterResponder<WebContext>
  private let rules: WebRules

  /// - Parameters:
  ///   - safe: Replaces control and hidden characters of all texts.
  ///   - said: Reports wrong passwords and tokens, without their values.
  /// - Throws: `SyncError` `.configuration` if a template is invalid, or if two pages have the same path.
  package init(
    _ parts: [WebPart], actions: [WebAction], rules: WebRules, showsPictures: Bool, sessions: WebSessions,
    clock: any SyncClock, said: @escaping @Sendable (String) -> Void, safe: @escaping @Sendable (String) -> String
  ) throws(SyncError) {
    let pages = parts.flatMap(\.pages)
    for paths in pages.map(\.path).gathered(by: \.self) where paths.count > 1 {
      throw SyncError(.configuration, "two pages have the path \(paths[0])", hint: "this is a bug in syncctl")
    }
    let maker = PageMaker(
      templates: try WebTemplates(pages: pages, safe: safe), parts: parts, rules: rules,
      showsPictures: showsPictures, sessions: sessions, attempts: WebAttempts(clock: clock, said: said))
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: WebGuard(maker: maker))
    router.get("/style.css") { _, _ in PageMaker.file(WebTemplates.style, "text/css; charset=utf-8") }
    router.get("/icon.svg") { _, _ in PageMaker.file(WebTemplates.icon, "image/svg+xml") }
    for page in pages {
      router.get(RouterPath(page.path)) { request, context in try await maker.response(page, request, context) }
    }
    for action in actions {
      router.post(RouterPath(action.path)) { request, context in try await maker.response(action, request, context) }
    }
    responder = router.buildResponder()
    self.rules = rules
  }

  /// Returns the response to a request. Errors of pages and actions become error pages.
  ///
  /// - Parameter request: The request as received. Its path contains `web.path`.
  package func respond(to request: Request, _ context: ListenerContext) async throws -> Response {
    var (context, head) = (WebContext(source: context), request.head)
    context.target = head.path ?? "/"
    let inner = rules.inner(context.target)
    context.isBelowPath = inner != nil
    head.path = inner ?? context.target
    return try await responder.respond(to: Request(head: head, body: request.body), context: context)
  }
}

private struct WebGuard: RouterMiddleware {
  typealias Context = WebContext

  let maker: PageMaker

  func handle(
    _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var (context, response): (WebContext, Response) = (context, Response(status: .ok))
    do {
      // The first `Host` header becomes the authority. Only further `Host` headers are in the header fields.
      guard !Self.has("host", in: request) else { throw WebFault.badForm("The request names more than one host.") }
      let host = request.head.authority
      context.sender = try maker.rules.sender(host: host, isForwarded: Self.isForwarded(request))
      context.rights = maker.rules.rights(context.sender, host: host, cookies: request.headers[values: .cookie])
      guard [.get, .head, .post].contains(request.method) else { throw WebFault.wrongMethod }
      if let answer = try maker.signIn(request, context) {
        response = answer
      } else {
        guard context.isBelowPath else { throw WebFault.outside(maker.rules.base) }
        response = try await next(request, context)
      }
    } catch {
      response = maker.response(WebFault(error), request, context)
    }
    for (name, value) in WebRules.headers(showsPictures: maker.showsPictures) {
      if let name = HTTPField.Name(name), response.headers[name] == nil { response.headers[name] = value }
    }
    return request.method == .head ? response.createHeadResponse() : response
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

/// The wrong passwords and tokens of the last seconds.
private final class WebAttempts: Sendable {
  private let passwords = Mutex(AttemptLimit())
  private let tokens = Mutex(AttemptLimit())
  private let clock: any SyncClock
  private let said: @Sendable (String) -> Void

  init(clock: any SyncClock, said: @escaping @Sendable (String) -> Void) {
    self.clock = clock
    self.said = said
  }

  /// - Throws: `WebFault` for a wrong password. After too many wrong ones, a right password is refused, too.
  func expectPassword(_ client: WebClient, isRight: () -> Bool) throws(WebFault) {
    // One access for all steps, so that requests at the same time cannot try more passwords.
    let fault = passwords.withLock { limit -> WebFault? in
      if let wait = limit.wait(client, now: clock.now()) { return .tooManyAttempts(wait) }
      if isRight() { return nil }
      limit.noteWrong(client, now: clock.now())
      return .unauthorized
    }
    guard let fault else { return }
    if fault.status == .unauthorized { said("wrong password for the pages, from \(client.text)") }
    throw fault
  }

  /// Returns the error for a wrong token. A right token is never refused, because tokens are too long to be guessed,
  /// and other users of this machine could otherwise keep its owner from signing in.
  func wrongToken(_ client: WebClient) -> WebFault {
    let wait = tokens.withLock { limit -> Duration? in
      if let wait = limit.wait(client, now: clock.now()) { return wait }
      limit.noteWrong(client, now: clock.now())
      return nil
    }
    if let wait { return .tooManyAttempts(wait) }
    said("wrong token for the pages, from \(client.text)")
    return .wrongToken
  }
}

private struct PageMaker: Sendable {
  let templates: WebTemplates
  let parts: [WebPart]
  let rules: WebRules
  let showsPictures: Bool
  let sessions: WebSessions
  let attempts: WebAttempts
  let cache = WebCache<String>()

  func response(_ page: WebPage, _ request: Request, _ context: WebContext) async throws -> Response {
    let rights = context.rights
    let webRequest = try webRequest(request, query: request.uri.query ?? "", context)
    let make: @Sendable () async throws -> String = {
      try await Self.bounded {
        let made = try await sessions.withDatabase(asOwner: rights.showsPersonalData) {
          database -> (content: WebContent, links: [WebLink]) in
          let content = try await page.content(webRequest, database)
          return (content, try await links(database))
        }
        return text(made.content, page.template, path: page.path, links: made.links, rights)
      }
    }
    guard page.isShared else { return Self.page(try await make()) }
    return Self.page(try await cache.value(of: page.path, for: rights, life: Limits.sharedPageLife, make: make))
  }

  /// Answers a request of this machine whose address has a token: a right token signs the browser in, and the browser
  /// goes on to the address without the token. Returns `nil` for other requests.
  func signIn(_ request: Request, _ context: WebContext) throws -> Response? {
    let parts = context.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard context.sender == .thisMachine, request.method != .post, parts.count == 2,
      let (token, rest) = WebSignIn.token(in: String(parts[1]))
    else { return nil }
    var cookie: String?
    if !context.rights.showsPersonalData {
      guard case .signedIn(let signIn) = rules.local, signIn.accepts(token) else {
        throw attempts.wrongToken(client(request, context))
      }
      cookie = signIn.cookie(host: request.head.authority, path: rules.base)
    }
    let path = WebRules.isPath(String(parts[0])) ? String(parts[0]) : "\(rules.base)/"
    let target = rest.isEmpty ? path : "\(path)?\(rest)"
    var response = Self.redirect(to: target)
    // If another site or a file began the request, browsers do not send the cookie with a redirect. They send it with
    // a request that a page of this server begins.
    if ["cross-site", "same-site"].contains(Self.fetchSite(request)) {
      let content = WebContent(title: "Signed in", ["continuesAt": .text(target)])
      response = Self.page(text(content, "shared/signed-in", path: path, links: [], .owner))
    }
    response.headers[.setCookie] = cookie
    // The address of this answer contains the token.
    if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
    return response
  }

  private func client(_ request: Request, _ context: WebContext) -> WebClient {
    let forwarded = HTTPField.Name("X-Forwarded-For").map { request.headers[values: $0].joined(separator: ",") }
    return WebClient(peer: context.client, forwardedFor: forwarded)
  }

  private static func fetchSite(_ request: Request) -> String? {
    HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
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

  func response(_ action: WebAction, _ request: Request, _ context: WebContext) async throws -> Response {
    let (host, fields, rights) = (request.head.authority, request.headers, context.rights)
    guard
      rules.isOwnForm(context.sender, fetchSite: Self.fetchSite(request), origin: fields[.origin], host: host)
    else { throw WebFault.foreignForm }
    guard rights.allowsWriting else { throw rights.offersSignIn ? WebFault.signedOut : WebFault.readOnly }
    if !rights.showsPersonalData {
      guard let header = fields[.authorization] else { throw WebFault.unauthorized }
      try attempts.expectPassword(client(request, context)) { rules.hasPassword(header) }
    }
    var request = request
    let form = String(buffer: try await request.collectBody(upTo: Limits.formBytes))
    let webRequest = try webRequest(request, query: form, context)
    try await Self.bounded {
      try await sessions.withDatabase(asOwner: true) { database in try await action.perform(webRequest, database) }
    }
    return Self.redirect(to: rules.path(from: fields[.referer], host: host))
  }

  func response(_ fault: WebFault, _ request: Request, _ context: WebContext) -> Response {
    let fault = context.rights.showsPersonalData ? fault : fault.withoutDetails
    // A page of the navigation exists even if the mirror has nothing to show on it.
    let isPlain = fault.status == .notFound && [.get, .head].contains(request.method) && request.uri.query == nil
    let (path, error) = (request.uri.path, "shared/error")
    let empty = isPlain && context.isBelowPath ? parts.flatMap(\.links).first { $0.path == path } : nil
    // A fault can be a missing database, so the navigation has only the links that need none.
    let links = parts.filter { $0.showsLinks == nil }.flatMap(\.links)
    let content = WebContent(title: empty?.text ?? fault.title, fault.values)
    var response = Self.page(text(content, error, path: path, links: links, context.rights))
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

  private func text(
    _ content: WebContent, _ template: String, path: String, links: [WebLink], _ rights: WebRights
  ) -> String {
    var values = content.values
    values["title"] = .text(content.title)
    values["base"] = .text(rules.base)
    values["offersSignIn"] = .flag(rights.offersSignIn)
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

  /// Returns a redirect, which browsers and proxies do not store.
  private static func redirect(to target: String) -> Response {
    Response(status: .seeOther, headers: [.location: target, .cacheControl: "no-store"])
  }

  private func webRequest(_ request: Request, query: String, _ context: WebContext) throws -> WebRequest {
    try WebRequest(
      path: request.uri.path,
      parameters: Dictionary(
        context.parameters.map { (String($0.key), $0.value.removingPercentEncoding ?? String($0.value)) },
        uniquingKeysWith: { first, _ in first }),
      query: WebForm.values(query), languages: request.headers[.acceptLanguage] ?? "", showsPictures: showsPictures,
      rights: context.rights
    ).checked()
  }
}
