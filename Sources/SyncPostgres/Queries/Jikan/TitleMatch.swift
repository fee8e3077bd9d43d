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
  /// Whether the title has all the words as they are.
  let hasWords: Bool
  /// Of `similar`: in the nearest part of the title.
  let edits: Int
  /// Edits that would make the whole title.
  let rest: Int
  /// Place among the titles of the item; 0 is the main one.
  let place: Int

  /// Nil if the title does not fit.
  ///
  /// - Parameter title: its letters. A search compares every title that has one of its words, so what costs most, the
  ///   distance, comes last, and only where it can be small enough.
  init?(_ words: SearchWords, _ title: [Unicode.Scalar], place: Int) {
    let spaced = [" "] + title + [" "]
    let difference = abs(title.count - words.letters.count)
    var edits = 0
    var rest = difference
    var hasWords = words.words.allSatisfy { title.has($0) }
    if title == words.letters {
      closeness = .same
    } else if title.count - title.spaces == words.squeezed.count, title.filter({ $0 != " " }) == words.squeezed {
      closeness = .sameLetters
      hasWords = true
    } else if spaced.starts(with: words.spaced) {
      closeness = .beginning
    } else if spaced.has(words.spaced) {
      closeness = .wholeWords
    } else if difference <= words.allowedEdits,
      case let whole = EditDistance.between(words.letters, title), whole <= words.allowedEdits
    {
      closeness = .nearlySame
      rest = whole
    } else if title.has(words.letters) {
      closeness = .part
    } else if hasWords {
      closeness = .allWords
    } else {
      guard words.pieces.contains(where: title.has) else { return nil }
      edits = EditDistance.toPart(of: title, words.letters)
      guard edits <= words.allowedEdits else { return nil }
      closeness = .similar
      rest = EditDistance.between(words.letters, title)
    }
    self.hasWords = hasWords
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
  let letters: [Unicode.Scalar]
  let words: [[Unicode.Scalar]]
  let squeezed: [Unicode.Scalar]
  /// With a space before and after.
  let spaced: [Unicode.Scalar]
  /// One more than there may be errors: of a title with so few, one is without.
  let pieces: [[Unicode.Scalar]]

  init(folded: String) {
    let letters = Array(folded.unicodeScalars)
    let count = Self.allowedEdits(letters) + 1
    self.letters = letters
    words = letters.split(separator: " ").map(Array.init)
    squeezed = letters.filter { $0 != " " }
    spaced = [" "] + letters + [" "]
    pieces = (0..<count).map { Array(letters[$0 * letters.count / count..<($0 + 1) * letters.count / count]) }
  }

  /// Typing errors that a search looks past.
  var allowedEdits: Int { pieces.count - 1 }

  /// A sign of Chinese or Japanese says more than a letter.
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

  /// What `LIKE` finds in every title that has all words.
  var allPatterns: [String] { words.map(Self.pattern) }

  /// What `LIKE` finds in every title with so few errors.
  var anyPatterns: [String] { pieces.map(Self.pattern) }

  private static func pattern(_ letters: [Unicode.Scalar]) -> String {
    let escaped = letters.reduce(into: String.UnicodeScalarView()) { text, letter in
      if #"\%_"#.unicodeScalars.contains(letter) { text.append("\\") }
      text.append(letter)
    }
    return "%\(String(escaped))%"
  }
}

extension [Unicode.Scalar] {
  fileprivate var spaces: Int { count { $0 == " " } }

  /// Whether `part` stands anywhere in it.
  fileprivate func has(_ part: [Unicode.Scalar]) -> Bool {
    guard let first = part.first, part.count <= count else { return part.isEmpty }
    return (0...count - part.count).contains { start in
      self[start] == first && part.indices.allSatisfy { self[start + $0] == part[$0] }
    }
  }
}
