import SyncCore

/// The path of a page with its query, for links and forms. Each parameter occurs at most once.
///
/// The path does not contain `web.path`. Templates write `{{base}}` before the path.
package struct WebPath: Sendable, Equatable {
  private let path: String
  private var query: [(name: String, value: String)] = []

  /// Creates a path without a query. The path begins with `/` and is used as it is, so it must be percent-encoded
  /// already.
  package init(_ path: String) { self.path = path }

  /// Returns the path with this parameter at the end of the query. A `nil` or empty value removes the parameter.
  ///
  /// The value is plain text, because `text` encodes it.
  package func with(_ name: String, _ value: String?) -> WebPath {
    var copy = self
    copy.query.removeAll { $0.name == name }
    if let value, !value.isEmpty { copy.query.append((name, value)) }
    return copy
  }

  package var text: String {
    let pairs = query.map { "\($0.name.percentEncoded())=\($0.value.percentEncoded())" }
    return pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
  }

  /// Returns one element of the list `choices` for the partial `shared/choices`: a link to this path, which is marked
  /// if `isChosen`.
  /// - Parameter word: The shown text of the link.
  package func choice(_ word: String, isChosen: Bool) -> WebValue {
    .object(["choiceText": .text(word), "choicePath": .text(text), "isChosen": .flag(isChosen)])
  }

  /// Returns one element of the list `groups` for the partial `shared/filters`: links for the words of a parameter.
  ///
  /// The first word is the default, whose link omits the parameter. There must be at least one word.
  ///
  /// - Parameters:
  ///   - title: The shown text before the links.
  ///   - name: The name of the parameter.
  ///   - words: The values of the parameter, one for each link.
  ///   - names: The shown texts of words, by word. Other words are shown as they are.
  ///   - chosen: The parameter's value; `nil` means the first word.
  package func group(
    _ title: String, _ name: String, _ words: [String], names: [String: String] = [:], chosen: String?
  ) -> WebValue {
    .object([
      "groupTitle": .text(title),
      "choices": .list(
        words.map { word in
          with(name, word == words[0] ? nil : word).choice(names[word] ?? word, isChosen: word == chosen ?? words[0])
        }),
    ])
  }

  /// Returns the object `form` for the partial `shared/form`: a form that opens this path with the values of its
  /// fields.
  ///
  /// Parameters of this path without a field become hidden fields, so that the form keeps their values.
  ///
  /// - Parameter fields: The fields, from `WebValue.field`.
  package func form(_ fields: [WebValue]) -> WebValue {
    let names = fields.compactMap { if case .object(let members) = $0 { members["field"] } else { nil } }
    let others = query.filter { !names.contains(.text($0.name)) }
    return .object([
      "formPath": .text(path), "fields": .list(fields),
      "hiddenFields": .list(others.map { .object(["hiddenName": .text($0.name), "hiddenValue": .text($0.value)]) }),
    ])
  }

  /// Whether both paths have the same text. The order of the parameters matters.
  package static func == (one: WebPath, other: WebPath) -> Bool { one.text == other.text }
}
