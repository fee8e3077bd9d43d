/// A path with a query.
package struct WebPath: Sendable, Equatable {
  private let path: String
  private var query: [(name: String, value: String)] = []

  package init(_ path: String) { self.path = path }

  /// Returns the path with the parameter, or without it if the value is `nil` or empty.
  package func with(_ name: String, _ value: String?) -> WebPath {
    var copy = self
    copy.query.removeAll { $0.name == name }
    if let value, !value.isEmpty { copy.query.append((name, value)) }
    return copy
  }

  package var text: String {
    let pairs = query.map { "\($0.name.escapedForWeb)=\($0.value.escapedForWeb)" }
    return pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
  }

  /// The values of the partial `shared/choices`: a link that is marked if it is chosen.
  package func choice(_ word: String, isChosen: Bool) -> WebValue {
    .object(["choiceText": .text(word), "choicePath": .text(text), "isChosen": .flag(isChosen)])
  }

  package static func == (one: WebPath, other: WebPath) -> Bool { one.text == other.text }
}
