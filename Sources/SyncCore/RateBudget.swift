import Synchronization

/// The permits of an origin, which all processes share. A request is sent only at the time of its permit.
package protocol RateBudget: Sendable {
  /// Reserves the next permit in the order of the calls. Returns the wait until the permit's time, or a negative
  /// duration if this time has passed. Reserves nothing if the wait exceeds `Limits.longestPermitWait`.
  func take() async throws -> Duration

  /// Lets all clients of the origin wait for this time. A pause never shortens an earlier pause.
  func pause(for duration: Duration) async throws

  /// Returns the remaining pause, or zero. A permit does not include a pause that began after its reservation.
  func remainingPause() async throws -> Duration

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
  private struct Waiter {
    let id: Int
    let bytes: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// The free bytes, and the calls that wait for bytes.
  private struct WaitQueue {
    var freeBytes: Int
    /// In the order of the calls. The first waiter does not fit, or the list is empty.
    var waiters: [Waiter] = []
    var lastID = 0

    /// Removes the waiters that fit, and reserves their bytes.
    mutating func admit() -> [Waiter] {
      var admitted: [Waiter] = []
      while let first = waiters.first, first.bytes <= freeBytes {
        freeBytes -= first.bytes
        admitted.append(waiters.removeFirst())
      }
      return admitted
    }
  }

  private let queue: Mutex<WaitQueue>
  private let size: Int

  package init(bytes: Int) {
    size = bytes
    queue = Mutex(WaitQueue(freeBytes: bytes))
  }

  /// Waits until `bytes` are free and all earlier calls have their bytes. Reserves at most the whole budget.
  /// - Throws: `CancellationError` if the task is cancelled before.
  package func reserve(_ bytes: Int) async throws -> ByteReservation {
    if let reservation = reserveNow(bytes) { return reservation }
    let bytes = min(bytes, size)
    let id = queue.withLock { queue in
      queue.lastID += 1
      return queue.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, admitted) = queue.withLock { queue in
          // A task that is cancelled later finds its waiter in the list.
          guard !Task.isCancelled else { return (true, [Waiter]()) }
          queue.waiters.append(Waiter(id: id, bytes: bytes, continuation: continuation))
          return (false, queue.admit())
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        for waiter in admitted { waiter.continuation.resume() }
      }
    } onCancel: {
      let (cancelled, admitted) = queue.withLock { queue in
        let index = queue.waiters.firstIndex { $0.id == id }
        let cancelled = index.map { queue.waiters.remove(at: $0) }
        return (cancelled, queue.admit())
      }
      cancelled?.continuation.resume(throwing: CancellationError())
      for waiter in admitted { waiter.continuation.resume() }
    }
    return ByteReservation(bytes, of: self)
  }

  /// Returns `nil` if the bytes are not free, or if another call waits.
  package func reserveNow(_ bytes: Int) -> ByteReservation? {
    let bytes = min(bytes, size)
    let hasRoom = queue.withLock { queue in
      guard queue.waiters.isEmpty, queue.freeBytes >= bytes else { return false }
      queue.freeBytes -= bytes
      return true
    }
    return hasRoom ? ByteReservation(bytes, of: self) : nil
  }

  fileprivate func giveBack(_ bytes: Int) {
    let admitted = queue.withLock { queue in
      queue.freeBytes += bytes
      return queue.admit()
    }
    for waiter in admitted { waiter.continuation.resume() }
  }
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
