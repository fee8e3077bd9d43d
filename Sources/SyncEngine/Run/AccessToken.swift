import SyncCore

/// An access token (RFC 6749), and the time for which the service accepts it from the request for it on.
package struct AccessToken: Sendable, Equatable {
  /// The text that stands for the token in the headers of a request.
  package static let placeholder = "{access_token}"

  package let value: String
  package let lifetime: Duration

  /// `lifetime` counts from the request for the token.
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
