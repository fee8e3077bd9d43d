import Foundation

enum SimulatedValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([SimulatedValue])
  case object([String: SimulatedValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // The most frequent type is tried first, because a failed attempt is slow.
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode([SimulatedValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: SimulatedValue].self))
    }
  }

  var type: Character {
    switch self {
    case .null: "0"
    case .bool: "b"
    case .number: "n"
    case .string: "s"
    case .array: "a"
    case .object: "o"
    }
  }

  var number: Double? { if case .number(let number) = self { number } else { nil } }

  var sorted: SimulatedValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted).sorted { $0.text < $1.text })
    case .object(let members): .object(members.mapValues(\.sorted))
    default: self
    }
  }

  /// A text that is equal for equal values, unlike a dictionary's description.
  private var text: String {
    switch self {
    case .array(let elements): "\(elements.map(\.text))"
    case .object(let members): "\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" })"
    default: "\(self)"
    }
  }

  init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(SimulatedValue.self, from: Data(bytes)) }
}

extension SimulatedValue {
  subscript(name: String) -> SimulatedValue? { if case .object(let members) = self { members[name] } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var elements: [SimulatedValue] { if case .array(let elements) = self { elements } else { [] } }
}
