import SyncCore
import Synchronization

/// Limits the retries of a whole run. Limits per request would not relieve a failing service.
package final class RunRetries: Sendable {
  private let counts = Mutex((requests: 0, retries: 0))

  package init() {}

  /// The numbers of requests and retries up to now.
  package var spent: (requests: Int, retries: Int) { counts.withLock { $0 } }

  /// Counts a sent request, also a retry. More requests allow more retries (`Limits.requestsPerRetry`).
  package func countRequest() { counts.withLock { $0.requests += 1 } }

  /// Counts a retry if the run still has one.
  /// - Returns: False if all retries are used. The request must then be given up.
  package func spend() -> Bool {
    counts.withLock { counts in
      guard counts.retries < max(Limits.freeRetries, counts.requests / Limits.requestsPerRetry) else { return false }
      counts.retries += 1
      return true
    }
  }
}
