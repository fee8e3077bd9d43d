/// Jikan v4 and its successor, served from generated rows.
package struct GeneratedJikan: SimulatedUpstream {
  private let settings: JikanSettings
  private let catalogues: [JikanKind: JikanCatalogue]
  private let listings: [JikanKind: JikanListings]

  package init(_ settings: JikanSettings) {
    self.settings = settings
    var catalogues: [JikanKind: JikanCatalogue] = [:]
    var listings: [JikanKind: JikanListings] = [:]
    for kind in [JikanKind.anime, .manga] {
      let catalogue = JikanCatalogue(kind: kind, settings: settings)
      catalogues[kind] = catalogue
      listings[kind] = JikanListings(catalogue: catalogue, settings: settings)
    }
    self.catalogues = catalogues
    self.listings = listings
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let segments = request.path.split(separator: "/")
    let successorPath = segments.first == "v1" ? request.path : nil
    do throws(JikanProblem) {
      guard request.method == "GET" else { throw .methodNotAllowed }
      guard let version = segments.first else { return health() }
      guard version == "v4" || version == "v1" else { throw .noRoute }
      let route = segments.dropFirst()
      if route.count == 2, route.first == "top", let kind = route.last.flatMap({ JikanKind(rawValue: String($0)) }) {
        let maximumLimit = version == "v1" ? 50 : 25
        let parameters = QueryParameters(request.query)
        return try top(kind, JikanTopQuery(parameters, kind: kind, maximumLimit: maximumLimit))
      }
      if route.count == 2, let kind = route.first.flatMap({ JikanKind(rawValue: String($0)) }), let last = route.last {
        return try item(kind, String(last))
      }
      throw .noRoute
    } catch {
      return error.answer(successorPath: successorPath)
    }
  }

  private func health() -> SimulatedAnswer {
    .json(#"{"status":"up"}"#, headers: [HeaderField("Cache-Control", "no-cache, private")])
  }

  /// One page of a top list.
  private func top(_ kind: JikanKind, _ query: JikanTopQuery) throws(JikanProblem) -> SimulatedAnswer {
    guard let catalogue = catalogues[kind], let listing = listings[kind]?.listing(query.selection) else {
      throw .noRoute
    }
    let (total, limit, page) = (listing.total, query.limit, query.page)
    let lastPage = max(1, (total + limit - 1) / limit)
    if page > lastPage, settings.pastTheEnd == .notFound { throw .missing(page: "top\(kind.rawValue).php") }
    let start = page > lastPage ? total : (page - 1) * limit
    let end = min(total, start + limit)
    var json = JSONText(capacity: 256 + (end - start) * 6000)
    json.raw(#"{"pagination":{"last_visible_page":"#)
    json.int(lastPage)
    json.raw(#","has_next_page":"#)
    json.bool(page < lastPage)
    json.raw(#","current_page":"#)
    json.int(page)
    json.raw(#","items":{"count":"#)
    json.int(end - start)
    json.raw(#","total":"#)
    json.int(total)
    json.raw(#","per_page":"#)
    json.int(limit)
    json.raw(#"}},"data":["#)
    for position in start..<end {
      if position > start { json.raw(",") }
      json.jikanRow(catalogue.row(listing.row(at: position)))
    }
    json.raw("]}")
    return .json(json.bytes, headers: [HeaderField("Cache-Control", "no-cache, private")])
  }

  /// One row by its number.
  private func item(_ kind: JikanKind, _ text: String) throws(JikanProblem) -> SimulatedAnswer {
    guard let malID = Int(text), malID >= 1 else { throw .noRoute }
    guard let row = catalogues[kind]?.row(malID: malID) else { throw .missing(page: "\(kind.rawValue)/\(malID)") }
    var json = JSONText(capacity: 6000)
    json.raw(#"{"data":"#)
    json.jikanRow(row)
    json.raw("}")
    return .json(json.bytes, headers: [HeaderField("Cache-Control", "public, s-maxage=86400")])
  }
}
