import Foundation
import SyncCore
import SyncEngine
import SyncPostgres
import SyncProgram
import Yams

/// Reads the declaration of a source. Every error names the line, the reason and what to use.
struct DeclarationReader {
  let id: SourceID
  let top: DeclarationPart
  /// The folder that the paths of files with values belong to.
  var folder = "."

  private static let keys = ["type", "file", "rate_limits", "client", "resource_defaults", "resources"]

  func declaration() throws(SyncError) -> Declaration {
    try checkName()
    let members = try top.members(Self.keys)
    if let file = members["file"] {
      throw file.fault("cannot be beside client and resources", hint: "remove it, or remove all keys but type and file")
    }
    let client = try top.required("client", of: members, hint: "write client: { base_url: https://api.example.org }")
    let resources = try top.required(
      "resources", of: members, hint: "write resources: [{ name: products, endpoint: { path: products } }]")
    let reading = try ClientReader(client)
    var defaults: [String: DeclarationPart] = [:]
    if let part = members["resource_defaults"], !part.isNull { defaults = try ResourceReader.members(part) }
    if let name = defaults["name"] {
      throw name.fault("would be the name of each resource", hint: "write name: products in resources")
    }
    let readers = try resourceReaders(resources, defaults: defaults, client: reading)
    return Declaration(
      id: id, baseURL: reading.baseURL, rateLimits: try members["rate_limits"].map(limits), headers: reading.headers,
      auth: reading.auth, resources: try Self.resources(readers))
  }

  private func limits(_ part: DeclarationPart) throws(SyncError) -> String {
    let texts = try part.texts(#"["5/1s", "1000/1h"]"#).flatMap { text in
      text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    for text in texts where texts != ["none"] && RateWindow(text) == nil {
      throw part.fault(
        "\(Excerpt.of(text, scalars: 40)) is not a rate limit",
        hint: "write them as REQUESTS/TIME, e.g. 3/1s,60/60s,40000/1d")
    }
    return texts.joined(separator: ",")
  }

  private func checkName() throws(SyncError) {
    let name = id.rawValue
    guard DeclaredName.isTable(name), !DeclaredName.reserved.contains(name), !name.hasPrefix("pg_"),
      !DeclaredName.schemas.contains(name)
    else {
      throw top.fault(
        "cannot be the name of a source, which is also the name of its schema",
        hint: "use a word such as shop: lowercase letters, digits and _, at most 31, no keyword or schema of PostgreSQL"
      )
    }
  }
}

/// Reads `client`.
struct ClientReader {
  let baseURL: String
  private(set) var headers: [String: DeclaredText] = [:]
  private(set) var auth: Declaration.Auth?
  let paginator: DeclarationPart?

  private static let secretHeaders: Set<String> = ["authorization", "proxy-authorization", "cookie"]
  private static let ownHeaders: Set<String> = [
    "accept-encoding", "connection", "content-length", "host", "if-modified-since", "if-none-match",
    "transfer-encoding", "user-agent",
  ]

  init(_ part: DeclarationPart) throws(SyncError) {
    let members = try part.members(
      ["base_url", "headers", "auth", "paginator", "allow_insecure"],
      others: ["session": "sessions are objects of Python; headers and auth are enough for most services"])
    let base = try part.required("base_url", of: members, hint: "write base_url: https://api.example.org")
    let address = try base.text("https://api.example.org")
    do throws(SyncError) {
      baseURL = try Origin.checked(Setting(address, .standard), base.path, example: "https://api.example.org")
    } catch {
      throw base.fault(
        "is not a base URL", hint: "write base_url: https://api.example.org, without a user, a password and parameters")
    }
    let isInsecure = try members["allow_insecure"]?.flag() ?? false
    guard baseURL.hasPrefix("https://") || isInsecure || Origin.isLoopback(baseURL) else {
      throw base.fault("sends requests without encryption", hint: "use https, or set client.allow_insecure: true")
    }
    paginator = members["paginator"]
    if let part = members["headers"], !part.isNull { headers = try Self.headers(part) }
    if let part = members["auth"], !part.isNull { auth = try Self.auth(part) }
    if let part = members["headers"] { try expectToken(part, for: headers) }
  }

  /// Reads the headers of an endpoint.
  func endpointHeaders(_ part: DeclarationPart) throws(SyncError) -> [String: DeclaredText] {
    let headers = try Self.headers(part)
    try expectToken(part, for: headers)
    let names = ["{resources.", "{incremental."]
    guard !headers.values.contains(where: { text in names.contains { text.shown.contains($0) } }) else {
      throw part.fault(
        "has a placeholder", hint: "write it in path, params or json: all requests have the same headers")
    }
    if let name = headers.keys.first(where: { $0.lowercased() == authHeader(beside: headers)?.lowercased() }) {
      throw part.fault(
        "has \(name), which client.auth sends", hint: "remove it, or write it in each endpoint instead of client.auth")
    }
    return headers
  }

  /// The name of the header that `auth` writes; `nil` if `auth` writes none, or if a header has the access token.
  private func authHeader(beside headers: [String: DeclaredText]) -> String? {
    switch auth {
    case .bearer, .basic: "Authorization"
    case .header(let name, _): name
    case .oauth:
      (Array(self.headers.values) + headers.values).contains(where: \.hasAccessToken) ? nil : "Authorization"
    case .query, nil: nil
    }
  }

  static func headers(_ part: DeclarationPart) throws(SyncError) -> [String: DeclaredText] {
    guard let mapping = part.node.mapping else {
      throw part.fault("must have members", hint: "write headers: { Accept: application/json }")
    }
    var headers: [String: DeclaredText] = [:]
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard isHeader(name) else {
        throw part.fault(
          "has a name that is not a header", hint: "write headers: { Accept: application/json }", at: key.mark)
      }
      guard !ownHeaders.contains(name.lowercased()) else {
        throw part.fault("has the header \(name), which syncctl sends itself", hint: "remove it", at: key.mark)
      }
      let isSecret = secretHeaders.contains(name.lowercased()) || SecretName.hasSecret(name)
      headers[name] = try part.below(".\(name)", value).headerText(isSecret: isSecret)
    }
    return headers
  }

  /// - Throws: `SyncError` if a header has the placeholder of an access token, but the source has no such tokens.
  private func expectToken(
    _ part: DeclarationPart, for headers: [String: DeclaredText]
  ) throws(SyncError) {
    guard headers.values.contains(where: \.hasAccessToken) else { return }
    if case .oauth? = auth { return }
    throw part.fault(
      "has \(AccessToken.placeholder), but no access token is requested",
      hint: "write auth: { type: oauth2_client_credentials, … }, or Token {env:SHOP_KEY} for a key")
  }

  static func isHeader(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}/) != nil
  }

  private static func auth(_ part: DeclarationPart) throws(SyncError) -> Declaration.Auth {
    let types = ["bearer", "api_key", "http_basic", "oauth2_client_credentials", "oauth2_refresh_token"]
    let hint =
      "write auth: { type: bearer, token: { env: SHOP_TOKEN } }, or another of \(types.joined(separator: ", "))"
    let mapping = part.node.mapping
    let given = try mapping?["type"].map { (node) throws(SyncError) in try part.below(".type", node).text("bearer") }
    // In dlt, a token without a type is a bearer token.
    guard let type = given ?? (mapping?["token"] == nil ? nil : "bearer") else {
      throw part.fault("has no type", hint: hint)
    }
    func secret(_ name: String, _ members: [String: DeclarationPart]) throws(SyncError) -> DeclaredText {
      try part.required(name, of: members, hint: hint).declaredText(isSecret: true)
    }
    switch type {
    case "bearer": return .bearer(try secret("token", try part.members(["type", "token"])))
    case "http_basic":
      let members = try part.members(["type", "username", "password"])
      let user = try part.required("username", of: members, hint: hint)
      return .basic(try user.declaredText(isSecret: false), try secret("password", members))
    case "api_key":
      let members = try part.members(["type", "name", "api_key", "location"])
      let name = try members["name"]?.text("X-Api-Key") ?? "Authorization"
      let key = try secret("api_key", members)
      switch try members["location"]?.text("header") ?? "header" {
      case "header":
        guard isHeader(name), !ownHeaders.contains(name.lowercased()) else {
          throw (members["name"] ?? part).fault("is not a header for a key", hint: "write name: X-Api-Key")
        }
        return .header(name, key)
      case "query": return .query(name, key)
      default:
        throw (members["location"] ?? part).fault("is not supported", hint: "use location: header or location: query")
      }
    case "oauth2_client_credentials", "oauth2_refresh_token":
      return .oauth(try OAuthReader(part, refreshes: type == "oauth2_refresh_token").oauth())
    default: throw part.fault("has an unknown type", hint: hint)
    }
  }
}
