import Foundation
import SyncCore
import SyncEngine
import SyncProgram

/// The answer of a service to a request for an access token (RFC 6749, section 5), as services send it: in JSON, or as
/// a form, with numbers as numbers or texts, and errors with any status.
struct TokenAnswer {
  let accessToken: AccessToken
  /// The refresh token that replaces the one that was sent, or repeats it.
  let refreshToken: String?

  /// - Parameters:
  ///   - url: The address of the request.
  ///   - oauth: The declaration of the request.
  ///   - mask: Finds the secrets of the request. The answer itself must not be masked, because a token can contain the
  ///     client's id.
  /// - Throws: `SyncError` without secrets.
  init(
    _ response: UpstreamResponse, from url: String, _ oauth: Declaration.OAuth, hiding mask: SecretMask
  ) throws(SyncError) {
    let members = Members(response.body)
    guard (200..<300).contains(response.status), let token = members?.texts["access_token"] else {
      throw Self.error(response, members: members, from: url, oauth: oauth, hiding: mask)
    }
    // The token becomes a part of a header.
    let isUsable = token.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    guard isUsable, (SecretMask.shortestSecret...Limits.tokenBytes).contains(token.utf8.count) else {
      throw SyncError(
        .upstream, "\(Excerpt.of(url)) answered with an access token that is no text of one line",
        hint: "check access_token_url in the declaration", disposition: .stopRun)
    }
    // Some services answer 0 for a token that does not expire.
    let seconds = members?.seconds.flatMap { $0 > 0 ? $0 : nil }
    let lifetime = seconds.map { min(Duration(clamping: $0), Limits.longestTokenLifetime) } ?? oauth.lifetime
    accessToken = AccessToken(token, lifetime: lifetime)
    refreshToken = members?.texts["refresh_token"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func error(
    _ response: UpstreamResponse, members: Members?, from url: String, oauth: Declaration.OAuth, hiding mask: SecretMask
  ) -> SyncError {
    let shown = Excerpt.of(url)
    switch response.status {
    case 300..<400:
      let target = response.headers["location"].map { " to \(Excerpt.of(mask.masking($0)))" } ?? ""
      return SyncError(
        .upstream, "\(shown) redirects\(target)",
        hint: "redirects are not followed; correct access_token_url in the declaration", disposition: .stopRun)
    case 408, 429, 500...:
      return AnswerFault.error(
        response, to: UpstreamRequest(url: shown), said: members?.reason(mask) ?? "", service: "OAuth 2.0",
        unknownRequest: "", troubled: "the service that issues access tokens")
    default: break
    }
    guard let members else {
      let isHTML = AnswerFault.isHTML(response.body)
      return SyncError(
        .upstream, "\(shown) answered \(response.status) with \(isHTML ? "HTML" : "neither JSON nor a form")",
        hint: "check access_token_url in the declaration", disposition: .stopRun)
    }
    let reason = members.reason(mask).map { ": \($0)" } ?? ""
    return SyncError(
      .upstream, "\(shown) refuses an access token (status \(response.status))\(reason)",
      hint: hint(for: members.texts["error"], status: response.status, oauth: oauth), disposition: .stopRun)
  }

  private static func hint(for error: String?, status: Int, oauth: Declaration.OAuth) -> String {
    switch error {
    case "invalid_scope": return "check scope in access_token_request_data"
    case "unsupported_grant_type", "unauthorized_client":
      return "the client is not allowed to use \(oauth.type): check the client's settings at the service"
    case "invalid_grant" where oauth.refreshToken != nil:
      return "the refresh token has expired or was replaced: get a new one"
    default: break
    }
    let other = oauth.usesBasic ? "client_secret_post" : "client_secret_basic"
    let names = ["client_id", "client_secret", oauth.refreshToken == nil ? nil : "refresh_token"].compactMap(\.self)
    return "check \(names.joined(separator: ", ")) and access_token_request_data; some services need "
      + "token_endpoint_auth_method: \(other)"
  }
}

/// The members of an answer that are needed.
private struct Members {
  /// The members that are texts.
  private(set) var texts: [String: String] = [:]
  /// The member `expires_in`, a number or the text of one.
  private(set) var seconds: Double?

  /// The lifetime of a token in seconds. `nil` if `expires_in` is missing or not a number.
  private struct Lifetime: Decodable {
    let seconds: Double?

    private enum CodingKeys: String, CodingKey { case seconds = "expires_in" }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      let number = try? members.decode(Double.self, forKey: .seconds)
      seconds = number ?? (try? members.decode(String.self, forKey: .seconds)).flatMap { Double($0) }
    }
  }

  /// - Returns: `nil` if the body is neither a JSON object nor a form.
  init?(_ body: [UInt8]) {
    guard body.count <= Limits.problemBytes else { return nil }
    let data = Data(body)
    if let object = try? JSONDecoder().decode([String: JSONMember].self, from: data) {
      for (name, member) in object { if let text = Self.text(member) { texts[name] = text } }
      seconds = (try? JSONDecoder().decode(Lifetime.self, from: data))?.seconds
      return
    }
    guard !AnswerFault.isHTML(body), let text = String(data: data, encoding: .utf8) else { return nil }
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { word in
        word.replacing("+", with: " ").trimmingBlanks.removingPercentEncoding
      }
      guard pair.count == 2, let name = pair[0], let value = pair[1] else { return nil }
      texts[name] = value
    }
    guard !texts.isEmpty else { return nil }
    seconds = texts["expires_in"].flatMap { Double($0) }
  }

  private static func text(_ member: JSONMember) -> String? {
    switch member {
    case .string(let text): text
    // Some services have an object with the text below `error`.
    case .object(let members): ["message", "description"].lazy.compactMap { members[$0].flatMap(text) }.first
    default: nil
    }
  }

  /// The members that say why a request is refused. Of a long text, such as Microsoft's, the first line is the reason.
  private static let reasons = ["error", "status", "error_description", "message", "detail"]

  /// Returns the texts that say why the request was refused, without secrets.
  func reason(_ mask: SecretMask) -> String? {
    let lines = Self.reasons.compactMap { name in
      texts[name].flatMap { mask.masking($0).split(whereSeparator: \.isNewline).first.map(String.init) }
    }
    return lines.isEmpty ? nil : Excerpt.of(lines.distinct().joined(separator: ": "))
  }
}
