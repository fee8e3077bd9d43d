import Foundation
import SyncCore

/// An http(s) URL that can be requested.
///
/// Every URL that comes from outside is read here. A port that is no port must not reach the HTTP client, which ends
/// the process for one above 65535.
struct WebAddress {
  /// Without white space at its ends.
  let url: String
  let parts: URLComponents
  let scheme: String
  let host: String

  static let hint = "a port is a number from 1 to 65535, and no user, password or white space belongs in it"

  /// Nil for another scheme, and for one without a host, with white space in it, or with a port that does not exist.
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

  /// Reads the text: `URLComponents` knows nothing of a port that is larger than any integer, and decodes a host.
  private static func hasUsableServer(_ url: String) -> Bool {
    guard let start = url.range(of: "://")?.upperBound else { return false }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    let server = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    if server.contains("%"), !server.hasPrefix("[") { return false }
    guard let colon = server.lastIndex(of: ":"), server[colon...].firstIndex(of: "]") == nil else { return true }
    return Int(configured: server[server.index(after: colon)...]).map { $0 <= 65_535 } ?? false
  }
}
