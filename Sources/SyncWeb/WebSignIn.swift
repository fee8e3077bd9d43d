import Foundation

/// The token that signs browsers of this machine in, and the cookie that a browser gets for it. Both are secrets: they
/// must not be in a log, an error or an argument of a program.
package struct WebSignIn: Sendable {
  static let parameter = "token"

  private let token: [UInt8]
  /// The cookie's value. It is random, so that a cookie is valid only for this instance.
  private let session = Array(WebSignIn.newSecret().utf8)

  /// Takes the token that browsers must send, and draws a new secret for the cookie.
  package init(token: String) { self.token = Array(token.utf8) }

  /// Returns 32 random hexadecimal digits (128 bits).
  package static func newSecret() -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<32).map { _ in digits[Int.random(in: 0..<16)] })
  }

  /// Returns the address that signs a browser in. `page` is the address of a page without a query. The token is not
  /// encoded, so it must have only characters of a query, as the result of `newSecret` has.
  package static func url(_ page: String, token: String) -> String { "\(page)?\(parameter)=\(token)" }

  func accepts(_ token: String) -> Bool { SecretBytes.areEqual(Array(token.utf8), self.token) }

  /// - Parameter cookies: The values of the headers `Cookie`.
  func isSignedIn(_ cookies: [String], host: String?) -> Bool {
    let name = Self.cookieName(host: host)
    // A program at another port of this host can set a cookie of this name, so all of them are compared.
    let values = cookies.flatMap { $0.split(separator: ";") }.compactMap { pair -> Substring? in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
      return parts[1]
    }
    return values.contains { SecretBytes.areEqual(Array($0.utf8), session) }
  }

  /// Returns the value of `Set-Cookie`.
  /// - Parameter path: `web.path`; empty without it.
  func cookie(host: String?, path: String) -> String {
    let value = String(decoding: session, as: UTF8.self)
    return "\(Self.cookieName(host: host))=\(value); Path=\(path.isEmpty ? "/" : path); HttpOnly; SameSite=Strict"
  }

  /// Browsers send a cookie to all ports of a host. The name contains the port that the browser uses, so that several
  /// servers do not replace each other's cookies.
  private static func cookieName(host: String?) -> String {
    let name = host.flatMap { WebRules.name(of: $0) } ?? ""
    let port = host?.dropFirst(name.count + 1) ?? ""
    return "syncctl-\(port.isEmpty ? "80" : port)"
  }

  /// Returns the token of a query, and the query without it. Returns `nil` if the query has no token.
  static func token(in query: String) -> (token: String, rest: String)? {
    var token: String?
    var rest: [Substring] = []
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0].removingPercentEncoding == parameter {
        token = token ?? (parts.count == 2 ? String(parts[1]) : "")
      } else {
        rest.append(pair)
      }
    }
    return token.map { ($0, rest.joined(separator: "&")) }
  }
}

enum SecretBytes {
  /// Compares all bytes, so that the time does not depend on the first different byte.
  static func areEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    zip(one, other).reduce(one.count ^ other.count) { $0 | Int($1.0 ^ $1.1) } == 0
  }
}
