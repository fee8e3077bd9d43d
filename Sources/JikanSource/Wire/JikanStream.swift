import SyncCore
import SyncProgram

struct JikanStream: PagedStream {
  let description: StreamDescription
  let lookup: (any ItemLookup)?
  private let list: JikanList
  private let reader: ListReader

  /// `baseURL` has the version's path, and no slash at the end; `today` is the season by the calendar, or nil.
  init(
    _ list: JikanList, provider: JikanProvider, baseURL: String, topListPublishing: [String] = [],
    today: JikanSeason? = nil
  ) {
    self.list = list
    reader = ListReader(model: list.model)
    if case .catalogue(let kind) = list {
      lookup = JikanLookup(kind: kind, baseURL: baseURL)
    } else {
      lookup = nil
    }
    description = StreamDescription(
      id: StreamID(source: .jikan, name: list.name), provider: provider.rawValue, origin: baseURL,
      pageSize: provider.pageSize, method: list.method(of: provider), absence: list.absence,
      sql: StreamSQL(folder: list.folder, scope: list.scope, publishing: list.isTop ? topListPublishing : []),
      mappingVersion: Int(list.model.mappingVersion),
      witness: list.whole?.request(PageAddress(page: 1, size: provider.pageSize), at: baseURL),
      expectedSpan: list == .season(.now) ? today?.span : nil)
  }

  func request(_ address: PageAddress) -> UpstreamRequest { list.request(address, at: description.origin) }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    if JikanStatus.isPageCap(response, of: request) { return .pageCap }
    switch try JikanStatus.classify(response, request: request) {
    case .missing: return .notFound
    case .answered: return try reader.page(response.body, request: request)
    }
  }
}

struct JikanLookup: ItemLookup {
  private let path: String
  private let reader: ListReader

  init(kind: JikanKind, baseURL: String) {
    path = "\(baseURL)/\(kind.rawValue)"
    reader = ListReader(model: .media(kind))
  }

  func request(key: Int64) -> UpstreamRequest {
    UpstreamRequest(url: "\(path)/\(key)")
  }

  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
    switch try JikanStatus.classify(response, request: request) {
    case .missing:
      // It proves that the item was removed, so it must be the API's own answer, in its own words.
      guard JikanStatus.isProblem(response.body) else {
        let answer = response.body.isEmpty ? "with nothing" : "with \(Excerpt.of(response.body))"
        throw SyncError(
          .upstream, "\(request.url) answered 404 \(answer)",
          hint: "a proxy or a block answers in place of the API; run again later", disposition: .retry(after: nil))
      }
      return .gone
    case .answered:
      return .item(try reader.item(response.body, key: key, request: request))
    }
  }
}

extension JikanList {
  var isTop: Bool {
    if case .top = self { true } else { false }
  }

  func request(_ address: PageAddress, at baseURL: String) -> UpstreamRequest {
    let parameters = parameters(address).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return UpstreamRequest(url: "\(baseURL)\(path)?\(parameters)")
  }

  /// The list that shows that the service works when this one is empty; nil for a list that is never empty: something
  /// is on air on every weekday, and every list of genres has some.
  var whole: JikanList? {
    switch self {
    case .top(let list):
      list.subtype == nil && list.filter == nil ? nil : .top(JikanTopList(kind: list.kind))
    case .season(.of): .season(.now)
    case .schedule("other"), .schedule("unknown"): .schedule(filter: nil)
    case .catalogue, .season, .schedule, .genres: nil
    }
  }

  var model: JikanModel {
    switch self {
    case .top(let list): .media(list.kind)
    case .catalogue(let kind): .media(kind)
    case .season, .schedule: .media(.anime)
    case .genres: .genre
    }
  }

  var path: String {
    switch self {
    case .top(let list): "/top/\(list.kind.rawValue)"
    case .catalogue(let kind): "/\(kind.rawValue)"
    case .season(let season): "/seasons/\(season.text(separator: "/"))"
    case .schedule: "/schedules"
    case .genres(let list): "/genres/\(list.kind.rawValue)"
    }
  }

  /// Every value is from a closed set or a number, so nothing has to be escaped.
  func parameters(_ address: PageAddress) -> [(name: String, value: String)] {
    let page = [("page", "\(address.page)"), ("limit", "\(address.size)")]
    switch self {
    case .top(let list):
      return page
        + [("type", list.subtype), ("filter", list.filter)].compactMap { name, value in
          value.map { (name, $0) }
        }
    case .catalogue:
      // Unapproved entries are omitted by default; top lists bring them into the mirror all the same, and each would
      // have to be looked up in every walk.
      let order = [("order_by", "mal_id"), ("sort", address.direction == .forward ? "asc" : "desc")]
      return order + page + [("unapproved", "true")]
    case .season:
      return page
    case .schedule(let filter):
      return page + (filter.map { [("filter", $0)] } ?? [])
    case .genres(let list):
      return [("filter", list.facet.rawValue)]
    }
  }

  func method(of provider: JikanProvider) -> WalkMethod {
    switch self {
    case .top, .season, .schedule: .pages
    case .catalogue: .catalogue(pageCap: provider.pageCap)
    case .genres: .single
    }
  }

  var absence: Absence {
    switch self {
    case .top(let list): .endsEntry(list.subtype == nil && list.filter == nil ? .wholeList : .filteredList)
    case .catalogue: .questionsItem(.wholeList)
    // A season that has a name stays that season.
    case .season(.now), .season(.upcoming), .schedule: .leavesWindow
    // The least list of genres has two or three rows: half of them may go at once, the last one may not.
    case .season(.of), .genres: .endsEntry(.filteredList)
    }
  }

  var folder: String {
    if case .genres = self { "jikan/genres" } else { "jikan" }
  }

  /// For lists kind, subtype and filter as in `jikan.ranking`, for genres kind and facet.
  var scope: [String] {
    switch self {
    case .top(let list): [list.kind.rawValue, list.subtype ?? "all", list.filter ?? "none"]
    case .catalogue(let kind): [kind.rawValue]
    case .season(let season): [JikanKind.anime.rawValue, "all", "season:\(season.text(separator: "-"))"]
    case .schedule(let filter): [JikanKind.anime.rawValue, "all", filter.map { "schedule:\($0)" } ?? "schedule"]
    case .genres(let list): [list.kind.rawValue, list.facet.rawValue]
    }
  }
}

/// A service that speaks Jikan v4. The public api.jikan.moe was announced to end on 2026-10-01, so the default is its
/// successor; `jikan` is for self-hosted instances.
enum JikanProvider: String, Sendable, CaseIterable {
  case tenrai
  case jikan

  var defaultBaseURL: String? { self == .tenrai ? "https://api.tenrai.org/v1" : nil }

  var pageSize: Int { self == .tenrai ? 50 : 25 }

  /// The highest page number the service gives of `/anime` and `/manga`; nil if it has none.
  var pageCap: Int? { self == .tenrai ? 1000 : nil }

  /// Published limits: Tenrai's of July 2026 (its clients' documentation), Jikan's of its OpenAPI description.
  var publishedLimits: [RateWindow] {
    let common = [RateWindow(requests: 3, interval: .seconds(1)), RateWindow(requests: 60, interval: .seconds(60))]
    return self == .tenrai ? common + [RateWindow(requests: 40_000, interval: .seconds(86_400))] : common
  }
}

extension SourceID {
  static let jikan: SourceID = "jikan"
}
