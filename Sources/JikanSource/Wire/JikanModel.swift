import SyncCore
import SyncProgram

/// The form of a list's items, which decides their columns and counters.
enum JikanModel: Sendable {
  case media(JikanKind)
  case genre

  /// Members that change on every fetch. They have a separate hash.
  var counters: Set<String> {
    switch self {
    case .media: ["score", "scored", "scored_by", "rank", "popularity", "members", "favorites"]
    case .genre: ["count"]
    }
  }

  /// Must increase if new code derives different columns or hashes. Otherwise, stored documents keep old columns.
  var mappingVersion: UInt8 {
    switch self {
    case .media: 4
    case .genre: 2
    }
  }

  /// The types are from jikan-rest's `app/Http/Resources/V4` and recorded answers.
  private static let mediaTypes = MemberTypes(
    [
      "title": .text, "title_english": .text, "title_japanese": .text, "type": .text, "source": .text,
      "episodes": .whole, "chapters": .whole, "volumes": .whole, "status": .text, "airing": .flag, "publishing": .flag,
      "aired": .object(MemberTypes(["from": .date])), "published": .object(MemberTypes(["from": .date])),
      "rating": .text, "score": .number, "scored": .alias(of: "score"), "scored_by": .whole, "rank": .whole,
      "popularity": .whole, "members": .whole, "favorites": .whole, "season": .text, "year": .whole, "url": .text,
      "images": .object(MemberTypes(["jpg": .object(MemberTypes(["image_url": .text]))])), "synopsis": .text,
      "approved": .flag,
    ], expected: ["title"])

  private static let genreTypes = MemberTypes(["name": .text, "url": .text, "count": .whole], expected: ["name"])

  var types: MemberTypes {
    switch self {
    case .media: Self.mediaTypes
    case .genre: Self.genreTypes
    }
  }
}

/// All members are optional, because the short form of `pagination` has only two members.
struct JikanEnvelope: Decodable {
  let pagination: Pagination?

  /// The pagination of a list. A member that is missing or null is `nil`.
  struct Pagination: Decodable {
    let lastVisiblePage: Int?
    let hasNextPage: Bool?
    let items: Items?

    /// The number of items of the whole list.
    struct Items: Decodable {
      let total: Int?
    }
  }
}
