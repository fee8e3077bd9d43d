import Foundation
import SyncCore

/// The clock of the operating system. Times of two instances are not comparable.
package struct SystemClock: SyncClock {
  private let start = ContinuousClock.now

  package init() {}

  /// Returns the time since the creation of this instance. Copies of the instance have the same start.
  package func now() -> Duration { start.duration(to: .now) }

  /// Suspends for at least this time. Throws `CancellationError` if the task is cancelled.
  package func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
