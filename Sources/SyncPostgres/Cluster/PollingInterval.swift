import Foundation

/// Asks for an answer again and again, up to a time limit. The duration of `answer` itself does not count.
struct PollingInterval: Sendable {
  var limit: Duration
  var interval: Duration = .milliseconds(50)
  var clock: any Clock<Duration>

  var seconds: Int64 { limit.components.seconds }

  /// Returns the first answer that is not `nil`; `nil` after the limit.
  func wait<Answer>(for answer: () async throws -> Answer?) async throws -> Answer? {
    for _ in 0..<max(1, Int(limit / interval)) {
      if let answer = try await answer() { return answer }
      try await clock.sleep(for: interval)
    }
    return try await answer()
  }
}
