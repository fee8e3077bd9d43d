import SyncTestKit

extension JSONValue {
  var type: Character {
    switch self {
    case .null: "0"
    case .bool: "b"
    case .number: "n"
    case .string: "s"
    case .list: "a"
    case .object: "o"
    }
  }

  var elements: [JSONValue] { array ?? [] }

  var sorted: JSONValue {
    switch self {
    case .list(let elements): .list(elements.map(\.sorted).sorted { $0.key < $1.key })
    case .object(let members): .object(members.mapValues(\.sorted))
    default: self
    }
  }

  /// A text that is equal for equal values, unlike a dictionary's description.
  private var key: String {
    switch self {
    case .list(let elements): "\(elements.map(\.key))"
    case .object(let members): "\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.key)" })"
    default: "\(self)"
    }
  }
}
