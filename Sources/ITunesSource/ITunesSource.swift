package import SyncCore
import SyncPostgres
package import SyncProgram
package import SyncWeb

/// The source `itunes`: charts, and configured searches and lookups of the iTunes Search API.
package struct ITunesSource: CompiledSource {
  let baseURL: Setting<String>
  let chartsBaseURL: Setting<String>
  /// The search host's rate limits. An empty array means no limits and is possible only for a loopback host.
  let rateLimits: Setting<[RateWindow]>
  let chartLimits: Setting<[RateWindow]>
  let searches: [ITunesSearch]
  let lookups: [ITunesLookup]
  let charts: Setting<[ITunesChart]>
  let streams: [ITunesStream]
  private let entriesOrigin: SettingOrigin

  package static let definition: SourceDefinition = {
    var definition = SourceDefinition(
      .itunes, help: help,
      favorites: NamedKinds(
        of: .itunes, Favorites.ITunesKind.allCases.map(\.rawValue), example: "itunes album 1440833098",
        remedy: Favorites.ITunesKind.remedy),
      source: ITunesSource.init,
      mappings: { database in
        let stored = try await ITunesQueries.storedScopes(in: database)
        return stored.items.map { ITunesMapping(country: $0[0]) } + stored.charts.map { ITunesMapping(chart: $0) }
      })
    definition.sample = sample
    definition.guesses = guesses
    definition.canRefresh = true
    definition.keys = ["base_url", "charts_base_url", "rate_limits", "searches", "lookups", "charts"]
    definition.commands = [ITunesCommand.self]
    definition.rankings = [RankingsITunesCommand.self]
    definition.movers = [ITunesMoversCommand.self]
    definition.listHistories = [ITunesChartHistoryCommand.self]
    definition.personalTables = ["itunes.lookup_history"]
    return definition
  }()

  private static let guesses: [Guess] =
    ITunesChartChoice.types.flatMap { (type: String) -> [Guess] in
      Guess.commands(
        "\(type) .|itunes \(type)|rankings \(type)|itunes top \(type)|top \(type)|best \(type)|popular \(type)|"
          + "free \(type)|top free \(type)|most popular \(type)",
        "rankings itunes --chart \(type)")
        + Guess.commands("\(type)", "itunes search TERM", "rankings itunes --chart \(type)")
    }
    + [
      ("japan", "jp"), ("uk", "gb"), ("britain", "gb"), ("germany", "de"), ("france", "fr"), ("taiwan", "tw"),
      ("korea", "kr"), ("usa", "us"), ("canada", "ca"), ("australia", "au"),
    ].flatMap { (name: String, code: String) in
      Guess.commands(
        "charts \(name)|chart \(name)|top songs \(name)|songs \(name)|charts \(code)|songs \(code)",
        "rankings itunes --country \(code)")
    }
    + Guess.commands("lookup", "search WORDS", "itunes lookup ID")
    + ITunesChartChoice.names.flatMap { (name: String) -> [Guess] in
      let phrases = ["", "itunes ", "rankings ", "itunes chart ", "itunes charts ", "itunes top "].map { $0 + name }
      return Guess.commands(phrases.joined(separator: "|"), "rankings itunes --chart \(name)")
        + Guess.commands("rankings movers \(name)", "rankings movers itunes --chart \(name)")
    }
    + Guess.commands(
      "charts|chart|hits|billboard|itunes list|itunes ls|itunes top|itunes rankings|itunes charts|itunes chart",
      "rankings itunes")
    + Guess.commands("itunes charts WORD|itunes chart WORD", "rankings itunes --chart WORD")
    + Guess.commands(
      "music|song|track|tracks|play|listen|spotify|lyrics", "rankings itunes --chart songs",
      "itunes search TERM")
    + Guess.commands("album", "rankings itunes --chart albums", "itunes search TERM")
    + Guess.commands("artist|artists|singer|band|musician|concert", "itunes search TERM", "search WORDS")
    + Guess.commands("podcast", "rankings itunes --chart podcasts", "itunes search TERM")
    + Guess.commands("app|appstore|software|game|games", "rankings itunes --chart apps", "itunes search TERM")
    + Guess.commands("book|ebook|ebooks|audiobook|audiobooks", "rankings itunes --chart books", "itunes search TERM")
    + Guess.commands("apple|store|storefront|price|prices", "itunes search TERM", "rankings itunes")
    + Guess.commands("itunes find|itunes query", "itunes search TERM")
    + Guess.commands("itunes get|itunes show|itunes info|itunes ID", "itunes lookup ID")
    + Guess.commands("itunes WORD", "itunes search WORD")
    + Guess.commands("itunes --chart", "rankings itunes --chart NAME")
    + Guess.commands("rankings --country", "rankings itunes --country us")
    + Guess.commands("rankings itunes --movers", "rankings movers itunes")
    + Guess.commands("rankings itunes --history", "rankings history itunes --help")
  private static let help = SourceHelp(
    content: "charts, and configured searches", runs: ["run --source itunes --refresh"],
    streams: """
      The streams of itunes are the configured searches, look-ups and charts: \
      search:NAME, lookup:NAME, chart:NAME; without configuration, four charts. \
      --refresh looks up all mirrored iTunes items again, 200 per request; an item \
      that is missing twice in a row is marked as removed upstream.
      """, rankings: ["rankings itunes --chart albums --country tw", "rankings movers itunes --chart songs"])

  private static let sample = SampleConfiguration(
    settings: """
      # base_url: https://itunes.apple.com
      # charts_base_url: https://rss.marketingtools.apple.com
      # Of each of the two services.
      # rate_limits: [20/60s]
      charts:
        - { name: us-songs, country: us, media: music, feed: most-played, type: songs }
        - { name: us-albums, country: us, media: music, feed: most-played, type: albums }
        - { name: us-apps, country: us, media: apps, feed: top-free, type: apps }
        - { name: us-podcasts, country: us, media: podcasts, feed: top, type: podcasts }
      # searches:
      #   - { name: jay-tw, term: 周杰倫, country: tw, entity: song }
      # lookups:
      #   - { name: abbey-road, ids: [1441164426], entity: song }
      """,
    jobs: """
      - { name: itunes, source: itunes, schedule: every 6h }
      """)

  /// Reads and checks the source's settings. Sends no request.
  /// - Throws: `SyncError` `.configuration` for an invalid setting or an invalid search, lookup or chart.
  package init(_ settings: SourceSettings) throws(SyncError) {
    let url = try settings.baseURL(standard: ITunes.defaultBaseURL)
    baseURL = url
    // If only `base_url` is set, its host also serves the charts, because the host is a proxy or a simulator.
    let charts = try settings.baseURL("charts_base_url", standard: ITunes.defaultChartsBaseURL)
    chartsBaseURL = charts.origin == .standard && url.origin != .standard ? url : charts
    rateLimits = try settings.rateLimits(
      of: baseURL.value, standard: ITunes.publishedLimits, published: ITunes.publishedLimits)
    chartLimits = try settings.rateLimits(
      of: chartsBaseURL.value, standard: ITunes.chartLimits, published: ITunes.chartLimits)
    let entries = try ITunesEntries(settings)
    searches = entries.searches
    lookups = entries.lookups
    entriesOrigin = settings.fileOrigin
    if let configured = entries.charts {
      self.charts = Setting(configured, entriesOrigin)
    } else {
      self.charts = Setting(searches.isEmpty && lookups.isEmpty ? try ITunesChart.defaults() : [], .standard)
    }
    let (base, chartsBase) = (baseURL.value, chartsBaseURL.value)
    streams =
      self.charts.value.map { ITunesStream($0, baseURL: chartsBase) } + searches.map { ITunesStream($0, baseURL: base) }
      + lookups.map { ITunesStream($0, baseURL: base) }
  }

  package var settings: [ShownSetting] {
    [
      ShownSetting("sources.itunes.base_url", baseURL.value, baseURL.origin),
      ShownSetting("sources.itunes.charts_base_url", chartsBaseURL.value, chartsBaseURL.origin),
      ShownSetting("sources.itunes.rate_limits", rateLimits),
      ShownSetting("sources.itunes.searches", names: searches.map(\.name), entriesOrigin),
      ShownSetting("sources.itunes.lookups", names: lookups.map(\.name), entriesOrigin),
      ShownSetting("sources.itunes.charts", names: charts.value.map(\.name), charts.origin),
    ]
  }

  /// Returns the word if it is the name of a configured stream. Each name is one stream.
  /// - Throws: `SyncError` `.usage` with the nearest name.
  package func streamNames(_ word: String) throws(SyncError) -> [String] {
    guard knowsStream(word) else {
      throw SyncError(
        .usage, "itunes has no stream \(Excerpt.of(word, scalars: 80))",
        hint: Suggestion.hint(for: word, among: suggestions(for: word))
          + "; configure streams under sources.itunes, or use syncctl itunes search TERM")
    }
    return [word]
  }

  /// Whether the word is the name of a configured stream, such as `chart:us-songs`.
  package func knowsStream(_ word: String) -> Bool { streams.contains { $0.description.id.name == word } }

  /// Returns the names of all configured streams, whatever the word is.
  package func suggestions(for word: String) -> [String] { streams.map(\.description.id.name) }

  /// Returns the description of a configured stream. `nil` for a search that only a command made.
  package func description(of stream: String) -> StreamDescription? {
    streams.first { $0.description.id.name == stream }?.description
  }

  package var defaultStreams: [String]? { streams.map(\.description.id.name) }

  /// Returns `false` for searches from the command line and for removed searches, because runs do not repeat them.
  package func keepsStream(_ name: String) -> Bool { knowsStream(name) }

  var service: Service { Service("itunes:", baseURL: baseURL.value, limits: rateLimits.value) }

  package var services: [Service] {
    let charts = Service("itunes charts:", baseURL: chartsBaseURL.value, limits: chartLimits.value)
    return chartsBaseURL.value == baseURL.value ? [service] : [service, charts]
  }

  /// Returns a request for a chart of ten entries. Not a search, because all users of a network share a limit of twenty
  /// searches a minute.
  package func probe() throws(SyncError) -> Probe {
    let chart = ITunesStream(try ITunesChart(limit: 10), baseURL: chartsBaseURL.value)
    let origin = chart.description.origin
    let others = chartsBaseURL.value == baseURL.value ? "" : "; searches at \(baseURL.value) were not requested"
    return Probe(of: chart, limits: chartLimits.value) { page in
      "charts at \(origin) answer, \(page.entries.count) entries\(others)"
    }
  }

  package var web: WebPart {
    WebPart(
      links: [WebLink("Music", to: "/itunes", covering: ["/itunes/"])],
      pages: [ITunesPage(searches: searches).page, ITunesItemPage.page], itemPath: ITunesItemPage.path,
      news: ITunesPage.news)
  }

  /// Mirrors the selected streams one after another. If `run.refreshes`, also looks up all mirrored items of each
  /// storefront.
  /// - Throws: `SyncError` or `CancellationError` if the source as a whole failed.
  package func mirror(_ selection: StreamSelection, _ run: inout SourceRun) async throws {
    var list = streams
    if case .named(let names) = selection {
      list = names.compactMap { name in streams.first { $0.description.id.name == name } }
    }
    if run.refreshes {
      for scope in try await ITunesQueries.storedScopes(in: run.database).items {
        guard let country = scope.first else { continue }
        let ids = try await ITunesQueries.mirroredIDs(country: country, in: run.database)
        guard !ids.isEmpty else { continue }
        list.append(ITunesStream(try ITunesLookup(refreshing: ids, country: country), baseURL: baseURL.value))
      }
    }
    let searches = run.fetcher(for: baseURL.value, limits: rateLimits.value)
    let charts = run.fetcher(for: chartsBaseURL.value, limits: chartLimits.value)
    for stream in list {
      let isChart = stream.isChart && chartsBaseURL.value != baseURL.value
      try await run.update([stream], with: isChart ? charts : searches)
    }
  }
}

extension Configuration {
  var itunes: ITunesSource { get throws(SyncError) { try source() } }
}

extension Favorites {
  /// Favorites have no storefront, because an item has the same id in every storefront.
  enum ITunesKind: String, Sendable, CaseIterable {
    case track, album, artist, podcast, audiobook, ebook, app

    static func remedy(id: Int64) -> String { "syncctl itunes lookup \(id) fetches it (another storefront: --country)" }
  }
}
