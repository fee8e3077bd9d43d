import AsyncHTTPClient
import Foundation
package import SyncCore

/// The HTTP proxies for outgoing requests, from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in capitals or not.
///
/// Requests go through a proxy in a tunnel (CONNECT), also those to `http://` addresses. Loopback addresses are never
/// requested through a proxy.
package struct ProxySettings: Sendable {
  struct Server: Sendable {
    /// The variable that names the proxy, for errors.
    let variable: String
    let host: String
    let port: Int
    /// Contains the password, so it must not be printed.
    fileprivate let authorization: HTTPClient.Authorization?

    var clientProxy: HTTPClient.Configuration.Proxy {
      .server(host: host, port: port, authorization: authorization)
    }

    /// The proxy without its password.
    var displayText: String { "the proxy \(host):\(port) (\(variable))" }
  }

  let https: Server?
  let http: Server?
  private let exceptions: [Exception]

  package static let none = ProxySettings()

  private init() {
    https = nil
    http = nil
    exceptions = []
  }

  /// Returns the settings in this process's environment. Throws the errors of `init(environment:)`.
  package static func current() throws(SyncError) -> ProxySettings {
    try ProxySettings(environment: ProcessInfo.processInfo.environment)
  }

  /// Reads the variables from an environment. A lowercase name is preferred, and an empty variable is ignored.
  /// - Throws: `SyncError` `.configuration` if a variable is not the address of an HTTP proxy. The error does not
  ///   contain the variable's value, because the value can contain a password.
  package init(environment: [String: String]) throws(SyncError) {
    func variable(_ name: String) -> (name: String, value: String)? {
      // In lowercase first, as curl does.
      [name.lowercased(), name].compactMap { name in
        environment[name].flatMap { $0.isEmpty ? nil : (name, $0) }
      }.first
    }
    https = try variable("HTTPS_PROXY").map { found throws(SyncError) in try Self.server(found.name, found.value) }
    http = try variable("HTTP_PROXY").map { found throws(SyncError) in try Self.server(found.name, found.value) }
    exceptions = variable("NO_PROXY")?.value.split { $0 == "," || $0.isWhitespace }.map { Exception($0) } ?? []
  }

  /// Returns the proxy for a request to this address; `nil` for a direct request.
  func server(for address: HTTPAddress) -> Server? {
    guard let server = address.scheme == .https ? https : http else { return nil }
    let host = address.host
    if host == "localhost" || host == "[::1]" || host.hasPrefix("127.") { return nil }
    let port = address.port ?? (address.scheme == .https ? 443 : 80)
    return exceptions.contains { $0.includes(host: host, port: port) } ? nil : server
  }

  private static func server(_ variable: String, _ value: String) throws(SyncError) -> Server {
    let rest = value.firstRange(of: "://").map { value[$0.upperBound...] } ?? value[...]
    let scheme = value[..<rest.startIndex].lowercased()
    let authority = rest.prefix { $0 != "/" }
    let at = authority.lastIndex(of: "@")
    let address = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard scheme.isEmpty || scheme == "http://", let parsed = try? HTTPAddress("http://" + address) else {
      throw notAProxy(variable)
    }
    var authorization: HTTPClient.Authorization?
    if let user = at.map({ authority[..<$0] }), !user.isEmpty {
      let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.map { String($0).removingPercentEncoding }
      guard let name = texts[0], let password = texts.count > 1 ? texts[1] : "" else { throw notAProxy(variable) }
      authorization = .basic(username: name, password: password)
    }
    let host = parsed.host.hasPrefix("[") ? String(parsed.host.dropFirst().dropLast()) : parsed.host
    return Server(variable: variable, host: host, port: parsed.port ?? 80, authorization: authorization)
  }

  private static func notAProxy(_ variable: String) -> SyncError {
    SyncError(
      .configuration, "\(variable) is not the address of an HTTP proxy",
      hint: "write it as http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, with @:/?% in the password "
        + "percent-encoded, or unset it")
  }

  /// An item of `NO_PROXY`: `*`, or a host with its subdomains and an optional port.
  private struct Exception {
    private let host: Substring
    private let port: Int?

    init(_ text: Substring) {
      var host = Substring(text.lowercased())
      var port: Int?
      let isAddress = host.count { $0 == ":" } > 1 && !host.hasPrefix("[")
      if !isAddress, let colon = host.lastIndex(of: ":"), let number = Int(host[host.index(after: colon)...]) {
        port = number
        host = host[..<colon]
      }
      if isAddress { host = "[\(host)]" }
      if host.hasPrefix("*.") { host = host.dropFirst() }
      if host.hasPrefix(".") { host = host.dropFirst() }
      self.host = host
      self.port = port
    }

    func includes(host name: String, port number: Int) -> Bool {
      guard port == nil || port == number else { return false }
      return host == "*" || host == name || !host.isEmpty && name.hasSuffix("." + host)
    }
  }
}
