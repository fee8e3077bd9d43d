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

  package func take() -> RatePermit {
    let now = clock.now()
    let wait = windows.reserve(now: now, longestWait: Limits.longestPermitWait) - now
    return RatePermit(wait: wait, time: wait > Limits.longestPermitWait ? nil : windows.reading + wait)
  }

  package func giveBack(_ permit: RatePermit) {
    if let time = permit.time { windows.giveBack(time) }
  }

  package func pause(for duration: Duration) { windows.pause(for: duration, now: clock.now()) }

  package func remainingPause() -> Duration { windows.remainingPause(now: clock.now()) }
}
