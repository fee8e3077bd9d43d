/// The clock that the engine reads and sleeps on. Tests replace it.
package protocol SyncClock: Sendable {
  /// The monotonic time since an arbitrary start. It also runs while the machine is suspended.
  func now() -> Duration
  /// Suspends for at least this time. Throws `CancellationError` if the task is cancelled.
  func sleep(for duration: Duration) async throws
}

/// Returns a random number, uniform in 0 ..< 1.
package typealias Chance = @Sendable () -> Double

extension Duration {
  /// Parses a whole number from 1 to 9,999,999 with a unit: `30s`, `15m`, `6h`, `1d`. Returns `nil` for other text.
  package init?(configured text: some StringProtocol) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int(configured: text.dropLast()) else { return nil }
    self = .seconds(count * unit)
  }

  /// The duration in the configuration's format, in the largest unit that divides it: `90s`, `6h`, `400d`.
  package var configured: String {
    let seconds = components.seconds
    for (unit, length) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)] where seconds > 0 && seconds % length == 0 {
      return "\(seconds / length)\(unit)"
    }
    return "\(seconds)s"
  }

  /// The duration in whole microseconds, as in PostgreSQL, rounded towards zero and clamped to `Int64`.
  package var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return overflows || overflowsToo ? (seconds < 0 ? .min : .max) : sum
  }

  /// Clamps the seconds to ±30,000 years, because a database or a service can return infinite seconds. NaN becomes
  /// zero.
  package init(clamping seconds: Double) {
    self = .seconds(seconds.isNaN ? 0 : min(max(seconds, -1e12), 1e12))
  }
}

extension Int {
  /// Parses a number from 1 to 9,999,999 in ASCII digits. Returns `nil` for other text.
  package init?(configured text: some StringProtocol) {
    guard (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text), number > 0
    else { return nil }
    self = number
  }
}
