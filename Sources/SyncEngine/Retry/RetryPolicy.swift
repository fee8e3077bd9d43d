package import SyncCore

/// When to retry a request: capped exponential backoff with full jitter, or as long as the upstream's `Retry-After`
/// says.
///
/// Source of the shape: AWS Builders' Library, "Timeouts, retries and backoff with jitter".
package struct RetryPolicy: Sendable {
  package struct Delay: Sendable, Equatable {
    package let duration: Duration
    /// The upstream's `Retry-After`, or its answer that there are too many requests: nobody sends one meanwhile.
    package let isForAll: Bool

    package init(_ duration: Duration, isForAll: Bool = false) {
      self.duration = duration
      self.isForAll = isForAll
    }
  }

  /// How often a request is sent at most.
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

  /// How long to wait before a retry; nil for errors that do not pass by themselves.
  ///
  /// - Parameters:
  ///   - attempt: the number of failed attempts, from 1.
  ///   - chance: uniform in 0 ..< 1.
  package func delay(attempt: Int, disposition: SyncError.Disposition, chance: Double) -> Delay? {
    switch disposition {
    case .stopStream, .stopRun: nil
    case .retry(after: nil): Delay(backoff(base, attempt, chance))
    // Never less than the base: full jitter may be zero, and "too many requests" means that we must slow down.
    case .throttled(after: nil):
      Delay(max(Limits.throttleBase, backoff(Limits.throttleBase, attempt, chance)), isForAll: true)
    // "Now" is an answer too, but not one to be taken four times in a row.
    case .retry(.some(let asked)), .throttled(.some(let asked)):
      Delay(max(asked, backoff(base, attempt, chance)), isForAll: true)
    }
  }

  private func backoff(_ base: Duration, _ attempt: Int, _ chance: Double) -> Duration {
    // 2^30 half seconds are far beyond any cap; the bound keeps the multiplication from overflowing.
    min(cap, base * (1 << min(attempt - 1, 30))) * chance
  }
}
