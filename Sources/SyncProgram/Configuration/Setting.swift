import Foundation
package import SyncCore

/// A setting's value and its origin. A flag overrides the environment, which overrides the file and the default.
package struct Setting<Value: Sendable>: Sendable {
  package let value: Value
  package let origin: SettingOrigin

  /// Creates a setting from its value and the place that set the value.
  package init(_ value: Value, _ origin: SettingOrigin) {
    self.value = value
    self.origin = origin
  }

  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Setting<Other> {
    Setting<Other>(try transform(value), origin)
  }
}

/// The place that sets a value: the default, a file's path, or the name of a variable or a flag.
package enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
  case standard
  case file(String)
  case environment(String)
  case flag(String)

  package var description: String {
    switch self {
    case .standard: "default"
    case .file(let path): path
    case .environment(let name): "environment \(name)"
    case .flag(let name): "flag \(name)"
    }
  }
}

struct SettingChoice {
  let file: ConfigurationFile?
  let environment: [String: String]

  func setting(_ variable: String, _ fileValue: String?) -> Setting<String>? {
    if let text = environment[variable], !text.isEmpty { return Setting(text, .environment(variable)) }
    guard let file, let fileValue else { return nil }
    return Setting(fileValue, .file(file.path))
  }
}

extension Setting<String>? {
  /// - Parameter parse: Returns `nil` for an invalid text.
  func read<Value: Sendable>(
    _ key: String, standard: Value, _ kind: String, hint: String, _ parse: (String) -> Value?
  ) throws(SyncError) -> Setting<Value> {
    guard let setting = self else { return Setting<Value>(standard, .standard) }
    guard let value = parse(setting.value) else {
      throw SyncError(
        .configuration, "\(setting.origin): \(key): \(Excerpt.of(setting.value, scalars: 40)) is not \(kind)",
        hint: hint)
    }
    return Setting<Value>(value, setting.origin)
  }

  func duration(
    _ key: String, standard: Duration, _ range: ClosedRange<Duration>
  ) throws(SyncError) -> Setting<Duration> {
    let hint = "give \(range.lowerBound.configured) to \(range.upperBound.configured), e.g. 90s, 15m, 6h"
    return try read(key, standard: standard, "a valid time", hint: hint) { text in
      Duration(configured: text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func number(_ key: String, standard: Int, _ range: ClosedRange<Int>) throws(SyncError) -> Setting<Int> {
    let hint = "give \(range.lowerBound) to \(range.upperBound)"
    return try read(key, standard: standard, "a valid number", hint: hint) { text in
      Int(configured: text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

/// Checks base URLs, and returns the servers that the URLs name.
package enum Origin {
  /// Returns the base URL without surrounding white space and without slashes at its end.
  ///
  /// - Parameter example: A valid base URL, for the hint.
  /// - Throws: `SyncError` `.configuration` unless the URL is HTTP(S), has an ASCII host, and is without a user, a
  ///   password, a query and a fragment. The message does not quote the URL.
  package static func checked(_ setting: Setting<String>, _ key: String, example: String) throws(SyncError) -> String {
    // The error does not quote the text, because the text can contain a password.
    let parsed = Result { () throws(HTTPAddress.Fault) in try HTTPAddress(setting.value) }
    if case .failure(.host) = parsed, !setting.value.utf8.allSatisfy({ $0 < 0x80 }) {
      throw SyncError(
        .configuration, "\(setting.origin): \(key): a base URL must be written in ASCII",
        hint: "write a host name in its ASCII form, such as xn--bcher-kva.example")
    }
    guard let address = WebAddress(setting.value), address.parts.query == nil, address.parts.fragment == nil else {
      throw SyncError(
        .configuration, "\(setting.origin): \(key): not a base URL",
        hint: "give one such as \(example); \(WebAddress.hint)")
    }
    guard address.parts.user == nil, address.parts.password == nil else {
      throw SyncError(
        .configuration, "\(setting.origin): \(key): a base URL must not contain a user or a password",
        hint: "remove them")
    }
    guard case .success = parsed else {
      throw SyncError(
        .configuration, "\(setting.origin): \(key): not a base URL",
        hint: "give one such as \(example); \(WebAddress.hint)")
    }
    return String(address.url.reversed().drop { $0 == "/" }.reversed())
  }

  /// Returns the origin of a base URL: its scheme, host and port, without the scheme's default port. Returns an invalid
  /// URL unchanged.
  package static func server(of baseURL: String) -> String { (try? HTTPAddress(baseURL))?.origin ?? baseURL }

  /// Whether the URL's host is `localhost` or a loopback address. False for an invalid URL.
  package static func isLoopback(_ baseURL: String) -> Bool { (try? HTTPAddress(baseURL))?.isLoopback ?? false }
}

/// Ports above 65535 are rejected, because the HTTP client would end the process.
struct WebAddress {
  let url: String
  let parts: URLComponents
  let scheme: String
  let host: String

  static let hint = "a port is a number from 1 to 65535; the address must not have a user, a password or white space"

  init?(_ text: String) {
    let url = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let parts = URLComponents(string: url), let scheme = parts.scheme, ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty, Self.hasUsableServer(url), parts.port ?? 1 <= 65_535,
      url.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value >= 0x20 && $0.value != 0x7F })
    else { return nil }
    self.url = url
    self.parts = parts
    self.scheme = scheme
    self.host = host
  }

  /// Checks the text itself, because `URLComponents` decodes the host and ignores a port that is too long for `Int`.
  private static func hasUsableServer(_ url: String) -> Bool {
    guard let start = url.range(of: "://")?.upperBound else { return false }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    let server = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    if server.contains("%"), !server.hasPrefix("[") { return false }
    guard let colon = server.lastIndex(of: ":"), server[colon...].firstIndex(of: "]") == nil else { return true }
    return Int(configured: server[server.index(after: colon)...]).map { $0 <= 65_535 } ?? false
  }
}
