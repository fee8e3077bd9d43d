import Foundation

/// Foundation parses the text, so that the tests do not depend on syncctl's own parser.
package enum JSONValue: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case list([JSONValue])
  case object([String: JSONValue])

  package init(_ text: String) throws { try self.init(Array(text.utf8)) }

  package init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

  package init(from decoder: any Decoder) throws {
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
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  package subscript(name: String) -> JSONValue? { members?[name] }

  package var array: [JSONValue]? { if case .list(let values) = self { values } else { nil } }
  package var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
  package var text: String? { if case .string(let value) = self { value } else { nil } }
  package var number: Double? { if case .number(let value) = self { value } else { nil } }
  package var int: Int? { number.flatMap { Int(exactly: $0) } }
}
