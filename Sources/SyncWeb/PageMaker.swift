import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import SyncCore
import SyncPostgres
import SyncTelemetry

/// Makes the responses of pages and actions.
struct PageMaker: Sendable {
  let templates: WebTemplates
  let parts: [WebPart]
  let rules: WebRules
  let showsPictures: Bool
  let sessions: WebSessions
  let attempts: WebAttempts
  let cache = WebCache<String>()

  /// Returns a page, which can be a shared copy of the last seconds.
  func response(_ page: WebPage, to request: Request, in context: WebContext) async throws -> Response {
    let rights = context.rights
    let pageRequest = try pageRequest(request, query: request.uri.query ?? "", in: context)

    let make: @Sendable () async throws -> String = {
      try await Self.bounded {
        let made = try await sessions.withDatabase(asOwner: rights.showsPersonalData) {
          database -> (content: WebContent, links: [WebLink]) in
          let content = try await page.content(pageRequest, database)
          return (content, try await links(database))
        }
        return text(made.content, template: page.template, path: page.path, links: made.links, rights: rights)
      }
    }

    guard page.isShared else { return Self.page(try await make()) }
    return Self.page(try await cache.value(of: page.path, for: rights, life: Limits.sharedPageLife, make: make))
  }

  /// Returns the page of an error, or an empty page of the navigation.
  func response(_ fault: WebFault, to request: Request, in context: WebContext) -> Response {
    let fault = context.rights.showsPersonalData ? fault : fault.withoutDetails
    // A page of the navigation exists even if the mirror has nothing to show on it.
    let isPlain = fault.status == .notFound && [.get, .head].contains(request.method) && request.uri.query == nil
    let path = request.uri.path
    let emptyPage = isPlain && context.isBelowPath ? parts.flatMap(\.links).first { $0.path == path } : nil

    // A fault can be a missing database, so the navigation has only the links that need none.
    let links = parts.filter { $0.showsLinks == nil }.flatMap(\.links)
    let content = WebContent(title: emptyPage?.text ?? fault.title, fault.values)
    var response = Self.page(text(content, template: "shared/error", path: path, links: links, rights: context.rights))
    response.status = emptyPage == nil ? fault.status : .ok
    response.headers.append(contentsOf: fault.fields)
    return response
  }

  /// Returns the links of the parts that have something to show.
  private func links(_ database: Database) async throws -> [WebLink] {
    var links: [WebLink] = []
    for part in parts {
      let isShown = try await part.showsLinks?(database) ?? true
      if isShown { links += part.links }
    }
    return links
  }

  /// Returns the text of a page.
  func text(
    _ content: WebContent, template: String, path: String, links: [WebLink], rights: WebRights
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

  static func page(_ text: String) -> Response { answer(text, "text/html; charset=utf-8", cached: "no-store") }

  static func file(_ text: String, _ type: String) -> Response { answer(text, type, cached: "max-age=60") }

  private static func answer(_ text: String, _ type: String, cached: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type, .cacheControl: cached],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// Returns a redirect, which browsers and proxies do not store.
  static func redirect(to target: String) -> Response {
    Response(status: .seeOther, headers: [.location: target, .cacheControl: "no-store"])
  }

  /// Returns the request as pages and actions see it.
  /// - Parameter query: The encoded query or form.
  func pageRequest(_ request: Request, query: String, in context: WebContext) throws -> WebRequest {
    let parameters = context.parameters.map { parameter in
      (String(parameter.key), parameter.value.removingPercentEncoding ?? String(parameter.value))
    }
    return try WebRequest(
      path: request.uri.path,
      parameters: Dictionary(parameters, uniquingKeysWith: { first, _ in first }),
      query: WebForm.values(query),
      languages: request.headers[.acceptLanguage] ?? "",
      showsPictures: showsPictures,
      rights: context.rights
    ).checked()
  }

  /// - Throws: `WebFault.slow` if the work takes longer than `Limits.pageDeadline`.
  static func bounded<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) async throws -> R {
    let result = await AnswerDeadline.result(within: Limits.pageDeadline) { () async -> Result<R, any Error> in
      do { return .success(try await work()) } catch { return .failure(error) }
    }
    switch result {
    case .success(let made): return try made.get()
    case .failure(.late): throw WebFault.slow
    case .failure(.cancelled): throw CancellationError()
    }
  }
}
