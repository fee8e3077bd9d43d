import SyncCore

/// A time of the years 1 to 9999 whose parts go from the year to the smallest unit, with the spelling of each part:
/// `2025-01-10`, `2025/01/10 00:00`, `2025-01-10T00:00:00.250+02:00`, `20250110T000000Z`, `20250110000000`.
struct CursorTime {
  /// Nanoseconds since 1970-01-01 in the time's own zone.
  private(set) var moment: Int128
  private let dateSeparator: String
  /// The text between date and time of day; `nil` for a day.
  private let clockSeparator: String?
  /// The spelling of the time of day; `nil` for a day.
  private let clock: TimeScanner.Clock?
  private let zone: String

  private static let nanosecondsPerDay: Int128 = 86_400_000_000_000

  /// - Returns: `nil` if the value is no such time. A number is a time only with 14 digits, and a text of 8 digits is a
  ///   day only if it is between 1900 and 2100, because both can be numbers that count.
  init?(_ cursor: IncrementalCursor) {
    var scanner = TimeScanner(Array(cursor.text.utf8))
    guard let date = scanner.date() else { return nil }

    var clockSeparator: String?
    var clock: TimeScanner.Clock?
    if !scanner.isAtEnd {
      clockSeparator = scanner.any(of: "Tt ")
      clock = scanner.clock()
      guard clock != nil else { return nil }
    }

    guard let zone = scanner.zone(), zone.isEmpty || clock != nil else { return nil }
    guard !Self.isCount(cursor, year: date.year) else { return nil }
    guard date.separator.isEmpty || clockSeparator != "" else { return nil }

    dateSeparator = date.separator
    self.clockSeparator = clockSeparator
    self.clock = clock
    self.zone = zone
    moment = Int128(date.day) * Self.nanosecondsPerDay + (clock?.nanoseconds ?? 0)
  }

  /// Whether the value has only digits and can be a number that counts.
  private static func isCount(_ cursor: IncrementalCursor, year: Int) -> Bool {
    guard cursor.text.utf8.allSatisfy(\.isDigit) else { return false }
    let timeLengths = cursor.isNumber ? [14] : [8, 14]
    return !timeLengths.contains(cursor.text.count) || !(1900...2100).contains(year)
  }

  /// Nanoseconds in the smallest unit that the text shows.
  private var unit: Int128 {
    guard let clock else { return Self.nanosecondsPerDay }
    if !clock.hasSeconds { return 60_000_000_000 }
    return (0..<clock.fractionDigits).reduce(1_000_000_000) { unit, _ in unit / 10 }
  }

  /// Returns the earlier time, rounded down to the smallest unit that the text shows.
  /// - Returns: `nil` if the time would be before the year 1.
  func shifted(back nanoseconds: Int128) -> CursorTime? {
    var copy = self
    copy.moment = Self.floor(moment - nanoseconds, unit) * unit
    let firstDay = CivilMonth(year: 1, month: 1).firstDay
    return copy.moment >= Int128(firstDay) * Self.nanosecondsPerDay ? copy : nil
  }

  /// The time in its original spelling.
  var text: String {
    let days = Self.floor(moment, Self.nanosecondsPerDay)
    let date = CivilMonth.of(day: Int64(days))
    let dateParts = [
      Self.padded(Int(date.month.year), 4), Self.padded(Int(date.month.month), 2), Self.padded(Int(date.day), 2),
    ]
    let dateText = dateParts.joined(separator: dateSeparator)
    guard let clockSeparator, let clock else { return dateText }

    let nanosecondsInDay = moment - days * Self.nanosecondsPerDay
    let seconds = Int(nanosecondsInDay / 1_000_000_000)
    let clockParts = [seconds / 3600, seconds / 60 % 60] + (clock.hasSeconds ? [seconds % 60] : [])
    let clockText = clockParts.map { Self.padded($0, 2) }.joined(separator: clock.separator)
    let fraction = Self.padded(Int(nanosecondsInDay % 1_000_000_000), 9).prefix(clock.fractionDigits)
    return dateText + clockSeparator + clockText + clock.fractionSeparator + fraction + zone
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// The quotient, rounded towards negative infinity.
  private static func floor(_ number: Int128, _ divisor: Int128) -> Int128 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }
}
