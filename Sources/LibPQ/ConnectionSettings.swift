internal import CLibPQ

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The values of libpq's connection keywords, for one or several hosts.
///
/// libpq receives the values as arrays of keywords and values. It does not get a connection string, because its
/// messages would quote the string. Every text that this type returns omits the secrets.
package struct ConnectionSettings: Sendable, Equatable, CustomStringConvertible {
  private var values: [String: String] = [:]
  private var secrets: [String: Secret] = [:]
  /// Whether a standby or read-only server is acceptable if no host is writable. False means that only a writable
  /// server is accepted. An explicit `target_session_attrs`, `PGTARGETSESSIONATTRS` or a service file overrides this
  /// property.
  package var acceptsReadOnlyServer = false

  /// Creates settings without values. libpq then uses its environment variables (`PGHOST`, …) and its defaults.
  package init() {}

  /// Creates settings from keywords and values. The keywords are checked when a connection opens: an unknown keyword
  /// then throws `.settings`.
  package init(keywords: [String: String]) {
    for (keyword, value) in keywords { self[keyword] = value }
  }

  /// The value of a keyword. A secret (`password`, `sslpassword`, `oauth_client_secret`) can be set here, but reads as
  /// `nil`.
  package subscript(keyword: String) -> String? {
    get { values[keyword] }
    set {
      if Self.secretKeywords.contains(keyword) {
        secrets[keyword] = newValue.map { Secret($0) }
      } else {
        values[keyword] = newValue
      }
    }
  }

  /// Returns the value of a secret keyword, such as `password` or `sslpassword`. Returns `nil` for all other keywords,
  /// and if these settings have no value. The environment (`PGPASSWORD`) is not read.
  package func secret(_ keyword: String) -> Secret? { secrets[keyword] }

  package var password: Secret? {
    get { secrets["password"] }
    set { secrets["password"] = newValue }
  }

  /// The target of the connection for messages and logs: service, host, port, database and user, without secrets.
  /// `libpq's defaults` if none of these keywords has a value.
  package var redactedDescription: String {
    let shown = ["service", "host", "hostaddr", "port", "dbname", "user"]
    var parts = shown.compactMap { keyword in values[keyword].map { "\(keyword)=\($0)" } }
    if password != nil { parts.append("password=***") }
    return parts.isEmpty ? "libpq's defaults" : parts.joined(separator: " ")
  }

  /// A connection string without secrets, for other programs that use libpq. The caller passes the password separately,
  /// for example in `PGPASSWORD`.
  ///
  /// The string is never empty, because those programs ignore an empty string.
  package var withoutSecrets: String {
    var shown = values
    shown["client_encoding"] = "UTF8"
    if (values["host"] ?? "").contains(","), values["target_session_attrs"] == nil {
      shown["target_session_attrs"] = "read-write"
    }
    return shown.sorted { $0.key < $1.key }.map { keyword, value in
      "\(keyword)='" + value.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }.joined(separator: " ")
  }

  package var description: String { redactedDescription }

  private static let secretKeywords: Set<String> = ["password", "sslpassword", "oauth_client_secret"]

  static let knownKeywords: Set<String> = {
    var keywords: Set<String> = []
    guard let options = PQconndefaults() else { return keywords }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      keywords.insert(String(cString: keyword))
      option += 1
    }
    return keywords
  }()
}

/// The values for one attempt to connect to one host.
struct ConnectionAttempt {
  /// libpq's keywords and their values, with secrets, sorted by keyword.
  let keywords: [(String, String)]
  /// The host and the port for messages, without secrets.
  let target: String
  /// The limit of this attempt from `connect_timeout`. `nil` means no limit of its own.
  let timeout: Duration?
  fileprivate let secrets: [String]

  /// Returns the `.connection` error for a failed attempt, without secrets. libpq's verbose message contains the
  /// SQLSTATE: `FATAL:  28P01: password …`.
  func failure(_ message: String) -> PostgresError {
    var message = message
    var state: SQLState?
    var parts: [Substring] = []
    for part in message.split(separator: "; ") where !part.hasPrefix("LOCATION:  ") {
      if let marker = Self.stateMarker(in: part) {
        state = marker.state
        parts.append(part[..<marker.range.lowerBound] + part[marker.range.upperBound...])
      } else {
        parts.append(part)
      }
    }
    message = parts.joined(separator: "; ")
    for secret in secrets { message = message.replacing(secret, with: "***") }
    if message.isEmpty { message = "no connection to \(target)" }
    return PostgresError(.connection, message, sqlState: state, isConnectionLost: true)
  }

  private static func stateMarker(in text: Substring) -> (state: SQLState, range: Range<String.Index>)? {
    for gap in text.ranges(of: ":  ").reversed() {
      let rest = text[gap.upperBound...]
      guard let state = SQLState(rest.prefix(5)), rest.dropFirst(5).hasPrefix(": ") else { continue }
      return (state, text.index(after: gap.lowerBound)..<rest.index(rest.startIndex, offsetBy: 6))
    }
    return nil
  }
}

extension ConnectionSettings {
  /// Returns the attempts in the order in which they are made: all hosts, and then all hosts again if a second kind of
  /// server is acceptable (`target_session_attrs`). Throws `.settings`, or `.nulInText`.
  func attempts() throws(PostgresError) -> [ConnectionAttempt] {
    var all = values
    for (keyword, secret) in secrets { all[keyword] = secret.reveal() }
    for (keyword, value) in all {
      guard Self.knownKeywords.contains(keyword) else {
        throw PostgresError(.settings, "this libpq does not know one of the connection keywords; see its manual")
      }
      guard !value.utf8.contains(0) else {
        throw PostgresError(.nulInText, "the connection keyword \(keyword) contains a NUL character")
      }
    }

    addDefaults(to: &all)
    let hosts = try hostList(all)
    let timeout = Self.timeout(all["connect_timeout"])
    let hidden = secrets.values.map { $0.reveal() }.filter { $0.utf8.count >= 4 }

    let passes: [String?] =
      switch all["target_session_attrs"] {
      case "prefer-standby" where hosts.count > 1: ["standby", "any"]
      case Self.preferringPrimary: hosts.count > 1 ? ["read-write", "any"] : ["any"]
      default: [nil]
      }

    return passes.flatMap { pass in
      hosts.map { host in
        var keywords = all.merging(host) { $1 }
        if let pass { keywords["target_session_attrs"] = pass }
        return ConnectionAttempt(
          keywords: keywords.sorted { $0.key < $1.key }, target: Self.target(keywords), timeout: timeout,
          secrets: hidden)
      }
    }
  }

  /// libpq does not know this value of `target_session_attrs`. `attempts` tries `read-write` instead, and then `any`.
  private static let preferringPrimary = "prefer-primary"

  private func addDefaults(to all: inout [String: String]) {
    all["client_encoding"] = "UTF8"  // another encoding would change text without an error
    guard all["service"] == nil, Self.environment("PGSERVICE") == nil else { return }
    let target = acceptsReadOnlyServer ? Self.preferringPrimary : "read-write"
    let defaults = [
      ("connect_timeout", "10", "PGCONNECT_TIMEOUT"), ("keepalives", "1", nil), ("keepalives_idle", "30", nil),
      ("keepalives_interval", "10", nil), ("keepalives_count", "3", nil), ("tcp_user_timeout", "30000", nil),
      ("target_session_attrs", target, "PGTARGETSESSIONATTRS"),
    ]
    for (keyword, value, variable) in defaults where all[keyword] == nil {
      all[keyword] = variable.flatMap { Self.environment($0) } ?? value
    }
    for (keyword, variable) in [("host", "PGHOST"), ("hostaddr", "PGHOSTADDR"), ("port", "PGPORT")]
    where all[keyword] == nil {
      all[keyword] = Self.environment(variable)
    }
  }

  private func hostList(_ all: [String: String]) throws(PostgresError) -> [[String: String]] {
    func list(_ keyword: String) -> [String] {
      (all[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }
    let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    let count = max(names.count, addresses.count, 1)
    for (keyword, values) in [("host", names), ("hostaddr", addresses), ("port", ports)] {
      guard values.count <= 1 || values.count == count else {
        throw PostgresError(.settings, "\(keyword) lists \(values.count) values for \(count) hosts")
      }
      if values.count == 1, count > 1, keyword != "port", all[keyword] != nil {
        throw PostgresError(.settings, "\(keyword) lists one value for \(count) hosts")
      }
    }
    return (0..<count).map { index in
      var host: [String: String] = [:]
      if all["host"] != nil { host["host"] = names[index] }
      if all["hostaddr"] != nil { host["hostaddr"] = addresses[index] }
      if all["port"] != nil { host["port"] = ports.count == 1 ? ports[0] : ports[index] }
      return host
    }
  }

  private static func timeout(_ text: String?) -> Duration? {
    guard let text, let seconds = Int64(text), seconds > 0, seconds < 1_000_000 else { return nil }
    return .seconds(seconds)
  }

  private static func target(_ keywords: [String: String]) -> String {
    let host = keywords["host"] ?? keywords["hostaddr"] ?? "the default host"
    return keywords["port"].map { "\(host), port \($0)" } ?? host
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
