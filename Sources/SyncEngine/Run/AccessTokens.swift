package import SyncCore

/// The access token of a source. It is kept in memory only, and a new one is requested shortly before it expires, or
/// after the service refused it. Several callers that need a new token share one request.
package actor AccessTokens {
  /// A token that was obtained, with the times when it is renewed and when it expires. Both are times of the engine's
  /// clock.
  package struct Held: Sendable {
    package let value: String
    fileprivate let number: Int
    fileprivate let renewedAt: Duration
    fileprivate let expiresAt: Duration
    /// Whether the service has answered a request with this token.
    fileprivate var isAccepted = false
  }

  /// A request for a token, with the number of callers that wait for it.
  private struct Request {
    let number: Int
    let task: Task<Held, any Error>
    var waiting = 0
  }

  package nonisolated let url: String
  /// The tokens, for the masks of all requests of the source.
  package nonisolated let secrets: LearnedSecrets
  private let grant: any TokenGrant
  private let clock: any SyncClock
  private var current: Held?
  private var request: Request?
  private var requests = 0

  /// Creates a holder without a token. Sends no request; `prepare` obtains the first token.
  /// - Parameters:
  ///   - grant: Requests the tokens.
  ///   - secrets: Learns each token. The masks of all requests of the source must share this object.
  package init(_ grant: any TokenGrant, secrets: LearnedSecrets, clock: any SyncClock) {
    self.grant = grant
    self.secrets = secrets
    self.clock = clock
    url = grant.url
  }

  /// The token that a request sends, even if it is about to expire; `nil` before the first one was obtained.
  package var held: Held? { current }

  /// The number of callers that wait for the current request.
  package var waiting: Int { request?.waiting ?? 0 }

  /// Obtains a token unless the current one stays valid for a while (`Limits.tokenMargin`). The token is then in
  /// `held`.
  /// - Parameter fetcher: Sends the request for a token, if no other caller has sent it.
  /// - Throws: The error of `TokenGrant.token(from:)`.
  package func prepare(with fetcher: Fetcher) async throws {
    if let current, clock.now() < current.renewedAt { return }
    let number = join(fetcher)
    guard let task = request?.task else { return }
    _ = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      Task { await self.leave(number) }
    }
  }

  /// Records that the service answered a request with this token with any status except 401.
  package func accept(_ token: Held) {
    if current?.number == token.number { current?.isAccepted = true }
  }

  /// Records that the service refused a token with status 401.
  /// - Returns: Whether the request can succeed with another token. False for a new token that the service has never
  ///   accepted, because another new token would be refused too.
  package func refuse(_ token: Held) -> Bool {
    guard current?.number == token.number else { return true }
    guard current?.isAccepted == true || clock.now() >= token.expiresAt else { return false }
    current = nil
    return true
  }

  /// Adds a caller to the current request for a token, or begins one.
  /// - Returns: The number of the request.
  private func join(_ fetcher: Fetcher) -> Int {
    if request == nil {
      requests += 1
      let number = requests
      request = Request(number: number, task: Task { try await self.obtain(number, fetcher) })
    }
    request?.waiting += 1
    return request?.number ?? 0
  }

  /// A cancelled caller leaves. Without callers, the request is cancelled.
  private func leave(_ number: Int) {
    guard request?.number == number else { return }
    request?.waiting -= 1
    guard request?.waiting == 0 else { return }
    request?.task.cancel()
    request = nil
  }

  /// Requests a token and makes it current. The token is added to the masks before any request can send the token.
  private func obtain(_ number: Int, _ fetcher: Fetcher) async throws -> Held {
    defer { if request?.number == number { request = nil } }
    // The service counts the lifetime from a later time, so the token never expires earlier.
    let start = clock.now()
    let token = try await grant.token(from: fetcher)
    secrets.learn([token.value])
    let margin = min(Limits.tokenMargin, token.lifetime / 10)
    let held = Held(
      value: token.value, number: number, renewedAt: start + token.lifetime - margin,
      expiresAt: start + token.lifetime)
    current = held
    return held
  }
}
