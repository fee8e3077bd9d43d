/// The optimal string alignment distance. A generic version is ten times slower across modules.
package enum EditDistance {
  /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one text into the
  /// other.
  package static func between(_ word: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    lastRow(word, other, startsAnywhere: false).last ?? 0
  }

  /// Returns the smallest distance between `word` and any part of `text`.
  package static func toPart(of text: [Unicode.Scalar], _ word: [Unicode.Scalar]) -> Int {
    lastRow(word, text, startsAnywhere: true).min() ?? 0
  }

  /// Returns the distance from `word` to each prefix of `text`. If `startsAnywhere` is true, the beginning of a prefix
  /// can be skipped at no cost.
  private static func lastRow(_ word: [Unicode.Scalar], _ text: [Unicode.Scalar], startsAnywhere: Bool) -> [Int] {
    let width = text.count + 1
    var earlier = Array(repeating: 0, count: width)
    var previous = startsAnywhere ? earlier : Array(0..<width)
    var row = earlier
    for i in word.indices {
      row[0] = i + 1
      for j in text.indices {
        var edits = min(previous[j] + (word[i] == text[j] ? 0 : 1), previous[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, word[i] == text[j - 1], word[i - 1] == text[j] { edits = min(edits, earlier[j - 1] + 1) }
        row[j + 1] = edits
      }
      swap(&earlier, &previous)
      swap(&previous, &row)
    }
    return previous
  }
}
