package import SyncCore
package import SyncEngine
import SyncHTTP

/// A single request for a waiting user, outside of a run. It is not counted in the rate limits, because no mirror may
/// exist.
package enum Inquiry {
  /// Sends a request once, and returns the response, whatever its status.
  /// - Parameters:
  ///   - deadline: The longest time of the request, its body included.
  ///   - tokens: The access tokens that the request needs.
  /// - Throws: `SyncError` if no complete response arrives, or `CancellationError`.
  package static func response(
    to request: UpstreamRequest, within deadline: Duration = Limits.inquiryDeadline, tokens: AccessTokens? = nil
  ) async throws -> UpstreamResponse {
    try await HTTPTransport.with(userAgent: Version.userAgent, proxies: .current(), deadline: deadline) { transport in
      guard let tokens else { return try await transport.fetch(request) }
      let fetcher = Fetcher(unlimited: transport, clock: SystemClock())
      return try await AuthorizedTransport(transport, tokens, requestedWith: fetcher).fetch(request)
    }
  }
}

/// A budget for single requests outside of a run.
struct UnlimitedBudget: RateBudget {
  var slack: Duration? { nil }

  func take() async throws -> RatePermit { RatePermit(wait: .zero, time: nil) }
  func giveBack(_ permit: RatePermit) async throws {}
  func pause(for duration: Duration) async throws {}
  func remainingPause() async throws -> Duration { .zero }
}

extension Fetcher {
  /// A fetcher for a waiting user, without rate limits and retries.
  fileprivate init(unlimited transport: any Transport, clock: any SyncClock) {
    self.init(
      transport: transport, limiter: RateLimiter(budget: UnlimitedBudget(), clock: clock),
      policy: RetryPolicy(attempts: 1), clock: clock, chance: { Double.random(in: 0..<1) })
  }
}
