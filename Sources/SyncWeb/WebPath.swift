import SyncCore

package struct WebPath: Sendable, Equatable {
  private let path: String
  private var query: [(name: String, value: String)] = []

  package init(_ path: String) { self.path = path }

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

  /// The values of the partial `shared/choices`: a link, which is marked if `isChosen`.
  package func choice(_ word: String, isChosen: Bool) -> WebValue {
    .object(["choiceText": .text(word), "choicePath": .text(text), "isChosen": .flag(isChosen)])
  }

  /// A group of the partial `shared/filters`: links for the words of a parameter. The first word omits the parameter.
  ///
  /// - Parameter names: The shown texts of words.
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

  package func form(_ fields: [WebValue]) -> WebValue {
    let names = fields.compactMap { if case .object(let members) = $0 { members["field"] } else { nil } }
    let others = query.filter { !names.contains(.text($0.name)) }
    return .object([
      "formPath": .text(path), "fields": .list(fields),
      "hiddenFields": .list(others.map { .object(["hiddenName": .text($0.name), "hiddenValue": .text($0.value)]) }),
    ])
  }

  package static func == (one: WebPath, other: WebPath) -> Bool { one.text == other.text }
}
