import SyncCore

/// The placeholders in parameters and bodies. Each other text in braces is literal, because JSON, GraphQL and other
/// languages of queries are full of braces.
extension PlaceholderReader {
  /// Reads the placeholders of a text.
  /// - Parameters:
  ///   - part: The place of the text.
  ///   - format: The format of its dates; `nil` for the standard one.
  ///   - isInBody: Whether the text is in a body, where `{ today }` with blanks is literal.
  /// - Returns: `nil` without a placeholder.
  /// - Throws: `SyncError` for a text in braces that is a placeholder with a mistake.
  mutating func template(
    of text: String, at part: DeclarationPart, format: DateFormat? = nil, isInBody: Bool
  ) throws(SyncError) -> TextTemplate? {
    var parts: [TextTemplate.Part] = []
    var literal = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      literal += rest[..<open]
      let inner = rest[rest.index(after: open)...]
      let name = inner.prefix { $0 != "{" && $0 != "}" }
      rest = inner[name.endIndex...]
      guard rest.popFirst(if: "}") else {
        try expectNoPlaceholder(name, endsText: rest.isEmpty, at: part)
        literal += "{\(name)"
        continue
      }
      guard let found = try placeholder(name, at: part, isInBody: isInBody) else {
        try expectLiteral(name, isWhole: name.utf8.count + 2 == text.utf8.count, at: part, isInBody: isInBody)
        literal += "{\(name)}"
        continue
      }
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
      parts.append(found)
    }
    guard !parts.isEmpty else { return nil }
    literal += rest
    if !literal.isEmpty { parts.append(.text(literal)) }
    return TextTemplate(parts, format: format)
  }

  /// Returns the placeholder for a text in braces; `nil` if the text is not a placeholder.
  private mutating func placeholder(
    _ name: Substring, at part: DeclarationPart, isInBody: Bool
  ) throws(SyncError) -> TextTemplate.Part? {
    if let index = try index(of: name, in: part, isPath: false) {
      return .placeholder(.list(index), shown: ListPlaceholder.text(index))
    }
    switch name {
    case "incremental.start_value", "incremental.last_value":
      return .placeholder(.start, shown: "{incremental.start_value}")
    case "incremental.end_value": return .placeholder(.end, shown: "{incremental.end_value}")
    default: break
    }
    // A query of GraphQL can have the field `today` or `now`, but no sum.
    let isField = isInBody && name.contains(" ") && !name.contains { "+-".contains($0) }
    guard !isField, let date = TextTemplate.Placeholder(date: name) else { return nil }
    return .placeholder(date, shown: "{\(name)}")
  }

  /// The hint for dates in parameters and bodies.
  static let dateHint =
    #"write "{today}", "{now - 7d}" or { value: "{now - 7d}", format: "%Y-%m-%d" }; other formats: epoch, epoch_ms"#

  /// - Parameter name: A text between a brace and the next one, or the text's end, which does not end with a brace.
  /// - Throws: `SyncError` if the text is a placeholder without its last brace.
  private func expectNoPlaceholder(_ name: Substring, endsText: Bool, at part: DeclarationPart) throws(SyncError) {
    let isDate = endsText && TextTemplate.Placeholder(date: name) != nil
    guard isDate || name.hasPrefix("resources.") || name.hasPrefix("incremental.") else { return }
    let shown = Excerpt.of(String(name.prefix(100)), scalars: 40)
    throw part.fault("has {\(shown) without its last brace", hint: "write {\(shown)}")
  }

  /// - Parameters:
  ///   - name: A text in braces that is not a placeholder.
  ///   - isWhole: Whether the text and its braces are the whole value.
  /// - Throws: `SyncError` if the text is probably meant as a placeholder.
  private func expectLiteral(
    _ name: Substring, isWhole: Bool, at part: DeclarationPart, isInBody: Bool
  ) throws(SyncError) {
    func fault(_ problem: String, hint: String) -> SyncError {
      part.fault("has {\(Excerpt.of(String(name.prefix(100)), scalars: 40))}, which is not \(problem)", hint: hint)
    }
    if name.hasPrefix("incremental.") {
      throw fault(
        "a value of incremental runs",
        hint: "write {incremental.start_value}, or {incremental.end_value} for the end of a window")
    }
    let words = name.drop { $0 == " " }
    if let word = ["today", "now"].first(where: words.hasPrefix),
      words.dropFirst(word.count).prefixMatch(of: /[ ]*[-+]|[ ]+[0-9]/) != nil
    {
      throw fault("a date", hint: Self.dateHint)
    }
    if let secret = ["env:", "file:"].first(where: name.hasPrefix),
      name.dropFirst(secret.count).wholeMatch(of: /[A-Za-z0-9._\/-]+/) != nil
    {
      throw part.fault(
        "has a secret within a text",
        hint: isInBody ? DeclarationPart.noSecretInBody : "write { env: NAME } or { file: PATH } as the whole value")
    }

    let isWord = name.utf8.allSatisfy(\.isPlain)
    guard !name.isEmpty, name.utf8.count <= 60, isWord else { return }
    let braces = "if the braces are meant, write blanks within them"
    if let known = nearlyKnown(String(name)) {
      throw fault("a placeholder", hint: "did you mean {\(known)}? Or \(braces)")
    }
    guard isWhole else { return }
    throw fault(
      "a placeholder",
      hint: "\(Self.dateHint); for lists, {resources.NAME.MEMBER} or {city} with values: { city: [berlin] }; \(braces)")
  }

  /// Returns the placeholder that differs from the word by its case or by one letter; `nil` without such a placeholder.
  private func nearlyKnown(_ word: String) -> String? {
    func isNear(_ name: String, _ known: String) -> Bool {
      let (name, known) = (name.lowercased(), known.lowercased())
      guard known.utf8.count > 3 else { return name == known }
      guard abs(name.utf8.count - known.utf8.count) <= 1 else { return false }
      return EditDistance.between(Array(name.unicodeScalars), Array(known.unicodeScalars)) <= 1
    }
    if let known = (["today", "now"] + [values?.name].compactMap(\.self)).first(where: { isNear(word, $0) }) {
      return known
    }
    guard let dot = word.firstIndex(of: "."),
      let known = ["resources", "incremental"].first(where: { isNear(String(word[..<dot]), $0) })
    else { return nil }
    return known + word[dot...]
  }
}

extension Substring {
  /// Removes the first character if it is this one.
  fileprivate mutating func popFirst(if character: Character) -> Bool {
    guard first == character else { return false }
    removeFirst()
    return true
  }
}
