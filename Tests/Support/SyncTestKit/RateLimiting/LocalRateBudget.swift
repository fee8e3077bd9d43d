package import SyncCore

package actor LocalRateBudget: RateBudget {
  private var windows: SlidingWindows
  private let clock: any SyncClock
  package nonisolated let slack: Duration?

  /// - Parameter windows: An empty array for no limit.
  package init(windows: [RateWindow], clock: any SyncClock) {
    self.windows = SlidingWindows(windows)
    self.clock = clock
    slack = RateWindow.slack(of: windows)
  }

  package func take() -> Duration {
    let now = clock.now()
    return windows.reserve(now: now, longestWait: Limits.longestPermitWait) - now
  }

  package func pause(for duration: Duration) { windows.pause(for: duration, now: clock.now()) }

  package func remainingPause() -> Duration { windows.remainingPause(now: clock.now()) }
}
