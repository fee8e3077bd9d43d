/// Finds the known words that a mistyped word probably means, and words the hint for the user.
package enum Suggestion {
  /// Returns the known word with the fewest edits, at most one edit per three letters of `word`. Returns `nil` without
  /// such a word. Upper and lower case differ.
  package static func nearest(to word: String, among words: [String]) -> String? {
    let ranked = words.map { (word: $0, edits: edits(word, $0)) }.min { $0.edits < $1.edits }
    guard let ranked, ranked.edits <= word.count / 3 else { return nil }
    return ranked.word
  }

  /// Returns `did you mean X?`, or a list of at most seven known words if none is near.
  package static func hint(for word: String, among words: [String]) -> String {
    nearest(to: word, among: words).map { "did you mean \($0)?" }
      ?? "known: \(words.prefix(7).joined(separator: ", "))\(words.count > 7 ? ", …" : "")"
  }

  /// Returns the nearest word, if any, and the list of all known words. For short lists.
  package static func choice(for word: String, among words: [String]) -> String {
    let near = nearest(to: word, among: words).map { "did you mean \($0)? " } ?? ""
    return near + "known: \(words.joined(separator: ", "))"
  }

  /// Returns up to three near words, the nearest first, regardless of case. Allows at least one edit, but fewer edits
  /// than `word` has letters.
  package static func several(to word: String, among words: [String]) -> [String] {
    let lowercased = word.lowercased()
    let bound = max(1, lowercased.count / 3)
    var seen: Set<String> = []
    let ranked = words.filter { seen.insert($0.lowercased()).inserted }
      .map { (word: $0, edits: edits(lowercased, $0.lowercased())) }
      .filter { $0.edits <= bound && $0.edits < lowercased.unicodeScalars.count }
      .sorted { ($0.edits, $0.word) < ($1.edits, $1.word) }
    return ranked.prefix(3).map(\.word)
  }

  /// Compares at most 100 scalars, because foreign input can be long.
  private static func edits(_ word: String, _ other: String) -> Int {
    EditDistance.between(Array(word.unicodeScalars.prefix(100)), Array(other.unicodeScalars.prefix(100)))
  }
}

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
