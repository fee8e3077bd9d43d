/// Reads an expression by Jinja's order of operations.
struct JinjaParser {
  private struct Fault: Error {}

  private typealias Token = JinjaLexer.Token

  private var tokens: ArraySlice<Token>
  private var depth = 0

  /// The most bytes of an expression. Longer ones are opaque.
  private static let longest = 2_000
  /// The most expressions that contain each other.
  private static let deepest = 40

  /// Returns the expression of a text; `.opaque` if it has another form.
  static func expression(_ text: Substring) -> JinjaExpression {
    guard text.utf8.count <= longest, let tokens = JinjaLexer.tokens(text) else { return .opaque }
    var parser = JinjaParser(tokens: tokens[...])
    guard let expression = try? parser.conditional(), parser.tokens.isEmpty else { return .opaque }
    return expression
  }

  // MARK: Tokens

  /// Removes the next token if it is this sign or word.
  private mutating func take(_ text: String) -> Bool {
    guard tokens.first == .sign(text) || tokens.first == .name(text) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func takeName() throws(Fault) -> String {
    guard case .name(let name)? = tokens.popFirst() else { throw Fault() }
    return name
  }

  private mutating func expect(_ text: String) throws(Fault) {
    guard take(text) else { throw Fault() }
  }

  // MARK: Operations

  private mutating func conditional() throws(Fault) -> JinjaExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw Fault() }

    let value = try either()
    guard take("if") else { return value }
    let condition = try either()
    let otherwise = take("else") ? try conditional() : .literal(.null)
    return .conditional(value, condition: condition, otherwise: otherwise)
  }

  private mutating func either() throws(Fault) -> JinjaExpression {
    var left = try both()
    while take("or") { left = .operation("or", left, try both()) }
    return left
  }

  private mutating func both() throws(Fault) -> JinjaExpression {
    var left = try negation()
    while take("and") { left = .operation("and", left, try negation()) }
    return left
  }

  private mutating func negation() throws(Fault) -> JinjaExpression {
    var isNegated = false
    while take("not") { isNegated.toggle() }
    let value = try comparison()
    return isNegated ? .not(value) : value
  }

  private mutating func comparison() throws(Fault) -> JinjaExpression {
    var left = try sum()
    while true {
      if let sign = ["==", "!=", "<=", ">=", "<", ">"].first(where: { tokens.first == .sign($0) }) {
        tokens.removeFirst()
        left = .operation(sign, left, try sum())
      } else if take("is") {
        left = try test(left)
      } else if take("in") {
        left = .operation("in", left, try sum())
      } else if tokens.first == .name("not"), tokens.dropFirst().first == .name("in") {
        tokens.removeFirst(2)
        left = .not(.operation("in", left, try sum()))
      } else {
        return left
      }
    }
  }

  /// Reads what follows `is`: `none`, `not none`, `defined`, `true`.
  private mutating func test(_ value: JinjaExpression) throws(Fault) -> JinjaExpression {
    let isNegated = take("not")
    let name = try takeName()
    let other: JinjaExpression = Self.constant(name).map { .literal($0) } ?? .literal(.text(name))
    let test = JinjaExpression.operation("is", value, other)
    return isNegated ? .not(test) : test
  }

  private mutating func sum() throws(Fault) -> JinjaExpression {
    var left = try product()
    while let sign = ["+", "-", "~"].first(where: { tokens.first == .sign($0) }) {
      tokens.removeFirst()
      left = .operation(sign, left, try product())
    }
    return left
  }

  private mutating func product() throws(Fault) -> JinjaExpression {
    var left = try postfix()
    while let sign = ["*", "/", "//", "%"].first(where: { tokens.first == .sign($0) }) {
      tokens.removeFirst()
      left = .operation(sign, left, try postfix())
    }
    return left
  }

  // MARK: Values

  private mutating func postfix() throws(Fault) -> JinjaExpression {
    if take("-") {
      guard case .number(let number)? = tokens.popFirst() else { throw Fault() }
      return .literal(.number("-\(number)"))
    }
    var value = try primary()
    while true {
      if take(".") {
        value = try member(of: value)
      } else if take("[") {
        value = try element(of: value)
      } else if take("|") {
        let name = try takeName()
        value = .filter(value, name: name, arguments: take("(") ? try arguments() : [])
      } else {
        return value
      }
    }
  }

  private mutating func primary() throws(Fault) -> JinjaExpression {
    switch tokens.popFirst() {
    case .text(let text): return .literal(.text(text))
    case .number(let number): return .literal(.number(number))
    case .name(let name):
      if let constant = Self.constant(name) { return .literal(constant) }
      return take("(") ? .call(receiver: nil, name: name, arguments: try arguments()) : .reference([name])
    case .sign("("):
      let inner = try conditional()
      try expect(")")
      return inner
    case .sign("["): return try list()
    case .sign("{"):
      try expect("}")
      return .literal(.emptyMapping)
    case .sign, nil: throw Fault()
    }
  }

  private static func constant(_ name: String) -> JinjaValue? {
    switch name.lowercased() {
    case "true": .flag(true)
    case "false": .flag(false)
    case "none": JinjaValue.null
    default: nil
    }
  }

  private mutating func list() throws(Fault) -> JinjaExpression {
    var values: [JinjaValue] = []
    while !take("]") {
      guard case .literal(let value) = try conditional() else { throw Fault() }
      values.append(value)
      _ = take(",")
    }
    return .literal(.list(values))
  }

  private mutating func member(of value: JinjaExpression) throws(Fault) -> JinjaExpression {
    let name = try takeName()
    guard take("(") else { return try Self.below(value, name) }
    let arguments = try arguments()
    if name == "get", case .literal(let key)? = arguments.first?.value, let key = key.text, arguments.count <= 2 {
      let member = try Self.below(value, key)
      return arguments.count == 2 ? .fallback(member, arguments[1].value) : member
    }
    return .call(receiver: value, name: name, arguments: arguments)
  }

  private mutating func element(of value: JinjaExpression) throws(Fault) -> JinjaExpression {
    let index = try conditional()
    try expect("]")
    guard case .literal(let literal) = index, let name = literal.text else { throw Fault() }
    return try Self.below(value, name)
  }

  /// Returns the member of a reference. What counts if the reference has no value is dropped.
  private static func below(_ value: JinjaExpression, _ name: String) throws(Fault) -> JinjaExpression {
    switch value {
    case .reference(let path): return .reference(path + [name])
    case .fallback(let inner, _): return try below(inner, name)
    default: throw Fault()
    }
  }

  /// Reads arguments up to the closing bracket.
  private mutating func arguments() throws(Fault) -> [JinjaArgument] {
    var arguments: [JinjaArgument] = []
    while !take(")") {
      var name: String?
      if case .name(let word)? = tokens.first, tokens.dropFirst().first == .sign("=") {
        name = word
        tokens.removeFirst(2)
      }
      arguments.append(JinjaArgument(name: name, value: try conditional()))
      guard take(",") || tokens.first == .sign(")") else { throw Fault() }
    }
    return arguments
  }
}
