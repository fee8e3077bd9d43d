/// "Did you mean …?"
package enum Suggestion {
  /// The known word that is fewest edits away, if that is near enough to be a slip.
  package static func nearest(to word: String, among known: [String]) -> String? {
    let ranked = known.map { (word: $0, edits: edits(word, $0)) }.min { $0.edits < $1.edits }
    guard let ranked, ranked.edits <= max(2, word.count / 3) else { return nil }
    return ranked.word
  }

  /// What to say to somebody who wrote a word that is not known: the nearest one that is, or the first of them.
  package static func hint(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { "did you mean \($0)?" }
      ?? "known: \(known.prefix(7).joined(separator: ", "))\(known.count > 7 ? ", …" : "")"
  }

  /// What to say where the known words are few: the nearest one, if it may be meant, and all of them.
  package static func choice(for word: String, among known: [String]) -> String {
    let near = nearest(to: word, among: known).map { "did you mean \($0)? " } ?? ""
    return near + "known: \(known.joined(separator: ", "))"
  }

  /// The known words that are near enough to be meant, the nearest first, at most three.
  ///
  /// Case does not count, and neither does what one kind of letter takes in bytes.
  package static func several(to word: String, among known: [String]) -> [String] {
    let wanted = word.lowercased()
    let bound = max(1, wanted.count / 3)
    var seen: Set<String> = []
    let ranked = known.filter { seen.insert($0.lowercased()).inserted }
      .map { (word: $0, edits: edits(wanted, $0.lowercased())) }
      .filter { $0.edits <= bound && $0.edits < wanted.unicodeScalars.count }
      .sorted { ($0.edits, $0.word) < ($1.edits, $1.word) }
    return ranked.prefix(3).map(\.word)
  }

  /// Bounded, since the words come from outside.
  private static func edits(_ word: String, _ other: String) -> Int {
    EditDistance.between(Array(word.unicodeScalars.prefix(100)), Array(other.unicodeScalars.prefix(100)))
  }
}
