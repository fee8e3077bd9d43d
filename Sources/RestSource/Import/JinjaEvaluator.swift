/// An option of the user whose value the import has assumed.
struct AssumedOption: Hashable {
  let path: [String]
  /// The value, or `nil` if the option is taken as not set.
  let value: String?
}

/// Computes the parts of expressions that are known without a request: values of `$parameters`, of options with a
/// default, and of the CDK's macros.
struct JinjaEvaluator {
  let component: ManifestPart
  let spec: ManifestSpec
  /// Whether options stay unknown even if they have a default, because they are credentials.
  var keepsOptions = false
  /// The options whose values were used, in the order of their use.
  private(set) var assumed: [AssumedOption] = []

  init(component: ManifestPart, spec: ManifestSpec, keepsOptions: Bool = false) {
    self.component = component
    self.spec = spec
    self.keepsOptions = keepsOptions
  }

  mutating func simplified(_ expression: JinjaExpression) -> JinjaExpression {
    switch expression {
    case .literal, .opaque: return expression
    case .reference(let path): return resolved(path)
    case .fallback(let value, let other): return preferred(simplified(value), over: other)
    case .operation(let sign, let left, let right): return operation(sign, left, right)
    case .not(let inner):
      let value = simplified(inner)
      if case .literal(let literal) = value { return .literal(.flag(!literal.isTrue)) }
      return .not(value)
    case .conditional(let value, let condition, let otherwise):
      return conditional(value, condition, otherwise)
    case .call(let receiver, let name, let arguments):
      let known = arguments.map { JinjaArgument(name: $0.name, value: simplified($0.value)) }
      return JinjaMacro.call(name, of: receiver.map { simplified($0) }, known)
    case .filter(let inner, let name, let arguments):
      return JinjaMacro.filtered(simplified(inner), by: name, arguments)
    }
  }

  // MARK: References

  private mutating func resolved(_ path: [String]) -> JinjaExpression {
    switch path.first {
    case "parameters", "options":
      guard path.count > 1 else { return .opaque }
      let value = component.parameter(path[1])?.member(Array(path.dropFirst(2)))
      return .literal(value.flatMap(JinjaValue.init) ?? .null)
    case "config":
      return option(Array(path.dropFirst()))
    default:
      return .reference(path)
    }
  }

  private mutating func option(_ path: [String]) -> JinjaExpression {
    let unknown = JinjaExpression.reference(["config"] + path)
    guard !keepsOptions, let option = spec.option(path), !option.isSecret else { return unknown }
    if let standard = option.standard {
      assumed.append(AssumedOption(path: path, value: standard.text ?? "its default"))
      return .literal(standard)
    }
    guard !option.isRequired else { return unknown }
    assumed.append(AssumedOption(path: path, value: nil))
    return .literal(.null)
  }

  /// Returns the value, or the other one if the value is missing or is an option of the user.
  private mutating func preferred(_ value: JinjaExpression, over other: JinjaExpression) -> JinjaExpression {
    switch value {
    case .literal(.null): return simplified(other)
    case .reference(let path) where path.first == "config" && !keepsOptions:
      return assumption(path, simplified(other)) ?? value
    default: return value
    }
  }

  /// Returns the literal that an option of the user is assumed to have; `nil` if the option is a secret, or if there is
  /// no literal to assume.
  private mutating func assumption(_ path: [String], _ other: JinjaExpression) -> JinjaExpression? {
    let option = Array(path.dropFirst())
    guard case .literal(let literal) = other, literal != .emptyMapping, !spec.isSecret(option) else { return nil }
    assumed.append(AssumedOption(path: option, value: literal.text ?? "the manifest's other value"))
    return other
  }

  // MARK: Operations

  private mutating func operation(
    _ sign: String, _ left: JinjaExpression, _ right: JinjaExpression
  ) -> JinjaExpression {
    let first = simplified(left)
    switch (sign, first) {
    case ("or", .literal(let value)): return value.isTrue ? first : simplified(right)
    case ("and", .literal(let value)): return value.isTrue ? simplified(right) : first
    case ("or", .reference(let path)) where path.first == "config" && !keepsOptions:
      let second = simplified(right)
      return assumption(path, second) ?? .operation(sign, first, second)
    default: break
    }

    let second = simplified(right)
    guard case .literal(let one) = first, case .literal(let other) = second,
      let value = JinjaMacro.operation(sign, one, other)
    else { return .operation(sign, first, second) }
    return .literal(value)
  }

  private mutating func conditional(
    _ value: JinjaExpression, _ condition: JinjaExpression, _ otherwise: JinjaExpression
  ) -> JinjaExpression {
    let known = simplified(condition)
    if case .literal(let literal) = known { return simplified(literal.isTrue ? value : otherwise) }
    guard let (option, literal) = Self.option(in: known), !keepsOptions, !spec.isSecret(option) else {
      return .conditional(simplified(value), condition: known, otherwise: simplified(otherwise))
    }
    // The option is taken as not set, unless its value is needed then.
    if let literal, otherwise.contains({ $0 == ["config"] + option }) {
      assumed.append(AssumedOption(path: option, value: literal))
      return simplified(value)
    }
    assumed.append(AssumedOption(path: option, value: nil))
    return simplified(otherwise)
  }

  /// The option that a condition such as `config.region` or `config.region == 'US'` asks for, and the text of `==`.
  private static func option(in condition: JinjaExpression) -> (path: [String], literal: String?)? {
    switch condition {
    case .reference(let path) where path.first == "config":
      (Array(path.dropFirst()), nil)
    case .operation("==", .reference(let path), .literal(let literal)) where path.first == "config":
      (Array(path.dropFirst()), literal.text)
    default: nil
    }
  }
}

/// The functions, filters and operations of expressions.
/// Source: the CDK's interpolation macros (interpolation/macros.py).
enum JinjaMacro {
  /// Returns the value of a call; the call itself if its value is unknown.
  static func call(_ name: String, of receiver: JinjaExpression?, _ arguments: [JinjaArgument]) -> JinjaExpression {
    let value = receiver.map { method(name, of: $0, arguments) } ?? function(name, arguments)
    return value.map { .literal($0) } ?? .call(receiver: receiver, name: name, arguments: arguments)
  }

  private static func function(_ name: String, _ arguments: [JinjaArgument]) -> JinjaValue? {
    let values: [JinjaValue?] = arguments.map(\.literal)
    let first: JinjaValue? = values.first ?? nil
    let named: JinjaArgument? = arguments.first { $0.name == "format" } ?? arguments.dropFirst().first
    let format = named?.literal
    switch name {
    case "now_utc": return .moment(ManifestMoment(isDay: false, offset: 0))
    case "today_utc", "today_with_timezone": return .moment(ManifestMoment(isDay: true, offset: 0))
    case "day_delta":
      guard let days = first?.integer, abs(days) < 100_000 else { return nil }
      return .moment(
        ManifestMoment(
          isDay: false, offset: days * 86_400, format: format?.text ?? "%Y-%m-%dT%H:%M:%S.%f%z"))
    case "duration": return first?.text.flatMap(ISODuration.seconds).map { .duration($0) }
    case "format_datetime":
      guard let first, let format = format?.text else { return nil }
      return formatted(first, format)
    case "timestamp":
      if case .number? = first { return first }
      return first?.text.flatMap(ManifestDate.init)?.text("%s").map { .number($0) }
    case "str_to_datetime": return first
    case "max", "min":
      let numbers = values.compactMap { $0?.integer }
      guard numbers.count == values.count, !numbers.isEmpty else { return nil }
      return (name == "max" ? numbers.max() : numbers.min()).map { .number("\($0)") }
    default: return nil
    }
  }

  private static func method(
    _ name: String, of receiver: JinjaExpression, _ arguments: [JinjaArgument]
  ) -> JinjaValue? {
    guard case .literal(let value) = receiver else { return nil }
    switch (name, value, arguments.first?.value) {
    case ("strftime", _, .literal(let format)?): return format.text.flatMap { formatted(value, $0) }
    case ("isoformat", .moment(let moment), nil):
      return formatted(value, moment.isDay ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%S+00:00")
    default: return nil
    }
  }

  private static func formatted(_ value: JinjaValue, _ format: String) -> JinjaValue? {
    switch value {
    case .moment(var moment):
      moment.format = format
      return .moment(moment)
    case .text(let text): return ManifestDate(text)?.text(format).map { .text($0) }
    default: return nil
    }
  }

  /// Returns the value of an operation with known values; `nil` if it is unknown.
  static func operation(_ sign: String, _ left: JinjaValue, _ right: JinjaValue) -> JinjaValue? {
    switch (sign, left, right) {
    case ("==", _, _), ("is", _, .null), ("is", _, .flag): return .flag(left == right)
    case ("!=", _, _): return .flag(left != right)
    case ("is", _, .text("defined")): return .flag(left != .null)
    case ("+", .moment(var moment), .duration(let seconds)), ("-", .moment(var moment), .duration(let seconds)):
      moment.offset += sign == "+" ? seconds : -seconds
      return .moment(moment)
    case ("+", .number, .number), ("-", .number, .number), ("*", .number, .number):
      guard let one = left.integer, let other = right.integer, abs(one) < 1 << 31, abs(other) < 1 << 31 else {
        return nil
      }
      return .number("\(sign == "+" ? one + other : sign == "-" ? one - other : one * other)")
    case ("+", .text(let one), .text(let other)): return .text(one + other)
    case ("~", _, _): return left.text.flatMap { one in right.text.map { .text(one + $0) } }
    default: return nil
    }
  }

  /// Returns the value of a filter. Filters that only change the type of a value, or its spelling in JSON, are dropped.
  static func filtered(
    _ value: JinjaExpression, by name: String, _ arguments: [JinjaArgument]
  ) -> JinjaExpression {
    switch value {
    case .reference, .literal: break
    default: return .filter(value, name: name, arguments: arguments)
    }
    return ["int", "float", "string", "tojson", "trim"].contains(name)
      ? value : .filter(value, name: name, arguments: arguments)
  }
}
