/// Converts PostgreSQL's times (`DateStyle` ISO) to ISO 8601. Each function expects a time; `infinity` stays unchanged.
package enum TimeText {
  /// Converts a `timestamptz` in UTC, for example to `2026-11-21T04:00:00.123Z`. A text with another offset stays
  /// unchanged, because `Z` would change its instant.
  static func instant(_ text: String) -> String {
    let era = text.hasSuffix(" BC") ? " BC" : ""
    let time = text.dropLast(era.count)
    return time.hasSuffix("+00") ? local(String(time.dropLast(3))) + "Z" + era : text
  }

  /// Replaces the blank after the date by `T`, and adds no zone. A text without a date and a blank stays unchanged.
  static func local(_ text: String) -> String {
    guard let blank = text.firstIndex(of: " "), text[..<blank].dropLast(2).last == "-" else { return text }
    return text[..<blank] + "T" + text[text.index(after: blank)...]
  }

  /// Converts a `timestamptz` in UTC to ISO 8601 without a fraction, for example to `2026-11-21T04:00:00Z`. The
  /// fraction is cut off, not rounded.
  package static func second(_ text: String) -> String { wholeSecond(instant(text)) }

  /// Removes the fraction of the second from a time in PostgreSQL's form or in ISO 8601. A zone stays, and so does a
  /// time without a fraction.
  package static func wholeSecond(_ text: String) -> String {
    guard let point = text.firstIndex(of: ".") else { return text }
    return String(text[..<point] + text[point...].dropFirst().drop { $0.isNumber })
  }
}
