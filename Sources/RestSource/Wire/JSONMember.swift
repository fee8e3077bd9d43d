import SyncCore
import SyncPostgres
import SyncProgram

/// A value of a page outside of its items.
enum JSONMember: Decodable, Equatable {
  case object([String: JSONMember])
  /// The first elements of an array.
  case array([JSONMember])
  case string(String)
  case int(Int)
  case bool(Bool)
  case null
  /// A number with a fraction, or beyond 64 bits.
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([String: JSONMember].self) {
      self = .object(value)
    } else if var elements = try? decoder.unkeyedContainer() {
      var first: [JSONMember] = []
      while !elements.isAtEnd, first.count < Self.keptElements { first.append(try elements.decode(JSONMember.self)) }
      self = .array(first)
    } else {
      self = .other
    }
  }

  /// Claims and errors need no more. An array beside the items can be as large as the items.
  private static let keptElements = 4

  func at(_ path: [String]) -> JSONMember? {
    path.reduce(self) { (member: JSONMember?, name) in
      if case .object(let members)? = member { members[name] } else { nil }
    }
  }

  /// A whole number, also as a text.
  var number: Int? {
    switch self {
    case .int(let value): value
    case .string(let text): Int(text)
    default: nil
    }
  }

  /// A link or cursor. Services send null, an empty text, false or 0 for none.
  var text: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .int(let value): value == 0 ? nil : "\(value)"
    default: nil
    }
  }

  var isTrue: Bool? {
    switch self {
    case .bool(let value): value
    case .int(let value): value != 0
    case .string(let text): !text.isEmpty && text.lowercased() != "false"
    case .null: false
    default: nil
    }
  }
}
