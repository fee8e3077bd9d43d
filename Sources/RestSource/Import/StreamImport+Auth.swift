import SyncCore

/// How a declaration authenticates its requests.
struct ImportedAuth: Equatable {
  /// The members of `client.auth`; empty without one.
  var members: [FlowMember] = []
  /// A header with a secret within a text.
  var headers: [FlowMember] = []
  /// Whether the requests need authentication, but the declaration has none.
  var isMissing = false
  var line = 0

  static var missing: ImportedAuth { ImportedAuth(isMissing: true) }

  var isEmpty: Bool { members.isEmpty && headers.isEmpty }

  /// Whether the requests get the same header or parameter.
  func isLike(_ other: ImportedAuth) -> Bool { members == other.members && headers == other.headers }
}

extension StreamImport {
  /// Returns the authentication of the stream's requests.
  mutating func auth(_ requester: ManifestPart) -> ImportedAuth {
    guard let part = requester.member("authenticator"), part.type != "NoAuth" else { return ImportedAuth() }
    var auth = auth(of: part)
    auth.line = part.line
    return auth
  }

  private mutating func auth(of part: ManifestPart) -> ImportedAuth {
    if part.className != nil { return missing(part, Excerpt.of(part.className ?? "", scalars: 100)) }
    switch part.type {
    case "BearerAuthenticator":
      guard let token = part.member("api_token") else { return missing(part, "a bearer token without a value") }
      return bearer(text(token, in: part, keepsOptions: true))
    case "ApiKeyAuthenticator": return apiKey(part)
    case "BasicHttpAuthenticator": return basic(part)
    case "OAuthAuthenticator": return oauth(part)
    case "SelectiveAuthenticator": return selected(part)
    case let type: return missing(part, Excerpt.of(type ?? "an authenticator without a type", scalars: 60))
    }
  }

  mutating func missing(_ part: ManifestPart, _ what: String) -> ImportedAuth {
    remarks.add(
      part.line, nil, "\(what) is not supported, so client.auth is missing",
      "write client.auth: bearer, api_key, http_basic, oauth2_client_credentials or oauth2_refresh_token")
    return .missing
  }

  // MARK: Secrets

  /// Returns a secret. It is never a text of the manifest.
  /// - Parameter usual: The last part of the variable's name if the manifest takes the secret from no single option.
  mutating func secret(_ text: ImportedText, _ usual: String) -> FlowValue {
    if case .option(let option)? = text.single { return .variable(context.variable(option)) }
    if let plain = text.plain, plain.count < SecretMask.shortestSecret { return .text(plain) }
    let options = text.parts.compactMap { part in if case .option(let option) = part { option } else { nil } }
    let variable = context.variable(options.count == 1 ? options[0] : [usual])
    let source = text.opaque.map { " {{ \(Excerpt.of($0, scalars: 120)) }}" } ?? ""
    remarks.add(
      text.line, nil, "a secret is more than one option\(source)", "set the variable \(variable) to its whole text")
    return .variable(variable)
  }

  private mutating func bearer(_ text: ImportedText) -> ImportedAuth {
    ImportedAuth(members: [FlowMember("type", .text("bearer")), FlowMember("token", secret(text, "token"))])
  }

  private mutating func apiKey(_ part: ManifestPart) -> ImportedAuth {
    let option = part.member("inject_into")
    let field = plain(part.member("header")) ?? plain(option?.member("field_name"))
    let place = option?.member("inject_into")?.text ?? "header"
    guard let field, ["header", "request_parameter"].contains(place) else {
      return missing(part, "a key in the body")
    }
    guard let token = part.member("api_token") else { return missing(part, "a key without a value") }
    let text = text(token, in: part, keepsOptions: true)
    guard place == "header" else {
      return ImportedAuth(members: Self.key(secret(text, "key"), field, location: "query"))
    }
    if text.parts.count == 2, case .text(let prefix) = text.parts[0], case .option(let option) = text.parts[1] {
      return prefixed(prefix, context.variable(option), header: field)
    }
    return ImportedAuth(members: Self.key(secret(text, "key"), field, location: "header"))
  }

  private static func key(_ value: FlowValue, _ name: String, location: String) -> [FlowMember] {
    [
      FlowMember("type", .text("api_key")), FlowMember("location", .text(location)), FlowMember("name", .text(name)),
      FlowMember("api_key", value),
    ]
  }

  /// Returns the authentication by a header such as `Authorization: Token KEY`.
  private func prefixed(_ prefix: String, _ variable: String, header: String) -> ImportedAuth {
    if header.lowercased() == "authorization", prefix.lowercased() == "bearer " {
      return ImportedAuth(members: [FlowMember("type", .text("bearer")), FlowMember("token", .variable(variable))])
    }
    return ImportedAuth(headers: [FlowMember(header, .text("\(prefix){env:\(variable)}"))])
  }

  private mutating func basic(_ part: ManifestPart) -> ImportedAuth {
    let user = part.member("username").map { text($0, in: part, keepsOptions: true) }
    let password = part.member("password").map { text($0, in: part, keepsOptions: true) }
    return ImportedAuth(members: [
      FlowMember("type", .text("http_basic")),
      FlowMember("username", user.map { self.user($0) } ?? .text("")),
      FlowMember("password", password.map { $0.isAbsent ? .text("") : secret($0, "password") } ?? .text("")),
    ])
  }

  /// Returns the name of a user, which can be in the declaration.
  private mutating func user(_ text: ImportedText) -> FlowValue {
    if let plain = text.plain, !plain.isEmpty { return .text(plain) }
    return secret(text, "username")
  }

  private mutating func selected(_ part: ManifestPart) -> ImportedAuth {
    let choices = part.member("authenticators")?.entries ?? []
    for (name, choice) in choices {
      guard Self.simpleTypes.contains(choice.type ?? ""), choice.className == nil else { continue }
      noteChoice(of: name, among: choices.count, at: part.line)
      return auth(of: choice)
    }
    guard let (name, choice) = choices.first(where: { $0.value.type == "OAuthAuthenticator" }) else {
      return missing(part, "each choice of the authenticator")
    }
    noteChoice(of: name, among: choices.count, at: part.line)
    return oauth(choice)
  }

  private static let simpleTypes: Set<String> = [
    "ApiKeyAuthenticator", "BasicHttpAuthenticator", "BearerAuthenticator",
  ]

  private mutating func noteChoice(of name: String, among count: Int, at line: Int) {
    guard count > 1 else { return }
    remarks.add(
      line, nil, "client.auth is the choice \(Excerpt.of(name, scalars: 60)) of \(count)",
      "write another client.auth if you have other credentials")
  }
}
