import SyncCore
import SyncPostgres
import SyncProgram

/// The quality of a title's match; a smaller value is better. The title is normalized by `jikan.fold`.
struct TitleMatch: Comparable {
  enum Closeness: Int, Comparable {
    case same
    case sameLetters
    case beginning
    case wholeWords
    case joinedWords
    case nearlySame
    case part
    case allWords
    case similar

    static func < (one: Closeness, other: Closeness) -> Bool { one.rawValue < other.rawValue }
  }

  let closeness: Closeness
  let hasWords: Bool
  let edits: Int
  /// For `nearlySame` and `similar`, the number of edits from the text to the whole title. Otherwise, the difference
  /// between the lengths of the title and the text.
  let rest: Int
  /// The title's index among the item's titles; 0 is the main title.
  let index: Int

  init?(_ words: SearchWords, _ title: [Unicode.Scalar], index: Int) {
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
    self.index = index
  }

  private var order: (Int, Int, Int) { (closeness.rawValue, edits, rest) }

  static func < (one: TitleMatch, other: TitleMatch) -> Bool {
    one.order == other.order ? (one.index == 0 && other.index > 0) : one.order < other.order
  }
}

extension [Unicode.Scalar] {
  fileprivate func has(_ part: [Unicode.Scalar]) -> Bool {
    guard let first = part.first, part.count <= count else { return part.isEmpty }
    return (0...count - part.count).contains { start in
      self[start] == first && part.indices.allSatisfy { self[start + $0] == part[$0] }
    }
  }

  fileprivate func hasWholeWords(_ letters: [Unicode.Scalar]) -> Bool {
    indices.contains { start in
      guard start == 0 || self[start - 1] == " " else { return false }
      var index = start
      var found = 0
      while index < count, found < letters.count, self[index] == " " || self[index] == letters[found] {
        found += self[index] == " " ? 0 : 1
        index += 1
      }
      return found == letters.count && (index == count || self[index] == " ")
    }
  }
}
