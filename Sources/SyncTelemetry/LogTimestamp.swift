package import Foundation

/// A moment as the log writes it: `2026-11-21T20:53:05.123Z`.
package enum LogTimestamp {
  /// Milliseconds, rounded down, in UTC. A moment outside of the years 1583 to 9999 is written as the nearest one inside.
  package static func text(_ moment: Date) -> String {
    let milliseconds = (moment.timeIntervalSince1970 * 1000).rounded(.down)
    let written = milliseconds.isNaN ? 0 : max(-12_212_553_600_000, min(253_402_300_799_999, milliseconds))
    // A quarter of a millisecond more, so that the formatter's own rounding does not reach another one.
    return Date(timeIntervalSince1970: (written + 0.25) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
