/// Times as people and programs read them: ISO 8601, from the text that PostgreSQL writes with `DateStyle` ISO.
///
/// Text in any other form is returned unchanged: `infinity`, and times of a report that has changed `DateStyle` or
/// `TimeZone` for its transaction.
package enum TimeText {
  /// The text of a `timestamptz`: `2026-11-21 04:00:00.123+00` becomes `2026-11-21T04:00:00.123Z`.
  ///
  /// A year before Christ keeps its ` BC`. An offset other than zero stays: a `Z` would make it another instant.
  static func instant(_ text: String) -> String {
    let era = text.hasSuffix(" BC") ? " BC" : ""
    let time = text.dropLast(era.count)
    return time.hasSuffix("+00") ? local(String(time.dropLast(3))) + "Z" + era : text
  }

  /// The text of a `timestamp`, which is in no known time zone: `2026-11-21 04:00:00` becomes `2026-11-21T04:00:00`.
  static func local(_ text: String) -> String {
    // Only a day in ISO 8601 has a hyphen before its last two digits.
    guard let blank = text.firstIndex(of: " "), text[..<blank].dropLast(2).last == "-" else { return text }
    return text[..<blank] + "T" + text[text.index(after: blank)...]
  }

  /// The text of a `timestamptz` to the second: `2026-11-21T04:00:00Z`.
  package static func second(_ text: String) -> String { wholeSecond(instant(text)) }

  /// A time without its fraction of a second, for messages and tables.
  package static func wholeSecond(_ text: String) -> String {
    guard let point = text.firstIndex(of: ".") else { return text }
    return String(text[..<point] + text[point...].dropFirst().drop { $0.isNumber })
  }
}
