import SyncCore
import SyncEngine
import SyncProgram
import Yams

/// Reads `client.auth` with the type `oauth2_client_credentials` or `oauth2_refresh_token`.
struct OAuthReader {
  private let part: DeclarationPart
  private let refreshes: Bool
  private let members: [String: DeclarationPart]

  private static let example =
    "write auth: { type: oauth2_client_credentials, access_token_url: https://…, client_id: …, "
    + "client_secret: { env: … } }"
  private static let methods = ["client_secret_post", "client_secret_basic"]

  init(_ part: DeclarationPart, refreshes: Bool) throws(SyncError) {
    self.part = part
    self.refreshes = refreshes
    members = try part.members(
      [
        "type", "access_token_url", "client_id", "client_secret", "token_endpoint_auth_method",
        "access_token_request_data", "default_token_expiration",
      ] + (refreshes ? ["refresh_token"] : []),
      others: ["access_token": "access tokens are requested", "session": "it is an object of Python"])
  }

  func oauth() throws(SyncError) -> Declaration.OAuth {
    let url = try url()
    let clientID = try members["client_id"]?.declaredText(isSecret: false)
    let clientSecret = try members["client_secret"]?.declaredText(isSecret: true)
    if !refreshes, clientID == nil || clientSecret == nil {
      throw part.fault("has no \(clientID == nil ? "client_id" : "client_secret")", hint: Self.example)
    }
    let usesBasic = try usesBasic()
    guard !usesBasic || clientID != nil && clientSecret != nil else {
      throw part.fault("sends client_id and client_secret as HTTP Basic, but lacks one of them", hint: Self.example)
    }
    let (refreshToken, isReplaced) = try refreshToken()
    let seconds = try members["default_token_expiration"]?.number(
      1...Int(Limits.longestTokenLifetime.components.seconds))
    return Declaration.OAuth(
      url: url, clientID: clientID, clientSecret: clientSecret, usesBasic: usesBasic, refreshToken: refreshToken,
      replacesRefreshToken: isReplaced, data: try data(), lifetime: .seconds(seconds ?? 3600))
  }

  private func url() throws(SyncError) -> String {
    let member = try part.required("access_token_url", of: members, hint: Self.example)
    let text = try member.text("https://login.example.org/oauth2/token")
    let address: HTTPAddress
    do throws(HTTPAddress.Fault) {
      address = try HTTPAddress(text)
    } catch {
      throw member.fault(
        "is not an address, because \(error)", hint: "write it as in https://login.example.org/oauth2/token")
    }
    guard address.scheme == .https || address.isLoopback else {
      throw member.fault("sends secrets without encryption", hint: "use https")
    }
    return address.description
  }

  private func usesBasic() throws(SyncError) -> Bool {
    guard let member = members["token_endpoint_auth_method"] else { return false }
    let method = try member.text("client_secret_basic")
    guard Self.methods.contains(method) else {
      throw member.fault("is not supported", hint: "write \(Self.methods.joined(separator: " or "))")
    }
    return method == "client_secret_basic"
  }

  private func data() throws(SyncError) -> [Declaration.Parameter] {
    guard let part = members["access_token_request_data"], !part.isNull else { return [] }
    guard let mapping = part.node.mapping else {
      throw part.fault("must have members", hint: "write access_token_request_data: { scope: read }")
    }
    return try mapping.map { (key, value) throws(SyncError) in
      let name = key.string ?? ""
      guard !name.isEmpty else {
        throw part.fault("has a member without a name", hint: "write { scope: read }", at: key.mark)
      }
      // The names of types, such as `subject_token_type` (RFC 8693), are no secrets.
      let isSecret = SecretName.hasSecret(name) && !name.hasSuffix("_type")
      return Declaration.Parameter(
        name: name, value: try part.below(".\(Excerpt.of(name, scalars: 60))", value).declaredText(isSecret: isSecret))
    }
  }

  private func refreshToken() throws(SyncError) -> (DeclaredText?, isReplaced: Bool) {
    guard refreshes else { return (nil, false) }
    let hint =
      "write refresh_token: { env: SHOP_REFRESH_TOKEN }, or { file: PATH, replaced: true } if each use "
      + "replaces it"
    let member = try part.required("refresh_token", of: members, hint: hint)
    guard member.node.mapping?["replaced"] != nil else { return (try member.declaredText(isSecret: true), false) }
    let parts = try member.members(["file", "replaced"])
    let path = try member.required("file", of: parts, hint: hint).text("{ file: refresh-token.txt, replaced: true }")
    return (.file(path), try parts["replaced"]?.flag() ?? false)
  }
}

extension DeclaredText {
  /// Whether the text has the placeholder of an access token.
  var hasAccessToken: Bool {
    parts.contains { part in if case .literal(let text) = part { text.contains(AccessToken.placeholder) } else { false }
    }
  }
}
