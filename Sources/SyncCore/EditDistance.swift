/// How many letters have to be inserted, removed, replaced or swapped with their neighbour to make one text of another
/// (optimal string alignment).
///
/// Not generic: a search compares a hundred thousand titles, and across modules generic code is ten times slower.
package enum EditDistance {
  package static func between(_ word: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    lastRow(word, other, startsAnywhere: false).last ?? 0
  }

  /// The distance to the nearest part of `text`.
  package static func toPart(of text: [Unicode.Scalar], _ word: [Unicode.Scalar]) -> Int {
    lastRow(word, text, startsAnywhere: true).min() ?? 0
  }

  /// The distances of `word` to every beginning of `text`, or to the nearest part that ends there.
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
