/// An expression of Jinja, as far as manifests need it.
indirect enum JinjaExpression: Equatable, Sendable {
  case literal(JinjaValue)
  /// A variable and the members below it: `config.credentials['token']` is config, credentials, token.
  case reference([String])
  /// `a.get(name, other)`: the other value counts if the reference has none.
  case fallback(JinjaExpression, JinjaExpression)
  /// An operation with two values, such as `+`, `or`, `==`, `in` and `is`.
  case operation(String, JinjaExpression, JinjaExpression)
  case not(JinjaExpression)
  case conditional(JinjaExpression, condition: JinjaExpression, otherwise: JinjaExpression)
  /// A function, or a method if there is a receiver.
  case call(receiver: JinjaExpression?, name: String, arguments: [JinjaArgument])
  case filter(JinjaExpression, name: String, arguments: [JinjaArgument])
  /// A text that is not an expression of this form.
  case opaque

  /// Returns whether the expression contains a reference that fulfils a condition.
  func contains(_ isWanted: ([String]) -> Bool) -> Bool {
    switch self {
    case .literal, .opaque: false
    case .reference(let path): isWanted(path)
    case .fallback(let one, let other), .operation(_, let one, let other):
      one.contains(isWanted) || other.contains(isWanted)
    case .not(let inner): inner.contains(isWanted)
    case .conditional(let value, let condition, let otherwise):
      value.contains(isWanted) || condition.contains(isWanted) || otherwise.contains(isWanted)
    case .call(let receiver, _, let arguments):
      receiver?.contains(isWanted) ?? false || arguments.contains { $0.value.contains(isWanted) }
    case .filter(let inner, _, let arguments):
      inner.contains(isWanted) || arguments.contains { $0.value.contains(isWanted) }
    }
  }
}

extension JinjaExpression {
  /// Whether a `+` of this sum has a text beside it, so that it joins texts and adds no numbers.
  var joinsTexts: Bool {
    switch self {
    case .literal(.text): true
    case .operation("+", let left, let right): left.joinsTexts || right.joinsTexts
    default: false
    }
  }
}

/// An argument of a function; `name` is that of `format='%Y'`.
struct JinjaArgument: Equatable, Sendable {
  var name: String?
  let value: JinjaExpression

  /// The value if it is known.
  var literal: JinjaValue? { if case .literal(let literal) = value { literal } else { nil } }
}

/// A value that is known without a request.
enum JinjaValue: Equatable, Sendable {
  case text(String)
  /// A number in its spelling.
  case number(String)
  case flag(Bool)
  /// Python's `None`.
  case null
  case list([JinjaValue])
  /// `{}`
  case emptyMapping
  case moment(ManifestMoment)
  /// Seconds.
  case duration(Int)

  /// Reads a scalar, or a list of scalars, of the manifest.
  init?(_ part: ManifestPart) {
    if part.isList {
      self = .list(part.elements.compactMap(JinjaValue.init))
    } else if part.isNull {
      self = .null
    } else if let text = part.text {
      if part.isPlainScalar, RequestBody.isNumber(text) {
        self = .number(text)
      } else if part.isPlainScalar, let flag = part.flag {
        self = .flag(flag)
      } else {
        self = .text(text)
      }
    } else {
      return nil
    }
  }

  /// Whether the value counts as true in Python.
  var isTrue: Bool {
    switch self {
    case .text(let text): !text.isEmpty
    case .number(let text): Double(text) != 0
    case .flag(let flag): flag
    case .null, .emptyMapping: false
    case .list(let elements): !elements.isEmpty
    case .moment: true
    case .duration(let seconds): seconds != 0
    }
  }

  /// The value within a text; `nil` for a value that is no single text.
  var text: String? {
    switch self {
    case .text(let text), .number(let text): text
    case .flag(let flag): "\(flag)"
    case .null: ""
    case .list, .emptyMapping, .moment, .duration: nil
    }
  }

  var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
}
