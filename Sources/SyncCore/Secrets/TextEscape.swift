/// An escape at a place of a text: percent encoding, an escape of JSON or JavaScript, a character reference of HTML, or
/// a zero byte of UTF-16.
struct TextEscape {
  enum Value {
    case byte(UInt8)
    case scalar(Unicode.Scalar)
    case nothing
  }

  /// The number of bytes of the escape.
  let length: Int
  let value: Value

  /// Reads the escape in a constant number of steps; `nil` if the text has none at this place.
  static func read(at place: Int, in text: UnsafeBufferPointer<UInt8>) -> TextEscape? {
    let reader = EscapeReader(text: text, place: place)
    return switch reader.byte(0) {
    case 0: TextEscape(length: 1, value: .nothing)
    case UInt8(ascii: "%"): percentEncoding(reader)
    case UInt8(ascii: "\\"): backslash(reader)
    case UInt8(ascii: "&"): reader.byte(1) == UInt8(ascii: "#") ? numericReference(reader) : namedReference(reader)
    default: nil
    }
  }

  /// Reads `%26` or `%u0026`.
  private static func percentEncoding(_ reader: EscapeReader) -> TextEscape? {
    if let (code, _) = reader.number(1, digits: 2...2, radix: 16) {
      return TextEscape(length: 3, value: .byte(UInt8(truncatingIfNeeded: code)))
    }
    guard reader.byte(1) | 0x20 == UInt8(ascii: "u"), let (scalar, length) = reader.unit() else { return nil }
    return TextEscape(length: length, value: .scalar(scalar))
  }

  /// Reads `\u0026`, `\u{26}`, `\x26` or an escaped punctuation character such as `\/`.
  private static func backslash(_ reader: EscapeReader) -> TextEscape? {
    switch reader.byte(1) {
    case UInt8(ascii: "u"):
      if let (scalar, length) = reader.unit() { return TextEscape(length: length, value: .scalar(scalar)) }
      guard reader.byte(2) == UInt8(ascii: "{"), let (code, digits) = reader.number(3, digits: 1...6, radix: 16),
        reader.byte(3 + digits) == UInt8(ascii: "}"), let scalar = Unicode.Scalar(code)
      else { return nil }
      return TextEscape(length: 4 + digits, value: .scalar(scalar))
    case UInt8(ascii: "x"):
      guard let (code, _) = reader.number(2, digits: 2...2, radix: 16) else { return nil }
      return TextEscape(length: 4, value: .byte(UInt8(truncatingIfNeeded: code)))
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E:
      return TextEscape(length: 2, value: .byte(reader.byte(1)))
    default: return nil
    }
  }

  /// Reads `&#38;` or `&#x26;`. The semicolon can be missing.
  private static func numericReference(_ reader: EscapeReader) -> TextEscape? {
    let isHexadecimal = reader.byte(2) | 0x20 == UInt8(ascii: "x")
    let start = isHexadecimal ? 3 : 2
    guard let (code, digits) = reader.number(start, digits: 1...8, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(code)
    else { return nil }
    let hasEnd = reader.byte(start + digits) == UInt8(ascii: ";")
    return TextEscape(length: start + digits + (hasEnd ? 1 : 0), value: .scalar(scalar))
  }

  /// Reads `&amp;`, or an old reference without a semicolon.
  private static func namedReference(_ reader: EscapeReader) -> TextEscape? {
    var name: [UInt8] = []
    while name.count < longestName, reader.byte(1 + name.count).isLetter { name.append(reader.byte(1 + name.count)) }
    let hasEnd = reader.byte(1 + name.count) == UInt8(ascii: ";")
    guard let code = names[String(decoding: name, as: UTF8.self)], hasEnd || oldNames.contains(code) else {
      return nil
    }
    return TextEscape(length: 1 + name.count + (hasEnd ? 1 : 0), value: .byte(code))
  }

  private static let longestName = 8
  /// The characters whose references also count without a semicolon (HTML, 13.5).
  private static let oldNames = Set("&<>\"".utf8)
  /// The character references of ASCII (HTML, 13.5).
  private static let names: [String: UInt8] = Dictionary(
    uniqueKeysWithValues: [
      ("amp", "&"), ("AMP", "&"), ("lt", "<"), ("LT", "<"), ("gt", ">"), ("GT", ">"), ("quot", "\""), ("QUOT", "\""),
      ("apos", "'"), ("excl", "!"), ("num", "#"), ("dollar", "$"), ("percnt", "%"), ("lpar", "("), ("rpar", ")"),
      ("ast", "*"), ("midast", "*"), ("plus", "+"), ("comma", ","), ("period", "."), ("sol", "/"), ("colon", ":"),
      ("semi", ";"), ("equals", "="), ("quest", "?"), ("commat", "@"), ("lsqb", "["), ("lbrack", "["), ("bsol", "\\"),
      ("rsqb", "]"), ("rbrack", "]"), ("Hat", "^"), ("lowbar", "_"), ("UnderBar", "_"), ("grave", "`"), ("lcub", "{"),
      ("lbrace", "{"), ("verbar", "|"), ("vert", "|"), ("VerticalLine", "|"), ("rcub", "}"), ("rbrace", "}"),
      ("nbsp", " "), ("Tab", "\t"), ("NewLine", "\n"),
    ].map { ($0.0, $0.1.utf8.first ?? 0) })
}

/// The bytes of an escape. A byte after the end of the text is 0.
private struct EscapeReader {
  let text: UnsafeBufferPointer<UInt8>
  /// The place of the escape's first byte.
  let place: Int

  func byte(_ offset: Int) -> UInt8 { place + offset < text.count ? text[place + offset] : 0 }

  /// Reads a number; `nil` if it has another number of digits.
  /// - Parameter range: The possible numbers of digits.
  func number(_ offset: Int, digits range: ClosedRange<Int>, radix: UInt32) -> (value: UInt32, digits: Int)? {
    var value: UInt32 = 0
    var count = 0
    while count < range.upperBound, let digit = byte(offset + count).hexValue, digit < radix {
      value = value &* radix &+ UInt32(digit)
      count += 1
    }
    return range.contains(count) ? (value, count) : nil
  }

  /// Reads the unit of UTF-16 after `\u` or `%u`, with the second unit of a pair.
  func unit() -> (Unicode.Scalar, length: Int)? {
    guard let first = number(2, digits: 4...4, radix: 16)?.value else { return nil }
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    guard (0xD800...0xDBFF).contains(first), byte(6) == byte(0), byte(7) == byte(1),
      let second = number(8, digits: 4...4, radix: 16)?.value, (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
    else { return nil }
    return (scalar, 12)
  }
}
