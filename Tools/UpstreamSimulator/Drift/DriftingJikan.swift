import Synchronization

/// Simulates Jikan with lists that change before each page request. ``JikanDrift``, the seed and the request's number
/// determine the changes. Seasons, schedules and genres do not exist.
package final class DriftingJikan: SimulatedUpstream {
  private static let firstStream: UInt64 = 1 << 33
  /// The distance from an item to its repeat, larger than the largest page.
  private static let distanceAcross = 51
  private static let catalogueRows = 10_000_000

  private struct Lists {
    var drift: JikanDrift
    var anime: DriftedList
    var manga: DriftedList
  }

  private let settings: JikanSettings
  private let lists: Mutex<Lists>

  package init(_ settings: JikanSettings, drift: JikanDrift = JikanDrift()) {
    self.settings = settings
    var source = settings
    source.animeItems = Self.catalogueRows
    source.mangaItems = Self.catalogueRows
    let anime = DriftedList(of: SimulatedCatalogue(kind: .anime, settings: source), count: settings.animeItems)
    let manga = DriftedList(of: SimulatedCatalogue(kind: .manga, settings: source), count: settings.mangaItems)
    lists = Mutex(Lists(drift: drift, anime: anime, manga: manga))
  }

  package var drift: JikanDrift {
    get { lists.withLock { $0.drift } }
    set { lists.withLock { $0.drift = newValue } }
  }

  package func remove(_ kind: SimulatedKind, _ ids: some Sequence<Int>) {
    change(kind) { list in ids.forEach { list.remove($0) } }
  }

  package func ids(_ kind: SimulatedKind) -> [Int] { change(kind) { $0.items.map(\.malID) } }

  private func change<Result>(_ kind: SimulatedKind, _ body: (inout DriftedList) -> Result) -> Result {
    lists.withLock { kind == .anime ? body(&$0.anime) : body(&$0.manga) }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    JikanRequest.answer(request) { request throws(SimulatedJikanProblem) in try answer(request) }
  }

  private func answer(_ request: JikanRequest) throws(SimulatedJikanProblem) -> SimulatedAnswer {
    switch request.route {
    case .health: return .json(#"{"status":"up"}"#)
    case .top(let kind):
      let query = try JikanListQuery.top(kind, request.parameters, maximumLimit: request.maximumLimit)
      return try page(of: kind, query, missing: "top\(kind.rawValue).php")
    case .catalogue(let kind):
      return try page(of: kind, .catalogue(kind, request, settings), missing: "\(kind.rawValue).php")
    case .item(let kind, let malID):
      let row = change(kind) { list in list.items.first { $0.malID == malID }.map(list.row) }
      guard let row else { throw .missing(page: "\(kind.rawValue)/\(malID)") }
      return row.answer
    case .season, .upcoming, .schedule, .genres: throw .noRoute
    }
  }

  private func page(
    of kind: SimulatedKind, _ query: JikanListQuery, missing address: String
  ) throws(SimulatedJikanProblem) -> SimulatedAnswer {
    let drift = drift
    let page: JikanPage? = change(kind) { list in
      let draws = Draws(seed: settings.seed, stream: Self.firstStream + (kind == .anime ? 0 : 1)).of(list.requests)
      var generator = DrawnNumbers(draws)
      list.drift(drift, by: &generator)
      return slice(rows(of: list, query), query, drift, list)
    }
    guard let page else { throw .missing(page: address) }
    return page.answer
  }

  private func rows(of list: DriftedList, _ query: JikanListQuery) -> [DriftedList.Item] {
    var items = list.items
    let isByNumber = query.selection.order == .identifier
    if isByNumber { items.sort { $0.malID < $1.malID } }
    var selection = query.selection
    selection.isApprovedOnly = false
    if selection != JikanSelection() { items = items.filter { selection.keeps(list.row(of: $0)) } }
    let draws = Draws(seed: settings.seed, stream: Self.firstStream + 2)
    var shown: [DriftedList.Item] = []
    var again: [(item: DriftedList.Item, position: Int)] = []
    for item in items {
      while let next = again.first, next.position <= shown.count {
        shown.append(next.item)
        again.removeFirst()
      }
      shown.append(item)
      let drawn = draws.of(item.malID)
      if Double(drawn.draw(0, below: 1_000_000)) < settings.repeats * 1e6 { shown.append(item) }
      if !isByNumber, Double(drawn.draw(1, below: 1_000_000)) < settings.repeatsAcross * 1e6 {
        again.append((item, shown.count - 1 + Self.distanceAcross))
      }
    }
    shown += again.map(\.item)
    return query.isReversed ? shown.reversed() : shown
  }

  private func slice(
    _ shown: [DriftedList.Item], _ query: JikanListQuery, _ drift: JikanDrift, _ list: DriftedList
  ) -> JikanPage? {
    let lastPage = JikanPage.lastPage(of: shown.count, limit: query.limit)
    if query.page > lastPage, settings.pastTheEnd == .notFound { return nil }
    let start = query.page > lastPage ? shown.count : (query.page - 1) * query.limit
    let items = shown[start..<min(shown.count, start + query.limit)]
    var page = JikanPage(page: query.page, limit: query.limit, total: shown.count, rows: items.map(list.row))
    page.total = max(0, page.total + drift.totalError)
    return page
  }
}
