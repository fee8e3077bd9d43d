import JSONScan
import SyncCore
import SyncPostgres
import SyncProgram
import Yams

/// A value of the file, with its place for errors.
struct DeclarationPart {
  let file: String
  let path: String
  let node: Node

  /// - Parameter path: The place below this part, such as `.name` or `[2]`.
  func below(_ path: String, _ node: Node) -> DeclarationPart {
    DeclarationPart(file: file, path: self.path + path, node: node)
  }

  func fault(_ problem: String, hint: String, at mark: Mark? = nil) -> SyncError {
    let line = (mark ?? node.mark).map { ":\($0.line)" } ?? ""
    return SyncError(.configuration, "\(file)\(line): \(path) \(problem)", hint: hint, disposition: .stopRun)
  }

  /// The value of a key that `source draft` could not find. It is never a valid value.
  static let question = "?"

  func unanswered(hint: String) -> SyncError {
    fault("is a question of syncctl source draft that nobody has answered", hint: hint)
  }

  /// - Parameters:
  ///   - known: The keys that this part can have.
  ///   - others: Keys of dlt that are not supported, each with a reason and what to use.
  func members(_ known: [String], others: [String: String] = [:]) throws(SyncError) -> [String: DeclarationPart] {
    guard let mapping = node.mapping else {
      throw fault("must have members", hint: "known here: \(known.joined(separator: ", "))")
    }
    var members: [String: DeclarationPart] = [:]
    for (key, value) in mapping {
      let name = key.string ?? ""
      // A text that does not look like a key can be a secret whose key is missing, so it is not shown.
      let isName = name.wholeMatch(of: /[A-Za-z_-]{1,40}/) != nil
      guard known.contains(name) else {
        let shown = isName ? name : "in this line"
        if let other = others[name] { throw fault("has \(name): \(other)", hint: "remove it", at: key.mark) }
        throw fault(
          "has an unknown key \(shown)", hint: Suggestion.choice(for: isName ? name : "", among: known), at: key.mark)
      }
      members[name] = below(".\(name)", value)
    }
    return members
  }

  func required(
    _ name: String, of members: [String: DeclarationPart], hint: String
  ) throws(SyncError) -> DeclarationPart {
    guard let member = members[name] else { throw fault("has no \(name)", hint: hint) }
    return member
  }

  var isNull: Bool { node.null != nil }

  func text(_ example: String) throws(SyncError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty, !isNull else {
      throw fault("must be a text", hint: "write it as in \(example)")
    }
    guard text.unicodeScalars.allSatisfy({ !$0.isUnsafe }) else {
      throw fault("has a control or an invisible character", hint: "write it as in \(example)")
    }
    return text
  }

  func flag() throws(SyncError) -> Bool {
    guard let value = node.bool else { throw fault("must be true or false", hint: "write true or false") }
    return value
  }

  func number(_ range: ClosedRange<Int>) throws(SyncError) -> Int {
    // Yams reads a number with colons in base 60, and stops the program if it is too large.
    guard node.scalar?.string.contains(":") == false, let value = node.int, range.contains(value) else {
      throw fault(
        "must be a whole number", hint: "give \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func duration(_ range: ClosedRange<Duration>) throws(SyncError) -> Duration {
    let text = try text("7d")
    guard let value = text == "0s" ? .zero : Duration(configured: text), range.contains(value) else {
      throw fault("\(Excerpt.of(text, scalars: 40)) is not a valid time", hint: "write it as in 90s, 15m, 6h, 7d")
    }
    return value
  }

  func texts(_ example: String) throws(SyncError) -> [String] {
    guard let sequence = node.sequence else { return [try text(example)] }
    var texts: [String] = []
    for (index, item) in sequence.enumerated() { texts.append(try below("[\(index)]", item).text(example)) }
    guard !texts.isEmpty else { throw fault("must not be empty", hint: "write it as in \(example)") }
    return texts
  }

  /// A path of members: `a.b`, `$.a.b`, `a.b[*]`, or a list, whose names can contain dots.
  func memberPath(canBeRoot: Bool = false) throws(SyncError) -> [String] {
    if node.sequence != nil { return try texts("[meta, total]").map { (name) throws(SyncError) in try member(name) } }
    return try memberPath(in: try text("meta.total"), canBeRoot: canBeRoot)
  }

  /// A path of members with dots between them, in a text of this part.
  func memberPath(in text: String, canBeRoot: Bool = false) throws(SyncError) -> [String] {
    var text = text[...]
    if text.hasSuffix("[*]") { text = text.dropLast(3) }
    if text == "$" || text.isEmpty, canBeRoot { return [] }
    if text.hasPrefix("$.") { text = text.dropFirst(2) }
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ !$0.isEmpty && !$0.contains(where: { "[]*?() ".contains($0) }) && $0 != "$" }) else {
      throw fault(
        "\(Excerpt.of(String(text), scalars: 60)) is not a path of members",
        hint:
          "write names with dots between them, as in data.items; filters and wildcards of JSONPath are not supported")
    }
    return try names.map { (name) throws(SyncError) in try member(name) }
  }

  /// The path of the items: names, indexes, `[*]` and `*` with dots between the names, or a list of names, which can
  /// contain dots. A final `[*]` changes nothing, because the elements of a list are its items.
  func selector() throws(SyncError) -> [JSONScan.Step] {
    if node.sequence != nil { return try memberPath().map { .member($0) } }
    let text = try text("data.items")
    var steps: [JSONScan.Step] = []
    var rest = text[...]
    func unusable() -> SyncError {
      fault(
        "\(Excerpt.of(text, scalars: 60)) is not a path of items, from its character \(text.count - rest.count + 1) on",
        hint: "write names with dots between them, indexes, [*] and .*, as in data.items, edges[*].node or data.*; "
          + "filters of JSONPath are not supported")
    }
    let isRooted = rest.first == "$"
    if isRooted { rest = rest.dropFirst() }
    while let next = rest.first {
      if next == "[" {
        guard let end = rest.firstIndex(of: "]") else { throw unusable() }
        let index = rest[rest.index(after: rest.startIndex)..<end]
        if index == "*" {
          steps.append(.elements)
        } else if index.count <= 6, index.allSatisfy(\.isASCII), let number = Int(index), number >= 0 {
          steps.append(.element(number))
        } else {
          throw unusable()
        }
        rest = rest[rest.index(after: end)...]
        continue
      }
      let isFirst = steps.isEmpty && !isRooted
      guard (next == ".") != isFirst else { throw unusable() }
      if next == "." { rest = rest.dropFirst() }
      let name = rest.prefix { $0 != "." && $0 != "[" }
      guard !name.isEmpty, name == "*" || !name.contains(where: { "]*?() $".contains($0) }) else { throw unusable() }
      steps.append(name == "*" ? .values : .member(try member(String(name))))
      rest = rest[name.endIndex...]
    }
    if steps.last == .elements { steps.removeLast() }
    return steps
  }

  private func member(_ name: String) throws(SyncError) -> String {
    guard DeclaredName.canBeMember(name) else {
      throw fault("has a name that cannot be a member here", hint: "use a shorter path")
    }
    return name
  }

  /// A text as in `declaredText`, or a text with `{env:NAME}` or `{file:PATH}` in it: `Token {env:SHOP_KEY}`.
  func headerText(isSecret: Bool) throws(SyncError) -> DeclaredText {
    guard let text = node.scalar?.string, text.contains(/\{(env:|file:|access_token\})/) else {
      return try declaredText(isSecret: isSecret)
    }
    var parts: [DeclaredText] = []
    var rest = Substring(try self.text("Token {env:SHOP_KEY}"))
    while let match = rest.firstMatch(of: /\{(env|file):([^{}]*)\}/) {
      if match.range.lowerBound > rest.startIndex { parts.append(.literal(String(rest[..<match.range.lowerBound]))) }
      let name = String(match.output.2).trimmingBlanks
      let isVariable = match.output.1 == "env"
      guard isVariable ? Self.isVariable(name) : !name.isEmpty else {
        throw fault(
          "has a placeholder without the name of a variable or file", hint: "write it as in Token {env:SHOP_KEY}")
      }
      parts.append(isVariable ? .variable(name) : .file(name))
      rest = rest[match.range.upperBound...]
    }
    if !rest.isEmpty { parts.append(.literal(String(rest))) }
    return .joined(parts)
  }

  private static func isVariable(_ name: String) -> Bool { name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil }

  /// A text, `{ env: NAME }` or `{ file: PATH }`.
  /// - Parameter isSecret: Whether a literal text is refused if it is long enough to be a secret.
  func declaredText(isSecret: Bool) throws(SyncError) -> DeclaredText {
    if node.mapping != nil {
      let members = try members(["env", "file"])
      guard members.count == 1 else { throw fault("must have env or file", hint: "write { env: NAME }") }
      if let name = members["env"] {
        let text = try name.text("{ env: SHOP_TOKEN }")
        guard Self.isVariable(text) else {
          throw name.fault("is not the name of a variable", hint: "write the name, not the secret: { env: SHOP_TOKEN }")
        }
        return .variable(text)
      }
      return .file(try members["file"]?.text("{ file: token.txt }") ?? "")
    }
    if isSecret, !isNull, let text = node.scalar?.string, text.count < SecretMask.shortestSecret {
      // An empty or a dummy password, which some services require beside a key.
      return .literal(text.isEmpty ? "" : try self.text("a text"))
    }
    guard !isSecret else {
      if isNull { throw fault("has no value", hint: "write { env: NAME } or { file: PATH }") }
      throw fault(
        "has a secret in the file",
        hint: "write { env: NAME } or { file: PATH }, and change the secret, because it was readable")
    }
    return .literal(try text("a text"))
  }
}
