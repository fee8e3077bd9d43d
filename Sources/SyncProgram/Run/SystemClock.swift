import Foundation
import SyncCore

package struct SystemClock: SyncClock {
  private let start = ContinuousClock.now

  package init() {}

  package func now() -> Duration { start.duration(to: .now) }

  package func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
