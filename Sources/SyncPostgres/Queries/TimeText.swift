/// Converts PostgreSQL's times (`DateStyle` ISO) to ISO 8601. Other text stays unchanged, such as `infinity`.
package enum TimeText {
  /// `2026-11-21T04:00:00.123Z`. Keeps ` BC`, and a text whose offset is not zero, because `Z` would change its
  /// instant.
  static func instant(_ text: String) -> String {
    let era = text.hasSuffix(" BC") ? " BC" : ""
    let time = text.dropLast(era.count)
    return time.hasSuffix("+00") ? local(String(time.dropLast(3))) + "Z" + era : text
  }

  static func local(_ text: String) -> String {
    // Only ISO 8601 dates have a hyphen before the last two digits.
    guard let blank = text.firstIndex(of: " "), text[..<blank].dropLast(2).last == "-" else { return text }
    return text[..<blank] + "T" + text[text.index(after: blank)...]
  }

  /// `2026-11-21T04:00:00Z`
  package static func second(_ text: String) -> String { wholeSecond(instant(text)) }

  package static func wholeSecond(_ text: String) -> String {
    guard let point = text.firstIndex(of: ".") else { return text }
    return String(text[..<point] + text[point...].dropFirst().drop { $0.isNumber })
  }
}
