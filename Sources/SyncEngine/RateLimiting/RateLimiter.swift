package import SyncCore

/// Gives out an origin's permits, first come, first served.
package actor RateLimiter {
  private var windows: SlidingWindows
  private let clock: any SyncClock

  /// - Parameter windows: empty for no limit (loopback only; the configuration sees to that).
  package init(windows: [RateWindow], clock: any SyncClock) {
    self.windows = SlidingWindows(windows)
    self.clock = clock
  }

  /// Waits until the caller may send one request. A cancelled wait costs its permit, never a limit.
  package func permit() async throws {
    let now = clock.now()
    let time = windows.reserve(now: now)
    if time > now {
      try await clock.sleep(for: time - now)
    }
  }

  /// Holds back everyone for `duration`: the upstream has said that it is too much.
  package func pause(for duration: Duration) {
    windows.pause(until: clock.now() + duration)
  }
}
