package import SyncCore
import Synchronization

/// When to retry a request: after the upstream's `Retry-After`, or capped exponential backoff with full jitter (AWS
/// Builders' Library, "Timeouts, retries and backoff with jitter").
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

  /// The wait before a retry, by failed attempts and a chance in 0 ..< 1; nil for errors that do not pass.
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

/// The retries of a run: a few in any case, and a share of its requests. Attempts are limited per request, but a
/// service that fails a third of all requests would still get half as many again from everyone who mirrors it.
package final class RunRetries: Sendable {
  private let counts = Mutex((requests: 0, retries: 0))

  package init() {}

  package var spent: (requests: Int, retries: Int) { counts.withLock { $0 } }

  package func countRequest() { counts.withLock { $0.requests += 1 } }

  /// Takes one retry; false if none is left.
  package func spend() -> Bool {
    counts.withLock { counts in
      guard counts.retries < max(Limits.freeRetries, counts.requests / Limits.requestsPerRetry) else { return false }
      counts.retries += 1
      return true
    }
  }
}
