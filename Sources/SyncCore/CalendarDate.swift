/// Checks of dates and times in ISO 8601, by the calendar and without a locale.
package enum CalendarDate {
  /// Returns whether the text is a date (`2026-01-31`), or a date with a time and a zone (`2026-01-31T08:15:00+09:00`),
  /// in the years 1 to 9999. PostgreSQL's `timestamptz` accepts every such text.
  package static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, let year = number(bytes, 0..<4), let month = number(bytes, 5..<7),
      let day = number(bytes, 8..<10), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      year >= 1, (1...12).contains(month),
      (1...CivilMonth(year: Int64(year), month: Int64(month)).length).contains(Int64(day))
    else { return false }
    return bytes.count == 10 || isTime(Array(bytes[10...]))
  }

  /// Whether the text is `THH:MM:SS`, an optional fraction, and a zone. A time without a zone is not accepted, because
  /// PostgreSQL would add the zone of its session.
  private static func isTime(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 10, bytes[0] == UInt8(ascii: "T"), bytes[3] == UInt8(ascii: ":"),
      bytes[6] == UInt8(ascii: ":"),
      let hour = number(bytes, 1..<3), let minute = number(bytes, 4..<6), let second = number(bytes, 7..<9),
      hour < 24, minute < 60, second < 60
    else { return false }
    var zone = bytes[9...]
    if zone.first == UInt8(ascii: ".") {
      let digits = zone.dropFirst().prefix(while: \.isDigit)
      guard (1...9).contains(digits.count) else { return false }
      zone = zone.dropFirst(1 + digits.count)
    }
    if zone.elementsEqual([UInt8(ascii: "Z")]) { return true }
    let offset = Array(zone)
    guard offset.count == 6, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(offset[0]), offset[3] == UInt8(ascii: ":"),
      let hours = number(offset, 1..<3), let minutes = number(offset, 4..<6)
    else { return false }
    return hours < 15 && minutes < 60
  }

  private static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard range.upperBound <= bytes.count, bytes[range].allSatisfy(\.isDigit) else { return nil }
    return bytes[range].reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
  }
}
