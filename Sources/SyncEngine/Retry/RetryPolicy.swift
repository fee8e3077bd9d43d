package import SyncCore

/// When to try a request again: capped exponential backoff with full jitter, or as long as the upstream asked for.
///
/// Source of the shape: AWS Builders' Library, "Timeouts, retries and backoff with jitter".
package struct RetryPolicy: Sendable {
  package enum Decision: Sendable, Equatable {
    case retry(after: Duration)
    case giveUp
  }

  package let attempts: Int
  package let base: Duration
  package let cap: Duration

  package init(
    attempts: Int = Limits.requestAttempts, base: Duration = Limits.backoffBase, cap: Duration = Limits.backoffCap
  ) {
    self.attempts = attempts
    self.base = base
    self.cap = cap
  }

  /// - Parameters:
  ///   - attempt: how many tries have failed, from 1.
  ///   - chance: uniform in 0 ..< 1.
  package func decide(attempt: Int, disposition: SyncError.Disposition, chance: Double) -> Decision {
    guard case .retry(let asked) = disposition, attempt < attempts else { return .giveUp }
    // 2^30 half seconds are far beyond any cap; the bound keeps the multiplication from overflowing.
    let ceiling = min(cap, base * (1 << min(attempt - 1, 30)))
    let backoff = ceiling * chance
    guard let asked else { return .retry(after: backoff) }
    // "Now" is an answer too, but not one to be taken four times in a row.
    return asked <= Limits.retryAfterCap ? .retry(after: max(asked, backoff)) : .giveUp
  }
}
