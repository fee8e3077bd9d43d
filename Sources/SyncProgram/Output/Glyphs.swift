/// The non-ASCII characters of marks, tables, trees and plots, with ASCII replacements for locales other than UTF-8.
/// Characters in data and sentences are not replaced.
package enum Glyphs {
  package static let areUTF8 = SystemTerminal.hasUTF8Locale()

  private static let standIns: [Character: String] = [
    "✓": "ok", "✗": "x", "→": "->", "–": "-", "·": "|", "…": "~", "×": "x", "½": "1/2", "¼": "1/4", "«": "<", "»": ">",
    "█": "#", "▌": "=", "▐": "=", "│": "|", "┤": "+", "├": "|", "└": "`", "─": "-", "┬": "+", "┴": "+",
  ]

  /// Returns the text, with ASCII replacements if the locale is not UTF-8. Do not pass data or sentences.
  package static func shown(_ text: String, isUTF8: Bool = areUTF8) -> String {
    isUTF8 ? text : text.map { standIns[$0] ?? dots($0) }.joined()
  }

  private static func dots(_ character: Character) -> String {
    guard let value = character.unicodeScalars.first?.value, (0x2801...0x28FF).contains(value) else {
      return String(character)
    }
    return value & 0x1B == 0 ? "." : value & 0xE4 == 0 ? "'" : ":"
  }
}
