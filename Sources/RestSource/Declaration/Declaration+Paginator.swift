extension Declaration {
  /// The way in which a list names its pages.
  enum Paginator: Sendable {
    case pageNumber(Numbered)
    case offset(Numbered)
    case jsonLink(next: [String])
    case headerLink(relation: String)
    case cursor(path: [String], place: Place)
    /// The next page continues after this member of the last item.
    case lastItem(path: [String], place: Place)
    case single

    /// Where a request has a value of the paginator.
    enum Place: Sendable, Equatable {
      case parameter(String)
      /// A member of the body.
      case body([String])
    }

    /// A paginator that counts pages or items.
    struct Numbered: Sendable {
      let place: Place
      /// The number of the first page, or of the first item.
      let base: Int
      /// The place of the number of items in a page; `nil` if the service has none.
      let limitPlace: Place?
      let limit: Int?
      let total: [String]?
      let hasMore: [String]?
    }

    /// The path of the member that has the address of the next page.
    var nextLink: [String]? { if case .jsonLink(let next) = self { next } else { nil } }

    var isChain: Bool {
      switch self {
      case .jsonLink, .headerLink, .cursor, .lastItem: true
      case .pageNumber, .offset, .single: false
      }
    }
  }

  /// What the declaration says about the pages of a chain, besides the next page's place.
  struct ChainRules: Sendable, Equatable {
    /// The path of the member that says whether another page follows.
    var hasMore: [String]?
    /// Whether each page continues after the last item's key (`cursor: by_key`), so that the walk has evidence although
    /// it cannot read the cursors.
    var isByKey = false
    /// Whether only the path and the query of a next page's link count, because the service writes another scheme, host
    /// or port than `base_url` (`next_link: { keep: path }`).
    var keepsOrigin = false

    /// The part of a walk's parameters. The claims of stored pages depend on it.
    var parameter: String { "more \(hasMore ?? []) keys" + (keepsOrigin ? ", next_link keeps the path" : "") }
  }
}
