/// The seam to the network.
package protocol Transport: Sendable {
  /// Fetches one resource.
  ///
  /// - Throws: `SyncError` with the disposition that fits (a refused connection may pass, a bad certificate does
  ///   not), or `CancellationError`.
  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse
}
