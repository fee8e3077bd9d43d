extension Unicode.Scalar {
  /// Whether it steers the terminal, reorders the line, or is invisible without a purpose.
  ///
  /// U+200D and variation selectors are not among them: emoji and ideographs need them. `TerminalText.safe`
  /// escapes those that belong to no such character. Tags are; `String.transformedOutsideFlags` keeps those of flags.
  package var isUnsafe: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL, C1 (U+009B alone starts a control sequence)
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
    case 0x2028...0x2029: true  // line and paragraph separator
    case 0x00AD, 0x034F, 0x200B...0x200C, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF, 0xFFF0...0xFFFB: true  // invisible
    case 0x17B4...0x17B5, 0x180B...0x180F: true  // invisible vowels and selectors of Khmer and Mongolian
    case 0x115F...0x1160, 0x3164, 0xFFA0: true  // Hangul fillers: blanks that pass for a name
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: true  // invisible format controls
    case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true  // tags, and the reserved code points next to them
    default: false
    }
  }

  /// The scalar as JSON writes it without the character itself: one or two `\uXXXX`.
  package var jsonEscape: String {
    String(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}

extension String {
  /// The text with everything transformed, part by part, except the flags of England, Scotland and Wales. A flag is a
  /// black flag and tags, and tags are unsafe anywhere else because they are invisible.
  package func transformedOutsideFlags(_ transform: (String) -> String) -> String {
    // The first byte of every tag.
    guard utf8.contains(0xF3) else { return transform(self) }
    var result = ""
    var part = ""
    var rest = unicodeScalars[...]
    while let scalar = rest.first {
      if let flag = Self.tagFlags.first(where: { rest.starts(with: $0.unicodeScalars) }) {
        result += transform(part) + flag
        part = ""
        rest = rest.dropFirst(flag.unicodeScalars.count)
      } else {
        part.unicodeScalars.append(scalar)
        rest = rest.dropFirst()
      }
    }
    return result + transform(part)
  }

  /// The recommended tag sequences of Unicode: gbeng, gbsct and gbwls.
  private static let tagFlags = [
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
  ]
}
