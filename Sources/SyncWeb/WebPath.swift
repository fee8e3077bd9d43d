import SyncCore

/// The path of a page with its query, for links and forms.
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

  /// Returns the path with one more value of this parameter at the end of the query, beside its other values.
  package func adding(_ name: String, _ value: String) -> WebPath {
    var copy = self
    copy.query.append((name, value))
    return copy
  }

  /// Returns the path without this value of the parameter.
  package func removing(_ name: String, _ value: String) -> WebPath {
    var copy = self
    copy.query.removeAll { $0.name == name && $0.value == value }
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

  /// Returns one element of the list `chips` for the partial `shared/chips`: a filter in use, whose link removes it.
  ///
  /// The template also needs `hasChips`.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter.
  ///   - value: The parameter's value that the link removes.
  ///   - text: The shown text.
  package func chip(_ name: String, _ value: String, _ text: String) -> WebValue {
    .object(["chipText": .text(text), "chipPath": .text(removing(name, value).text)])
  }

  /// Returns the object `pager` for the partial `shared/pager`: links to the other pages of a list, as the parameter
  /// `page`. Returns `nil` if the list has one page.
  /// - Parameters:
  ///   - page: The number of the shown page, from 1.
  ///   - shown: The number of entries on the shown page.
  ///   - limit: The number of entries on a full page.
  ///   - total: The number of entries on all pages.
  package func pager(page: Int, shown: Int, limit: Int, total: Int) -> WebValue? {
    let last = max(1, (total + limit - 1) / limit)
    guard last > 1 || page > 1 else { return nil }
    func path(_ number: Int) -> WebValue { .text(with("page", number == 1 ? nil : "\(number)").text) }
    let start = (page - 1) * limit
    let range =
      shown == 0
      ? "none of \(total.grouped)"
      : "\((start + 1).grouped)–\((start + shown).grouped) of \(total.grouped)"
    return .object(of: [
      "range": .text(range),
      "firstPath": page > 1 ? path(1) : nil,
      "previousPath": page > 1 ? path(min(page - 1, last)) : nil,
      "followingPath": page < last ? path(page + 1) : nil,
      "lastPath": page < last ? path(last) : nil,
    ])
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
  /// - Parameters:
  ///   - fields: The fields, from `WebValue.field`.
  ///   - more: The fields of a part that is closed, unless one of these fields has a value.
  ///   - kept: Parameters that become hidden fields although they have a field, which adds a value to theirs.
  package func form(_ fields: [WebValue], more: [WebValue] = [], keeping kept: Set<String> = []) -> WebValue {
    func member(_ name: String, of field: WebValue) -> WebValue? {
      if case .object(let members) = field { members[name] } else { nil }
    }
    let names = (fields + more).compactMap { member("field", of: $0) }
    let others = query.filter { kept.contains($0.name) || !names.contains(.text($0.name)) }
    var form: [String: WebValue] = [
      "formPath": .text(path), "fields": .list(fields),
      "hiddenFields": .list(others.map { .object(["hiddenName": .text($0.name), "hiddenValue": .text($0.value)]) }),
    ]
    if !more.isEmpty {
      form["hasMoreFields"] = true
      form["moreFields"] = .list(more)
      form["isMoreOpen"] = .flag(more.contains { member("value", of: $0) != "" })
    }
    return .object(form)
  }

  /// Whether both paths have the same text. The order of the parameters matters.
  package static func == (one: WebPath, other: WebPath) -> Bool { one.text == other.text }
}
