extension ConnectionSettings {
  /// Reads `postgresql://user:password@host:port,host:port/dbname?keyword=value`, with percent-encoding in every part.
  /// A host that begins with `/` is a socket's folder. Throws `PostgresError` `.settings` for any other text.
  ///
  /// libpq's parser is not used, because its messages quote the password. The errors here do not quote the URL.
  package static func parse(url: String) throws -> ConnectionSettings {
    var url = url[...]
    while url.first?.isWhitespace == true { url.removeFirst() }
    while url.last?.isWhitespace == true { url.removeLast() }
    guard let scheme = ["postgresql://", "postgres://"].first(where: { url.hasPrefix($0) }) else {
      throw problem("it does not begin with postgresql://")
    }
    guard !url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw problem("it contains a line end or another control character")
    }
    let rest = Array(url.utf8.dropFirst(scheme.utf8.count))
    let authorityEnd = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    // After an unencoded / or ? in a password, the password's rest would be read as a database or a parameter.
    guard !rest[authorityEnd...].contains(UInt8(ascii: "@")) else {
      throw problem("an @ follows the first / or ?")
    }
    let queryStart = rest[authorityEnd...].firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex

    var settings = ConnectionSettings()
    try settings.readAuthority(rest[..<authorityEnd])
    let path = rest[authorityEnd..<queryStart].dropFirst()
    if !path.isEmpty { settings["dbname"] = try decode(path, "the database name") }
    if queryStart < rest.endIndex { try settings.readParameters(rest[(queryStart + 1)...]) }
    return settings
  }

  private mutating func readAuthority(_ authority: ArraySlice<UInt8>) throws(PostgresError) {
    var hosts = authority
    if let at = authority.firstIndex(of: UInt8(ascii: "@")) {
      hosts = authority[(at + 1)...]
      guard !hosts.contains(UInt8(ascii: "@")) else { throw Self.problem("there is more than one @ before the host") }
      let user = authority[..<at]
      let colon = user.firstIndex(of: UInt8(ascii: ":"))
      let name = user[..<(colon ?? user.endIndex)]
      if !name.isEmpty { self["user"] = try Self.decode(name, "the user name") }
      if let colon, colon + 1 < user.endIndex {
        self["password"] = try Self.decode(user[(colon + 1)...], "the password")
      }
    }
    guard !hosts.isEmpty else { return }
    var (names, ports): ([String], [String]) = ([], [])
    for (index, part) in hosts.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).enumerated() {
      let (name, port) = try Self.hostAndPort(part, number: index + 1)
      names.append(name)
      ports.append(port)
    }
    if names.contains(where: { !$0.isEmpty }) || names.count > 1 { self["host"] = names.joined(separator: ",") }
    if ports.contains(where: { !$0.isEmpty }) { self["port"] = ports.joined(separator: ",") }
  }

  private static func hostAndPort(
    _ part: ArraySlice<UInt8>, number: Int
  ) throws(PostgresError) -> (name: String, port: String) {
    var (name, port) = (part, part[part.endIndex...])
    if part.first == UInt8(ascii: "[") {
      guard let bracket = part.firstIndex(of: UInt8(ascii: "]")) else {
        throw problem("host \(number) has a [ without a ]")
      }
      name = part[(part.startIndex + 1)..<bracket]
      port = part[(bracket + 1)...]
      guard port.isEmpty || port.first == UInt8(ascii: ":"), !name.isEmpty else {
        throw problem("host \(number) is not [address]:port")
      }
      port = port.dropFirst()
    } else if let colon = part.firstIndex(of: UInt8(ascii: ":")) {
      name = part[..<colon]
      port = part[(colon + 1)...]
    }

    let host = try decode(name, "host \(number)")
    guard !host.contains(",") else { throw problem("host \(number) contains an encoded comma") }

    if !port.isEmpty {
      let isDigits = port.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard isDigits, let value = UInt16(String(decoding: port, as: UTF8.self)), value > 0 else {
        throw problem("the port of host \(number) is not a number from 1 to 65535")
      }
    }

    return (host, String(decoding: port, as: UTF8.self))
  }

  private mutating func readParameters(_ query: ArraySlice<UInt8>) throws(PostgresError) {
    for (index, part) in query.split(separator: UInt8(ascii: "&")).enumerated() {
      let what = "parameter \(index + 1)"
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { throw Self.problem("\(what) has no =") }
      var keyword = try Self.decode(part[..<equals], what)
      var value = try Self.decode(part[(equals + 1)...], what)
      if keyword == "ssl", value == "true" { (keyword, value) = ("sslmode", "require") }
      guard Self.knownKeywords.contains(keyword) else {
        throw Self.problem("\(what) is not a libpq connection keyword")
      }
      self[keyword] = value
    }
  }

  private static func decode(_ bytes: ArraySlice<UInt8>, _ what: String) throws(PostgresError) -> String {
    var decoded: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "%") else {
        decoded.append(bytes[index])
        index += 1
        continue
      }
      guard index + 2 < bytes.endIndex, let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
      else { throw problem("\(what) contains a % without two hexadecimal digits") }
      decoded.append(high << 4 | low)
      index += 3
    }
    guard !decoded.contains(0) else { throw problem("\(what) contains a NUL character") }
    guard let text = String(validating: decoded, as: UTF8.self) else { throw problem("\(what) is not valid UTF-8") }
    return text
  }

  private static func problem(_ what: String) -> PostgresError {
    PostgresError(
      .settings,
      "the database URL cannot be read: \(what); within user names, passwords and parameters write @ as %40, : as %3A, "
        + "/ as %2F, ? as %3F and % as %25")
  }
}
