import HTTPTypes
import Hummingbird
import HummingbirdCore

extension PageMaker {
  /// Answers a request of this machine whose address has a token: a right token signs the browser in, and the browser
  /// goes on to the address without the token. Returns `nil` for other requests.
  func signIn(_ request: Request, in context: WebContext) throws -> Response? {
    let parts = context.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard context.sender == .thisMachine, request.method != .post, parts.count == 2,
      let (token, rest) = WebSignIn.token(in: String(parts[1]))
    else { return nil }
    var cookie: String?
    if !context.rights.showsPersonalData {
      guard case .signedIn(let signIn) = rules.local, signIn.accepts(token) else {
        throw attempts.wrongToken(client(request, in: context))
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
      let page = text(content, template: "shared/signed-in", path: path, links: [], rights: .owner)
      response = Self.page(Made(text: page, status: .ok))
    }

    response.headers[.setCookie] = cookie
    // The address of this answer contains the token.
    if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
    return response
  }

  func client(_ request: Request, in context: WebContext) -> WebClient {
    let forwarded = HTTPField.Name("X-Forwarded-For").map { request.headers[values: $0].joined(separator: ",") }
    return WebClient(peer: context.client, forwardedFor: forwarded)
  }

  static func fetchSite(_ request: Request) -> String? {
    HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
  }
}
