import SyncCore

/// The times when a job fires: a cron expression in a time zone, or a fixed period.
package enum Schedule: Sendable, Equatable, CustomStringConvertible {
  case cron(CronExpression)
  /// Fires at every multiple of the period since 1970-01-01T00:00Z, so that all machines fire at the same times. The
  /// period counts in whole seconds, clamped to `Limits.shortestPeriod` ... `Limits.longestPeriod`.
  case every(Duration)

  /// Parses a cron expression, or `every` with a period such as `30s`, `15m`, `6h` or `1d`.
  package init(_ text: String) throws(ScheduleFault) {
    let text = try ScheduleText(text)
    try text.refuseTimeZone()
    if let first = text.words.first, first.text.lowercased() == "every" {
      self = .every(try Self.period(text, after: first))
    } else {
      self = .cron(try CronExpression(text))
    }
  }

  package var description: String {
    switch self {
    case .cron(let expression): expression.description
    case .every(let period): "every \(Duration.seconds(Self.seconds(of: period)).configured)"
    }
  }

  /// Returns the first firing after `instant`, both in seconds since 1970. Returns `nil` after the year 9999. A fixed
  /// period ignores `zone`.
  package func next(after instant: Int64, in zone: some ZoneRules) -> Int64? {
    let start = max(instant, Self.calendarStart)
    guard start < Self.calendarEnd else { return nil }
    let next: Int64?
    switch self {
    case .cron(let expression): next = expression.next(after: start, in: zone)
    case .every(let period):
      let seconds = Self.seconds(of: period)
      next = (floorDivide(start, seconds) + 1) * seconds
    }
    return next.flatMap { $0 <= Self.calendarEnd ? $0 : nil }
  }

  /// Returns the last firing after `start` and not after `end`, all in seconds since 1970. Returns `nil` without such a
  /// firing. `count` is the number of firings between them, at most `Limits.countedFirings`.
  package func latest(after start: Int64, upTo end: Int64, in zone: some ZoneRules) -> (instant: Int64, count: Int)? {
    var latest: Int64?
    var count = 0
    while count < Limits.countedFirings, let next = next(after: latest ?? start, in: zone), next <= end {
      latest = next
      count += 1
    }
    guard var latest else { return nil }
    guard count == Limits.countedFirings else { return (latest, count) }
    // Invariant of the bisection: `latest` is a firing, and no firing is between `none` and `end`.
    var none = min(end, Self.calendarEnd)
    while latest < none {
      let middle = latest + (none - latest) / 2
      if let next = next(after: middle, in: zone), next <= end { latest = next } else { none = middle }
    }
    return (latest, count)
  }

  private static let calendarStart: Int64 = -62_135_596_800
  private static let calendarEnd: Int64 = 253_402_300_799
}

extension Schedule {
  /// Returns a period in whole seconds, clamped to `Limits.shortestPeriod` ... `Limits.longestPeriod`.
  private static func seconds(of period: Duration) -> Int64 {
    min(max(period, Limits.shortestPeriod), Limits.longestPeriod).components.seconds
  }

  private static func period(_ text: ScheduleText, after every: ScheduleWord) throws(ScheduleFault) -> Duration {
    let words = text.words.dropFirst()
    guard let first = words.first, let last = words.last else {
      let end = every.columns.upperBound
      throw text.fault("the period is missing", hint: "write e.g. 'every 6h'", at: end..<end)
    }
    let columns = first.columns.lowerBound..<last.columns.upperBound
    let written = words.map(\.text).joined()
    guard words.count == 1, let period = Duration(configured: written) else {
      throw text.fault("the period is not understood", hint: hint(forPeriod: written), at: columns)
    }
    guard period <= Limits.longestPeriod else {
      throw text.fault("the period is too long", hint: "at most 366d", at: columns)
    }
    return period
  }

  private static func hint(forPeriod written: String) -> String {
    if Duration(configured: written) != nil { return "write 'every \(written)'" }
    let digits = written.prefix { $0.isDigit }
    let unit = written.dropFirst(digits.count).lowercased()
    guard let count = Int(configured: digits), unit.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return !digits.isEmpty && digits.allSatisfy { $0 == "0" } ? "at least 1s" : periodHint
    }
    switch unit.first {
    case "w": return "write 'every \(count * 7)d'"
    case "m" where unit.hasPrefix("mo"): return "for the first of each month write '0 0 1 * *'"
    case "s", "m", "h", "d": return "write 'every \(count)\(unit.prefix(1))'"
    default: return periodHint
    }
  }

  private static let periodHint = "write a whole number and a unit s, m, h or d, e.g. 'every 90m'"
}

/// An error in the text of a schedule, with its place in the text.
package struct ScheduleFault: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String
  package let hint: String?
  /// The expression on one line, safe for a terminal.
  package let text: String
  /// The faulty part of `text`. The range is empty if something is missing there.
  package let columns: Range<Int>

  /// The expression, and below it a line that marks the faulty columns.
  package var caret: String {
    let tail = String(repeating: "~", count: max(0, columns.count - 1))
    return "\(text)\n\(String(repeating: " ", count: columns.lowerBound))^\(tail)"
  }

  package var description: String { hint.map { "\(message): \($0)" } ?? message }
}
