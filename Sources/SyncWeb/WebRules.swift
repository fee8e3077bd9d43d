import Foundation
package import SyncTelemetry

/// The rules for requests from browsers. A foreign page must not change favorites. It must not read the mirror through
/// a host name that resolves to this machine (DNS rebinding).
package struct WebRules: Sendable {
  /// The machine that sent a request, as far as the request shows.
  enum Sender: Sendable {
    case thisMachine
    case others
  }

  /// The names of this machine. Empty at an address other than loopback.
  private let localHosts: Set<String>
  /// The names of `web.hosts`. Lowercase, with or without a port.
  private let hosts: Set<String>
  private let credentials: WebCredentials?
  let local: LocalAccess
  /// The path that all pages are below, without a slash at its end. Empty for `/`.
  let base: String

  /// Creates the rules for a listener at this address.
  /// - Parameters:
  ///   - local: Ignored at addresses other than loopback.
  ///   - hosts: The names of this server for other machines, with or without a port.
  ///   - path: The path below which all pages are, with a slash at its beginning and none at its end. Empty for `/`.
  ///   - credentials: Required for changes of favorites by other machines. `nil` forbids these changes.
  package init(
    _ address: ListenAddress, local: LocalAccess, hosts: [String] = [], path: String = "",
    credentials: WebCredentials? = nil
  ) {
    localHosts = address.isLoopback ? ["127.0.0.1", "[::1]", "localhost", address.host] : []
    self.hosts = Set(hosts.map { $0.lowercased() })
    self.local = address.isLoopback ? local : .nobody
    base = path
    self.credentials = credentials
  }

  /// Whether other machines can have pages.
  var servesOthers: Bool { localHosts.isEmpty || !hosts.isEmpty }

  /// - Parameter isForwarded: Whether a proxy says that it passes on the request of another program.
  /// - Throws: `WebFault.wrongHost`, or `WebFault.proxy` for a forwarded request without a name of `web.hosts`.
  func sender(host: String?, isForwarded: Bool) throws(WebFault) -> Sender {
    guard let host = host?.lowercased(), let name = Self.name(of: host) else { throw WebFault.wrongHost }
    let isLocal = localHosts.contains(name)
    if isLocal, !isForwarded { return .thisMachine }
    if hosts.contains(name) || hosts.contains(host) { return .others }
    throw isLocal ? WebFault.proxy : WebFault.wrongHost
  }

  /// A forwarded request never has the owner's rights, because the proxy's log would contain the token.
  /// - Parameter cookies: The values of the headers `Cookie`.
  func rights(_ sender: Sender, host: String?, cookies: [String]) -> WebRights {
    let reader = WebRights(allowsWriting: credentials != nil)
    guard sender == .thisMachine else { return reader }
    switch local {
    case .everyone: return .owner
    case .nobody: return reader
    case .signedIn(let signIn):
      if signIn.isSignedIn(cookies, host: host) { return .owner }
      return WebRights(allowsWriting: credentials != nil, offersSignIn: true)
    }
  }

  /// Returns the name in a `Host` header without its port. An IPv6 address keeps its brackets. Returns `nil` for an
  /// invalid text.
  package static func name(of host: String) -> String? {
    let isBracketed = host.hasPrefix("[")
    let end = isBracketed ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.firstIndex(of: ":")
    let name = host[..<(end ?? host.endIndex)]
    let rest = host[name.endIndex...]
    let isPort = rest.first == ":" && (1...5).contains(rest.utf8.count - 1) && rest.dropFirst().allSatisfy(isDigit)
    guard !name.isEmpty, !isBracketed || end != nil, rest.isEmpty || isPort else { return nil }
    return String(name)
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  /// Whether a form comes from a page of this server. Without `Sec-Fetch-Site`, the header `Origin` must name this
  /// server. For other machines, `Origin` can be HTTPS, because a proxy can add TLS.
  func isOwnForm(_ sender: Sender, fetchSite: String?, origin: String?, host: String?) -> Bool {
    if let fetchSite { return fetchSite == "same-origin" }
    guard let origin, let host else { return false }
    let schemes = sender == .thisMachine ? ["http"] : ["http", "https"]
    return schemes.contains { origin.lowercased() == "\($0)://\(host.lowercased())" }
  }

  func hasPassword(_ header: String?) -> Bool { credentials?.match(header) ?? false }

  /// Returns the path that the browser returns to after a form, from the `Referer` header. Returns the first page for
  /// a path that is not below `base`.
  func path(from referrer: String?, host: String?) -> String {
    let standard = "\(base)/"
    guard let referrer, let host, let server = referrer.range(of: "://\(host)/", options: .caseInsensitive),
      ["http", "https"].contains(referrer[..<server.lowerBound].lowercased())
    else { return standard }
    let path = "/" + referrer[server.upperBound...]
    return Self.isPath(path) && inner(path) != nil ? path : standard
  }

  /// Whether a text is a path of this server. Rejects a path such as `//host`, because it would be another server.
  static func isPath(_ path: String) -> Bool {
    guard path.first == "/", path.utf8.allSatisfy({ $0 > 0x20 }) else { return false }
    return !(path.dropFirst().first.map { "/\\".contains($0) } ?? false)
  }

  /// Returns the target of a request (path and query) without `base`. Returns `nil` if the target is not below `base`.
  func inner(_ target: String) -> String? {
    guard !base.isEmpty else { return target }
    guard target.hasPrefix(base) else { return nil }
    let rest = target.dropFirst(base.count)
    switch rest.first {
    case "/": return String(rest)
    case nil, "?": return "/\(rest)"
    default: return nil
    }
  }

  /// Returns the headers of every page. They forbid scripts, so that text from a service cannot run as a program.
  ///
  /// - Parameter pictureOrigins: The origins of the services on this machine, whose pictures can have HTTP addresses.
  package static func headers(
    showsPictures: Bool, pictureOrigins: Set<String> = []
  ) -> [(name: String, value: String)] {
    let others = showsPictures ? ["https:"] + pictureOrigins.sorted() : []
    let pictures = (["'self'"] + others).joined(separator: " ")
    let media = others.isEmpty ? "'none'" : others.joined(separator: " ")
    let policy = [
      "default-src 'none'", "style-src 'self'", "img-src \(pictures)", "media-src \(media)", "form-action 'self'",
      "base-uri 'none'", "frame-ancestors 'none'",
    ]
    return [
      ("Content-Security-Policy", policy.joined(separator: "; ")), ("Referrer-Policy", "same-origin"),
      ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
  }
}

/// A user's name and password, from the first line of a file: `NAME:PASSWORD`.
package struct WebCredentials: Sendable {
  private let line: [UInt8]

  /// Parses the line `NAME:PASSWORD`, without a line end. Returns `nil` if a part is missing or empty. The password can
  /// contain colons.
  package init?(_ line: String) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.line = Array(line.utf8)
  }

  func match(_ header: String?) -> Bool {
    guard let header, header.lowercased().hasPrefix("basic "),
      let received = Data(base64Encoded: String(header.dropFirst("basic ".count)))
    else { return false }
    return SecretBytes.areEqual(received, line)
  }
}
