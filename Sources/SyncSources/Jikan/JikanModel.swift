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

  /// Increase it when `write.sql` derives other columns from the same document, or the hash changes: equal hashes would
  /// hide the change forever.
  var mappingVersion: UInt8 {
    switch self {
    case .media: 3
    case .genre: 2
    }
  }

  private static let genreTypes = MemberTypes(["name": .text, "url": .text, "count": .whole], expected: ["name"])

  var types: MemberTypes {
    switch self {
    case .media: JikanMedia.types
    case .genre: Self.genreTypes
    }
  }
}

/// The pagination object. Members are optional one by one: the short form has two of them, and any may be wrong.
struct JikanEnvelope: Decodable {
  let pagination: Pagination?

  struct Pagination: Decodable {
    let lastVisiblePage: Int?
    let hasNextPage: Bool?
    let items: Items?

    struct Items: Decodable {
      let total: Int?
    }

    private enum CodingKeys: String, CodingKey {
      case lastVisiblePage = "last_visible_page"
      case hasNextPage = "has_next_page"
      case items
    }
  }
}
