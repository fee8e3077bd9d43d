/// A GET for one resource of an upstream.
package struct UpstreamRequest: Sendable, Equatable {
  /// Absolute, with query; never with credentials.
  package let url: String

  package init(url: String) {
    self.url = url
  }
}

/// A whole answer: read to its end, decompressed, within the limits.
package struct UpstreamResponse: Sendable {
  package let status: Int
  /// Names in lower case; the first of repeated headers.
  package let headers: [String: String]
  package let body: [UInt8]

  package init(status: Int, headers: [String: String], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The seam to the network.
package protocol Transport: Sendable {
  /// Fetches one resource.
  ///
  /// - Throws: `SyncError` with the disposition that fits (a refused connection may pass, a bad certificate does
  ///   not), or `CancellationError`.
  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse
}

/// The seam to time. The engine has no clock and no sleep of its own.
package protocol SyncClock: Sendable {
  /// Monotonic; counted from an arbitrary start and including time in suspend.
  func now() -> Duration
  /// - Throws: `CancellationError`.
  func sleep(for duration: Duration) async throws
}

/// The seam to chance: a uniform number in 0 ..< 1.
package typealias Chance = @Sendable () -> Double
