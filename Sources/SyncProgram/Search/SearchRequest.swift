/// A search for titles in everything that is mirrored, which each source answers for its own items.
package struct SearchRequest: Sendable {
  /// The words as the user wrote them, with a blank between each two. Never empty.
  ///
  /// The queries of a source fold letters (case, accents and width) as its other queries for titles do.
  package let text: String
  /// The number of hits in a group; `nil` for all.
  package let limit: Int?
  /// Whether titles that differ by typing errors are found, too. A source without such a search can ignore it.
  package var toleratesErrors = false
  /// The header `Accept-Language` of a browser; `nil` if the locale of the process chooses the language of names.
  package var languages: String?

  /// Creates a request.
  /// - Returns: `nil` if the text has no words.
  package init?(_ text: String, limit: Int?, languages: String? = nil) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return nil }
    self.text = words.joined(separator: " ")
    self.limit = limit
    self.languages = languages
  }
}

/// How well a title matches a search, the best match first.
package enum SearchRank: Int, Sendable, Comparable {
  /// The title is the text of the search.
  case exact
  /// The title begins with the text.
  case prefix
  /// A word of the title begins with the text.
  case word
  /// The title contains all words of the text.
  case part
  /// The title differs from the text by typing errors.
  case similar

  package static func < (one: SearchRank, other: SearchRank) -> Bool { one.rawValue < other.rawValue }
}

/// An item that a search found.
package struct SearchHit: Sendable {
  package let rank: SearchRank
  /// The source's name of the kind of items, as in `WebPart.ItemPath`.
  package let kind: String
  /// The id within the kind.
  package let id: Int64
  package let title: String
  /// A second title, with its language as in BCP 47, such as the Japanese one.
  package var subtitle: (text: String, language: String)?
  /// The title that matched, if it is neither `title` nor `subtitle`.
  package var match: String?
  /// Facts that tell items with the same title apart, such as `TV, 1998`.
  package var detail: String?
  /// The address of a picture.
  package var picture: String?
  /// The arguments of the command that shows the item, without `syncctl`.
  package let command: String

  package init(_ rank: SearchRank, kind: String, id: Int64, title: String, command: String) {
    self.rank = rank
    self.kind = kind
    self.id = id
    self.title = title
    self.command = command
  }
}

/// The hits of one kind of items, the best match first.
package struct SearchGroup: Sendable {
  /// The heading, such as `Anime`.
  package let title: String
  package let hits: [SearchHit]
  /// The number of matching items, of which `hits` can be the first.
  package let total: Int
  /// The class of the pictures in the stylesheet: `sprites` or `covers`; empty for posters.
  package var style = ""

  /// - Parameter total: At least the number of hits.
  package init(_ title: String, _ hits: [SearchHit], total: Int) {
    self.title = title
    self.hits = hits
    self.total = total
  }
}
