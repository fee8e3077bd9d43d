/// An absolute `http` or `https` address (RFC 3986), in the form in which it is sent.
///
/// The parser is strict about the parts that choose the server, because a request carries secrets: scheme, host and
/// port must be spelled as in RFC 3986, without a user, and control characters are refused everywhere. Path and query
/// cannot choose a server, so the parser accepts all characters there and percent-encodes those that an address must
/// not have. The text of an address is therefore always a valid URI, which an HTTP client sends without encoding it
/// again. (Foundation's `URL` encodes the whole text again, percent signs too, if one character is not allowed.)
package struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
  /// Why a text is not an address.
  package enum Fault: Error, Equatable, CustomStringConvertible {
    /// The scheme is missing, is neither `http` nor `https`, or has no `//` after it.
    case scheme
    /// The address has a user or a password.
    case userInfo
    /// The host is empty, or has a character that is not allowed, such as a letter outside of ASCII.
    case host
    /// The port is not a number from 1 to 65535.
    case port
    /// The text has a control character, such as a tab or a line break, between other characters.
    case control

    package var description: String {
      switch self {
      case .scheme: "it does not begin with http:// or https://"
      case .userInfo: "it has a user or a password"
      case .host: "its host is not a name in ASCII or an IP address"
      case .port: "its port is not a number from 1 to 65535"
      case .control: "it has a control character"
      }
    }
  }

  /// A scheme that a request can have.
  package enum Scheme: String, Sendable {
    case http
    case https

    fileprivate var defaultPort: Int { self == .https ? 443 : 80 }
  }

  package let scheme: Scheme
  /// In lowercase. An IPv6 address is in brackets.
  package let host: String
  /// `nil` for the scheme's default port.
  package let port: Int?
  /// Percent-encoded; empty, or beginning with a slash.
  package private(set) var path: String
  /// Percent-encoded; `nil` without a question mark.
  package private(set) var query: String?

  /// Parses an absolute address. White space at the ends and the fragment are dropped.
  package init(_ text: some StringProtocol) throws(Fault) {
    try self.init(try AddressParts(text))
  }

  private init(_ parts: AddressParts) throws(Fault) {
    guard let name = parts.scheme, let scheme = Scheme(rawValue: name), let authority = parts.authority else {
      throw .scheme
    }
    (host, port) = try Self.server(authority, scheme)
    self.scheme = scheme
    path = Self.encoded(parts.path, keeping: Self.pathBytes)
    query = parts.query.map { Self.encoded($0, keeping: Self.queryBytes) }
  }

  /// Scheme, host and port, without the scheme's default port. Two addresses have the same origin if these texts are
  /// equal.
  package var origin: String { "\(scheme.rawValue)://\(host)" + (port.map { ":\($0)" } ?? "") }

  /// The address as it is sent: origin, path and query.
  package var description: String { origin + path + (query.map { "?\($0)" } ?? "") }

  /// Whether requests to the host stay on this machine.
  package var isLoopback: Bool {
    host == "localhost" || host == "[::1]"
      || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") })
  }

  /// Returns the address that a service means by a link in an answer from this address (RFC 3986, section 5.2).
  package func resolving(_ reference: some StringProtocol) throws(Fault) -> HTTPAddress {
    var parts = try AddressParts(reference)
    if parts.scheme != nil { return try HTTPAddress(parts) }
    if parts.authority != nil {
      parts.scheme = scheme.rawValue
      return try HTTPAddress(parts)
    }
    return resolvingPath(of: parts)
  }

  /// Returns the path and the query that a service means by a link, at this address's origin. The link's own scheme,
  /// host and port are not even parsed.
  package func resolvingOnlyPath(of reference: some StringProtocol) throws(Fault) -> HTTPAddress {
    let parts = try AddressParts(reference)
    if parts.scheme != nil, parts.authority == nil { throw .scheme }
    guard parts.authority != nil else { return resolvingPath(of: parts) }
    var address = self
    address.path = Self.encoded(parts.path, keeping: Self.pathBytes)
    address.query = parts.query.map { Self.encoded($0, keeping: Self.queryBytes) }
    return address
  }

  private func resolvingPath(of parts: AddressParts) -> HTTPAddress {
    var address = self
    let referencePath = Self.encoded(parts.path, keeping: Self.pathBytes)
    if referencePath.isEmpty {
      guard let query = parts.query else { return address }
      address.query = Self.encoded(query, keeping: Self.queryBytes)
      return address
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    address.path = Self.withoutDots(referencePath.hasPrefix("/") ? referencePath : folder + referencePath)
    address.query = parts.query.map { Self.encoded($0, keeping: Self.queryBytes) }
    return address
  }

  /// Returns the address of a path below this address, with only the given query.
  /// - Parameters:
  ///   - path: Without a slash at its beginning, because one is inserted before it. Characters that are already
  ///     percent-encoded stay as they are.
  ///   - parameters: The names and values before encoding. Each is encoded once.
  package func appending(path: String, parameters: [(name: String, value: String)] = []) -> HTTPAddress {
    var address = self
    if !path.isEmpty { address.path += "/" + Self.encoded(Array(path.utf8), keeping: Self.pathBytes) }
    address.query = parameters.isEmpty ? nil : Self.query(parameters)
    return address
  }

  /// Returns the address without the query's parts (`name=value`) that `isDropped` selects.
  /// - Parameter isDropped: Gets the decoded name and value. The value is `nil` without an equals sign.
  package func droppingParameters(where isDropped: (_ name: String, _ value: String?) -> Bool) -> HTTPAddress {
    guard let query else { return self }
    let kept = query.split(separator: "&", omittingEmptySubsequences: false).filter { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return !isDropped(Self.decoded(pair[0]), pair.count > 1 ? Self.decoded(pair[1]) : nil)
    }
    var address = self
    address.query = kept.isEmpty || kept == [""] ? nil : kept.joined(separator: "&")
    return address
  }

  /// Returns the query of these parameters. Names and values are encoded once.
  package static func query(_ parameters: [(name: String, value: String)]) -> String {
    parameters.map { "\($0.name.percentEncoded())=\(encodedValue($0.value))" }.joined(separator: "&")
  }

  /// Returns the form that a parameter's value has in `query`.
  package static func encodedValue(_ value: String) -> String { value.percentEncoded(keeping: ":,/@") }

  // MARK: - The parts of the text

  private static let subDelimiters = "!$&'()*+,;="
  private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  /// The bytes that a path (RFC 3986, section 3.3) and a query (section 3.4) can have without an encoding.
  private static let pathBytes = Set((unreserved + subDelimiters + ":@/").utf8)
  private static let queryBytes = pathBytes.union("?".utf8)

  /// Encodes all bytes that are not in `kept`, except of percent signs that already begin an encoded byte.
  private static func encoded(_ bytes: [UInt8], keeping kept: Set<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isEncoded =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count && bytes[index + 1].hexValue != nil
        && bytes[index + 2].hexValue != nil
      if isEncoded || kept.contains(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func decoded(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = bytes[index + 1].hexValue,
        let low = bytes[index + 2].hexValue
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Removes the segments `.` and `..` (RFC 3986, section 5.2.4). The path must begin with a slash.
  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isDots = segment == "." || segment == ".."
      if segment == ".." { _ = kept.popLast() }
      if !isDots { kept.append(segment) }
      // A path that ends with dots is a folder.
      if isDots, index == segments.count - 1 { kept.append("") }
    }
    return "/" + kept.joined(separator: "/")
  }

  /// - Returns: The host in lowercase, and the port unless it is the scheme's default.
  private static func server(_ authority: [UInt8], _ scheme: Scheme) throws(Fault) -> (String, Int?) {
    guard !authority.contains(UInt8(ascii: "@")) else { throw .userInfo }
    let hostEnd: Int
    if authority.first == UInt8(ascii: "[") {
      guard let end = authority.firstIndex(of: UInt8(ascii: "]")), isIPv6(authority[1..<end]) else { throw .host }
      hostEnd = end + 1
    } else {
      hostEnd = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.count
      guard hostEnd > 0, authority[..<hostEnd].allSatisfy(\.isPlain) else { throw .host }
    }

    let host = String(decoding: authority[..<hostEnd], as: UTF8.self).lowercased()
    guard hostEnd < authority.count else { return (host, nil) }

    guard authority[hostEnd] == UInt8(ascii: ":") else { throw .host }
    let digits = authority[(hostEnd + 1)...]
    // An empty port is the default port (RFC 3986, section 3.2.3).
    if digits.isEmpty { return (host, nil) }

    guard digits.count <= 5, digits.allSatisfy(\.isDigit),
      let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port)
    else { throw .port }
    return (host, port == scheme.defaultPort ? nil : port)
  }

  /// Whether the bytes between the brackets are an IPv6 address, with an optional zone (RFC 6874).
  private static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
    let zone = bytes.firstIndex(of: UInt8(ascii: "%")) ?? bytes.endIndex
    let address = bytes[..<zone]
    return address.count { $0 == UInt8(ascii: ":") } >= 2
      && address.allSatisfy { $0.hexValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
      && bytes[zone...].allSatisfy { $0.isPlain || $0 == UInt8(ascii: "%") }
  }
}

/// The parts of an address or of a relative reference (RFC 3986, appendix B), not yet encoded.
private struct AddressParts {
  var scheme: String?
  var authority: [UInt8]?
  var path: [UInt8]
  var query: [UInt8]?

  init(_ text: some StringProtocol) throws(HTTPAddress.Fault) {
    var rest = Array(text.utf8)[...]
    while let last = rest.last, last.isASCIIBlank { rest.removeLast() }
    while let first = rest.first, first.isASCIIBlank { rest.removeFirst() }
    guard rest.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .control }

    rest = rest.prefix { $0 != UInt8(ascii: "#") }
    let name = rest.prefix { !":/?".utf8.contains($0) }
    if name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ":") {
      // Without a scheme, the first segment of a path must not have a colon (RFC 3986, section 4.2).
      guard name.first?.isLetter == true, name.allSatisfy(Self.isSchemeByte) else { throw .scheme }
      scheme = String(decoding: name, as: UTF8.self).lowercased()
      rest = rest[(name.endIndex + 1)...]
    }

    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let found = rest.prefix { !"/?".utf8.contains($0) }
      authority = Array(found)
      rest = rest[found.endIndex...]
    }

    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    self.path = Array(path)
    query = path.endIndex < rest.endIndex ? Array(rest[(path.endIndex + 1)...]) : nil
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "+-.".utf8.contains(byte)
  }
}

extension UInt8 {
  fileprivate var isASCIIBlank: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
