/// A piece of text, escaped once and appended many times.
///
/// The escapes are those of PHP's `json_encode`, which writes the real bodies: `\/` for a slash and `\uXXXX`, with
/// surrogate pairs, for everything outside ASCII.
struct JSONFragment: Sendable, ExpressibleByStringLiteral {
  /// The escaped text without its quotes.
  let escaped: [UInt8]

  /// Slashes may stay unescaped where paths are searched for, as in a log.
  init(_ text: String, escapingSlashes: Bool = true) {
    var bytes: [UInt8] = []
    for unit in text.utf16 {
      if unit == 0x2F, !escapingSlashes { bytes.append(0x2F) } else { Self.append(unit, to: &bytes) }
    }
    escaped = bytes
  }

  init(stringLiteral text: String) { self.init(text) }

  private static func append(_ unit: UInt16, to bytes: inout [UInt8]) {
    switch unit {
    case 0x22, 0x2F, 0x5C: bytes += [0x5C, UInt8(unit)]
    case 0x08: bytes += Array(#"\b"#.utf8)
    case 0x09: bytes += Array(#"\t"#.utf8)
    case 0x0A: bytes += Array(#"\n"#.utf8)
    case 0x0C: bytes += Array(#"\f"#.utf8)
    case 0x0D: bytes += Array(#"\r"#.utf8)
    case 0x20..<0x7F: bytes.append(UInt8(unit))
    default:
      bytes += Array(#"\u"#.utf8)
      for shift in [12, 8, 4, 0] {
        let digit = UInt8(unit >> shift & 0xF)
        bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
    }
  }
}

/// A JSON body under construction: bytes are appended as they will be sent.
///
/// A row has some 3.5 KB in 60 members; building it from whole fragments keeps even a debug build fast.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Appends text that is JSON already.
  mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes that are JSON already.
  mutating func raw(_ escaped: [UInt8]) { bytes.append(contentsOf: escaped) }

  /// Appends a fragment without quotes.
  mutating func text(_ fragment: JSONFragment) { bytes.append(contentsOf: fragment.escaped) }

  /// Appends a string value whose text is escaped already.
  mutating func quoted(_ escaped: [UInt8]) {
    bytes.append(0x22)
    bytes.append(contentsOf: escaped)
    bytes.append(0x22)
  }

  /// Appends a string value, or `null`.
  mutating func quoted(_ escaped: [UInt8]?) {
    if let escaped { quoted(escaped) } else { raw("null") }
  }

  /// Appends a string value.
  mutating func quoted(_ fragment: JSONFragment) { quoted(fragment.escaped) }

  /// Appends a string value, escaping its text.
  mutating func string(_ text: String) { quoted(JSONFragment(text)) }

  mutating func int(_ value: Int) {
    if value < 0 {
      bytes.append(0x2D)
      return int(-value)
    }
    if value >= 10 { int(value / 10) }
    bytes.append(0x30 + UInt8(value % 10))
  }

  mutating func int(_ value: Int?) {
    if let value { int(value) } else { raw("null") }
  }

  mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  /// Appends hundredths as the shortest number, as PHP does: 8, 8.5, 8.05.
  mutating func hundredths(_ value: Int?) {
    guard let value else { return raw("null") }
    int(value / 100)
    let rest = value % 100
    guard rest != 0 else { return }
    bytes.append(0x2E)
    bytes.append(0x30 + UInt8(rest / 10))
    if rest % 10 != 0 { bytes.append(0x30 + UInt8(rest % 10)) }
  }

  /// Appends a number below 100 as two digits.
  mutating func twoDigits(_ value: Int) {
    if value < 10 { bytes.append(0x30) }
    int(value)
  }
}
