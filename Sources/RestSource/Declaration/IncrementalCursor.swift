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

  /// The nanoseconds since 1970 of a time in its own zone, or of a number that counts them as in `shifted`. `nil` for
  /// other values.
  var nanoseconds: Int128? { CursorTime(self)?.moment ?? CursorNumber(text)?.nanoseconds }

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
