package import Foundation
import Hummingbird
package import HummingbirdCore
package import SyncCore
import SyncPostgres
package import SyncTelemetry

/// The pages and actions of all parts, with the access rules of the site. A listener passes requests to `respond`.
package struct WebSite: Sendable {
  private let responder: RouterResponder<WebContext>
  private let rules: WebRules

  /// Creates a site. Opens no connection and no listener.
  /// - Parameters:
  ///   - pictureOrigins: The origins of the services on this machine, such as `http://127.0.0.1:8080`. Pages show their
  ///     pictures, too. The pictures of other services must have HTTPS addresses.
  ///   - version: The version of the program, for the footer.
  ///   - date: Returns the present time.
  ///   - notices: Returns sentences that all pages show.
  ///   - safe: Replaces control and hidden characters of all texts.
  ///   - said: Reports wrong passwords and tokens, without their values.
  /// - Throws: `SyncError` `.configuration` if a template is invalid, or if two pages have the same path.
  package init(
    _ parts: [WebPart], actions: [WebAction], rules: WebRules, showsPictures: Bool,
    pictureOrigins: Set<String> = [], sessions: WebSessions, clock: any SyncClock, version: String,
    date: @escaping @Sendable () -> Date,
    notices: @escaping @Sendable () -> [String], said: @escaping @Sendable (String) -> Void,
    safe: @escaping @Sendable (String) -> String
  ) throws(SyncError) {
    let pages = parts.flatMap(\.pages)
    for paths in pages.map(\.path).gathered(by: \.self) where paths.count > 1 {
      throw SyncError(.configuration, "two pages have the path \(paths[0])", hint: "this is a bug in syncctl")
    }

    let maker = PageMaker(
      templates: try WebTemplates(pages: pages, safe: safe),
      parts: parts,
      rules: rules,
      showsPictures: showsPictures,
      pictureOrigins: pictureOrigins,
      sessions: sessions,
      attempts: WebAttempts(clock: clock, said: said),
      version: version,
      date: date,
      notices: notices)
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: WebGuard(maker: maker))
    router.get("/style.css") { _, _ in PageMaker.file(WebTemplates.style, "text/css; charset=utf-8") }
    router.get("/icon.svg") { _, _ in PageMaker.file(WebTemplates.icon, "image/svg+xml") }
    for page in pages {
      router.get(RouterPath(page.path)) { request, context in try await maker.response(page, to: request, in: context) }
    }
    for action in actions {
      router.post(RouterPath(action.path)) { request, context in
        try await maker.response(action, to: request, in: context)
      }
    }
    responder = router.buildResponder()
    self.rules = rules
  }

  /// Returns the response to a request. Errors of pages and actions become error pages.
  ///
  /// - Parameter request: The request as received. Its path contains `web.path`.
  package func respond(to request: Request, _ context: ListenerContext) async throws -> Response {
    var head = request.head
    var context = WebContext(source: context)
    context.target = head.path ?? "/"
    let inner = rules.inner(context.target)
    context.isBelowPath = inner != nil
    head.path = inner ?? context.target
    return try await responder.respond(to: Request(head: head, body: request.body), context: context)
  }
}
