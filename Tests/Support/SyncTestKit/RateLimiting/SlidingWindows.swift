package import SyncCore

/// Permits such that *no* interval of a window's length holds more than the window's number of requests: the rule that
/// PostgreSQL keeps (`sync.take_permit`), in a plain form that it is compared with.
///
/// A token bucket does not give that: a full bucket lets its burst through and refills meanwhile, so twice the
/// number can fall into one interval. Here each permit waits until the n-th permit before it is a whole interval
/// old. A permit is not an arrival, so intervals are padded: two requests that left a second apart may arrive closer.
///
/// The clock may be adjustable, like a database's. When it is set back, the time here continues from where it was:
/// nothing stops for the length of the jump, and no permit looks older than it is.
package struct SlidingWindows: Sendable {
  /// A window whose permits are stored individually, its length padded.
  private struct ExactWindow {
    let requests: Int
    let length: Int64
  }

  private let exact: [ExactWindow]
  private var counted: [CountedWindow]
  /// The number of permits that the largest exact window checks; one even without windows, because permits keep their
  /// order.
  private let depth: Int
  /// Microseconds of the latest permits, oldest first: `depth` of them, and up to as many more that await removal.
  private var permits: [Int64] = []
  private var pausedUntil: Int64?
  /// The latest time that was seen, by a clock that never goes back.
  private var seen: Int64?
  /// How far the clock was set back so far.
  private var lost: Int64 = 0

  package init(_ windows: [RateWindow]) {
    exact = windows.filter { $0.requests <= Limits.rememberedPermits }.map { window in
      ExactWindow(requests: window.requests, length: window.padded.microseconds)
    }
    counted = windows.filter { $0.requests > Limits.rememberedPermits }.map { window in
      CountedWindow(requests: window.requests, length: window.padded.microseconds)
    }
    depth = exact.map(\.requests).max() ?? 1
  }

  /// Reserves the next permit. Permits are given in the order of the calls.
  ///
  /// - Parameter longestWait: a permit that is further away than this is not reserved, only reported.
  /// - Returns: the time from which the caller may go, `now` or later, in whole microseconds.
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

  /// No permit for `duration`, because of a `Retry-After`. A shorter pause does not end a longer one.
  package mutating func pause(for duration: Duration, now: Duration) {
    let until = advance(to: now) + duration.microseconds
    pausedUntil = max(until, pausedUntil ?? until)
  }

  /// How long the pause still lasts; zero if there is none.
  package mutating func pauseLeft(now: Duration) -> Duration {
    let steady = advance(to: now)
    return .microseconds(max(0, (pausedUntil ?? steady) - steady))
  }

  /// The time by a clock that stops where the given one is set back.
  private mutating func advance(to now: Duration) -> Int64 {
    let steady = max(now.microseconds + lost, seen ?? .min)
    lost = steady - now.microseconds
    seen = steady
    return steady
  }

  private mutating func record(_ time: Int64) {
    permits.append(time)
    // Trimmed in strides: dropping the first element of an array each time would cost a move of all of them.
    if permits.count >= 2 * depth { permits.removeFirst(permits.count - depth) }
    for index in counted.indices { counted[index].record(time) }
  }
}

extension RateWindow {
  fileprivate var padded: Duration { interval + pad }
}
