package import SyncCore

/// A plain implementation of the rule of `sync.take_permit`, for comparison: *no* interval of a window's length has
/// more permits than the window's number of requests.
///
/// A token bucket breaks the rule, because a full one refills during its burst, and twice the number can fall into one
/// interval. Here each permit waits until the n-th permit before it is an interval old. Intervals are padded, because
/// requests sent a second apart can arrive closer.
///
/// The clock can be set back, like a database's. Time then continues from the latest one: nothing stops, and no permit
/// looks older than it is.
package struct SlidingWindows: Sendable {
  private struct ExactWindow {
    let requests: Int
    let length: Int64
  }

  private let exact: [ExactWindow]
  private var counted: [CountedWindow]
  /// The most permits that an exact window checks; one without windows, because permits keep their order.
  private let depth: Int
  /// The times of the latest permits in microseconds, oldest first: `depth`, and up to as many before removal.
  private var permits: [Int64] = []
  private var pausedUntil: Int64?
  /// The latest time.
  private var seen: Int64?
  /// The total by which the clock was set back.
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

  /// Reserves the next permit, in the order of calls.
  ///
  /// - Parameter longestWait: A later permit is reported, not reserved.
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

  /// Blocks permits for `duration`, for a `Retry-After`. A shorter pause does not end a longer one.
  package mutating func pause(for duration: Duration, now: Duration) {
    let until = advance(to: now) + duration.microseconds
    pausedUntil = max(until, pausedUntil ?? until)
  }

  package mutating func pauseLeft(now: Duration) -> Duration {
    let steady = advance(to: now)
    return .microseconds(max(0, (pausedUntil ?? steady) - steady))
  }

  /// A time that continues when the given clock is set back.
  private mutating func advance(to now: Duration) -> Int64 {
    let steady = max(now.microseconds + lost, seen ?? .min)
    lost = steady - now.microseconds
    seen = steady
    return steady
  }

  private mutating func record(_ time: Int64) {
    permits.append(time)
    // Trimmed in strides, because removing the first element of an array moves all others.
    if permits.count >= 2 * depth { permits.removeFirst(permits.count - depth) }
    for index in counted.indices { counted[index].record(time) }
  }
}

extension RateWindow {
  fileprivate var padded: Duration { interval + pad }

  /// The index of the first of the sorted times that exceeds the limit, by an independent rule: `n + 1` requests are in
  /// one interval only if the last one is less than the interval's length after the first.
  package func overfilled(by times: [Duration]) -> Int? {
    times.indices.first { $0 >= requests && times[$0] - times[$0 - requests] < interval }
  }
}
