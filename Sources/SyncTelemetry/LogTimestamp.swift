package import Foundation

/// A moment as the log writes it: `2026-11-21T20:53:05.123Z`.
///
/// By arithmetic: a formatter of Foundation costs more than the rest of the record, and needs a locale.
package enum LogTimestamp {
  /// Milliseconds, rounded down, in UTC. A moment outside of the years 0 to 9999 is written as the nearest one inside.
  package static func text(_ moment: Date) -> String {
    let milliseconds = (moment.timeIntervalSince1970 * 1000).rounded(.down)
    return text(milliseconds: milliseconds.isNaN ? 0 : Int64(max(earliest, min(latest, milliseconds))))
  }

  private static let earliest = -62_167_219_200_000.0
  private static let latest = 253_402_300_799_999.0

  private static func text(milliseconds: Int64) -> String {
    let (seconds, millisecond) = split(milliseconds, by: 1000)
    let (days, second) = split(seconds, by: 86_400)
    let (year, month, day) = date(days: days)
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
    text += "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return text + ".\(padded(millisecond, 3))Z"
  }

  /// The proleptic Gregorian date, this many days after 1970-01-01.
  ///
  /// Counted from a 1 March in years that end with February: the leap day is then the last one of a year, and of the
  /// 400 years after which the calendar repeats.
  private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = split(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  /// Quotient and remainder, which is never negative.
  private static func split(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
