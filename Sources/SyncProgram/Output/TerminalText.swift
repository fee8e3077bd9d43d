import SyncCore

/// Text for a terminal: made harmless, measured in columns, cut to a width.
///
/// Everything from an upstream, a database or a file is hostile until it has passed through `safe`. The renderers and
/// the writer do that themselves; no command has to remember it.
enum TerminalText {
  static let ellipsis = "…"

  /// The text with everything replaced that could steer a terminal or hide from its reader.
  ///
  /// Such scalars become visible escapes (`\u{1B}`). It checks scalars, not characters: CR LF is one `Character`, and a
  /// filter on characters misses it.
  static func safe(_ text: String) -> String {
    if isPrintableASCII(text) || !text.unicodeScalars.contains(where: \.isUnsafe) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      if scalar.isUnsafe {
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The columns that safe text takes in a terminal; ambiguous characters count as one.
  static func displayWidth(_ text: String) -> Int {
    if isPrintableASCII(text) { return text.utf8.count }
    return text.reduce(0) { $0 + displayWidth($1) }
  }

  /// The columns of one grapheme cluster: an emoji sequence or a flag is two, whatever its parts.
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

  /// The columns of one scalar on its own: 0, 1 or 2.
  static func displayWidth(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x7F { return value < 0x20 ? 0 : 1 }
    if scalar.isUnsafe { return 0 }
    if value < 0x300 { return 1 }
    // Conjoining vowels and final consonants sit inside the syllable that their leader opened.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    if isWide(value) || isRegionalIndicator(scalar) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return isVisibleFormat(value) ? 1 : 0
    default: return 1
    }
  }

  /// Text no wider than `width` columns; what is cut off is replaced by `…`.
  ///
  /// A cluster is kept whole or dropped whole. The result can be one column short of `width`,
  /// where a wide character did not fit any more.
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

  /// Text filled up with spaces to `width` columns; wider text is left as it is.
  static func pad(_ text: String, to width: Int, trailing: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - displayWidth(text)))
    return trailing ? fill + text : text + fill
  }

  /// Without spaces at the end of a line: they wrap, and they show up in diffs.
  static func trimmed(_ line: String) -> String {
    String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
  }

  private static func isPrintableASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// Format characters that draw something: the Arabic, Syriac and Kaithi number signs.
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
