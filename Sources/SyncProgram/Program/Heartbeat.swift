import SyncCore
import SyncHTTP

/// Tells a watchdog that all is well. Only what is certified is: whoever is not told raises the alarm.
enum Heartbeat {
  private static let attempts = 3
  private static let pause: Duration = .seconds(2)

  /// - Returns: why it could not be told; nil if it was. The mirror is none the worse for it.
  static func beat(_ heartbeat: HeartbeatURL, clock: any SyncClock) async -> String? {
    var problem = "it was not asked"
    for attempt in 1...attempts {
      if attempt > 1 { try? await clock.sleep(for: pause) }
      do {
        let response = try await HTTPTransport.with(userAgent: Version.userAgent, deadline: .seconds(10)) {
          try await $0.fetch(UpstreamRequest(url: heartbeat.url))
        }
        if (200..<300).contains(response.status) { return nil }
        problem = "it answered \(response.status)"
      } catch {
        // The error names the address, which is nobody's business.
        problem = "it could not be reached"
      }
      if Task.isCancelled { break }
    }
    return "the heartbeat at \(heartbeat.shown) was not taken: \(problem)"
  }
}
