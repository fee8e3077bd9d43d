import Foundation
import SyncCore
import SyncEngine

/// Requests access tokens as a declaration says.
struct OAuthGrant: TokenGrant {
  let oauth: Declaration.OAuth
  let reader: SecretReader
  /// Learns refresh tokens that the service has replaced.
  let secrets: LearnedSecrets
  let clock: any SyncClock

  var url: String { oauth.url }

  func token(from fetcher: Fetcher) async throws -> AccessToken {
    guard oauth.replacesRefreshToken, case .file(let path)? = oauth.refreshToken else {
      let sent = try oauth.refreshToken.map { (text) throws(SyncError) in try reader.read(text) }
      let answer = try await answer(sent, from: fetcher)
      guard let new = answer.refreshToken, let sent, new != sent else { return answer.accessToken }
      throw SyncError(
        .configuration, "\(reader.id): \(Excerpt.of(url)) replaces the refresh token with each use",
        hint: "get a new refresh token, and write refresh_token: { file: PATH, replaced: true }, so that syncctl keeps "
          + "the newest one in the file", disposition: .stopRun)
    }
    return try await TokenFile(path, in: reader.folder).exclusively(clock) { file in
      let sent = try reader.read(.file(path))
      secrets.learn([sent])
      // The service forgets the old token when it answers, so the file must be writable before.
      let replacement = try file.replacement(beginningWith: sent)
      defer { replacement.discard() }
      let answer = try await answer(sent, from: fetcher)
      if let new = answer.refreshToken, new != sent {
        secrets.learn([new])
        try replacement.commit(new)
      }
      return answer.accessToken
    }
  }

  /// - Parameter refreshToken: `nil` for the grant `client_credentials`.
  private func answer(_ refreshToken: String?, from fetcher: Fetcher) async throws -> TokenAnswer {
    var members: [(name: String, value: String)] = []
    var secrets: [String] = []
    func set(_ name: String, _ value: String) {
      members.removeAll { $0.name == name }
      members.append((name, value))
    }
    func read(_ text: DeclaredText, canBeShort: Bool = false) throws(SyncError) -> String {
      let value = try reader.read(text, canBeShort: canBeShort)
      if text.isSecret { secrets.append(value) }
      return value
    }
    var request = UpstreamRequest(url: url)
    let id = try oauth.clientID.map { (text) throws(SyncError) in try read(text, canBeShort: true) }
    let secret = try oauth.clientSecret.map { (text) throws(SyncError) in try read(text) }
    set("grant_type", refreshToken == nil ? "client_credentials" : "refresh_token")
    if let refreshToken {
      set("refresh_token", refreshToken)
      secrets.append(refreshToken)
    }
    if oauth.usesBasic, let id, let secret {
      // RFC 6749, section 2.3.1: both are encoded as in a form.
      let pair = Data("\(id.percentEncoded()):\(secret.percentEncoded())".utf8).base64EncodedString()
      request.additions.headers["Authorization"] = "Basic \(pair)"
      secrets.append(pair)
    } else {
      if let id { set("client_id", id) }
      if let secret { set("client_secret", secret) }
    }
    for member in oauth.data { set(member.name, try read(member.value, canBeShort: true)) }
    request.additions.form = HTTPAddress.query(members)
    let mask = SecretMask(secrets.distinct())
    let outcome = await fetcher.fetch(request, retries: RunRetries(), onWait: { _ in }) { [oauth] response, request in
      try TokenAnswer(response, from: request.url, oauth, hiding: mask)
    }
    switch outcome.result {
    case .answer(let answer): return answer
    case .exhausted(let error), .stopped(let error as SyncError): throw Self.final(error, hiding: mask)
    case .stopped(let error): throw error
    }
  }

  /// Returns an error that the requests for pages neither retry nor answer with a pause of their own service.
  private static func final(_ error: SyncError, hiding mask: SecretMask) -> SyncError {
    SyncError(
      error.code, mask.masking(error.message), hint: error.hint.map { mask.masking($0) },
      disposition: error.disposition == .stopRun ? .stopRun : .stopStream)
  }
}
