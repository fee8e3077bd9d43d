enum ITunesService: Equatable {
  case search, lookup, charts

  init?(path: String) {
    switch path {
    case "/search": self = .search
    case "/lookup": self = .lookup
    default:
      // PokeAPI's paths have the same prefix, but they do not end with `.json`.
      guard path.hasPrefix("/api/v2/"), path.hasSuffix(".json") else { return nil }
      self = .charts
    }
  }
}
