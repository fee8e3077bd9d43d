/// The permits of an origin, which all processes share. A request is sent only at the time of its permit.
package protocol RateBudget: Sendable {
  /// Reserves the next permit in the order of the calls. If the wait exceeds `Limits.longestPermitWait`, returns the
  /// wait but reserves nothing.
  func take() async throws -> RatePermit

  /// Returns a permit that no request has used and none will use. The windows count it no longer, and the next caller
  /// of `take` gets a place for it. Without effect if the budget remembers the permit no longer.
  func giveBack(_ permit: RatePermit) async throws

  /// Lets all clients of the origin wait for this time. A pause never shortens an earlier pause.
  func pause(for duration: Duration) async throws

  /// Returns the remaining pause, or zero. A permit does not include a pause that began after its reservation.
  func remainingPause() async throws -> Duration

  /// The longest delay of a request after its permit's time. After a longer delay, the next request could follow too
  /// closely. `nil` for a budget without windows (`RateWindow`).
  var slack: Duration? { get }
}

/// The right to send one request at a certain time.
package struct RatePermit: Sendable {
  /// The time from the return of `RateBudget.take` until the permit's time. Negative if this time has passed.
  package let wait: Duration
  /// The permit's time on the budget's clock, by which the budget knows the permit. `nil` if nothing was reserved.
  package let time: Duration?

  package init(wait: Duration, time: Duration?) {
    self.wait = wait
    self.time = time
  }
}
