import Foundation

struct PollingInterval: Sendable {
  var limit: Duration
  var interval: Duration = .milliseconds(50)
  var clock: any Clock<Duration>

  var seconds: Int64 { limit.components.seconds }

  func wait<Answer>(for answer: () throws -> Answer?) async throws -> Answer? {
    for _ in 0..<max(1, Int(limit / interval)) {
      if let answer = try answer() { return answer }
      try await clock.sleep(for: interval)
    }
    return try answer()
  }
}
