/// Finds the known words that a mistyped word probably means, and words the hint for the user.
package enum Suggestion {
  /// Returns the known word with the fewest edits, at most one edit per three letters of `word`, and the first of
  /// several such words. Returns `nil` without such a word. Upper and lower case differ.
  /// - Parameter edits: The largest number of edits (default: a third of the word's letters).
  package static func nearest(to word: String, among words: [String], edits bound: Int? = nil) -> String? {
    let ranked = words.map { (word: $0, edits: edits(word, $0)) }.min { $0.edits < $1.edits }
    guard let ranked, ranked.edits <= bound ?? word.count / 3 else { return nil }
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
