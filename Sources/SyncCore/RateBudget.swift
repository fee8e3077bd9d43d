/// The permits of an origin, which all processes share. A request is sent only at the time of its permit.
package protocol RateBudget: Sendable {
  /// Reserves the next permit in the order of the calls. Returns the wait until the permit's time, or a negative
  /// duration if this time has passed. If the wait exceeds `Limits.longestPermitWait`, returns the wait but reserves
  /// nothing. A reserved permit cannot be returned.
  func take() async throws -> Duration

  /// Lets all clients of the origin wait for this time. A pause never shortens an earlier pause.
  func pause(for duration: Duration) async throws

  /// Returns the remaining pause, or zero. A permit does not include a pause that began after its reservation.
  func remainingPause() async throws -> Duration

  /// The longest delay of a request after its permit's time. After a longer delay, the next request could follow too
  /// closely. `nil` for a budget without windows (`RateWindow`).
  var slack: Duration? { get }
}
