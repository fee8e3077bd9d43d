/// `Retry-After` (RFC 9110 §10.2.3): seconds, or one of the three date formats of §5.6.7.
package enum RetryAfter {
  /// Returns the wait, which is never negative, or `nil` for an invalid value.
  /// - Parameter now: The time of the response in seconds since 1970. Without it, a date says nothing.
  package static func parse(_ value: String, now: Int?) -> Duration? {
    if let seconds = wholeSeconds(value.utf8.drop { $0 == 0x20 }) { return .seconds(seconds) }
    guard let until = secondsSinceEpoch(value), let now else { return nil }
    return .seconds(max(0, until - now))
  }

  /// Accepts a fraction, because some services send it, and rounds up.
  /// - Parameter longest: The maximum number of digits before and after the point.
  fileprivate static func wholeSeconds(_ text: Substring.UTF8View, longest: Int = 12) -> Int? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      (1...longest).contains(part.count) && part.allSatisfy(\.isDigit)
    }
    guard areDigits, let seconds = parts.first.flatMap({ Int(String(Substring($0))) }) else { return nil }
    let hasFraction = parts.count == 2 && parts[1].contains { $0 != UInt8(ascii: "0") }
    return hasFraction && seconds < .max ? seconds + 1 : seconds
  }

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. Returns
  /// `nil` for other text. Years of two digits are from 1970 to 2069.
  package static func secondsSinceEpoch(_ date: String) -> Int? {
    let words = date.split { " ,:-".contains($0) }.map(String.init)
    let parts: [String]
    switch words.count {
    case 8 where words[7] == "GMT": parts = Array(words[1...6])
    case 7: parts = [words[2], words[1], words[6], words[3], words[4], words[5]]
    default: return nil
    }
    guard let monthIndex = months.firstIndex(of: parts[1]),
      let day = number(parts[0].utf8, 1...31), let year = number(parts[2].utf8, 0...9999),
      let hour = number(parts[3].utf8, 0...23), let minute = number(parts[4].utf8, 0...59),
      let second = number(parts[5].utf8, 0...60)
    else { return nil }
    let fullYear = parts[2].utf8.count == 2 ? (year < 70 ? 2000 + year : 1900 + year) : year
    let month = CivilMonth(year: Int64(fullYear), month: Int64(monthIndex + 1))
    return (Int(month.firstDay) + day - 1) * 86400 + hour * 3600 + minute * 60 + second
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the number that ASCII digits spell, if it is within the range.
  fileprivate static func number(_ digits: some Collection<UInt8>, _ range: ClosedRange<Int>) -> Int? {
    guard digits.allSatisfy(\.isDigit), let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return range.contains(value) ? value : nil
  }
}

/// The reset of a rate limit, as services write it in `X-RateLimit-Reset` and its relatives.
///
/// No header says its unit, so the unit follows from the size of the number: the present is 1.8e9 s, 1.8e12 ms,
/// 1.8e15 µs or 1.8e18 ns after 1970.
enum LimitReset: Equatable {
  /// Seconds from the response on.
  case wait(Int)
  /// Seconds since 1970.
  case time(Int)

  /// Parses a number with or without a fraction, a date of HTTP, or a date of ISO 8601. Returns `nil` for other texts.
  init?(_ text: String) {
    // A time in nanoseconds has 19 digits.
    if let number = RetryAfter.wholeSeconds(text.utf8[...], longest: 19) {
      self = Self.number(number)
    } else if let seconds = RetryAfter.secondsSinceEpoch(text) ?? Self.isoTime(text) {
      self = .time(seconds)
    } else {
      return nil
    }
  }

  private static func number(_ number: Int) -> LimitReset {
    // The bounds lie between the sizes of the present in two units, a factor of 50 away from both.
    switch number {
    case ...Limits.longestRelativeReset: .wait(number)
    case ..<100_000_000_000: .time(number)
    case ..<100_000_000_000_000: .time(roundedUp(number, 1_000))
    case ..<100_000_000_000_000_000: .time(roundedUp(number, 1_000_000))
    default: .time(roundedUp(number, 1_000_000_000))
    }
  }

  private static func roundedUp(_ number: Int, _ unit: Int) -> Int { number / unit + (number % unit > 0 ? 1 : 0) }

  /// Parses `2026-01-02T03:04:05Z`, also with a fraction, a space instead of the T, an offset such as `+01:00`, or no
  /// zone, which means UTC.
  private static func isoTime(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), let year = RetryAfter.number(bytes[0..<4], 1970...9999),
      let month = RetryAfter.number(bytes[5..<7], 1...12), let day = RetryAfter.number(bytes[8..<10], 1...31),
      let hour = RetryAfter.number(bytes[11..<13], 0...23), let minute = RetryAfter.number(bytes[14..<16], 0...59),
      let second = RetryAfter.number(bytes[17..<19], 0...60)
    else { return nil }
    var rest = bytes[19...]
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: \.isDigit)
      fraction = digits.contains { $0 != UInt8(ascii: "0") } ? 1 : 0
      rest = rest[digits.endIndex...]
    }
    guard let offset = offset(rest) else { return nil }
    let firstDay = CivilMonth(year: Int64(year), month: Int64(month)).firstDay
    return (Int(firstDay) + day - 1) * 86_400 + hour * 3600 + minute * 60 + second + fraction - offset
  }

  /// - Returns: The seconds by which the zone is ahead of UTC.
  private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
    guard let sign = zone.first, zone != [UInt8(ascii: "Z")] else { return 0 }
    let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
      let hours = RetryAfter.number(digits[0..<2], 0...23),
      let minutes = RetryAfter.number(digits[2..<4], 0...59)
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "+") ? seconds : -seconds
  }
}
