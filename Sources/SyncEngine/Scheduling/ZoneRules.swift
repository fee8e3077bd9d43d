/// The offsets of a time zone from UTC, over all times.
package protocol ZoneRules: Sendable {
  /// Returns the offset from UTC in seconds. `instant` is in seconds since 1970. The local time is UTC plus the offset,
  /// so offsets are positive east of Greenwich. Must always return the same offset for an instant.
  func offset(at instant: Int64) -> Int
}

/// The rules of UTC, whose offset is always 0.
package struct UTCRules: ZoneRules {
  package init() {}

  /// Returns 0.
  package func offset(at instant: Int64) -> Int { 0 }
}

/// A change of a zone's offset. Times and offsets are in seconds.
struct ClockChange: Equatable {
  /// The first second with the new offset, in seconds since 1970.
  let instant: Int64
  let before: Int64
  let after: Int64

  /// The number of seconds by which the clocks are set ahead. Negative if they are set back.
  var jump: Int64 { after - before }

  /// The longest change of the offset that counts as a clock change, in seconds. A longer one corrects the calendar, as
  /// a skipped day does, and then no firing is skipped or repeated.
  static let longestBridged: Int64 = 3 * 3600

  /// Finds the second when the offset stops being `before`. The offset at `end` must differ from `before`.
  init(after start: Int64, upTo end: Int64, before: Int64, in zone: some ZoneRules) {
    var same = start
    var different = end
    while different - same > 1 {
      let middle = same + (different - same) / 2
      if Int64(zone.offset(at: middle)) == before { same = middle } else { different = middle }
    }
    instant = different
    self.before = before
    after = Int64(zone.offset(at: different))
  }
}
