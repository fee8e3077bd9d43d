import Synchronization

package final class GeneratedJikan: SimulatedUpstream {
  private let settings: JikanSettings
  private let edited = Mutex(JikanEdits())
  private let anime: JikanListings
  private let manga: JikanListings

  package init(_ settings: JikanSettings, edits: JikanEdits = JikanEdits()) {
    self.settings = settings
    anime = JikanListings(of: .anime, settings)
    manga = JikanListings(of: .manga, settings)
    self.edits = edits
  }

  package var edits: JikanEdits {
    get { edited.withLock { $0 } }
    set { edited.withLock { $0 = newValue } }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    JikanRequest.answer(request) { request throws(SimulatedJikanProblem) in try answer(request) }
  }

  private func answer(_ request: JikanRequest) throws(SimulatedJikanProblem) -> SimulatedAnswer {
    switch request.route {
    case .health:
      return .json(#"{"status":"up"}"#, headers: [HeaderField("Cache-Control", "no-cache, private")])
    case .top(let kind):
      let query = try JikanListQuery.top(kind, request.parameters, maximumLimit: request.maximumLimit)
      let narrowing = Set(["type", "filter"].compactMap { request.parameters[$0] })
      return try page(
        of: kind, query, missing: "top\(kind.rawValue).php", isEmpty: !narrowing.isDisjoint(with: edits.empty))
    case .catalogue(let kind):
      return try page(of: kind, .catalogue(kind, request, settings), missing: "\(kind.rawValue).php")
    case .season(let season):
      return try page(of: .anime, .season(season, request), missing: "anime/season")
    case .upcoming:
      return try page(of: .anime, .season(nil, request), missing: "anime/season")
    case .schedule(let day):
      return try page(of: .anime, .schedule(day: day, request), missing: "anime/season/schedule")
    case .genres(let kind):
      return try JikanGenres.answer(kind, request.parameters, settings)
    case .item(let kind, let malID):
      guard var row = listings(kind).catalogue.row(malID: malID) else {
        throw .missing(page: "\(kind.rawValue)/\(malID)")
      }
      row.edits = edits
      return row.answer
    }
  }

  package func ids(_ kind: SimulatedKind) -> [Int] {
    let catalogue = listings(kind).catalogue
    return (0..<catalogue.count).map { catalogue.row($0).malID }
  }

  private func listings(_ kind: SimulatedKind) -> JikanListings { kind == .anime ? anime : manga }

  private func page(
    of kind: SimulatedKind, _ query: JikanListQuery, missing address: String, isEmpty: Bool = false
  ) throws(SimulatedJikanProblem) -> SimulatedAnswer {
    let listings = listings(kind)
    let listing = listings.listing(query.selection)
    let total = isEmpty ? 0 : listing.total
    if isEmpty || query.page > JikanPage.lastPage(of: total, limit: query.limit), settings.pastTheEnd == .notFound {
      throw .missing(page: address)
    }
    let start = min(total, query.offset)
    let positions = start..<min(total, start + query.limit)
    let edits = edits
    let rows = positions.map { position in
      var row = listings.catalogue.row(listing.row(at: query.isReversed ? total - 1 - position : position))
      row.edits = edits
      return row
    }
    return JikanPage(page: query.page, limit: query.limit, total: total, rows: rows).answer
  }
}
