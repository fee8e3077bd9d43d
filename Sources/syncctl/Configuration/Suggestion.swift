/// "Did you mean …?"
enum Suggestion {
  /// The known word that is fewest edits away, if that is near enough to be a slip.
  static func nearest(to word: String, among known: [String]) -> String? {
    let ranked = known.map { (word: $0, edits: edits(word, $0)) }.min { $0.edits < $1.edits }
    guard let ranked, ranked.edits <= max(2, word.count / 3) else { return nil }
    return ranked.word
  }

  /// Levenshtein's distance; bounded, since the words come from outside.
  private static func edits(_ left: String, _ right: String) -> Int {
    let left = Array(left.utf8.prefix(100))
    let right = Array(right.utf8.prefix(100))
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let above = row[j + 1]
        row[j + 1] = a == b ? diagonal : 1 + min(diagonal, above, row[j])
        diagonal = above
      }
    }
    return row[right.count]
  }
}
