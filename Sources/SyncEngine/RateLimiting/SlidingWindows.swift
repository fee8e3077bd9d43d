package import SyncCore

/// Permits such that *no* interval of a window's length holds more than the window's number of requests.
///
/// A token bucket does not give that: a full bucket lets its burst through and refills meanwhile, so twice the
/// number can fall into one interval. Here each permit waits until the n-th permit before it is a whole interval
/// old. A permit is not an arrival, so intervals are padded: two requests that left a second apart may arrive closer.
package struct SlidingWindows: Sendable {
  private let windows: [RateWindow]
  /// Times of the latest permits, oldest first, no more than the largest window needs.
  private var permits: [Duration] = []
  private var pausedUntil: Duration?

  package init(_ windows: [RateWindow]) {
    self.windows = windows
  }

  /// Reserves the next permit.
  ///
  /// - Returns: the time from which the caller may go, `now` or later. Permits are given in the order of the calls.
  package mutating func reserve(now: Duration) -> Duration {
    var time = max(now, pausedUntil ?? now, permits.last ?? now)
    for window in windows where permits.count >= window.requests {
      time = max(time, permits[permits.count - window.requests] + window.padded)
    }
    guard let depth = windows.map(\.requests).max() else { return time }
    permits.append(time)
    // Trimmed in strides: dropping the first element of an array each time would cost a move of all of them.
    if permits.count >= 2 * depth {
      permits.removeFirst(permits.count - depth)
    }
    return time
  }

  /// No permit before `time`: the upstream has asked for silence.
  package mutating func pause(until time: Duration) {
    pausedUntil = max(time, pausedUntil ?? time)
  }
}

extension RateWindow {
  /// 2 % of the interval more, but no less than 20 ms.
  fileprivate var padded: Duration { interval + max(interval / 50, .milliseconds(20)) }
}
