package import SyncCore

/// An access token (RFC 6749), and the time for which the service accepts it from the request for it on.
package struct AccessToken: Sendable, Equatable {
  /// The text that stands for the token in the headers of a request.
  package static let placeholder = "{access_token}"

  package let value: String
  package let lifetime: Duration

  package init(_ value: String, lifetime: Duration) {
    self.value = value
    self.lifetime = lifetime
  }
}

/// A way to obtain access tokens from a service.
package protocol TokenGrant: Sendable {
  /// The address of the requests for tokens.
  var url: String { get }

  /// Requests a new token.
  /// - Throws: `CancellationError`, or `SyncError` without secrets.
  func token(from fetcher: Fetcher) async throws -> AccessToken
}

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

  /// Obtains a token unless the current one stays valid for a while.
  /// - Parameter fetcher: Sends the request for a token, if no other caller has sent it.
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

  /// Records that the service accepted a token.
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

/// Replaces `AccessToken.placeholder` in the headers of each request by the current token.
///
/// Every request has a permit of its own, so a refused request is not repeated here: the error asks `Fetcher` for it.
package struct AuthorizedTransport: Transport {
  private let transport: any Transport
  private let tokens: AccessTokens
  private let fetcher: Fetcher

  /// - Parameter fetcher: Sends the requests for tokens, with the rate limits of their server.
  package init(_ transport: any Transport, _ tokens: AccessTokens, requestedWith fetcher: Fetcher) {
    self.transport = transport
    self.tokens = tokens
    self.fetcher = fetcher
  }

  /// Obtains a token if none is held or the held token is about to expire.
  ///
  /// The caller must not hold a permit yet. A request that is sent long after its permit can exceed a rate limit.
  /// - Throws: The error of the request for a token.
  package func prepare() async throws {
    try await transport.prepare()
    try await tokens.prepare(with: fetcher)
  }

  /// Sends a request with the current token.
  /// - Returns: The response. Its status is 401 if another token would be refused too.
  /// - Throws: `SyncError` with the disposition `retry` if the service answered 401 and another token can help.
  package func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    var held = await tokens.held
    if held == nil {
      try await tokens.prepare(with: fetcher)
      held = await tokens.held
    }
    guard let held else { throw CancellationError() }
    var authorized = request
    authorized.additions.headers = request.additions.headers.mapValues {
      $0.replacing(AccessToken.placeholder, with: held.value)
    }
    let response = try await transport.fetch(authorized)
    guard response.status == 401 else {
      await tokens.accept(held)
      return response
    }
    guard await tokens.refuse(held) else { return response }
    throw SyncError(
      .upstream, "\(Excerpt.of(request.url)) answered 401: the service no longer accepts the access token",
      hint: "a new one is requested", disposition: .retry(after: nil))
  }
}
