import LibPQ
import SyncCore

struct Backoff {
  private let deadline: Duration
  private let end: ContinuousClock.Instant?
  private var repetitions: Int
  private var pause = Limits.reconnectPause
  private var conflicts = 0
  private(set) var outageStart: ContinuousClock.Instant?

  init(_ deadline: Duration, until end: ContinuousClock.Instant? = nil) {
    self.deadline = deadline
    self.end = end
    repetitions = end == nil ? .max : 1
  }

  /// At least a second, so that the last attempt can succeed.
  var timeToConnect: Duration {
    let remaining = outageStart.map { remainingTime(since: $0, at: .now) } ?? PostgresLimits.connectDeadline
    return min(max(remaining, .seconds(1)), PostgresLimits.connectDeadline)
  }

  private func remainingTime(since start: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Duration {
    min(deadline - (now - start), end.map { $0 - now } ?? deadline)
  }

  mutating func mayRepeat() -> Bool {
    repetitions -= 1
    return repetitions >= 0
  }

  mutating func pauseWhileAway() -> Duration? {
    let now = ContinuousClock.now
    let remaining = remainingTime(since: outageStart ?? now, at: now)
    outageStart = outageStart ?? now
    guard remaining > .zero else { return nil }
    defer { pause = min(pause * 2, Limits.reconnectPauseCap) }
    return min(pause, remaining)
  }

  mutating func pauseAfterConflict() -> Duration? {
    guard conflicts < Limits.conflictRetries else { return nil }
    conflicts += 1
    return Limits.reconnectPause * conflicts
  }
}
