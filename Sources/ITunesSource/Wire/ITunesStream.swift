import SyncCore
import SyncProgram

/// A search, lookup or chart as a stream. Only lookups prove removals: two lookups in a row must not return the id.
struct ITunesStream: PagedStream {
  let description: StreamDescription
  private let question: Question

  /// The request that the stream repeats.
  private enum Question: Sendable {
    case search(ITunesSearch)
    case lookup(ITunesLookup)
    case chart(ITunesChart)
  }

  init(_ search: ITunesSearch, baseURL: String) {
    self.init(
      .search(search), name: "search:\(search.name)", baseURL: baseURL,
      pageSize: search.limit ?? ITunes.recordsPerCall,
      method: .sample, parameters: search.query(offset: 0, size: search.limit ?? ITunes.recordsPerCall),
      sql: StreamSQL(folder: "itunes", scope: [search.country, "search", search.name], publishing: search.values),
      isQuestion: search.isQuestion)
  }

  init(_ lookup: ITunesLookup, baseURL: String) {
    let kind = lookup.isRefresh ? "refresh" : "lookup"
    self.init(
      .lookup(lookup), name: "\(kind):\(lookup.name)", baseURL: baseURL, pageSize: lookup.batch, method: .batches,
      parameters: lookup.fingerprint,
      sql: StreamSQL(folder: "itunes", scope: [lookup.country, kind, lookup.name], publishing: lookup.expected),
      isQuestion: lookup.isQuestion)
  }

  init(_ chart: ITunesChart, baseURL: String) {
    self.init(
      .chart(chart), name: "chart:\(chart.name)", baseURL: baseURL, pageSize: chart.limit, method: .single,
      parameters: chart.path, sql: StreamSQL(folder: "itunes/charts", scope: chart.scope))
  }

  private init(
    _ question: Question, name: String, baseURL: String, pageSize: Int, method: WalkMethod, parameters: String,
    sql: StreamSQL, isQuestion: Bool = false
  ) {
    self.question = question
    var description = StreamDescription(
      id: StreamID(source: .itunes, name: name), provider: "itunes", origin: baseURL, pageSize: pageSize,
      method: method, absence: .endsEntry(.none), sql: sql, mappingVersion: Int(ITunes.mappingVersion),
      parameters: parameters)
    description.isQuestion = isQuestion
    self.description = description
  }

  var isChart: Bool {
    if case .chart = question { true } else { false }
  }

  func request(_ address: PageAddress) -> UpstreamRequest {
    let origin = description.origin
    return switch question {
    case .search(let search):
      UpstreamRequest(url: "\(origin)/search?\(search.query(offset: address.offset, size: address.size))")
    case .lookup(let lookup): UpstreamRequest(url: "\(origin)/lookup?\(lookup.query(page: address.page))")
    case .chart(let chart): UpstreamRequest(url: "\(origin)\(chart.path)")
    }
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    switch question {
    case .search(let search):
      try ITunesAnswer.check(response, to: request)
      let entries = try ITunesReader().entries(response.body, request: request)
      return .items(entries, claim(of: search, entries.count, request))
    case .lookup(let lookup):
      try ITunesAnswer.check(response, to: request)
      let entries = try ITunesReader().entries(response.body, request: request)
      return .items(entries, claim(of: lookup, request))
    case .chart:
      let entries = try ITunesChartReader().entries(response, request: request)
      return .items(entries, PageClaim(total: entries.count, lastPage: 1, hasNext: false))
    }
  }

  /// The claim of a page of a search. A search with a limit, or a page that is not full, is the whole answer.
  private func claim(of search: ITunesSearch, _ count: Int, _ request: UpstreamRequest) -> PageClaim {
    let isEmpty = count == 0 && request.url == self.request(address(of: 1)).url
    let isAll = search.limit != nil || count < description.pageSize
    return PageClaim(total: isEmpty ? 0 : nil, hasNext: isAll ? false : nil)
  }

  private func claim(of lookup: ITunesLookup, _ request: UpstreamRequest) -> PageClaim {
    PageClaim(lastPage: lookup.pages, hasNext: request.url != self.request(address(of: lookup.pages)).url)
  }

  private func address(of page: Int) -> PageAddress { PageAddress(page: page, size: description.pageSize) }
}

/// Facts about the service that its sources and commands share.
enum ITunes {
  /// Increase the version if derived columns or the hash change, so that unchanged documents get the new values.
  static let mappingVersion: UInt8 = 2

  static let defaultBaseURL = "https://itunes.apple.com"
  static let defaultChartsBaseURL = "https://rss.marketingtools.apple.com"

  /// The documentation allows about 20 calls a minute for searches and lookups together.
  static let publishedLimits = [RateWindow(requests: 20, interval: .seconds(60))]
  /// The service publishes no limit for charts, but answers bursts slowly. Charts therefore use the limit for searches.
  static let chartLimits = publishedLimits

  /// The highest number of records in an answer, and of ids in a request.
  static let recordsPerCall = 200
}

extension SourceID {
  static let itunes: SourceID = "itunes"
}
