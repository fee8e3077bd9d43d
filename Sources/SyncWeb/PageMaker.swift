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
  /// As in `WebRules.headers`.
  let pictureOrigins: Set<String>
  let sessions: WebSessions
  let attempts: WebAttempts
  /// The version of the program, for the footer.
  let version: String
  /// Returns the present time.
  let date: @Sendable () -> Date
  /// Returns sentences that all pages show, such as about a changed configuration.
  let notices: @Sendable () -> [String]
  let cache = WebCache<Made>()

  var headers: [(name: String, value: String)] {
    WebRules.headers(showsPictures: showsPictures, pictureOrigins: pictureOrigins)
  }

  /// Returns a page, which can be a shared copy of the last seconds.
  func response(_ page: WebPage, to request: Request, in context: WebContext) async throws -> Response {
    let rights = context.rights
    let pageRequest = try pageRequest(request, query: request.uri.query ?? "", in: context)

    let make: @Sendable () async throws -> Made = {
      try await Self.bounded {
        let made = try await sessions.withDatabase(for: rights) {
          database, operation -> (content: WebContent, complaint: SyncError?, links: [WebLink]) in
          var pageRequest = pageRequest
          pageRequest.operation = operation
          let (content, complaint) = try await content(of: page, pageRequest, database)
          return (content, complaint, try await links(database))
        }
        if let file = made.content.file { return Made(text: file.text, status: .ok, file: file) }
        let text = text(
          made.content, template: page.template, path: pageRequest.path, links: made.links, rights: rights,
          complaint: made.complaint?.description, notices: ignored(pageRequest, by: made.content))
        return Made(text: text, status: made.complaint == nil ? .ok : .badRequest)
      }
    }

    guard page.isShared, pageRequest.fields.isEmpty else { return Self.page(try await make()) }
    return Self.page(try await cache.value(of: page.path, for: rights, life: Limits.sharedPageLife, make: make))
  }

  /// The text of a page with its status.
  struct Made: Sendable {
    let text: String
    let status: HTTPResponse.Status
    /// The file that the text belongs to; `nil` for a page.
    var file: WebFile?
  }

  /// Returns the content of a page. If a parameter is wrong, returns the content without parameters, with the error.
  private func content(
    of page: WebPage, _ request: WebRequest, _ database: Database
  ) async throws -> (WebContent, SyncError?) {
    do {
      return (try await page.content(request, database), nil)
    } catch let error as SyncError where error.code == .usage && !request.fields.isEmpty {
      return (try await page.content(request.withoutFields, database), error)
    }
  }

  /// Returns a sentence about the parameters of the request that the page does not read.
  private func ignored(_ request: WebRequest, by content: WebContent) -> [String] {
    let names = request.typed.keys.filter { !content.parameters.contains($0) }.sorted()
    guard let first = names.first else { return [] }
    let ignored = "The parameter \(Excerpt.of(first, scalars: 40)) is ignored"
    guard !content.parameters.isEmpty else { return ["\(ignored), because this page has no parameters."] }
    return ["\(ignored). This page has the parameters \(content.parameters.sorted().joined(separator: ", "))."]
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
    let made = text(content, template: "shared/error", path: path, links: links, rights: context.rights)
    var response = Self.page(Made(text: made, status: emptyPage == nil ? fault.status : .ok))
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
  /// - Parameters:
  ///   - path: The path of the request without `web.path`.
  ///   - complaint: What is wrong with a parameter.
  ///   - notices: Sentences above the content, beside those of all pages.
  func text(
    _ content: WebContent, template: String, path: String, links: [WebLink], rights: WebRights,
    complaint: String? = nil, notices: [String] = []
  ) -> String {
    let now = date()
    var values = content.values
    values["title"] = .text(content.title)
    values["titleLanguage"] = .text(orNil: content.titleLanguage ?? WebLanguage.ofScript(content.title))
    values["printedBy"] = .text(orNil: content.command)
    values["complaint"] = .text(orNil: complaint)
    values["notices"] = .list((self.notices() + notices).map { .text($0) })
    values["version"] = .text(version)
    values["asOf"] = .text(now.formatted(.iso8601))
    values["asOfText"] = .text("\(now.formatted(.iso8601).dropFirst(11).prefix(5)) UTC")
    values["base"] = .text(rules.base)
    values["offersSignIn"] = .flag(rights.offersSignIn)
    values["refreshes"] = .flag(content.refreshes)
    // The page of a link can also belong to another link, such as the chart of types to the Pokédex.
    let hasOwnLink = links.contains { $0.path == path }
    values["links"] = .list(
      links.map { link in
        .object([
          "text": .text(link.text), "path": .text(link.path),
          "isCurrent": .flag(hasOwnLink ? link.path == path : link.covers(path)),
        ])
      })
    return templates.page(template, values)
  }

  static func page(_ made: Made) -> Response {
    let type = made.file?.type ?? "text/html"
    var response = answer(made.text, "\(type); charset=utf-8", status: made.status, cached: "no-store")
    if let file = made.file, let name = HTTPField.Name("Content-Disposition") {
      response.headers[name] = "attachment; filename=\"\(file.name)\""
    }
    return response
  }

  static func file(_ text: String, _ type: String) -> Response { answer(text, type, status: .ok, cached: "max-age=60") }

  private static func answer(
    _ text: String, _ type: String, status: HTTPResponse.Status, cached: String
  ) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: cached],
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
      fields: WebForm.fields(query),
      languages: request.headers[.acceptLanguage] ?? "",
      showsPictures: showsPictures,
      pictureOrigins: pictureOrigins,
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
