import SyncCore

/// How well a title fits the words of a search. Both are as `jikan.fold` makes them: lower case, words with one space
/// between them. The less, the better.
struct TitleMatch: Comparable {
  enum Closeness: Int, Comparable {
    case same
    /// Equal, spaces aside.
    case sameLetters
    case beginning
    case wholeWords
    /// Equal, typing errors aside.
    case nearlySame
    case part
    /// All words, in any order.
    case allWords
    /// A part of it, typing errors aside.
    case similar

    static func < (one: Closeness, other: Closeness) -> Bool { one.rawValue < other.rawValue }
  }

  let closeness: Closeness
  /// Of `similar`: in the nearest part of the title.
  let edits: Int
  /// Edits that would make the whole title.
  let rest: Int
  /// Place among the titles of the item; 0 is the main one.
  let place: Int

  /// Nil if the title does not fit.
  init?(_ words: SearchWords, _ title: Substring, place: Int) {
    let letters = Array(title.unicodeScalars)
    var edits = 0
    var rest = max(0, letters.count - words.letters.count)
    if title == words.folded {
      closeness = .same
    } else if letters.filter({ $0 != " " }) == words.squeezed {
      closeness = .sameLetters
    } else if title.hasPrefix(words.folded + " ") {
      closeness = .beginning
    } else if " \(title) ".contains(" \(words.folded) ") {
      closeness = .wholeWords
    } else {
      rest = EditDistance.between(words.letters, letters)
      if rest <= words.allowedEdits {
        closeness = .nearlySame
      } else if title.contains(words.folded) {
        closeness = .part
      } else if words.words.allSatisfy({ title.contains($0) }) {
        closeness = .allWords
      } else {
        edits = EditDistance.toPart(of: letters, words.letters)
        guard edits <= words.allowedEdits else { return nil }
        closeness = .similar
      }
    }
    self.edits = edits
    self.rest = rest
    self.place = place
  }

  private var order: (Int, Int, Int) { (closeness.rawValue, edits, rest) }

  static func < (one: TitleMatch, other: TitleMatch) -> Bool {
    one.order == other.order ? (one.place == 0 && other.place > 0) : one.order < other.order
  }
}

/// The words of a search, as `jikan.fold` makes them.
struct SearchWords {
  let folded: String
  let letters: [Unicode.Scalar]
  let squeezed: [Unicode.Scalar]
  let words: [Substring]

  init(folded: String) {
    self.folded = folded
    letters = Array(folded.unicodeScalars)
    squeezed = letters.filter { $0 != " " }
    words = folded.split(separator: " ")
  }

  /// Typing errors that a search looks past. A sign of Chinese or Japanese says more than a letter.
  var allowedEdits: Int {
    let isWide = letters.contains { $0.value >= 0x2E80 }
    switch letters.count {
    case ..<3: return 0
    case ..<4: return isWide ? 1 : 0
    case ..<8: return 1
    case ..<14: return 2
    default: return 3
    }
  }

  /// What `LIKE` finds in every title that has all words.
  var allPatterns: [String] { words.map { "%\(Self.escaped($0))%" } }

  /// What `LIKE` finds in every title with so few errors: of one piece more than there are errors, one has none.
  var anyPatterns: [String] {
    let count = allowedEdits + 1
    let pieces = (0..<count).map { index in
      letters[index * letters.count / count..<(index + 1) * letters.count / count]
    }
    return pieces.map { "%\(Self.escaped(String(String.UnicodeScalarView($0))))%" }
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    String(text.flatMap { #"\%_"#.contains($0) ? [#"\"#, $0] : [$0] })
  }
}
