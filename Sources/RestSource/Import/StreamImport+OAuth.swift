import Foundation
import SyncCore

extension StreamImport {
  /// Returns the authentication by access tokens (RFC 6749).
  mutating func oauth(_ part: ManifestPart) -> ImportedAuth {
    guard let endpoint = part.member("token_refresh_endpoint") else {
      return missing(part, "OAuth without token_refresh_endpoint")
    }
    for (name, usual) in [("access_token_name", "access_token"), ("client_id_name", "client_id")] {
      guard let other = plain(part.member(name)), other != usual else { continue }
      return missing(part, "OAuth with \(name): \(Excerpt.of(other, scalars: 60))")
    }
    let declared = plain(part.member("grant_type")) ?? "refresh_token"
    let hasRefreshToken = part.member("refresh_token").map { $0.text?.isEmpty == false } ?? false
    let refreshes = declared == "refresh_token" && (hasRefreshToken || part.member("refresh_token_updater") != nil)
    let grant = refreshes || declared != "refresh_token" ? declared : "client_credentials"
    var members = [
      FlowMember("type", .text(refreshes ? "oauth2_refresh_token" : "oauth2_client_credentials")),
      FlowMember("access_token_url", .text(tokenAddress(text(endpoint, in: part)))),
    ]
    for name in ["client_id", "client_secret"] {
      guard let member = part.member(name) else { continue }
      members.append(FlowMember(name, secret(text(member, in: part, keepsOptions: true), name)))
    }
    if refreshes { members.append(FlowMember("refresh_token", refreshToken(part))) }
    if sendsBasic(part) { members.append(FlowMember("token_endpoint_auth_method", .text("client_secret_basic"))) }
    let data = tokenData(part, grant: grant)
    if !data.isEmpty { members.append(FlowMember("access_token_request_data", .mapping(data))) }
    return ImportedAuth(members: members)
  }

  private mutating func tokenAddress(_ text: ImportedText) -> String {
    var address = ""
    for part in text.parts {
      switch part {
      case .text(let text): address += text
      case .option(let option):
        let placeholder = Self.placeholder(option).replacing("_", with: "-")
        address += address.isEmpty ? "https://\(placeholder).example.org" : placeholder
        ask(for: option, placeholder, at: text.line, isShared: true)
      case .partition, .interval, .pageToken, .moment, .other:
        address += "TODO"
        remarks.add(text.line, nil, "a part of access_token_url is TODO", "write the address of the access tokens")
      }
    }
    return address
  }

  private mutating func refreshToken(_ part: ManifestPart) -> FlowValue {
    if part.member("refresh_token_updater") != nil {
      remarks.add(
        part.line, nil, "each use replaces the refresh token, which is in the file refresh-token.txt",
        "write your refresh token into this file, beside the configuration file")
      return .mapping([FlowMember("file", .text("refresh-token.txt")), FlowMember("replaced", .literal("true"))])
    }
    let token = part.member("refresh_token").map { text($0, in: part, keepsOptions: true) }
    return token.map { secret($0, "refresh_token") } ?? .variable(context.variable(["refresh_token"]))
  }

  /// Whether the client's id and secret are sent as HTTP Basic. Notes other headers.
  private mutating func sendsBasic(_ part: ManifestPart) -> Bool {
    var isBasic = false
    for (name, value) in part.member("refresh_request_headers")?.entries ?? [] {
      if name.lowercased() == "content-type" { continue }
      if name.lowercased() == "authorization", value.text?.contains("Basic") == true {
        isBasic = true
      } else {
        leaveOut("the header \(name) of token requests", at: value.line, "token requests have no headers of their own")
      }
    }
    return isBasic
  }

  /// Returns more members of the token request.
  private mutating func tokenData(_ part: ManifestPart, grant: String) -> [FlowMember] {
    var data: [FlowMember] = []
    if !["refresh_token", "client_credentials"].contains(grant) { data.set("grant_type", to: .text(grant)) }
    let scopes = part.member("scopes")?.elements.compactMap { plain($0) } ?? []
    if !scopes.isEmpty { data.set("scope", to: .text(scopes.joined(separator: " "))) }
    for (name, value) in part.member("refresh_request_body")?.entries ?? [] {
      let text = text(value, in: part, keepsOptions: true)
      if let plain = text.plain, !SecretName.hasSecret(name) || plain.count < SecretMask.shortestSecret {
        if !plain.isEmpty { data.set(name, to: .text(plain)) }
      } else {
        data.set(name, to: secret(text, name))
      }
    }
    return data
  }
}
