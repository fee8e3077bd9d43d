package import SyncCore

/// A second implementation of the algorithm of `sync.take_permit`, for comparison. If a window allows n requests, each
/// permit is at least the window's length later than the n-th permit before it.
///
/// A token bucket would allow up to twice as many permits in an interval, because it refills during a burst.
/// Intervals are padded, because requests that are sent a second apart can arrive closer together.
///
/// If the clock is set back, time continues from the latest reading, so new permits do not wait for the clock.
package struct SlidingWindows: Sendable {
  private struct ExactWindow {
    let requests: Int
    let length: Int64
  }

  private let exact: [ExactWindow]
  private var counted: [CountedWindow]
  /// The times of the latest `Limits.rememberedPermits` permits in microseconds, oldest first.
  private var permits: [Int64] = []
  private var given = 0
  private var pausedUntil: Int64?
  private var seen: Int64?
  private var lost: Int64 = 0

  package init(_ windows: [RateWindow]) {
    exact = windows.filter { $0.requests <= Limits.rememberedPermits }.map { window in
      ExactWindow(requests: window.requests, length: window.padded.microseconds)
    }
    counted = windows.filter { $0.requests > Limits.rememberedPermits }.map { window in
      CountedWindow(requests: window.requests, length: window.padded.microseconds)
    }
  }

  /// The time of the latest call on a clock that never goes back. The wait of a permit counts from this time.
  package var reading: Duration { .microseconds(seen ?? 0) }

  /// Reserves the next permit, in the order of calls.
  ///
  /// - Parameter longestWait: If the wait is longer, the permit's time is returned but not reserved.
  /// - Returns: The permit's time, `now` or later, in whole microseconds.
  package mutating func reserve(now: Duration, longestWait: Duration? = nil) -> Duration {
    let steady = advance(to: now)
    var time = max(steady, pausedUntil ?? steady, permits.last ?? steady)
    for window in exact where permits.count >= window.requests {
      time = max(time, permits[permits.count - window.requests] + window.length)
    }
    for window in counted { time = max(time, window.earliest ?? time) }
    if time - steady <= longestWait?.microseconds ?? .max { record(time) }
    return .microseconds(time - lost)
  }

  /// Takes back a permit that is not used, if it is still remembered.
  /// - Parameter time: `reading` after the permit's reservation, plus its wait.
  package mutating func giveBack(_ time: Duration) {
    guard let index = permits.lastIndex(of: time.microseconds) else { return }
    let oldest = permits[0]
    let isForgetting = given > permits.count && permits.count == Limits.rememberedPermits
    permits.remove(at: index)
    // The permit before the oldest one is unknown, and cannot be later than the oldest one.
    if isForgetting { permits.insert(oldest, at: 0) }
    for index in counted.indices { counted[index].giveBack(time.microseconds) }
  }

  /// Blocks permits for `duration` after a `Retry-After`. A shorter pause does not end a longer pause.
  package mutating func pause(for duration: Duration, now: Duration) {
    let until = advance(to: now) + duration.microseconds
    pausedUntil = max(until, pausedUntil ?? until)
  }

  package mutating func remainingPause(now: Duration) -> Duration {
    let steady = advance(to: now)
    return .microseconds(max(0, (pausedUntil ?? steady) - steady))
  }

  /// Returns a time that never goes back, even if `now` goes back.
  private mutating func advance(to now: Duration) -> Int64 {
    let steady = max(now.microseconds + lost, seen ?? .min)
    lost = steady - now.microseconds
    seen = steady
    return steady
  }

  private mutating func record(_ time: Int64) {
    permits.append(time)
    given += 1
    if permits.count > Limits.rememberedPermits { permits.removeFirst() }
    for index in counted.indices { counted[index].record(time) }
  }
}

extension RateWindow {
  fileprivate var padded: Duration { interval + pad }

  /// Returns the first index in the sorted times where the limit is exceeded.
  package func overfilled(by times: [Duration]) -> Int? {
    times.indices.first { $0 >= requests && times[$0] - times[$0 - requests] < interval }
  }
}
