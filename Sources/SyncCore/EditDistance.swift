/// How many letters have to be inserted, removed, replaced or swapped with their neighbour to make one text of another
/// (optimal string alignment).
package enum EditDistance {
  package static func between<Letter: Equatable>(_ word: [Letter], _ other: [Letter]) -> Int {
    lastRow(word, other, startsAnywhere: false).last ?? 0
  }

  /// The distance to the nearest part of `text`.
  package static func toPart<Letter: Equatable>(of text: [Letter], _ word: [Letter]) -> Int {
    lastRow(word, text, startsAnywhere: true).min() ?? 0
  }

  /// The distances of `word` to every beginning of `text`, or to the nearest part that ends there.
  private static func lastRow<Letter: Equatable>(
    _ word: [Letter], _ text: [Letter], startsAnywhere: Bool
  ) -> [Int] {
    var earlier: [Int] = []
    var previous = startsAnywhere ? Array(repeating: 0, count: text.count + 1) : Array(0...text.count)
    for (i, letter) in word.enumerated() {
      var row = [i + 1]
      row.reserveCapacity(text.count + 1)
      for (j, other) in text.enumerated() {
        var edits = min(previous[j] + (letter == other ? 0 : 1), previous[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, letter == text[j - 1], word[i - 1] == other { edits = min(edits, earlier[j - 1] + 1) }
        row.append(edits)
      }
      (earlier, previous) = (previous, row)
    }
    return previous
  }
}
