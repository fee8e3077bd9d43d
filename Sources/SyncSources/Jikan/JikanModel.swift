import Foundation

/// What the items of a list are.
enum JikanModel: Sendable {
  case media(JikanKind)
  case genre

  /// Members that move on every scrape; hashed apart from the document.
  var counters: Set<String> {
    switch self {
    case .media: ["score", "scored", "scored_by", "rank", "popularity", "members", "favorites"]
    case .genre: ["count"]
    }
  }

  /// Bump it when `write.sql` makes other columns of the same document: equal hashes would hide the change for ever.
  var mappingVersion: UInt8 {
    switch self {
    case .media: 1
    case .genre: 1
    }
  }

  /// Checks an item in its canonical form.
  ///
  /// - Returns: its id.
  /// - Throws: `DecodingError` or `FieldFault`.
  func key(of item: Data) throws -> Int64 {
    let key: Int64
    switch self {
    case .media(let kind):
      let media = try JSONDecoder().decode(JikanMedia.self, from: item)
      key = media.malID
      try media.check(kind)
    case .genre:
      key = try JSONDecoder().decode(JikanGenre.self, from: item).malID
    }
    guard key > 0 else { throw FieldFault(reason: "no_id", detail: "mal_id: \(key) is not an id") }
    return key
  }
}
