/// The characters beyond ASCII that marks, tables, trees and drawings are made of, with stand-ins for a locale that is
/// not UTF-8. Data and sentences stay as they are.
package enum Glyphs {
  package static let areUTF8 = SystemTerminal.hasUTF8Locale()

  /// As wide as what they stand for, except marks and fractions.
  private static let standIns: [Character: String] = [
    "✓": "ok", "✗": "x", "→": "->", "–": "-", "·": "|", "…": "~", "×": "x", "½": "1/2", "¼": "1/4", "«": "<", "»": ">",
    "█": "#", "▌": "=", "▐": "=", "│": "|", "┤": "+", "├": "|", "└": "`", "─": "-", "┬": "+", "┴": "+",
  ]

  package static func shown(_ text: String, isUTF8: Bool = areUTF8) -> String {
    isUTF8 ? text : text.map { standIns[$0] ?? dots($0) }.joined()
  }

  /// A character of a plot, by which halves of its dots are set.
  private static func dots(_ character: Character) -> String {
    guard let value = character.unicodeScalars.first?.value, (0x2801...0x28FF).contains(value) else {
      return String(character)
    }
    return value & 0x1B == 0 ? "." : value & 0xE4 == 0 ? "'" : ":"
  }
}
