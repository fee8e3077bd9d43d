import Foundation

/// The parameters of a query, read as in PHP: `+` is a space, and the last of several equal names wins.
struct QueryParameters {
  private let values: [String: String]

  init(_ query: String) {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[Self.decoded(parts[0])] = parts.count > 1 ? Self.decoded(parts[1]) : ""
    }
    self.values = values
  }

  subscript(name: String) -> String? { values[name] }

  func isSet(_ name: String) -> Bool {
    guard let value = values[name]?.lowercased() else { return false }
    return !["false", "0"].contains(value)
  }

  private static func decoded(_ text: Substring) -> String {
    let spaced = text.replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? String(spaced)
  }
}
