/// Arranges texts in lines for a terminal. A width is a number of columns; `nil` means any width, as in a pipe.
package enum TextLayout {
  /// Breaks a text into lines of at most `width` columns: at spaces, between wide characters, and inside a word that is
  /// longer than a line. Closing punctuation never starts a line, as in Chinese and Japanese typesetting.
  ///
  /// The text is escaped first, because an escape is wider than the character that it replaces.
  ///
  /// - Parameter width: `nil` for one line of any length. Values below 2, the width of a wide character, count as 2.
  package static func wrap(_ text: String, to width: Int?) -> [String] {
    let safe = TerminalText.safe(text)
    guard let width else { return [safe] }
    let limit = max(2, width)
    var lines: [String] = []
    var line = ""
    var used = 0
    for piece in pieces(safe).flatMap({ parts(of: $0, limit: limit) }) {
      let isSpace = spaces.contains(piece)
      let columns = TerminalText.displayWidth(piece)
      if used + columns > limit {
        lines.append(trimmed(line))
        (line, used) = isSpace ? ("", 0) : (piece, columns)
      } else if !(isSpace && line.isEmpty && !lines.isEmpty) {
        line += piece
        used += columns
      }
    }
    let last = trimmed(line)
    return last.isEmpty && !lines.isEmpty ? lines : lines + [last]
  }

  /// Breaks an error, a hint or a command. If the text is too wide and ends with a command, the command begins a line
  /// and is broken only before options, with backslashes, so that users can copy it.
  package static func advice(_ text: String, to width: Int?) -> [String] {
    let safe = TerminalText.safe(text)
    if let width, TerminalText.displayWidth(safe) > width, let command = command(atEndOf: safe) {
      let lines = CommandLineText.command(String(command), to: width - 4)
      let prose = command.startIndex == safe.startIndex ? [] : wrap(String(safe[..<command.startIndex]), to: width)
      if lines.allSatisfy({ TerminalText.displayWidth($0) <= width - 2 }) {
        return prose + lines.prefix(1) + lines.dropFirst().map { "  \($0)" }
      }
    }
    return wrap(safe, to: width)
  }

  /// Returns the command with options that the text ends with. Its begin is looked for only near the end, because an
  /// error can repeat a long text.
  private static func command(atEndOf text: String) -> Substring? {
    let near = text.suffix(2000)
    let isWhole = near.startIndex == text.startIndex
    let starts = (isWhole ? [text.startIndex] : []) + near.ranges(of: ": ").map(\.upperBound)
    return starts.lazy.map { near[$0...] }.first(where: isCommand)
  }

  /// Whether the text is the name of a program, words, and options, each with at most one value, which can have blanks
  /// between quotation marks. Not a regular expression, whose time would double with each pair of quotation marks.
  private static func isCommand(_ text: Substring) -> Bool {
    guard let name = ["syncctl", "createdb"].first(where: text.hasPrefix) else { return false }
    var rest = text.dropFirst(name.count)
    rest = rest.drop { $0 == " " || $0 == "_" || $0.isLetter || $0.isNumber }
    guard rest.hasPrefix("--"), rest.startIndex > text.startIndex, text[text.index(before: rest.startIndex)] == " "
    else {
      return false
    }
    while rest.hasPrefix("--") {
      let option = rest.prefix { $0 != " " }
      guard option.count > 2 else { return false }
      rest = rest[option.endIndex...]
      if rest.isEmpty { return true }
      rest = rest.dropFirst()
      guard let first = rest.first, first != "-" else { continue }
      let quoted = rest.dropFirst().firstIndex(of: "'").map { rest[...$0] }
      let after = quoted.map { rest[$0.endIndex...] }
      if first == "'", let after, after.isEmpty || after.first == " " {
        rest = after
      } else {
        rest = rest.drop { $0 != " " }
      }
      if rest.isEmpty { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Returns the escaped words with commas between them, in lines of at most `width` columns.
  package static func list(_ words: [String], to width: Int?) -> [String] {
    let parts = words.enumerated().map { index, word in
      TerminalText.safe(word) + (index == words.count - 1 ? "" : ",")
    }
    guard let width else { return [parts.joined(separator: " ")] }
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, TerminalText.displayWidth(last) + 1 + TerminalText.displayWidth(part) <= width {
        lines[lines.count - 1] += " " + part
      } else {
        lines += wrap(part, to: width)
      }
    }
    return lines.isEmpty ? [""] : lines
  }

  static func widestPart(of text: String) -> Int {
    text.split { spaces.contains(String($0)) || separators.contains($0) }
      .map { TerminalText.displayWidth(String($0)) + 1 }.max() ?? 0
  }

  /// Returns lines with a label in a column of its own, on the left of the first line.
  ///
  /// If fewer than 12 columns are left for the lines, the label has a line of its own above them.
  ///
  /// - Parameter lines: Returns the lines for the width that is left. These lines are not escaped again.
  package static func labelled(_ label: String, labelWidth: Int, width: Int?, lines: (Int?) -> [String]) -> [String] {
    let safe = TerminalText.safe(label)
    let room = width.map { $0 - labelWidth - 2 }
    if let room, room < narrowestText { return [safe] + lines(width.map { $0 - 2 }).map { "  " + $0 } }
    let indent = String(repeating: " ", count: labelWidth + 2)
    return lines(room).enumerated().map { index, line in
      index == 0 ? TerminalText.pad(safe, to: labelWidth) + "  " + line : indent + line
    }
  }

  /// Returns the lines of labelled texts, broken to the width. A fact without a text is omitted.
  package static func facts(_ facts: [(String, String?)], labelWidth: Int, width: Int?) -> [String] {
    facts.flatMap { label, text -> [String] in
      guard let text else { return [] }
      return labelled(label, labelWidth: labelWidth, width: width) { advice(text, to: $0) }
    }
  }

  /// Returns the lines of all blocks, with an empty line between two blocks. Empty blocks are omitted.
  package static func sections(_ blocks: [[String]]) -> [String] {
    Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  /// Returns a label and a URL, on one line if both fit, or else on two. The URL is never broken, so that users can
  /// copy it. The label is not escaped.
  package static func address(_ label: String, _ url: String, labelWidth: Int, width: Int?) -> [String] {
    let line = TerminalText.pad(label, to: labelWidth) + "  " + TerminalText.safe(url)
    return width.map { TerminalText.displayWidth(line) > $0 } == true ? [label, TerminalText.safe(url)] : [line]
  }

  private static let narrowestText = 12

  private static func pieces(_ text: String) -> [String] {
    var pieces: [String] = []
    var canJoin = false
    for character in text {
      let isWide = TerminalText.displayWidth(character) == 2
      if spaces.contains(String(character)) {
        pieces.append(String(character))
        canJoin = false
      } else if (canJoin && !isWide)
        || (closing.contains(character) && pieces.last.map { !spaces.contains($0) } == true)
      {
        pieces[pieces.count - 1].append(character)
        canJoin = canJoin && !isWide
      } else {
        pieces.append(String(character))
        canJoin = !isWide
      }
    }
    return pieces
  }

  private static func parts(of piece: String, limit: Int) -> [String] {
    guard TerminalText.displayWidth(piece) > limit else { return [piece] }
    var parts = [""]
    var used = 0
    for character in piece {
      let columns = TerminalText.displayWidth(character)
      if used + columns > limit, used > 0 {
        let part = parts.removeLast()
        let end = part.lastIndex(where: separators.contains).map(part.index(after:)) ?? part.endIndex
        parts += [String(part[..<end]), String(part[end...])]
        used = TerminalText.displayWidth(parts[parts.count - 1])
      }
      parts[parts.count - 1].append(character)
      used += columns
    }
    return parts
  }

  private static func trimmed(_ line: String) -> String {
    var line = line[...]
    while let last = line.last, spaces.contains(String(last)) { line.removeLast() }
    return String(line)
  }

  private static let separators = Set("/,;:=?&")
  private static let spaces: Set<String> = [" ", "\u{3000}"]
  private static let closing = Set(",.;:!?)]}。、，．！？：；）」』】》〉〕ー…‥・々ぁぃぅぇぉっゃゅょァィゥェォッャュョ%％")
}
