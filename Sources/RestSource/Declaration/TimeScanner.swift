import SyncCore

/// Reads the parts of a time from left to right.
struct TimeScanner {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }
  private var isAtDigit: Bool { place < bytes.count && bytes[place].isDigit }

  /// A date, with the separator between its parts.
  struct Date {
    let year: Int
    /// Days since 1970-01-01.
    let day: Int
    /// Empty if the parts follow each other directly.
    let separator: String
  }

  /// Reads a date of the years 1 to 9999; `nil` if the text has none here, or a day that does not exist.
  mutating func date() -> Date? {
    guard let year = number(4), year >= 1 else { return nil }
    let separator = any(of: "-/.")
    guard let month = number(2), skip(separator), let day = number(2), (1...12).contains(month) else { return nil }

    let civilMonth = CivilMonth(year: Int64(year), month: Int64(month))
    guard (1...civilMonth.length).contains(Int64(day)) else { return nil }
    return Date(year: year, day: Int(civilMonth.firstDay) + day - 1, separator: separator)
  }

  /// A time of day, with its spelling.
  struct Clock {
    /// Nanoseconds since midnight.
    var nanoseconds: Int128
    /// Empty if the parts follow each other directly.
    let separator: String
    var hasSeconds = false
    /// The text between seconds and fraction; empty without a fraction.
    var fractionSeparator = ""
    var fractionDigits = 0
  }

  /// Reads hours, minutes, and optionally seconds with a fraction; `nil` if the text has no time of day here.
  mutating func clock() -> Clock? {
    guard let hour = number(2), hour < 24 else { return nil }
    let separator = any(of: ":")
    guard let minute = number(2), minute < 60 else { return nil }
    var clock = Clock(nanoseconds: Int128(hour * 3600 + minute * 60) * 1_000_000_000, separator: separator)

    let hasSeconds = separator.isEmpty ? isAtDigit : skip(separator)
    guard hasSeconds else { return clock }
    guard let second = number(2), second < 60 else { return nil }
    clock.hasSeconds = true
    clock.nanoseconds += Int128(second) * 1_000_000_000

    clock.fractionSeparator = any(of: ".,")
    guard !clock.fractionSeparator.isEmpty else { return clock }
    guard let fraction = fraction() else { return nil }
    clock.nanoseconds += Int128(fraction.nanoseconds)
    clock.fractionDigits = fraction.digits
    return clock
  }

  /// Reads a number of exactly this many digits.
  private mutating func number(_ digits: Int) -> Int? {
    guard place + digits <= bytes.count else { return nil }
    let part = bytes[place..<place + digits]
    guard part.allSatisfy(\.isDigit) else { return nil }
    place += digits
    return part.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Reads one of the characters; returns an empty text if the next character is another one.
  mutating func any(of characters: String) -> String {
    guard place < bytes.count, characters.utf8.contains(bytes[place]) else { return "" }
    place += 1
    return String(UnicodeScalar(bytes[place - 1]))
  }

  /// Reads the text. An empty text is always read.
  private mutating func skip(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  /// Reads one to nine digits behind the point of the seconds.
  private mutating func fraction() -> (nanoseconds: Int, digits: Int)? {
    let digits = bytes[place...].prefix(while: \.isDigit).count
    guard (1...9).contains(digits), let number = number(digits) else { return nil }
    return ((digits..<9).reduce(number) { number, _ in 10 * number }, digits)
  }

  /// Reads the rest, which is empty or a zone: `Z`, `UTC`, `GMT` or an offset such as `+02`, `+0200` or `+02:00`, also
  /// after a space.
  mutating func zone() -> String? {
    let rest = String(decoding: bytes[place...], as: UTF8.self)
    let name = rest.hasPrefix(" ") ? String(rest.dropFirst()) : rest
    guard !["", "Z", "z", "UTC", "GMT"].contains(name) else { return name.isEmpty && !rest.isEmpty ? nil : rest }

    let digits = name.dropFirst().filter { $0 != ":" }
    let hasColon = name.utf8.count == 6 && Array(name.utf8)[3] == UInt8(ascii: ":")
    guard name.hasPrefix("+") || name.hasPrefix("-"), digits.utf8.allSatisfy(\.isDigit),
      [2, 4].contains(digits.utf8.count), name.utf8.count == digits.utf8.count + (hasColon ? 2 : 1)
    else { return nil }
    return rest
  }
}
