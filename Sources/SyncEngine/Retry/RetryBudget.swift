import SyncCore
import Synchronization

/// How many retries a run may still spend: a few in any case, and a share of its requests.
///
/// Attempts are limited per request, but a service that fails a third of all requests would still get half as many
/// requests again from everyone who mirrors it. A share bounds the load that a run adds.
package struct RetryBudget: Sendable, Equatable {
  package private(set) var requests = 0
  package private(set) var retries = 0

  package init() {}

  package mutating func countRequest() {
    requests += 1
  }

  /// Takes one retry; false if none is left.
  package mutating func spend() -> Bool {
    guard retries < max(Limits.freeRetries, requests / Limits.requestsPerRetry) else { return false }
    retries += 1
    return true
  }
}

/// The retry budget of one run, shared by its requests.
package final class RunRetries: Sendable {
  private let budget = Mutex(RetryBudget())

  package init() {}

  func countRequest() { budget.withLock { $0.countRequest() } }
  func spend() -> Bool { budget.withLock { $0.spend() } }
  var spent: RetryBudget { budget.withLock { $0 } }
}
