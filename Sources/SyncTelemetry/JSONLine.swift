import Logging
import SyncCore

/// One JSON object on one line, no longer than it may be; what does not fit is cut with `…`, and it stays JSON.
struct JSONLine {
  private(set) var bytes: [UInt8] = Array("{".utf8)
  private let limit: Int
  private static let mark = Array(#""truncated":true"#.utf8)

  /// - Parameter limit: bytes of the whole object.
  init(limit: Int) {
    self.limit = limit
  }

  /// - Parameter value: cut after that many bytes as written.
  mutating func append(_ name: String, _ value: String, limit: Int) {
    key(name)
    string(value, end: min(bytes.count + limit, roomEnd))
  }

  /// Appends the fields for which there is room, and marks the line if fields are missing.
  mutating func append(_ fields: LogFields) {
    var isCut = fields.isCut
    for field in fields.entries {
      let before = bytes.count
      key(field.name)
      let end = bytes.count + Limits.logValueBytes
      value(field.value, depth: 0, end: end)
      if bytes.count > roomEnd {
        bytes.removeSubrange(before...)
        isCut = true
      }
    }
    if isCut {
      separate()
      bytes += Self.mark
    }
  }

  /// The object, closed.
  consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// A value as JSON, cut after about that many bytes.
  static func text(_ value: Logger.MetadataValue, limit: Int) -> String {
    var line = JSONLine(limit: .max)
    line.bytes = []
    line.value(value, depth: 0, end: limit)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  /// Where values have to end: room is kept for the mark and what closes the object.
  private var roomEnd: Int { limit - Self.mark.count - 2 }

  private mutating func separate() {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
  }

  /// A name in snake case, which needs no escape.
  private mutating func key(_ name: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes += name.utf8
    bytes += Array("\":".utf8)
  }

  private mutating func value(_ value: Logger.MetadataValue, depth: Int, end: Int) {
    switch value {
    case .string(let text): string(text, end: end)
    case .stringConvertible(let described): self.described(described, end: end)
    case .array(let elements):
      list("[", "]", elements, depth: depth, end: end) { line, element in
        line.value(element, depth: depth + 1, end: end)
      }
    case .dictionary(let members):
      list("{", "}", members.sorted { $0.key < $1.key }, depth: depth, end: end) { line, member in
        line.string(member.key, end: min(end, line.bytes.count + Limits.logKeyBytes))
        line.bytes.append(UInt8(ascii: ":"))
        line.value(member.value, depth: depth + 1, end: end)
      }
    @unknown default: string("\(value)", end: end)
    }
  }

  /// Numbers and booleans keep their type, so that a machine can compare them.
  private mutating func described(_ value: any CustomStringConvertible, end: Int) {
    switch value {
    case let number as any FixedWidthInteger: bytes += String(describing: number).utf8
    case let number as Double where number.isFinite: bytes += String(describing: number).utf8
    case let flag as Bool: bytes += String(describing: flag).utf8
    default: string(value.description, end: end)
    }
  }

  private mutating func list<Element>(
    _ opening: String, _ closing: String, _ elements: [Element], depth: Int, end: Int,
    _ write: (inout JSONLine, Element) -> Void
  ) {
    guard depth < Limits.logDepth else { return string(String.ellipsis, end: end) }
    bytes += opening.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard bytes.count < end else {
        // A member of an object needs a name, and it may be the last one only.
        bytes += (closing == "}" ? #""…":"…""# : #""…""#).utf8
        break
      }
      write(&self, element)
    }
    bytes += closing.utf8
  }

  /// - Parameter end: the last position for its bytes, without the quotation marks.
  private mutating func string(_ text: String, end: Int) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      let before = bytes.count
      escape(scalar)
      if bytes.count > end {
        bytes.removeSubrange(before...)
        bytes += String.ellipsis.utf8
        break
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": bytes += [0x5C, UInt8(ascii: scalar)]
    case _ where scalar.isUnsafe: bytes += scalar.jsonEscape.utf8
    default: bytes += UTF8.encode(scalar).map(Array.init) ?? []
    }
  }
}
