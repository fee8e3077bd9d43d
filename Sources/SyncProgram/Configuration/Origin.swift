import Foundation
import SyncCore

/// Base URLs.
enum Origin {
  /// - Returns: the URL without slashes at the end.
  /// - Throws: `SyncError` for anything but http(s) with a host and without credentials or query.
  static func checked(_ setting: Setting<String>, example: String) throws(SyncError) -> String {
    let text = String(setting.value.reversed().drop { $0 == "/" }.reversed())
    // The text itself is never repeated: it may hold a password.
    guard let url = URLComponents(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty, url.query == nil, url.fragment == nil
    else {
      throw SyncError(
        .configuration, "\(setting.origin): that is not a base URL",
        hint: "give one such as \(example)")
    }
    guard url.user == nil, url.password == nil else {
      throw SyncError(
        .configuration, "\(setting.origin): a base URL must not hold a user or a password", hint: "remove them")
    }
    return text
  }

  /// Scheme, host and port: whose rate limits they are.
  static func server(of baseURL: String) -> String {
    guard var url = URLComponents(string: baseURL) else { return baseURL }
    url.path = ""
    return url.string?.lowercased() ?? baseURL
  }

  static func isLoopback(_ baseURL: String) -> Bool {
    guard let host = URLComponents(string: baseURL)?.host else { return false }
    return host == "localhost" || host == "[::1]" || host == "::1"
      || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
  }
}
