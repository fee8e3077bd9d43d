import Foundation
import SyncCore
import SyncProgram

/// The secrets of a draft's requests. The draft names the variables that contain them, and never the secrets.
struct DraftCredentials {
  /// A line below `client` that declares the credentials, such as `auth: { type: bearer, token: { env: SHOP_TOKEN } }`.
  private(set) var clientLines: [String] = []
  /// Parameters with the variables that contain their values.
  private(set) var parameters: [(name: String, variable: String)] = []
  /// Variables that must be set before `check` and `run`, because `draft` found their values in the typed address.
  private(set) var typedVariables: [String] = []
  private(set) var additions = RequestAdditions()
  private var query: [(name: String, value: String)] = []
  private var hasAuth = false

  var isEmpty: Bool { clientLines.isEmpty && parameters.isEmpty }

  /// Adds a bearer token.
  mutating func addToken(_ token: String, variable: String) {
    additions.headers["Authorization"] = "Bearer \(token)"
    additions.hide(token)
    declare("auth: { type: bearer, token: { env: \(variable) } }")
  }

  /// Adds the option `--header 'NAME: VALUE'`. The value is `{env:VARIABLE}`, or contains it: `Token {env:VARIABLE}`.
  /// - Throws: `SyncError` `.usage` for a secret that is not in a variable, and `.configuration` for an unset variable.
  mutating func addHeader(_ text: String, _ environment: [String: String]) throws(SyncError) {
    let parts = text.split(separator: ":", maxSplits: 1).map { String($0).trimmingBlanks }
    guard parts.count == 2, let name = parts.first, ClientReader.isHeader(name), !parts[1].isEmpty else {
      throw SyncError(
        .usage, "--header is not a name and a value", hint: "write --header 'X-Api-Key: {env:SHOP_KEY}'")
    }
    let isAuthorization = name.lowercased() == "authorization"
    let isBearer = isAuthorization && parts[1].lowercased().hasPrefix("bearer ")
    let value = isBearer ? String(parts[1].dropFirst("bearer ".count)).trimmingBlanks : parts[1]
    if let template = value.wholeMatch(of: /([^{}]+)(\{env:[^{}]*\})/),
      let variable = Self.variable(in: String(template.output.2))
    {
      let secret = try Self.secret(variable, environment)
      additions.hide(secret)
      additions.headers[name] = "\(template.output.1)\(secret)"
      headerLines.append("\(name.yaml): \(value.yaml)")
      return
    }
    guard let variable = Self.variable(in: value) else {
      guard !isAuthorization, !SecretName.hasSecret(name), name.lowercased() != "cookie" else {
        throw SyncError(
          .usage, "--header \(name) has a secret in the command",
          hint: "put it into a variable and write --header '\(name): {env:SHOP_KEY}'")
      }
      additions.headers[name] = value
      headerLines.append("\(name.yaml): \(value.yaml)")
      return
    }
    let secret = try Self.secret(variable, environment)
    additions.hide(secret)
    additions.headers[name] = isBearer ? "Bearer \(secret)" : secret
    if isBearer {
      declare("auth: { type: bearer, token: { env: \(variable) } }")
    } else {
      headerLines.append("\(name.yaml): { env: \(variable) }")
    }
  }

  /// Adds the option `--basic USER:{env:VARIABLE}`.
  mutating func addBasic(_ text: String, _ environment: [String: String]) throws(SyncError) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, let variable = Self.variable(in: parts[1]) else {
      throw SyncError(
        .usage, "--basic is not a user and the variable of a password", hint: "write --basic 'USER:{env:SHOP_PASSWORD}'"
      )
    }
    var user = parts[0]
    var declared = user.yaml
    if let name = Self.variable(in: user) {
      user = try Self.secret(name, environment)
      declared = "{ env: \(name) }"
    }
    let secret = try Self.secret(variable, environment)
    let pair = Data("\(user):\(secret)".utf8).base64EncodedString()
    additions.headers["Authorization"] = "Basic \(pair)"
    additions.hide(secret)
    additions.hide(pair)
    declare("auth: { type: http_basic, username: \(declared), password: { env: \(variable) } }")
  }

  /// Adds a secret parameter of the typed address. The first one becomes `auth`.
  mutating func addTyped(_ name: String, _ value: String, variable: String) {
    query.append((name, value))
    additions.query = HTTPAddress.query(query)
    additions.hide(value)
    typedVariables.append(variable)
    if hasAuth {
      parameters.append((name, variable))
    } else {
      declare("auth: { type: api_key, location: query, name: \(name.yaml), api_key: { env: \(variable) } }")
    }
  }

  private var headerLines: [String] = []

  /// The lines below `client`.
  var lines: [String] {
    clientLines + (headerLines.isEmpty ? [] : ["headers: { \(headerLines.joined(separator: ", ")) }"])
  }

  private mutating func declare(_ line: String) {
    clientLines.append(line)
    hasAuth = true
  }

  /// Whether a parameter of this name in a typed address usually has a secret. People paste addresses with keys whose
  /// names alone do not say so.
  static func isSecretParameter(_ name: String) -> Bool {
    let usual: Set<String> = ["key", "appid", "sig", "auth", "pwd", "pass", "apikey", "app_id", "client_key"]
    return SecretName.hasSecret(name) || usual.contains(name.lowercased())
  }

  /// The name in `{env:NAME}`, if the text is nothing else.
  private static func variable(in text: String) -> String? {
    guard text.hasPrefix("{env:"), text.hasSuffix("}") else { return nil }
    let name = text.dropFirst("{env:".count).dropLast().trimmingBlanks
    return name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil ? nil : name
  }

  private static func secret(_ variable: String, _ environment: [String: String]) throws(SyncError) -> String {
    try DeclaredText.variable(variable).read(environment) { _ in nil }
  }
}
