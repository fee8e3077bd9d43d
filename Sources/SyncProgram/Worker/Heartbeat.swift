import Foundation
import SyncCore
import SyncPostgres

enum Heartbeat {
  private static let attempts = 3
  private static let pause: Duration = .seconds(2)

  /// - Returns: A warning if the heartbeat failed. A failed heartbeat does not affect the mirror.
  static func beat(_ heartbeat: HeartbeatURL, clock: any SyncClock) async -> String? {
    var problem = "no request was sent"
    for attempt in 1...attempts {
      if attempt > 1 { try? await clock.sleep(for: pause) }
      do {
        let response = try await Inquiry.response(to: UpstreamRequest(url: heartbeat.url), within: .seconds(10))
        if (200..<300).contains(response.status) { return nil }
        problem = "it answered \(response.status)"
      } catch {
        // The message omits the error, because the error contains the secret URL.
        problem = "it could not be reached"
      }
      if Task.isCancelled { break }
    }
    return "the heartbeat at \(heartbeat.shown) was not accepted: \(problem)"
  }
}
