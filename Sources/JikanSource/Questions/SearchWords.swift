import SyncCore
import SyncPostgres
import SyncProgram

struct SearchWords {
  let letters: [Unicode.Scalar]
  let words: [[Unicode.Scalar]]
  let squeezed: [Unicode.Scalar]
  let spaced: [Unicode.Scalar]
  let allowedEdits: Int
  /// Every title with at most `allowedEdits` errors contains one of these pieces.
  let pieces: [[Unicode.Scalar]]

  init(folded: String) {
    letters = Array(folded.unicodeScalars)
    words = letters.split(separator: " ").map(Array.init)
    squeezed = letters.filter { $0 != " " }
    spaced = [" "] + letters + [" "]
    allowedEdits = Self.allowedEdits(squeezed)
    pieces = Self.pieces(of: squeezed, parts: allowedEdits + 1)
  }

  /// Returns the parts of the letters. A typing error damages only one part, unless it swaps the two letters at a
  /// border of parts. For such errors, also returns adjacent parts with swapped letters at their border.
  private static func pieces(of letters: [Unicode.Scalar], parts: Int) -> [[Unicode.Scalar]] {
    let bounds = (0...parts).map { $0 * letters.count / parts }
    return (0..<parts).flatMap { first in
      (first + 1...parts).map { last in
        var swapped = letters
        for bound in bounds[first + 1..<last] { swapped.swapAt(bound - 1, bound) }
        return Array(swapped[bounds[first]..<bounds[last]])
      }
    }
  }

  /// Three Chinese or Japanese characters allow an error. Three letters do not, because a letter has less meaning.
  private static func allowedEdits(_ letters: [Unicode.Scalar]) -> Int {
    let isWide = letters.contains { $0.value >= 0x2E80 }
    switch letters.count {
    case ..<3: return 0
    case ..<4: return isWide ? 1 : 0
    case ..<8: return 1
    case ..<14: return 2
    default: return 3
    }
  }

  var allPatterns: [String] { words.map(Self.pattern) }

  var lettersPattern: String { Self.pattern(squeezed) }

  var anyPatterns: [String] { pieces.map(Self.pattern) }

  private static func pattern(_ letters: [Unicode.Scalar]) -> String {
    let escaped = letters.reduce(into: String.UnicodeScalarView()) { text, letter in
      if #"\%_"#.unicodeScalars.contains(letter) { text.append("\\") }
      text.append(letter)
    }
    return "%\(String(escaped))%"
  }
}
