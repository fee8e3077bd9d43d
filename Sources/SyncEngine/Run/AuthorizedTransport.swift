package import SyncCore

/// Replaces `AccessToken.placeholder` in the headers of each request by the current token.
///
/// Every request has a permit of its own, so a refused request is not repeated here: the error asks `Fetcher` for it.
package struct AuthorizedTransport: Transport {
  private let transport: any Transport
  private let tokens: AccessTokens
  private let fetcher: Fetcher

  /// Wraps a transport, whose requests then have the current token.
  /// - Parameter fetcher: Sends the requests for tokens, with the rate limits of their server. It must not use the new
  ///   transport.
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
