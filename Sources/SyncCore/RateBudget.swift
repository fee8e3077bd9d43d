import Synchronization

/// The seam to an origin's budget of requests, which all who talk to that origin draw from: the tasks of one process,
/// or the processes of many machines.
package protocol RateBudget: Sendable {
  /// Reserves the next permit, in the order of the calls. Returns how long to wait from the call's return until the
  /// request may be sent; negative if its moment was before. Nothing is reserved if it is longer than
  /// `Limits.longestPermitWait`. A call that throws has lost at most one permit; no limit is ever exceeded by it.
  func take() async throws -> Duration

  /// No permit of this origin, for anyone, for `duration` from now: the upstream has requested a pause.
  func pause(for duration: Duration) async throws

  /// How long the pause still lasts; zero if there is none. For those who hold a permit from before it.
  func pauseLeft() async throws -> Duration

  /// How much later than others a permit may be used without coming too close to the next; nil without windows.
  var slack: Duration? { get }
}

/// At most `requests` in *any* interval of length `interval`; a provider publishes one or several of these.
package struct RateWindow: Sendable, Equatable, CustomStringConvertible {
  package let requests: Int
  package let interval: Duration

  package init(requests: Int, interval: Duration) {
    self.requests = requests
    self.interval = interval
  }

  /// Reads `3/1s`, `60/60s`, `40000/1d`; units are s, m, h, d. Nil for anything else, zero included.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let requests = Int(configured: parts[0]), let interval = Duration(configured: parts[1])
    else { return nil }
    self.init(requests: requests, interval: interval)
  }

  /// What the interval is lengthened by: two requests may arrive closer to each other than they left.
  package var pad: Duration { max(interval / 50, .milliseconds(20)) }

  /// Half of the shortest pad: so unequally may two permits be used too late; the other half is for the network. Nil
  /// without windows.
  package static func slack(of windows: [RateWindow]) -> Duration? {
    windows.map { $0.pad / 2 }.min()
  }

  package var description: String {
    "\(requests)/\(interval.components.seconds)s"
  }
}

/// The room in this process for large bodies between their arrival and their commit, or memory would grow with the
/// number of requests. A body reserves all that it may need at once: two that wait for each other's rest would wait
/// forever.
package final class ByteBudget: Sendable {
  private let free: Mutex<Int>
  private let size: Int

  package init(bytes: Int) {
    size = bytes
    free = Mutex(bytes)
  }

  /// Waits until there is room, with `pause` before looking again. A larger body gets the whole budget.
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

/// Room that a body has. It is given back when the body's items are committed, or when nobody has the body any more.
package final class ByteReservation: Sendable {
  private let bytes: Mutex<Int>
  private let budget: ByteBudget

  fileprivate init(_ bytes: Int, of budget: ByteBudget) {
    self.bytes = Mutex(bytes)
    self.budget = budget
  }

  deinit { release() }

  package func release() { shrink(to: 0) }

  package func shrink(to needed: Int) {
    bytes.withLock { bytes in
      budget.giveBack(max(0, bytes - needed))
      bytes = min(bytes, needed)
    }
  }
}
