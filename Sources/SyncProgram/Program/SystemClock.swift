import Foundation
import SyncCore

/// The machine's clock behind the engine's seam; it continues while the machine sleeps.
struct SystemClock: SyncClock {
  private let start = ContinuousClock.now

  func now() -> Duration { start.duration(to: .now) }

  /// Today in UTC.
  var day: (year: Int, month: Int) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let now = Date()
    return (calendar.component(.year, from: now), calendar.component(.month, from: now))
  }

  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
