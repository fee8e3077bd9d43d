package import SyncCore
import Synchronization

/// Retries after the upstream's `Retry-After`, or with capped exponential backoff and full jitter.
package struct RetryPolicy: Sendable {
  package struct Delay: Sendable, Equatable {
    package let duration: Duration
    package let isForAll: Bool

    package init(_ duration: Duration, isForAll: Bool = false) {
      self.duration = duration
      self.isForAll = isForAll
    }
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

  /// `attempt` counts failed attempts; `chance` is in 0 ..< 1. Nil for permanent errors.
  package func delay(attempt: Int, disposition: SyncError.Disposition, chance: Double) -> Delay? {
    switch disposition {
    case .stopStream, .stopRun: nil
    case .retry(after: nil): Delay(backoff(base, attempt, chance))
    case .throttled(after: nil):
      Delay(max(Limits.throttleBase, backoff(Limits.throttleBase, attempt, chance)), isForAll: true)
    // Enforces a minimum, because an upstream could send 0 every time.
    case .retry(.some(let asked)), .throttled(.some(let asked)):
      Delay(max(asked, backoff(base, attempt, chance)), isForAll: true)
    }
  }

  private func backoff(_ base: Duration, _ attempt: Int, _ chance: Double) -> Duration {
    // 2^30 half seconds exceed any cap. The bound prevents an overflow.
    min(cap, base * (1 << min(attempt - 1, 30))) * chance
  }
}

/// A run's budget of retries. Limits per request alone would not relieve a service that fails a third of all requests.
package final class RunRetries: Sendable {
  private let counts = Mutex((requests: 0, retries: 0))

  package init() {}

  package var spent: (requests: Int, retries: Int) { counts.withLock { $0 } }

  package func countRequest() { counts.withLock { $0.requests += 1 } }

  package func spend() -> Bool {
    counts.withLock { counts in
      guard counts.retries < max(Limits.freeRetries, counts.requests / Limits.requestsPerRetry) else { return false }
      counts.retries += 1
      return true
    }
  }
}
