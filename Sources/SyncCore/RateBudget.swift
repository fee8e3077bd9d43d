import Synchronization

/// The permits of an origin, which all processes share. A request is sent only at the time of its permit.
package protocol RateBudget: Sendable {
  /// Reserves the next permit in the order of the calls. Returns the wait until the permit's time, or a negative
  /// duration if this time has passed. Reserves nothing if the wait exceeds `Limits.longestPermitWait`.
  func take() async throws -> Duration

  /// Lets all clients of the origin wait for this time. A pause never shortens an earlier pause.
  func pause(for duration: Duration) async throws

  /// Returns the remaining pause, or zero. A permit does not include a pause that began after its reservation.
  func pauseLeft() async throws -> Duration

  /// If a request is late by more than this, the next request can follow too soon. `nil` without windows.
  var slack: Duration? { get }
}

/// A rate limit that allows `requests` requests in *any* interval of length `interval`. Both are positive.
package struct RateWindow: Sendable, Equatable, CustomStringConvertible {
  package let requests: Int
  package let interval: Duration

  package init(requests: Int, interval: Duration) {
    self.requests = requests
    self.interval = interval
  }

  /// Parses text such as `3/1s`, `60/60s` or `40000/1d`. Returns `nil` for other text and for zero.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let requests = Int(configured: parts[0]), let interval = Duration(configured: parts[1])
    else { return nil }
    self.init(requests: requests, interval: interval)
  }

  /// The pad is added to the interval, because two requests can arrive closer together than they were sent.
  package var pad: Duration { max(interval / 50, .milliseconds(20)) }

  /// Returns how late a request can be sent after its permit's time. This is half of the smallest pad, because the
  /// other half is for differences between network delays. `nil` without windows.
  package static func slack(of windows: [RateWindow]) -> Duration? {
    windows.map { $0.pad / 2 }.min()
  }

  /// The window in the configuration's form, in seconds: `3/1s`.
  package var description: String {
    "\(requests)/\(interval.components.seconds)s"
  }
}

/// Limits the memory of large bodies. A body has only one reservation, because two growing reservations could deadlock.
package final class ByteBudget: Sendable {
  private let free: Mutex<Int>
  private let size: Int

  package init(bytes: Int) {
    size = bytes
    free = Mutex(bytes)
  }

  /// Waits until `bytes` are free, and calls `pause` between checks. Reserves at most the whole budget.
  package func reserve(_ bytes: Int, pause: () async throws -> Void) async throws -> ByteReservation {
    let bytes = min(bytes, size)
    while true {
      let hasRoom = free.withLock { free in
        guard free >= bytes else { return false }
        free -= bytes
        return true
      }
      if hasRoom { return ByteReservation(bytes, of: self) }
      try await pause()
    }
  }

  fileprivate func giveBack(_ bytes: Int) { free.withLock { $0 += bytes } }
}

/// A part of a `ByteBudget`. It is returned when it is released or deinitialized.
package final class ByteReservation: Sendable {
  private let bytes: Mutex<Int>
  private let budget: ByteBudget

  fileprivate init(_ bytes: Int, of budget: ByteBudget) {
    self.bytes = Mutex(bytes)
    self.budget = budget
  }

  deinit { release() }

  /// Returns the whole reservation to the budget.
  package func release() { shrink(to: 0) }

  /// Keeps at most `needed` bytes and returns the rest to the budget. Never grows.
  package func shrink(to needed: Int) {
    bytes.withLock { bytes in
      budget.giveBack(max(0, bytes - needed))
      bytes = min(bytes, needed)
    }
  }
}
