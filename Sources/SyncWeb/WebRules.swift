import Foundation
package import SyncTelemetry

/// The rules for requests from browsers. A foreign page must not change favorites. It must not read the mirror through
/// a host name that resolves to this machine (DNS rebinding).
package struct WebRules: Sendable {
  private let isLoopback: Bool
  /// Lowercase names, with or without a port.
  private let hosts: Set<String>
  package let allowsWriting: Bool
  private let credentials: WebCredentials?

  /// - Parameters:
  ///   - hosts: The names of this server, for addresses other than loopback.
  ///   - credentials: Required for changes of favorites at addresses other than loopback. `nil` forbids these changes.
  package init(_ address: ListenAddress, hosts: [String] = [], credentials: WebCredentials? = nil) {
    isLoopback = address.isLoopback
    self.hosts = isLoopback ? ["127.0.0.1", "[::1]", "localhost", address.host] : Set(hosts.map { $0.lowercased() })
    allowsWriting = isLoopback || credentials != nil
    self.credentials = isLoopback ? nil : credentials
  }

  package var showsPersonalData: Bool { isLoopback }

  package func serves(host: String?) -> Bool {
    guard let host = host?.lowercased(), let name = Self.name(of: host) else { return false }
    return hosts.contains(name) || hosts.contains(host)
  }

  /// Returns the host without its port. Returns `nil` for an invalid host.
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
  /// server. At an address other than loopback, `Origin` can be HTTPS, because a proxy can add TLS.
  package func isOwnForm(fetchSite: String?, origin: String?, host: String?) -> Bool {
    if let fetchSite { return fetchSite == "same-origin" }
    guard let origin, let host else { return false }
    let schemes = isLoopback ? ["http"] : ["http", "https"]
    return schemes.contains { origin.lowercased() == "\($0)://\(host.lowercased())" }
  }

  package func authorizes(_ header: String?) -> Bool {
    allowsWriting && (credentials.map { $0.match(header) } ?? true)
  }

  /// Returns the path that the browser returns to after a form, from the `Referer` header. Rejects a path such as
  /// `//host`, because it would be another server.
  package static func path(from referrer: String?, host: String?, otherwise standard: String) -> String {
    guard let referrer, let host, let server = referrer.range(of: "://\(host)/", options: .caseInsensitive),
      ["http", "https"].contains(referrer[..<server.lowerBound].lowercased())
    else { return standard }
    let path = "/" + referrer[server.upperBound...]
    guard path.utf8.allSatisfy({ $0 > 0x20 }) else { return standard }
    return path.dropFirst().first.map { "/\\".contains($0) } ?? false ? standard : path
  }

  /// The headers of every page. They forbid scripts, so that text from a service cannot run as a program.
  package static func headers(showsPictures: Bool) -> [(name: String, value: String)] {
    let pictures = showsPictures ? "'self' https:" : "'self'"
    let policy = [
      "default-src 'none'", "style-src 'self'", "img-src \(pictures)", "form-action 'self'", "base-uri 'none'",
      "frame-ancestors 'none'",
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

  package init?(_ line: String) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.line = Array(line.utf8)
  }

  /// Compares all bytes, so that the time does not depend on the first different byte.
  func match(_ header: String?) -> Bool {
    guard let header, header.lowercased().hasPrefix("basic "),
      let given = Data(base64Encoded: String(header.dropFirst("basic ".count)))
    else { return false }
    let difference = zip(given, line).reduce(given.count ^ line.count) { $0 | Int($1.0 ^ $1.1) }
    return difference == 0
  }
}
