import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import SyncCore
import SyncPostgres

extension PageMaker {
  /// Performs an action, and returns a redirect to the page of its form.
  /// - Throws: `WebFault` unless a page of this site sent the form, and its sender may change the mirror.
  func response(_ action: WebAction, to request: Request, in context: WebContext) async throws -> Response {
    let host = request.head.authority
    let fields = request.headers
    let rights = context.rights
    guard
      rules.isOwnForm(context.sender, fetchSite: Self.fetchSite(request), origin: fields[.origin], host: host)
    else { throw WebFault.foreignForm }
    if action.isOperation {
      guard rights.showsPersonalData else { throw WebFault.notOperable }
    } else {
      guard rights.allowsWriting else { throw rights.offersSignIn ? WebFault.signedOut : WebFault.readOnly }
    }

    if !rights.showsPersonalData {
      guard let header = fields[.authorization] else { throw WebFault.unauthorized }
      try attempts.expectPassword(client(request, in: context)) { rules.hasPassword(header) }
    }

    var request = request
    let form = String(buffer: try await request.collectBody(upTo: Limits.formBytes))
    let pageRequest = try pageRequest(request, query: form, in: context)
    let next = try await Self.bounded {
      try await action.isOperation
        ? sessions.withWorker { database in try await action.perform(pageRequest, database) }
        : sessions.withDatabase(asOwner: true) { database in try await action.perform(pageRequest, database) }
    }
    await cache.removeAll()
    if let next { return Self.redirect(to: rules.base + next) }
    // The browser returns to the item, so that a long page keeps its place.
    let anchor = pageRequest.query["anchor"].flatMap { $0.wholeMatch(of: /[A-Za-z0-9\-]{1,100}/)?.output }
    let page = rules.path(from: fields[.referer], host: host)
    return Self.redirect(to: anchor.map { "\(page)#\($0)" } ?? page)
  }
}
