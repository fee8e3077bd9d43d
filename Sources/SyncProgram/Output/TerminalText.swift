import SyncCore

/// Escapes, measures and cuts text. Text from users and services is escaped with `safe` before it is printed.
package enum TerminalText {
  static let ellipsis = Glyphs.shown("…")

  /// Replaces control and hidden characters with escapes such as `\u{1B}`. Checks scalars, because CR LF is a single
  /// `Character`.
  static func safe(_ text: String) -> String {
    if isPrintableASCII(text) || !text.unicodeScalars.contains(where: { $0.isUnsafe || isJoint($0) }) { return text }
    return text.transformedOutsideFlags(escaped)
  }

  private static func escaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    return zip(scalars, scalars.indices).map { scalar, index -> String in
      let hides = isJoint(scalar) && !joins(scalars, at: index)
      guard scalar.isUnsafe || hides else { return String(scalar) }
      return "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }.joined()
  }

  private static func isJoint(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
    default: false
    }
  }

  private static func joins(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard index > 0 else { return false }
    let before = scalars[index - 1]
    switch scalars[index].value {
    case 0x200D:
      if before.properties.canonicalCombiningClass == .virama { return true }
      let isEmoji = before.value == 0xFE0F || (before.properties.isEmoji && !before.isASCII)
      return isEmoji && index + 1 < scalars.count && scalars[index + 1].properties.isEmoji
    case 0xFE0E...0xFE0F: return before.properties.isEmoji
    default: return before.properties.isIdeographic
    }
  }

  /// Escapes the unsafe characters of a text that is about to be written. Keeps line ends and this program's styles.
  static func gated(_ text: String, keepsLinks: Bool = false) -> String {
    if !text.unicodeScalars.contains(where: { $0.isUnsafe && $0 != "\n" }) { return text }
    return text.transformedOutsideFlags { gatedPart($0, keepsLinks) }
  }

  private static func gatedPart(_ text: String, _ keepsLinks: Bool) -> String {
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      var own = scalar == "\u{1B}" ? ownSequences.first { rest.starts(with: $0.unicodeScalars) } : nil
      if scalar == "\u{1B}", keepsLinks { own = own ?? Hyperlink.mark(in: rest) }
      if let own {
        result += own
        rest = rest.dropFirst(own.unicodeScalars.count)
        continue
      }
      rest = rest.dropFirst()
      let isLineEnd = scalar == "\n" || (scalar == "\r" && rest.first == "\n")
      if scalar.isUnsafe && !isLineEnd {
        result += scalar.jsonEscape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let ownSequences = ["0", "1;4", "1", "2", "31", "32", "33"].map { "\u{1B}[\($0)m" }

  /// Returns the number of columns that an escaped text occupies. Unsafe characters count as 0, so escape them first.
  package static func displayWidth(_ text: String) -> Int {
    if isPrintableASCII(text) { return text.utf8.count }
    return text.reduce(0) { $0 + displayWidth($1) }
  }

  static func displayWidth(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count > 1, first.properties.isEmoji {
      if isRegionalIndicator(first) { return 2 }
      let makesEmoji = scalars.dropFirst().contains { scalar in
        scalar.value == 0xFE0F || scalar.properties.isEmojiModifier || scalar.value == 0x200D
      }
      if makesEmoji { return 2 }
    }
    return scalars.reduce(0) { $0 + displayWidth($1) }
  }

  static func displayWidth(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x7F { return value < 0x20 ? 0 : 1 }
    if scalar.isUnsafe { return 0 }
    if value < 0x300 { return 1 }
    // These vowels and final consonants of Hangul are drawn as a part of the preceding character.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    if isWide(value) || isRegionalIndicator(scalar) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return isVisibleFormat(value) ? 1 : 0
    default: return 1
    }
  }

  static func truncate(_ text: String, to width: Int) -> String {
    if displayWidth(text) <= width { return text }
    if width <= 0 { return "" }
    var result = ""
    var used = 0
    for character in text {
      let columns = displayWidth(character)
      if used + columns > width - 1 { break }
      used += columns
      result.append(character)
    }
    return result + ellipsis
  }

  /// Returns the text with spaces up to a number of columns. A wider text is not changed.
  ///
  /// - Parameter trailing: Whether the text is on the right, after the spaces.
  package static func pad(_ text: String, to width: Int, trailing: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - displayWidth(text)))
    return trailing ? fill + text : text + fill
  }

  static func trimmed(_ line: String) -> String {
    String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
  }

  private static func isPrintableASCII(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// Most format characters are invisible, but these signs of Arabic, Syriac and Kaithi are visible.
  private static func isVisibleFormat(_ value: UInt32) -> Bool {
    switch value {
    case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    let ranges = WidthTable.wide
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }
}
