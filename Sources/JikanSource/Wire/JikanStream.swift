import SyncCore
import SyncProgram

/// A list of the service as a stream. Only catalogues have a lookup, because other lists do not prove removals.
struct JikanStream: PagedStream {
  let description: StreamDescription
  let lookup: (any ItemLookup)?
  private let list: JikanList
  private let reader: ListReader

  /// `baseURL` includes the version's path and has no final slash.
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

extension JikanList {
  var isTop: Bool { if case .top = self { true } else { false } }

  func request(_ address: PageAddress, at baseURL: String) -> UpstreamRequest {
    let parameters = parameters(address).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return UpstreamRequest(url: "\(baseURL)\(path)?\(parameters)")
  }

  /// If this list is empty, `whole` is requested to check that the service works. `nil` if this list is never empty.
  var whole: JikanList? {
    switch self {
    case .top(let list):
      list.subtype == nil && list.filter == nil ? nil : .top(JikanTopList(kind: list.kind))
    case .season(.of): .season(.now)
    case .schedule("other"), .schedule("unknown"): .schedule(filter: nil)
    case .catalogue, .season, .schedule, .genres: nil
    }
  }

  /// The form of the list's items.
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

  func parameters(_ address: PageAddress) -> [(name: String, value: String)] {
    let page = [("page", "\(address.page)"), ("limit", "\(address.size)")]
    switch self {
    case .top(let list):
      return page
        + [("type", list.subtype), ("filter", list.filter)].compactMap { name, value in
          value.map { (name, $0) }
        }
    case .catalogue:
      // Top lists contain unapproved entries. Without `unapproved`, each catalogue walk would look up these entries.
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

  /// The way to walk the list, with the provider's limit of page numbers.
  func method(of provider: JikanProvider) -> WalkMethod {
    switch self {
    case .top, .season, .schedule: .pages
    case .catalogue: .catalogue(pageCap: provider.pageCap)
    case .genres: .single
    }
  }

  /// The conclusion from an item that is missing in the list.
  var absence: Absence {
    switch self {
    case .top(let list): .endsEntry(list.subtype == nil && list.filter == nil ? .wholeList : .filteredList)
    case .catalogue: .questionsItem(.wholeList)
    // Entries leave these lists as time passes. A named season keeps its entries.
    case .season(.now), .season(.upcoming), .schedule: .leavesWindow
    case .season(.of), .genres: .endsEntry(.filteredList)
    }
  }

  /// The folder of the SQL files for the list's tables.
  var folder: String {
    if case .genres = self { "jikan/genres" } else { "jikan" }
  }

  /// The values that identify the list in the parameters of its SQL.
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

extension SourceID {
  static let jikan: SourceID = "jikan"
}
