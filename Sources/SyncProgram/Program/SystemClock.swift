import Foundation
import SyncCore

struct SystemClock: SyncClock {
  private let start = ContinuousClock.now

  func now() -> Duration { start.duration(to: .now) }

  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
