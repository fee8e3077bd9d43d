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
