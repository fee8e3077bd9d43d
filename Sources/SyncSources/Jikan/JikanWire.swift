/// A number that fits its column. The decoder tells of one that does not as a fault of the whole item ("not valid
/// JSON"); this keeps its path.
struct Fitting<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      value = try container.decode(Value.self)
    } catch let error as DecodingError {
      throw error
    } catch {
      // Foundation's own error, which only its outermost call turns into a `DecodingError`.
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the number does not fit \(Value.self)"))
    }
  }
}

/// The least that tells which item it is, for items that are otherwise unreadable.
struct JikanKey: Decodable {
  let malID: Int64

  private enum CodingKeys: String, CodingKey {
    case malID = "mal_id"
  }

  init(from decoder: any Decoder) throws {
    malID = try decoder.container(keyedBy: CodingKeys.self).decode(Int64.self, forKey: .malID)
    guard malID > 0 else {
      throw DecodingError.dataCorrupted(.init(codingPath: [CodingKeys.malID], debugDescription: "not an id"))
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
