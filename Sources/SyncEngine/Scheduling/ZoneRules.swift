package protocol ZoneRules: Sendable {
  /// Returns the offset from UTC in seconds at the Unix second `instant`.
  func offset(at instant: Int64) -> Int
}

package struct UTCRules: ZoneRules {
  package init() {}

  package func offset(at instant: Int64) -> Int { 0 }
}

struct ClockChange: Equatable {
  let instant: Int64
  let before: Int64
  let after: Int64

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
