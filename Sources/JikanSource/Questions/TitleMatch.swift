import SyncCore
import SyncPostgres
import SyncProgram

/// How well a title fits the words of a search. Both are as `jikan.fold` makes them: lower case, words with one space
/// between them. The less, the better.
struct TitleMatch: Comparable {
  enum Closeness: Int, Comparable {
    case same
    /// Equal, spaces aside.
    case sameLetters
    case beginning
    case wholeWords
    /// Whole words one after the other, spaces aside.
    case joinedWords
    /// Equal, typing errors aside.
    case nearlySame
    case part
    /// All words, in any order.
    case allWords
    /// A part of it, typing errors and spaces aside.
    case similar

    static func < (one: Closeness, other: Closeness) -> Bool { one.rawValue < other.rawValue }
  }

  let closeness: Closeness
  /// Whether the title has all the words as they are.
  let hasWords: Bool
  /// For `similar`, in the nearest part of the title.
  let edits: Int
  /// Letters that have to be edited to make the whole title; of `similar`, spaces aside.
  let rest: Int
  /// Place among the titles of the item; 0 is the main one.
  let place: Int

  /// Nil if the title does not fit.
  ///
  /// - Parameter title: its letters. A search compares every title that has one of its words, so what costs most, the
  ///   distance, comes last, and only where it can be small enough.
  init?(_ words: SearchWords, _ title: [Unicode.Scalar], place: Int) {
    let spaced = [" "] + title + [" "]
    let squeezed = title.filter { $0 != " " }
    let difference = abs(title.count - words.letters.count)
    var edits = 0
    var rest = difference
    var hasWords = words.words.allSatisfy { title.has($0) }
    if title == words.letters {
      closeness = .same
    } else if squeezed == words.squeezed {
      closeness = .sameLetters
      hasWords = true
    } else if spaced.starts(with: words.spaced) {
      closeness = .beginning
    } else if spaced.has(words.spaced) {
      closeness = .wholeWords
    } else if title.hasWholeWords(words.squeezed) {
      closeness = .joinedWords
      hasWords = true
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
      guard words.allowedEdits > 0, words.pieces.contains(where: squeezed.has) else { return nil }
      edits = EditDistance.toPart(of: squeezed, words.squeezed)
      guard edits <= words.allowedEdits else { return nil }
      closeness = .similar
      rest = EditDistance.between(words.squeezed, squeezed)
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

struct SearchWords {
  let letters: [Unicode.Scalar]
  let words: [[Unicode.Scalar]]
  let squeezed: [Unicode.Scalar]
  /// With a space before and after.
  let spaced: [Unicode.Scalar]
  /// Typing errors that a search looks past.
  let allowedEdits: Int
  /// A title with at most `allowedEdits` errors, spaces aside, has one of them.
  let pieces: [[Unicode.Scalar]]

  init(folded: String) {
    letters = Array(folded.unicodeScalars)
    words = letters.split(separator: " ").map(Array.init)
    squeezed = letters.filter { $0 != " " }
    spaced = [" "] + letters + [" "]
    allowedEdits = Self.allowedEdits(squeezed)
    pieces = Self.pieces(of: squeezed, parts: allowedEdits + 1)
  }

  /// Returns every run of adjacent parts, with the letters swapped where two parts of the run meet.
  ///
  /// One error damages one part, so that one of so many parts is left. Only a swap of letters across the end of a part
  /// damages two, and leaves both of them as a run.
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

  /// `LIKE` patterns that every title with all words matches.
  var allPatterns: [String] { words.map(Self.pattern) }

  /// A `LIKE` pattern for titles without spaces that contain the letters in sequence.
  var lettersPattern: String { Self.pattern(squeezed) }

  /// `LIKE` patterns for titles without spaces and with few typing errors.
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
  /// Whether it contains `part`.
  fileprivate func has(_ part: [Unicode.Scalar]) -> Bool {
    guard let first = part.first, part.count <= count else { return part.isEmpty }
    return (0...count - part.count).contains { start in
      self[start] == first && part.indices.allSatisfy { self[start + $0] == part[$0] }
    }
  }

  /// Whether whole words one after the other have these letters, spaces aside.
  fileprivate func hasWholeWords(_ letters: [Unicode.Scalar]) -> Bool {
    indices.contains { start in
      guard start == 0 || self[start - 1] == " " else { return false }
      var place = start
      var found = 0
      while place < count, found < letters.count, self[place] == " " || self[place] == letters[found] {
        found += self[place] == " " ? 0 : 1
        place += 1
      }
      return found == letters.count && (place == count || self[place] == " ")
    }
  }
}
