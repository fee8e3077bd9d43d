import Foundation
import SyncCore

struct SystemClock: SyncClock {
  private let start = ContinuousClock.now

  func now() -> Duration { start.duration(to: .now) }

  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

extension Date {
  var month: (year: Int, month: Int) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return (calendar.component(.year, from: self), calendar.component(.month, from: self))
  }
}
