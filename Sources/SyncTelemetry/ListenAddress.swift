import Foundation
package import SyncCore

/// An IP address and a TCP port to listen on.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// An IPv4 or IPv6 address, without brackets.
  package let host: String
  /// 0 means any free port.
  package let port: Int

  /// Neither value is checked. Use `init(_:)` for a text of the user.
  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Parses `ADDRESS:PORT`. Accepts an IP address, IPv6 in brackets, or `localhost`, which becomes `127.0.0.1`. Refuses
  /// other host names, because their addresses could change and expose the listener. Throws `.usage` for other text.
  package init(_ text: String) throws(SyncError) {
    func wrong(_ reason: String) -> SyncError {
      SyncError(
        .usage, "\(Excerpt.of(text, scalars: 80)) is not an address to listen on: \(reason)",
        hint: "write one such as 127.0.0.1:9464 or [::1]:9464 for this machine only, 0.0.0.0:9464 for all networks")
    }
    guard let colon = text.lastIndex(of: ":") else { throw wrong("it has no port") }
    let hostText = text[..<colon]
    guard let port = Self.port(text[text.index(after: colon)...]) else {
      throw wrong("the port is not a number from 0 to 65535")
    }
    if hostText.isEmpty { throw wrong("it has no host") }
    if hostText.hasPrefix("["), hostText.hasSuffix("]") {
      host = String(hostText.dropFirst().dropLast())
      guard Self.isIPAddress(host, AF_INET6) else { throw wrong("there is no IPv6 address in the brackets") }
    } else if hostText.contains(":") {
      throw wrong("an IPv6 address needs brackets")
    } else {
      host = hostText == "localhost" ? "127.0.0.1" : String(hostText)
      guard Self.isIPAddress(host, AF_INET) else { throw wrong("the host is not an IP address") }
    }
    self.port = port
  }

  /// Whether only programs of this machine reach the listener.
  package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  private static func port(_ text: Substring) -> Int? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text), number <= 65_535
    else { return nil }
    return number
  }

  private static func isIPAddress(_ text: String, _ family: CInt) -> Bool {
    var address = in6_addr()  // large enough for both families
    return !text.utf8.contains(0) && inet_pton(family, text, &address) == 1
  }
}
