/// A parsed JSON text that keeps its spelling: numbers and strings as written, the order of members, duplicate names.
indirect enum JSONTree: Sendable, Equatable {
  case object([Member])
  case array([JSONTree])
  /// The text between the quotes, with its escapes.
  case string(ArraySlice<UInt8>)
  case verbatim(ArraySlice<UInt8>)

  struct Member: Sendable, Equatable {
    var name: ArraySlice<UInt8>
    var value: JSONTree

    init(_ name: ArraySlice<UInt8>, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  static func verbatim(_ text: String) -> JSONTree { .verbatim(Array(text.utf8)[...]) }

  static func string(_ text: String) -> JSONTree { .string(Array(text.utf8)[...]) }

  init?(_ bytes: [UInt8]) {
    var parser = JSONTreeParser(rest: bytes[...])
    guard let tree = parser.value(), parser.next == nil else { return nil }
    self = tree
  }

  var bytes: [UInt8] {
    var writer = JSONTreeWriter(generator: nil)
    writer.write(self)
    return writer.bytes
  }

  func bytes(spelledBy draws: Draws) -> [UInt8] {
    var writer = JSONTreeWriter(generator: DrawnNumbers(draws))
    writer.write(self)
    return writer.bytes
  }

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

  var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }

  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  var text: String? {
    switch self {
    case .string(let text), .verbatim(let text): String(decoding: text, as: UTF8.self)
    case .array, .object: nil
    }
  }

  func text(_ names: String...) -> String? { names.lazy.compactMap { self[$0]?.text }.first }

  func shuffledArrays(by generator: inout DrawnNumbers) -> JSONTree {
    switch self {
    case .array(let elements):
      .array(elements.map { $0.shuffledArrays(by: &generator) }.shuffled(using: &generator))
    case .object(let members):
      .object(members.map { Member($0.name, $0.value.shuffledArrays(by: &generator)) })
    case .string, .verbatim: self
    }
  }
}

/// The parser checks only the structure, because its input was generated here or recorded.
private struct JSONTreeParser {
  private static let deepest = 100

  var rest: ArraySlice<UInt8>
  var depth = 0

  var next: UInt8? {
    mutating get {
      rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      return rest.first
    }
  }

  mutating func value() -> JSONTree? {
    switch next {
    case 0x7B:
      return list(until: 0x7D) { (parser: inout JSONTreeParser) -> JSONTree.Member? in
        guard let name = parser.text(), parser.take(0x3A) else { return nil }
        return parser.value().map { JSONTree.Member(name, $0) }
      }.map { .object($0) }
    case 0x5B: return list(until: 0x5D) { $0.value() }.map { .array($0) }
    case 0x22: return text().map { .string($0) }
    default:
      let word = rest.prefix { !" \t\n\r,:\"[]{}".utf8.contains($0) }
      rest = rest.dropFirst(word.count)
      return word.isEmpty ? nil : .verbatim(word)
    }
  }

  private mutating func list<Element>(
    until closing: UInt8, _ element: (inout JSONTreeParser) -> Element?
  ) -> [Element]? {
    guard depth < Self.deepest else { return nil }
    depth += 1
    defer { depth -= 1 }
    rest = rest.dropFirst()
    var elements: [Element] = []
    if take(closing) { return elements }
    repeat {
      guard let element = element(&self) else { return nil }
      elements.append(element)
    } while take(0x2C)
    return take(closing) ? elements : nil
  }

  private mutating func text() -> ArraySlice<UInt8>? {
    guard take(0x22) else { return nil }
    var end = rest.startIndex
    while end < rest.endIndex, rest[end] != 0x22 { end += rest[end] == 0x5C ? 2 : 1 }
    guard end < rest.endIndex else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    rest = rest.dropFirst()
    return true
  }
}

private struct JSONTreeWriter {
  var bytes: [UInt8] = []
  var generator: DrawnNumbers?

  mutating func write(_ tree: JSONTree) {
    blanks()
    switch tree {
    case .verbatim(let text): bytes += text
    case .string(let text): write(string: text)
    case .array(let elements): write(elements, from: 0x5B, to: 0x5D) { $0.write($1) }
    case .object(var members):
      // A parser uses the last member of each name, so members with duplicate names must keep their order.
      if var numbers = generator, Set(members.map(\.name)).count == members.count {
        members.shuffle(using: &numbers)
        generator = numbers
      }
      write(members, from: 0x7B, to: 0x7D) { writer, member in
        writer.blanks()
        writer.write(string: member.name)
        writer.blanks()
        writer.bytes.append(0x3A)
        writer.write(member.value)
      }
    }
    blanks()
  }

  private mutating func write<Element>(
    _ elements: [Element], from opening: UInt8, to closing: UInt8, each: (inout JSONTreeWriter, Element) -> Void
  ) {
    bytes.append(opening)
    for (number, element) in elements.enumerated() {
      if number > 0 { bytes.append(0x2C) }
      each(&self, element)
    }
    bytes.append(closing)
  }

  private mutating func blanks() {
    guard let drawn = generator?.next() else { return }
    bytes += Self.blanks[Int(drawn & 7)]
  }

  private static let blanks: [[UInt8]] = ["", "", "", "", " ", "\n", "\t", "\r\n    "].map { Array($0.utf8) }

  private mutating func write(string text: ArraySlice<UInt8>) {
    bytes.append(0x22)
    defer { bytes.append(0x22) }
    guard generator != nil else { return bytes += text }
    var rest = text
    var (drawn, bitsLeft) = (UInt64(0), 0)
    while let byte = rest.first {
      if bitsLeft == 0 { (drawn, bitsLeft) = (generator?.next() ?? 0, 32) }
      let choice = drawn & 3
      (drawn, bitsLeft) = (drawn >> 2, bitsLeft - 1)
      let length = byte == 0x5C ? 2 : byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      let character = rest.prefix(length)
      rest = rest.dropFirst(length)
      switch (byte, character.last ?? 0, choice) {
      case (0x5C, 0x75, _):
        let unit = UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD
        rest = rest.dropFirst(4)
        let mayStand = unit >= 0x20 && unit != 0x22 && unit != 0x5C && unit >> 11 != 0x1B
        bytes +=
          mayStand && choice < 2
          ? Array(String(decoding: [unit], as: UTF16.self).utf8) : JSONFragment.escape(unit, uppercase: choice == 2)
      case (0x5C, 0x2F, 0...1): bytes.append(0x2F)
      case (0x2F, _, 2): bytes += [0x5C, 0x2F]
      // Only the letter `e` is escaped, because escaping all letters would make bodies six times longer.
      case (0x65, _, 3): bytes += JSONFragment.escape(0x65)
      case (0x80..., _, 2...):
        String(decoding: character, as: UTF8.self).utf16.forEach { bytes += JSONFragment.escape($0) }
      default: bytes += character
      }
    }
  }
}
