/// A month of the proleptic Gregorian calendar. Days count from 1970-01-01.
package struct CivilMonth: Sendable, Equatable {
  package let year: Int64
  /// 1 … 12.
  package let month: Int64

  /// `month` must be from 1 to 12. It is not checked.
  package init(year: Int64, month: Int64) { (self.year, self.month) = (year, month) }

  /// Returns the month of a day, and the day of the month from 1. The calculation lets each year begin in March, so
  /// that the leap day is the year's last day.
  /// - Parameter day: Days since 1970-01-01. Can be negative.
  package static func of(day: Int64) -> (month: CivilMonth, day: Int64) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (CivilMonth(year: year, month: month), dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The month's first day, in days since 1970-01-01.
  package var firstDay: Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The number of days in the month.
  package var length: Int64 {
    guard month == 2 else { return Self.longestLength(of: month) }
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  }

  /// The next month.
  package var following: CivilMonth {
    month == 12 ? CivilMonth(year: year + 1, month: 1) : CivilMonth(year: year, month: month + 1)
  }

  /// Returns the number of days that the month has in a leap year.
  /// - Parameter month: 1 … 12.
  package static func longestLength(of month: Int64) -> Int64 {
    month == 2 ? 29 : 30 + ((month + (month >> 3)) & 1)
  }

  /// Returns 0 for Sunday. Day 0, 1970-01-01, was a Thursday.
  package static func weekday(ofDay day: Int64) -> Int64 { day + 4 - 7 * floorDivide(day + 4, 7) }
}

/// Returns the quotient rounded down, also for a negative dividend. (Swift's `/` rounds towards zero.) The divisor must
/// be positive.
package func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
  dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor)
}
