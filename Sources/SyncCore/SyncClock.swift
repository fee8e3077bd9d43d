/// The seam to time. The engine has no clock and no sleep of its own.
package protocol SyncClock: Sendable {
  /// Monotonic; counted from an arbitrary start and including time in suspend.
  func now() -> Duration
  /// - Throws: `CancellationError`.
  func sleep(for duration: Duration) async throws
}

/// The seam to chance: a uniform number in 0 ..< 1.
package typealias Chance = @Sendable () -> Double
