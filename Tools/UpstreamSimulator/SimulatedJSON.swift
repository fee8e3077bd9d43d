/// A JSON string that is escaped once and written many times. Jikan's bodies are written by PHP's `json_encode`: a
/// slash is `\/`, and characters outside of ASCII are `\uXXXX` with surrogate pairs.
struct JSONFragment: Sendable, ExpressibleByStringLiteral {
  let escaped: [UInt8]

  init(_ text: String) {
    var bytes: [UInt8] = []
    for unit in text.utf16 {
      switch unit {
      case 0x2F: bytes += [0x5C, 0x2F]
      case 0x7F...: bytes += Self.escape(unit)
      default: SimulatedJSON.append(UInt8(truncatingIfNeeded: unit), to: &bytes)
      }
    }
    escaped = bytes
  }

  init(escaped: [UInt8]) { self.escaped = escaped }

  init(stringLiteral text: String) { self.init(text) }

  static func + (left: JSONFragment, right: JSONFragment) -> JSONFragment {
    JSONFragment(escaped: left.escaped + right.escaped)
  }

  static func escape(_ unit: UInt16, uppercase: Bool = false) -> [UInt8] {
    let digits = String(unit, radix: 16, uppercase: uppercase)
    return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
  }
}

/// The bytes of a JSON text. A string literal is JSON; an interpolated value becomes a JSON value:
///
///     let row: SimulatedJSON = #"{"id":\#(id),"name":\#(name)}"#
struct SimulatedJSON: Sendable, Equatable, ExpressibleByStringInterpolation {
  var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }
  init(stringLiteral text: String) { bytes = Array(text.utf8) }
  init(stringInterpolation text: StringInterpolation) { bytes = text.bytes }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ text: String) { bytes += text.utf8 }
    mutating func appendInterpolation(_ json: SimulatedJSON) { bytes += json.bytes }
    mutating func appendInterpolation(_ number: Int?) { bytes += (number.map { String($0) } ?? "null").utf8 }
    mutating func appendInterpolation(_ flag: Bool) { bytes += (flag ? "true" : "false").utf8 }
    mutating func appendInterpolation(_ text: String?) { bytes += SimulatedJSON.string(text).bytes }

    mutating func appendInterpolation(_ text: JSONFragment?) {
      guard let text else { return appendLiteral("null") }
      bytes.append(0x22)
      bytes += text.escaped
      bytes.append(0x22)
    }

    mutating func appendInterpolation(text: JSONFragment) { bytes += text.escaped }
    mutating func appendInterpolation(text: String) { bytes += text.utf8 }
  }

  static let null: SimulatedJSON = "null"

  static func int(_ number: Int?) -> SimulatedJSON { "\(number)" }

  static func string(_ text: String?) -> SimulatedJSON {
    guard let text else { return null }
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 { append(byte, to: &bytes) }
    bytes.append(0x22)
    return SimulatedJSON(bytes: bytes)
  }

  static func array(_ elements: [SimulatedJSON]) -> SimulatedJSON { list(elements, from: 0x5B, to: 0x5D) }

  /// Returns an object without the nil members. The names must not need escapes.
  static func object(_ members: [(String, SimulatedJSON?)]) -> SimulatedJSON {
    list(members.compactMap { name, value -> SimulatedJSON? in value.map { "\(name):\($0)" } }, from: 0x7B, to: 0x7D)
  }

  /// Returns hundredths as the shortest decimal number, as in PHP: 8, 8.5, 8.05.
  static func hundredths(_ value: Int?) -> SimulatedJSON {
    guard let value else { return null }
    return value % 100 == 0 ? .int(value / 100) : SimulatedJSON(bytes: Array("\(Double(value) / 100)".utf8))
  }

  private static func list(_ elements: [SimulatedJSON], from opening: UInt8, to closing: UInt8) -> SimulatedJSON {
    var bytes = [opening]
    bytes.reserveCapacity(elements.reduce(2) { $0 + $1.bytes.count + 1 })
    for (number, element) in elements.enumerated() {
      if number > 0 { bytes.append(0x2C) }
      bytes += element.bytes
    }
    bytes.append(closing)
    return SimulatedJSON(bytes: bytes)
  }

  fileprivate static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case 0x22, 0x5C: bytes += [0x5C, byte]
    case 0x08: bytes += [0x5C, 0x62]
    case 0x09: bytes += [0x5C, 0x74]
    case 0x0A: bytes += [0x5C, 0x6E]
    case 0x0C: bytes += [0x5C, 0x66]
    case 0x0D: bytes += [0x5C, 0x72]
    case ..<0x20: bytes += JSONFragment.escape(UInt16(byte))
    default: bytes.append(byte)
    }
  }
}
