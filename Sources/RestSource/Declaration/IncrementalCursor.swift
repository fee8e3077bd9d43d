import Foundation
import SyncCore

/// A value of an incremental cursor in the spelling of the service, such as `2026-01-10 00:00:09` or `1767225600`.
struct IncrementalCursor: Equatable, Sendable {
  let text: String
  /// Whether the JSON value is a number and not a text.
  let isNumber: Bool

  init(text: String, isNumber: Bool = false) {
    self.text = text
    self.isNumber = isNumber
  }

  /// - Parameter json: A JSON text. The result is `nil` if its value is neither a text nor a number.
  init?(json: String) {
    let data = Data(json.utf8)
    if let text = try? JSONDecoder().decode(String.self, from: data) {
      self.init(text: text)
    } else if json.first == "-" || json.first?.isASCII == true && json.first?.isNumber == true {
      self.init(text: json, isNumber: true)
    } else {
      return nil
    }
  }

  /// Returns the value of an item; `nil` if the item has none.
  /// - Parameter path: The names of the members that lead from the document to the value.
  init?(document: [UInt8], path: [String]) {
    guard let root = try? JSONSerialization.jsonObject(with: Data(document)) else { return nil }
    let value = path.reduce(root as Any?) { value, name in (value as? [String: Any])?[name] }
    switch value {
    case let text as String: self.init(text: text)
    // The type `c` is a Boolean.
    case let number as NSNumber where String(cString: number.objCType) != "c":
      self.init(text: "\(number)", isNumber: true)
    default: return nil
    }
  }

  /// Returns a value that is at least `lag` smaller, in the same format: with the same separators, zone and number of
  /// digits. A value with a coarser unit, such as a day, is rounded down.
  ///
  /// A number is reduced by one per second. From 10¹¹ on, a number is a time in milliseconds, from 10¹⁴ on in
  /// microseconds, and from 10¹⁷ on in nanoseconds, because as seconds these times would be after the year 5000.
  /// - Returns: `nil` if the format is neither a number nor a time whose parts go from the year to the smallest unit.
  func shifted(back lag: Duration) -> String? {
    let parts = lag.components
    let nanoseconds = Int128(parts.seconds) * 1_000_000_000 + Int128(parts.attoseconds / 1_000_000_000)
    if let time = CursorTime(self) { return time.shifted(back: nanoseconds)?.text }
    return CursorNumber(text)?.shifted(back: nanoseconds).text
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// Whether the lowercase word is a month's English name or at least its first three letters.
  private static func isMonth(_ word: String) -> Bool { word.count >= 3 && months.contains { $0.hasPrefix(word) } }

  /// Whether the text is a time whose order as text is not the order of time, such as `10/01/2025`,
  /// `Fri, 10 Jan 2025 00:00:00 GMT` or `2025-01-10 02:00 PM`.
  var isUnorderedTime: Bool {
    guard !isNumber else { return false }
    let words = text.split(whereSeparator: { " ,".contains($0) }).map { $0.lowercased() }
    if ["am", "pm"].contains(words.last ?? "") { return text.contains(":") }
    if words.count >= 3, words.prefix(3).contains(where: Self.isMonth) {
      return words.contains { $0.count == 4 && $0.utf8.allSatisfy(\.isDigit) }
    }
    let parts = (words.first ?? "").split(whereSeparator: { "/.-".contains($0) }).map(String.init)
    return parts.count == 3 && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
      && (1...2).contains(parts[0].count) && (1...2).contains(parts[1].count) && [2, 4].contains(parts[2].count)
  }
}

extension Declaration.Incremental {
  /// Returns the value of the parameter of an incremental walk.
  /// - Parameter cursor: The value up to which each change is stored.
  /// - Throws: `SyncError` `.configuration` if changes would be missed, because the lag cannot be subtracted or the
  ///   order of such values is not their order in time.
  func since(after cursor: IncrementalCursor) throws(SyncError) -> String {
    let member = Excerpt.of(self.cursor.joined(separator: "."), scalars: 60)
    let shown = Excerpt.of(cursor.text, scalars: 60)
    let remedy = "use another member as cursor_path, or remove incremental, so that each run reads the whole list"
    guard !cursor.isUnorderedTime else {
      throw SyncError(
        .configuration, "the cursor \(member) has values such as \(shown), which do not sort as texts", hint: remedy,
        disposition: .stopRun)
    }
    guard lag > .zero else { return cursor.text }
    guard let since = cursor.shifted(back: lag) else {
      throw SyncError(
        .configuration,
        "the lag cannot be subtracted from the cursor \(member), which has values such as \(shown)",
        hint: "remove lag, or \(remedy)", disposition: .stopRun)
    }
    return since
  }

  /// Returns what the items of a page show against incremental walks; `nil` if nothing does.
  func fault(in entries: [Page.Entry]) -> String? {
    let documents = entries.compactMap { entry in if case .item(let item) = entry { item.document } else { nil } }
    let cursors = documents.compactMap { IncrementalCursor(document: $0, path: cursor) }
    guard documents.isEmpty || !cursors.isEmpty else {
      return "no item has the cursor \(cursor.joined(separator: ".")), so each run would read the whole list: "
        + "check cursor_path"
    }
    for cursor in cursors {
      do {
        _ = try since(after: cursor)
      } catch {
        return error.description
      }
    }
    return nil
  }
}

/// A decimal number whose digits are kept: `1000.50`, `-3`, `000123`.
private struct CursorNumber {
  /// The number without its point.
  private var digits: Int128
  private let fractionDigits: Int
  /// The number of digits before the point, if the first of them is a 0.
  private let paddedWidth: Int

  /// - Returns: `nil` if the text has another form, over 20 digits before the point or over 9 behind it.
  init?(_ text: String) {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
      parts[0].count <= 20, parts.count == 1 || parts[1].count <= 9, let digits = Int128(parts.joined())
    else { return nil }
    self.digits = isNegative ? -digits : digits
    fractionDigits = parts.count == 2 ? parts[1].count : 0
    paddedWidth = parts[0].hasPrefix("0") && !isNegative ? parts[0].count : 1
  }

  private var unitsPerSecond: Int128 {
    switch abs(digits) / power(fractionDigits) {
    case power(17)...: 1_000_000_000
    case power(14)...: 1_000_000
    case power(11)...: 1_000
    default: 1
    }
  }

  private func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { power, _ in 10 * power } }

  func shifted(back nanoseconds: Int128) -> CursorNumber {
    let second: Int128 = 1_000_000_000
    let units = nanoseconds * unitsPerSecond * power(fractionDigits)
    var copy = self
    copy.digits -= (units + second - 1) / second
    return copy
  }

  var text: String {
    let all = String(abs(digits))
    let width = fractionDigits + (digits < 0 ? 1 : paddedWidth)
    let padded = String(repeating: "0", count: max(0, width - all.count)) + all
    let sign = digits < 0 ? "-" : ""
    guard fractionDigits > 0 else { return sign + padded }
    return "\(sign)\(padded.dropLast(fractionDigits)).\(padded.suffix(fractionDigits))"
  }
}

/// A time of the years 1 to 9999 whose parts go from the year to the smallest unit, with the spelling of each part:
/// `2025-01-10`, `2025/01/10 00:00`, `2025-01-10T00:00:00.250+02:00`, `20250110T000000Z`, `20250110000000`.
private struct CursorTime {
  /// Nanoseconds since 1970-01-01 in the time's own zone.
  private var moment: Int128
  private let dateSeparator: String
  private let timeSeparator: String
  /// `nil` for a day.
  private let between: String?
  private let hasSeconds: Bool
  private let fractionSeparator: String
  private let fractionDigits: Int
  private let zone: String

  /// - Returns: `nil` if the value is no such time. A number is a time only with 14 digits, and a text of 8 digits is a
  ///   day only if it is between 1900 and 2100, because both can be numbers that count.
  init?(_ cursor: IncrementalCursor) {
    var scanner = TimeScanner(Array(cursor.text.utf8))
    guard let year = scanner.number(4), year >= 1 else { return nil }
    dateSeparator = scanner.any(of: "-/.")
    guard let month = scanner.number(2), scanner.skip(dateSeparator), let day = scanner.number(2),
      (1...12).contains(month)
    else { return nil }
    let civilMonth = CivilMonth(year: Int64(year), month: Int64(month))
    guard (1...civilMonth.length).contains(Int64(day)) else { return nil }
    var parts = (hour: 0, minute: 0, second: 0, nanoseconds: 0)
    var separators = (between: String?.none, time: "", fraction: "")
    var (hasSeconds, digits) = (false, 0)
    if !scanner.isAtEnd {
      separators.between = scanner.any(of: "Tt ")
      guard let hour = scanner.number(2), hour < 24 else { return nil }
      separators.time = scanner.any(of: ":")
      guard let minute = scanner.number(2), minute < 60 else { return nil }
      parts.hour = hour
      parts.minute = minute
      if separators.time.isEmpty ? scanner.isAtDigit : scanner.skip(separators.time) {
        guard let second = scanner.number(2), second < 60 else { return nil }
        hasSeconds = true
        parts.second = second
        separators.fraction = scanner.any(of: ".,")
        if !separators.fraction.isEmpty {
          guard let fraction = scanner.fraction() else { return nil }
          parts.nanoseconds = fraction.nanoseconds
          digits = fraction.digits
        }
      }
    }
    guard let zone = scanner.zone(), zone.isEmpty || separators.between != nil else { return nil }
    let isOnlyDigits = cursor.text.utf8.allSatisfy(\.isDigit)
    let isCount = isOnlyDigits && (cursor.isNumber ? cursor.text.count != 14 : ![8, 14].contains(cursor.text.count))
    guard !isCount, !isOnlyDigits || (1900...2100).contains(year), dateSeparator.isEmpty || separators.between != ""
    else { return nil }
    between = separators.between
    timeSeparator = separators.time
    fractionSeparator = separators.fraction
    self.hasSeconds = hasSeconds
    fractionDigits = digits
    self.zone = zone
    let days = Int(civilMonth.firstDay) + day - 1
    let seconds = days * 86_400 + parts.hour * 3600 + parts.minute * 60 + parts.second
    moment = Int128(seconds) * 1_000_000_000 + Int128(parts.nanoseconds)
  }

  /// Nanoseconds in the smallest unit that the text shows.
  private var unit: Int128 {
    if between == nil { return 86_400_000_000_000 }
    if !hasSeconds { return 60_000_000_000 }
    return (0..<fractionDigits).reduce(1_000_000_000) { unit, _ in unit / 10 }
  }

  /// - Returns: `nil` if the time would be before the year 1.
  func shifted(back nanoseconds: Int128) -> CursorTime? {
    var copy = self
    copy.moment = Self.floor(moment - nanoseconds, unit) * unit
    let firstDay = CivilMonth(year: 1, month: 1).firstDay
    return copy.moment >= Int128(firstDay) * 86_400_000_000_000 ? copy : nil
  }

  var text: String {
    let day: Int128 = 86_400_000_000_000
    let days = Self.floor(moment, day)
    let inDay = moment - days * day
    let date = CivilMonth.of(day: Int64(days))
    let dateParts = [
      Self.padded(Int(date.month.year), 4), Self.padded(Int(date.month.month), 2), Self.padded(Int(date.day), 2),
    ]
    let dateText = dateParts.joined(separator: dateSeparator)
    guard let between else { return dateText }
    let seconds = Int(inDay / 1_000_000_000)
    let parts = [seconds / 3600, seconds / 60 % 60] + (hasSeconds ? [seconds % 60] : [])
    let time = parts.map { Self.padded($0, 2) }.joined(separator: timeSeparator)
    let fraction = Self.padded(Int(inDay % 1_000_000_000), 9).prefix(fractionDigits)
    return dateText + between + time + fractionSeparator + fraction + zone
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

/// Reads the parts of a time from left to right.
private struct TimeScanner {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }
  var isAtDigit: Bool { place < bytes.count && bytes[place].isDigit }

  /// Reads a number of exactly this many digits.
  mutating func number(_ digits: Int) -> Int? {
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
  mutating func skip(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  /// Reads one to nine digits behind the point of the seconds.
  mutating func fraction() -> (nanoseconds: Int, digits: Int)? {
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
