/// Converts PostgreSQL's times (`DateStyle` ISO) to ISO 8601. Other texts, such as `infinity`, stay unchanged.
package enum TimeText {
  /// For example, `2026-11-21T04:00:00.123Z`. A text with an offset other than zero stays unchanged, because `Z` would
  /// change its instant.
  static func instant(_ text: String) -> String {
    let era = text.hasSuffix(" BC") ? " BC" : ""
    let time = text.dropLast(era.count)
    return time.hasSuffix("+00") ? local(String(time.dropLast(3))) + "Z" + era : text
  }

  static func local(_ text: String) -> String {
    guard let blank = text.firstIndex(of: " "), text[..<blank].dropLast(2).last == "-" else { return text }
    return text[..<blank] + "T" + text[text.index(after: blank)...]
  }

  /// Converts a `timestamptz` in UTC to ISO 8601 without a fraction. The fraction is cut off, not rounded.
  package static func second(_ text: String) -> String { wholeSecond(instant(text)) }

  /// Removes the fraction of the second from a time. A text without a point stays unchanged.
  package static func wholeSecond(_ text: String) -> String {
    guard let point = text.firstIndex(of: ".") else { return text }
    return String(text[..<point] + text[point...].dropFirst().drop { $0.isNumber })
  }
}
