import Foundation

/// A query or a form (`application/x-www-form-urlencoded`).
enum WebForm {
  /// Returns the first value of each name. Empty values and invalid escapes are omitted.
  static func values(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding
      }
      guard parts.count == 2, let name = parts[0], let value = parts[1], !value.isEmpty, values[name] == nil else {
        continue
      }
      values[name] = value
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
