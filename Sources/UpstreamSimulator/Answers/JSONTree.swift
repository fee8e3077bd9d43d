/// A JSON text taken apart, with all that its meaning does not depend on: how numbers and strings are written, the
/// order of members, and names that come twice.
indirect enum JSONTree: Sendable, Equatable {
  case object([Member])
  case array([JSONTree])
  /// The text between the quotes, with its escapes as written.
  case string(ArraySlice<UInt8>)
  /// A number, `true`, `false` or `null`; or any other bytes, which are written as they are.
  case verbatim(ArraySlice<UInt8>)

  struct Member: Sendable, Equatable {
    /// The text between the quotes.
    var name: ArraySlice<UInt8>
    var value: JSONTree

    init(_ name: ArraySlice<UInt8>, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  static func verbatim(_ text: String) -> JSONTree { .verbatim(Array(text.utf8)[...]) }

  /// Nil for invalid JSON, or if it is nested too deeply for a recursion.
  init?(_ bytes: [UInt8]) {
    var parser = Parser(bytes: bytes)
    guard let tree = parser.value(), parser.isAtEnd else { return nil }
    self = tree
  }

  /// The bytes again, without blanks.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .verbatim(let text): bytes += text
    case .string(let text): Self.write(quoted: text, to: &bytes)
    case .array(let elements):
      bytes.append(0x5B)
      for (number, element) in elements.enumerated() {
        if number > 0 { bytes.append(0x2C) }
        element.write(to: &bytes)
      }
      bytes.append(0x5D)
    case .object(let members):
      bytes.append(0x7B)
      for (number, member) in members.enumerated() {
        if number > 0 { bytes.append(0x2C) }
        Self.write(quoted: member.name, to: &bytes)
        bytes.append(0x3A)
        member.value.write(to: &bytes)
      }
      bytes.append(0x7D)
    }
  }

  private static func write(quoted text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(0x22)
    bytes += text
    bytes.append(0x22)
  }

  /// The value of the first member of that name, of an object.
  subscript(name: String) -> JSONTree? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name.elementsEqual(name.utf8) }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let index = members.firstIndex { $0.name.elementsEqual(name.utf8) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(Array(name.utf8)[...], value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }
}

/// Parses a text; strict only about structure, because its input was generated here or recorded.
private struct Parser {
  private static let deepest = 100

  let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return next == nil
    }
  }

  mutating func value() -> JSONTree? {
    skipBlanks()
    switch next {
    case 0x7B: return nested { $0.object() }
    case 0x5B: return nested { $0.array() }
    case 0x22: return text().map { .string($0) }
    default: return word()
    }
  }

  private mutating func nested(_ body: (inout Parser) -> JSONTree?) -> JSONTree? {
    guard depth < Self.deepest else { return nil }
    depth += 1
    defer { depth -= 1 }
    position += 1
    return body(&self)
  }

  private mutating func object() -> JSONTree? {
    var members: [JSONTree.Member] = []
    if take(0x7D) { return .object([]) }
    repeat {
      skipBlanks()
      guard let name = text(), take(0x3A), let value = value() else { return nil }
      members.append(JSONTree.Member(name, value))
    } while take(0x2C)
    return take(0x7D) ? .object(members) : nil
  }

  private mutating func array() -> JSONTree? {
    var elements: [JSONTree] = []
    if take(0x5D) { return .array([]) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while take(0x2C)
    return take(0x5D) ? .array(elements) : nil
  }

  /// A string, without its quotes.
  private mutating func text() -> ArraySlice<UInt8>? {
    guard next == 0x22 else { return nil }
    position += 1
    let start = position
    while let byte = next {
      if byte == 0x22 {
        defer { position += 1 }
        return bytes[start..<position]
      }
      position += byte == 0x5C ? 2 : 1
    }
    return nil
  }

  /// A number or a literal.
  private mutating func word() -> JSONTree? {
    let start = position
    while let byte = next, !Self.isBlank(byte), ![0x2C, 0x5D, 0x7D, 0x3A, 0x22, 0x5B, 0x7B].contains(byte) {
      position += 1
    }
    return position > start ? .verbatim(bytes[start..<position]) : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = next, Self.isBlank(byte) { position += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
