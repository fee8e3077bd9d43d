/// A JSON value in the bytes it is sent as: made from its parts, which are such bytes themselves.
///
/// Written as the service writes them: UTF-8, slashes as they are, no blanks.
struct PokeJSON: Sendable {
  private(set) var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  static let null = PokeJSON(bytes: Array("null".utf8))

  static func int(_ value: Int) -> PokeJSON { PokeJSON(bytes: Array(String(value).utf8)) }

  static func int(_ value: Int?) -> PokeJSON { value.map { .int($0) } ?? .null }

  static func bool(_ value: Bool) -> PokeJSON { PokeJSON(bytes: Array((value ? "true" : "false").utf8)) }

  static func string(_ text: String) -> PokeJSON {
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C: bytes += [0x5C, byte]
      case 0x0A: bytes += Array(#"\n"#.utf8)
      case 0x0C: bytes += Array(#"\f"#.utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
    return PokeJSON(bytes: bytes)
  }

  static func string(_ text: String?) -> PokeJSON { text.map { .string($0) } ?? .null }

  static func array(_ elements: [PokeJSON]) -> PokeJSON {
    var bytes: [UInt8] = [0x5B]
    bytes.reserveCapacity(elements.reduce(2) { $0 + $1.bytes.count + 1 })
    for (number, element) in elements.enumerated() {
      if number > 0 { bytes.append(0x2C) }
      bytes += element.bytes
    }
    bytes.append(0x5D)
    return PokeJSON(bytes: bytes)
  }

  /// - Parameter members: their names need no escapes.
  static func object(_ members: [(String, PokeJSON)]) -> PokeJSON {
    var bytes: [UInt8] = [0x7B]
    bytes.reserveCapacity(members.reduce(2) { $0 + $1.0.utf8.count + $1.1.bytes.count + 4 })
    for (number, member) in members.enumerated() {
      if number > 0 { bytes.append(0x2C) }
      bytes.append(0x22)
      bytes += member.0.utf8
      bytes += [0x22, 0x3A]
      bytes += member.1.bytes
    }
    bytes.append(0x7D)
    return PokeJSON(bytes: bytes)
  }
}

extension PokeJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral value: Int) { self = .int(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension PokeJSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  init(arrayLiteral elements: PokeJSON...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, PokeJSON)...) { self = .object(members) }
}
