/// Sends requests to a service. Transports are nested: one adds tokens, one counts, one records, and the innermost one
/// uses the network.
package protocol Transport: Sendable {
  /// Obtains what the next request needs besides a permit, such as an access token. Call this function before you take
  /// the request's permit, because a request that is sent long after its permit can exceed a rate limit.
  /// - Throws: `CancellationError`, or `SyncError` if no request can be sent.
  func prepare() async throws

  /// Sends the request and returns the response, whatever its status, without the secrets of the request. Throws
  /// `CancellationError`, or `SyncError` with a matching disposition.
  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse
}

extension Transport {
  /// Does nothing, for transports that need no preparation.
  package func prepare() async throws {}
}
