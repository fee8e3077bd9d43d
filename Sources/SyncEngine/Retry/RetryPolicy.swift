package import SyncCore

/// Computes the delay before a retry: the upstream's `Retry-After`, or capped exponential backoff with full jitter.
package struct RetryPolicy: Sendable {
  /// The time before the next attempt. If `isForAll` is true, all requests to the origin wait, also requests of other
  /// processes.
  package struct Delay: Sendable, Equatable {
    package let duration: Duration
    package let isForAll: Bool

    /// Creates a delay of this duration. By default, only the failed request waits.
    package init(_ duration: Duration, isForAll: Bool = false) {
      self.duration = duration
      self.isForAll = isForAll
    }
  }

  /// The number of times that a request is sent, the first time included.
  package let attempts: Int
  /// The upper bound of the delay after the first failed attempt. The bound doubles with each attempt.
  package let base: Duration
  /// The largest delay that the policy computes. A delay that the service asks for can be longer.
  package let cap: Duration

  /// `attempts` includes the first attempt, so 1 means no retry. `base` and `cap` bound the computed delays.
  package init(
    attempts: Int = Limits.requestAttempts, base: Duration = Limits.backoffBase, cap: Duration = Limits.backoffCap
  ) {
    self.attempts = attempts
    self.base = base
    self.cap = cap
  }

  /// Returns the delay before the next attempt, or `nil` for an error that a retry cannot change. The policy's
  /// `attempts` and `Limits.retryAfterCap` are not checked here. `attempt` is the number of failed attempts, from 1;
  /// `chance` is in 0 ..< 1.
  package func delay(attempt: Int, disposition: SyncError.Disposition, chance: Double) -> Delay? {
    switch disposition {
    case .stopStream, .refused, .restart, .stopRun: nil
    case .retry(after: nil): Delay(backoff(base: base, attempt: attempt, chance: chance))
    case .throttled(after: nil):
      Delay(
        max(Limits.throttleBase, backoff(base: Limits.throttleBase, attempt: attempt, chance: chance)), isForAll: true)
    // The backoff is the minimum, because an upstream can send `Retry-After: 0` every time.
    case .retry(.some(let requested)), .throttled(.some(let requested)):
      Delay(max(requested, backoff(base: base, attempt: attempt, chance: chance)), isForAll: true)
    }
  }

  /// Returns a delay from zero up to the doubled base. `attempt` is at least 1.
  private func backoff(base: Duration, attempt: Int, chance: Double) -> Duration {
    // The exponent has an upper bound, because the multiplication could overflow.
    min(cap, base * (1 << min(attempt - 1, 30))) * chance
  }
}
