/// Makes foreign text safe for error messages: one short line without control sequences or passwords in URLs.
///
/// Characters that are unsafe or invisible become blanks. A shortened text ends in `…`.
package enum Excerpt {
  /// Returns the beginning of the bytes, decoded as UTF-8 and made safe, with at most `scalars` scalars
  /// before the `…`.
  package static func of(_ bytes: some Sequence<UInt8>, scalars: Int = Limits.excerptScalars) -> String {
    // A scalar has at most four bytes. One more scalar is decoded to detect that the text is too long.
    of(String(decoding: Array(bytes.prefix(4 * scalars + 4)), as: UTF8.self), scalars: scalars)
  }

  /// Returns the beginning of the text, made safe, with at most `scalars` scalars before the `…`.
  package static func of(_ text: String, scalars: Int = Limits.excerptScalars) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in hidingUserInfo(of: text).unicodeScalars {
      if count == scalars {
        result.append("…")
        break
      }
      result.append(isHarmless(scalar) ? scalar : " ")
      count += 1
    }
    return String(result)
  }

  /// A password can contain / and ?, so it ends only at the last @ before white space. Each scalar is looked at a fixed
  /// number of times, because the text can be long and have `://` everywhere.
  private static func hidingUserInfo(of text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    var shown = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      let word = rest.prefix { !$0.properties.isWhitespace }
      if let scheme = word.endOfScheme, let at = word[scheme...].lastIndex(of: "@") {
        shown += word[..<scheme]
        shown += "***".unicodeScalars
        shown += word[at...]
      } else {
        shown += word
      }
      rest = rest[word.endIndex...]
      if let space = rest.popFirst() { shown.append(space) }
    }
    return String(shown)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    default: !scalar.isUnsafe
    }
  }
}

extension Substring.UnicodeScalarView {
  /// The index after the first `://`.
  fileprivate var endOfScheme: Index? {
    var slashes: Int?
    for index in indices {
      switch self[index] {
      case ":": slashes = 0
      case "/":
        guard let count = slashes else { continue }
        if count == 1 { return self.index(after: index) }
        slashes = count + 1
      default: slashes = nil
      }
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// Whether the scalar controls the terminal, reorders the line, or is invisible. U+200D and variation selectors are
  /// safe, because emoji need them. Unicode's tag characters are unsafe outside of flags.
  package var isUnsafe: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL, C1 (U+009B alone starts a control sequence)
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
    case 0x2028...0x2029: true  // line and paragraph separator
    case 0x00AD, 0x034F, 0x200B...0x200C, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF, 0xFFF0...0xFFFB: true  // invisible
    case 0x17B4...0x17B5, 0x180B...0x180F: true  // invisible vowels and selectors of Khmer and Mongolian
    case 0x115F...0x1160, 0x3164, 0xFFA0: true  // Hangul fillers, which look like blanks
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: true  // invisible format controls
    case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true  // tags and reserved code points
    default: false
    }
  }

  /// The scalar as a JSON escape, such as `\u001b`, or as two escapes outside of the basic plane.
  package var jsonEscape: String {
    String(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}

extension String {
  /// Returns the text with every part between flags transformed. The flags of England, Scotland and Wales stay, because
  /// they contain invisible tags that `isUnsafe` reports.
  package func transformedOutsideFlags(_ transform: (String) -> String) -> String {
    // The UTF-8 bytes of every tag begin with 0xF3.
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

  private static let tagFlags = [
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
  ]
}
