package import Foundation
import SyncCore

/// The time stamp of a record, such as `2026-01-31T08:15:00.123Z`.
package enum LogTimestamp {
  /// Returns the time in UTC with milliseconds, rounded down and clamped to the years 1583 to 9999.
  package static func text(_ moment: Date) -> String {
    let milliseconds = (moment.timeIntervalSince1970 * 1000).rounded(.down)
    let written = milliseconds.isNaN ? 0 : max(-12_212_553_600_000, min(253_402_300_799_999, milliseconds))
    // The formatter rounds down. The quarter of a millisecond compensates for inexact floating-point numbers.
    return Date(timeIntervalSince1970: (written + 0.25) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
