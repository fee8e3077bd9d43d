/// A value of a written declaration, in a single line of YAML.
indirect enum FlowValue: Equatable {
  /// A text, quoted if YAML would read it as something else.
  case text(String)
  /// A number, true, false or null.
  case literal(String)
  /// The value of a variable of the environment.
  case variable(String)
  case mapping([FlowMember])
  case list([FlowValue])

  var yaml: String {
    switch self {
    case .text(let text): text.quotedYAML
    case .literal(let text): text
    case .variable(let name): "{ env: \(name) }"
    case .mapping(let members): members.isEmpty ? "{}" : "{ \(members.map(\.yaml).joined(separator: ", ")) }"
    case .list(let elements): "[\(elements.map(\.yaml).joined(separator: ", "))]"
    }
  }
}

/// A member of a mapping.
struct FlowMember: Equatable {
  let name: String
  let value: FlowValue

  init(_ name: String, _ value: FlowValue) {
    self.name = name
    self.value = value
  }

  /// The member in a line of its own, or within a flow mapping.
  var yaml: String { "\(name.quotedYAML): \(value.yaml)" }
}

extension [FlowMember] {
  /// Adds a member, or replaces the value of the member with this name.
  mutating func set(_ name: String, to value: FlowValue) {
    if let index = firstIndex(where: { $0.name == name }) {
      self[index] = FlowMember(name, value)
    } else {
      append(FlowMember(name, value))
    }
  }
}

extension String {
  /// The text as a YAML scalar that is a text: digits are quoted, and control characters are escapes.
  fileprivate var quotedYAML: String {
    guard wholeMatch(of: /[0-9]+/) == nil else { return "\"\(self)\"" }
    let text = yaml
    guard text.hasPrefix("\"") else { return text }
    return text.replacing("\n", with: "\\n").replacing("\t", with: "\\t").replacing("\r", with: "\\r")
  }
}
