import Foundation

/// A query or a form (`application/x-www-form-urlencoded`).
enum WebForm {
  /// Returns the first value of each name. Empty values are omitted.
  ///
  /// - Throws: 400 for an invalid escape.
  static func values(_ text: String) throws(WebFault) -> [String: String] {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding
      }
      let texts = parts.compactMap(\.self)
      guard texts.count == parts.count else { throw WebFault.badForm("A parameter contains an invalid escape.") }
      guard texts.count == 2, !texts[1].isEmpty, values[texts[0]] == nil else { continue }
      values[texts[0]] = texts[1]
    }
    return values
  }
}

extension String {
  /// The text as a part of a path or a value of a query.
  package var escapedForWeb: String {
    addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.ascii).union(.unreservedMarks)) ?? ""
  }
}

extension CharacterSet {
  fileprivate static let ascii = CharacterSet(charactersIn: "\u{0}"..."\u{7F}")
  fileprivate static let unreservedMarks = CharacterSet(charactersIn: "-._~")
}
