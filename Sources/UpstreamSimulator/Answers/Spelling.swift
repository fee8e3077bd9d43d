/// Rewrites JSON with the same content: other white space, another order of members, other escapes.
struct Spelling {
  private var generator: DrawnNumbers
  private var bytes: [UInt8] = []

  /// One way of writing for all draws that are the same.
  static func bytes(_ tree: JSONTree, by draws: Draws) -> [UInt8] {
    var spelling = Spelling(generator: DrawnNumbers(draws))
    spelling.blanks()
    spelling.write(tree)
    spelling.blanks()
    return spelling.bytes
  }

  private init(generator: DrawnNumbers) { self.generator = generator }

  private mutating func write(_ tree: JSONTree) {
    switch tree {
    case .verbatim(let text): bytes += text
    case .string(let text): write(string: text)
    case .array(let elements):
      write(elements, from: 0x5B, to: 0x5D) { $0.write($1) }
    case .object(let members):
      // Of two members with one name the last counts: such an object keeps its order.
      let isPlain = Set(members.map(\.name)).count == members.count
      write(isPlain ? members.shuffled(using: &generator) : members, from: 0x7B, to: 0x7D) { spelling, member in
        spelling.write(string: member.name)
        spelling.blanks()
        spelling.bytes.append(0x3A)
        spelling.blanks()
        spelling.write(member.value)
      }
    }
  }

  private mutating func write<Element>(
    _ elements: [Element], from opening: UInt8, to closing: UInt8, each: (inout Spelling, Element) -> Void
  ) {
    bytes.append(opening)
    blanks()
    for (number, element) in elements.enumerated() {
      if number > 0 {
        bytes.append(0x2C)
        blanks()
      }
      each(&self, element)
      blanks()
    }
    bytes.append(closing)
  }

  private mutating func blanks() {
    bytes += Self.blanks[Int.random(in: 0..<Self.blanks.count, using: &generator)]
  }

  /// None is as likely as all others.
  private static let blanks: [[UInt8]] = ["", "", "", "", " ", "\n", "\t", "\r\n    "].map { Array($0.utf8) }

  private mutating func write(string text: ArraySlice<UInt8>) {
    bytes.append(0x22)
    let units = Self.units(of: text)
    // One number serves 32 characters, two bits for each: a page has a hundred thousand of them.
    var (drawn, left) = (UInt64(0), 0)
    var index = 0
    while index < units.count {
      if left == 0 { (drawn, left) = (generator.next(), 32) }
      let choice = Int(drawn & 3)
      (drawn, left) = (drawn >> 2, left - 1)
      let isPair = units[index] >> 10 == 0x36 && index + 1 < units.count && units[index + 1] >> 10 == 0x37
      let end = index + (isPair ? 2 : 1)
      write(units[index..<end], choice)
      index = end
    }
    bytes.append(0x22)
  }

  /// Writes one character, a surrogate pair or a lone unit: as it is, where that is allowed, or escaped.
  private mutating func write(_ character: ArraySlice<UInt16>, _ choice: Int) {
    guard let unit = character.first else { return }
    let short = Self.shortEscapes[unit]
    let isLoneSurrogate = character.count == 1 && unit >> 11 == 0x1B
    let mustEscape = unit < 0x20 || unit == 0x22 || unit == 0x5C || isLoneSurrogate
    switch choice {
    case 0, 1:
      if !mustEscape { return bytes += String(decoding: character, as: UTF16.self).utf8 }
      if let short { return bytes += [0x5C, short] }
    case 2:
      if let short { return bytes += [0x5C, short] }
      // Of ASCII only the most frequent letter comes escaped now and then: bodies should not grow sixfold.
      if !mustEscape, unit < 0x80 { return bytes.append(UInt8(unit)) }
    default:
      if !mustEscape, unit < 0x80, unit != 0x65 { return bytes.append(UInt8(unit)) }
    }
    for unit in character {
      bytes += [0x5C, 0x75]
      for shift in [12, 8, 4, 0] {
        let digit = UInt8(unit >> shift & 0xF)
        bytes.append(digit < 10 ? 0x30 + digit : (choice == 2 ? 0x37 : 0x57) + digit)
      }
    }
  }

  private static let shortEscapes: [UInt16: UInt8] = [
    0x22: 0x22, 0x2F: 0x2F, 0x5C: 0x5C, 0x08: 0x62, 0x09: 0x74, 0x0A: 0x6E, 0x0C: 0x66, 0x0D: 0x72,
  ]

  /// The text that is meant, lone surrogates included.
  private static func units(of text: ArraySlice<UInt8>) -> [UInt16] {
    var units: [UInt16] = []
    units.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.first {
      guard byte == 0x5C, rest.count > 1 else {
        let end = rest.dropFirst().firstIndex(of: 0x5C) ?? rest.endIndex
        units += String(decoding: rest[..<end], as: UTF8.self).utf16
        rest = rest[end...]
        continue
      }
      let letter = rest[rest.startIndex + 1]
      if letter == 0x75 {
        units.append(UInt16(String(decoding: rest.dropFirst(2).prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(6)
      } else {
        units.append(shortEscapes.first { $0.value == letter }?.key ?? UInt16(letter))
        rest = rest.dropFirst(2)
      }
    }
    return units
  }
}
