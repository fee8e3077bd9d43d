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

extension FlowValue {
  /// Whether a text within the value contains this text.
  func contains(_ marker: String) -> Bool {
    switch self {
    case .text(let text): text.contains(marker)
    case .literal, .variable: false
    case .mapping(let members): members.contains { $0.value.contains(marker) }
    case .list(let elements): elements.contains { $0.contains(marker) }
    }
  }

  /// Returns the value without the texts that contain this text; `nil` if nothing is left.
  func without(_ marker: String) -> FlowValue? {
    guard contains(marker) else { return self }
    switch self {
    case .text, .literal, .variable: return nil
    case .mapping(let members):
      let left = members.compactMap { member in member.value.without(marker).map { FlowMember(member.name, $0) } }
      return left.isEmpty ? nil : .mapping(left)
    case .list(let elements):
      let left = elements.compactMap { $0.without(marker) }
      return left.isEmpty ? nil : .list(left)
    }
  }

  /// Returns the value with another value at the path. Values on the path that are no mappings become mappings.
  func setting(_ path: ArraySlice<String>, to value: FlowValue) -> FlowValue {
    guard let name = path.first else { return value }
    var members: [FlowMember] = if case .mapping(let members) = self { members } else { [] }
    let inner = members.first { $0.name == name }?.value ?? .mapping([])
    members.set(name, to: inner.setting(path.dropFirst(), to: value))
    return .mapping(members)
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
