import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// Charts, searches in the mirror, and the history. The page's parameters have the names of the command's options. The
/// parameter `search` is the name of a configured search.
struct ITunesPage: Sendable {
  let searches: [ITunesSearch]

  var page: WebPage {
    WebPage("/itunes", template: "sources/itunes/itunes") { request, database in try await content(request, database) }
  }

  private struct Part {
    var title: String
    var path: WebPath
    var items: [WebValue]
    var page: ListPage
    var noItems: String
    /// The command that prints the part.
    var command: String
    var doubts: [ListDoubt] = []
  }

  private static let start = WebPath("/itunes")

  private func content(_ request: WebRequest, _ database: Database) async throws -> WebContent {
    let query = request.query
    let charts = try await ITunesCharts.charts(in: database)
    let isSearch = query["term"] != nil || query["search"] != nil
    let chart = isSearch ? nil : try Self.chart(query, among: charts)
    let part: Part? =
      if let chart { try await Self.part(of: chart, request, database) } else if isSearch {
        try await results(request, database)
      } else { nil }
    let history = request.rights.showsPersonalData ? try await Self.history(in: database) : nil
    let offset = try request.offset(limit: Limits.itemsOnPage)
    return WebContent(
      title: part?.title ?? "Music",
      [
        "groups": .list(
          [
            ("Charts", charts.map { Self.path(of: $0).choice(Self.name(of: $0), isChosen: $0 == chart) }),
            (
              "Searches",
              searches.map { Self.start.with("search", $0.name).choice($0.name, isChosen: $0.name == query["search"]) }
            ),
          ].filter { !$0.1.isEmpty }.map { .object(["groupTitle": .text($0.0), "choices": .list($0.1)]) }),
        "form": Self.start.form(
          [
            .field(
              "term", label: "search the mirror", value: request.typed["term"] ?? "", type: "search", isRequired: true),
            .field("country", label: "country", value: request.typed["country"] ?? "us"),
          ] + (isSearch ? [Self.orderField(request.typed)] : [])),
        "items": part.map { .list($0.items) }, "itemsStyle": "covers",
        "total": .text(orNil: part?.page.total.map(HumanFormat.count)),
        "notes": .list(part?.doubts.map { .text($0.text(of: "entry")) } ?? []),
        "noItems": .text(part?.noItems ?? "No chart has been mirrored yet; syncctl run --source itunes fetches them."),
        "pager": part.flatMap { part in
          part.path.pager(
            page: offset / Limits.itemsOnPage + 1, shown: part.items.count, limit: Limits.itemsOnPage,
            total: part.page.total ?? offset + part.items.count)
        },
        "history": history.map { page in
          ITunesHistoryCommand.listing(page, isFirst: true).webTable("Last searches and look-ups") { key, row in
            guard key == "term", let term = row["term"]?.string else { return nil }
            return Self.search(for: term, in: row["country"]?.string).text
          }
        },
      ]
    ).printed(by: part?.command, parameters: ["chart", "country", "feed", "search", "term", "sort", "page"])
  }

  /// Returns the path of a search in the mirror.
  static func search(for term: String, in country: String?) -> WebPath {
    start.with("term", term).with("country", country)
  }

  /// Returns `nil` for a user who has only the rights of `syncctl_reader`.
  private static func history(in database: Database) async throws -> ListPage? {
    do {
      return try await ITunesQueries.lookups(limit: Limits.runsOnPage, in: database)
    } catch let error as SyncError where error.code == .permission {
      return nil
    }
  }

  /// The order of a search's results. A chart has its own order.
  private static func orderField(_ typed: [String: String]) -> WebValue {
    .field("sort", label: "order", value: order(typed), options: ITunesQueries.Sort.allCases.map(\.rawValue))
  }

  private static func order(_ query: [String: String]) -> String {
    query["sort"] ?? ITunesQueries.Sort.artist.rawValue
  }

  static func name(of chart: ITunesCharts.Chart) -> String { "\(chart.country) \(chart.feed) \(chart.type)" }

  private static func path(of chart: ITunesCharts.Chart) -> WebPath {
    start.with("chart", chart.type).with("country", chart.country).with("feed", chart.feed)
  }

  /// Returns the chart that the parameters select. Without parameters, returns a chart of songs or the first chart.
  /// Returns `nil` if the mirror has no chart.
  private static func chart(
    _ query: [String: String], among charts: [ITunesCharts.Chart]
  ) throws(SyncError) -> ITunesCharts.Chart? {
    guard query["chart"] != nil || query["country"] != nil else {
      return charts.first { $0.type == "songs" && $0.country == "us" } ?? charts.first
    }
    let choice = try ITunesChartChoice(
      type: query["chart"] ?? "songs", country: query["country"] ?? "us", feed: query["feed"])
    return try choice.choose(among: charts)
  }

  private static let week = Moment.ago(.seconds(7 * 86_400))

  private static func part(
    of chart: ITunesCharts.Chart, _ request: WebRequest, _ database: Database
  ) async throws -> Part {
    let page = try await ITunesCharts.rows(
      chart, limit: Limits.itemsOnPage, after: .offset(try request.offset(limit: Limits.itemsOnPage)), in: database
    ).page
    let moved = try await ITunesCharts.movers(chart, since: week, limit: nil, in: database)
    let marks = Dictionary(MoverPlot.moves(moved.page.rows, title: "name").map { ($0.row["id"], $0.mark) }) { one, _ in
      one
    }
    let kind = ITunesItemPage.kind(ofChart: chart.type)
    let ids = page.rows.namedRows.compactMap { $0["id"].flatMap { Int64($0) } }
    let isFavorite = kind.flatMap { Favorites.ITunesKind(rawValue: $0) } != nil
    let hearts = try await request.hearts(
      of: isFavorite ? ids : [], kind: kind ?? "", source: ITunesSource.name, in: database)
    let items = page.rows.namedRows.map { row in
      let id = row["id"].flatMap { Int64($0) }
      let path = kind.flatMap { kind in id.flatMap { ITunesItemPage.path(kind, $0, in: chart.country) } }
      var item = WebItem(row["name"] ?? "#\(row["id"] ?? "")", path: path, picture: row["artwork_url"])
      item.position = row["position"]
      item.change = marks[row["id"]]
      item.setNames(artist: row["artist_name"])
      item.details = [row.unreadRemark, row["release_date"]]
      item.links = path == nil ? [("page ↗", row["url"])] : []
      item.anchor = id.map { WebRequest.anchor(of: $0, kind: kind ?? "") }
      item.hearts = [id.flatMap { hearts[$0] }]
      return item.value(request)
    }
    let command = WebCommandLine.text(
      ["syncctl", "rankings", "itunes"],
      [(name: "chart", value: chart.type), (name: "country", value: chart.country), (name: "feed", value: chart.feed)])
    return Part(
      title: "Music: \(name(of: chart))", path: path(of: chart), items: items, page: page,
      noItems: "The chart has no further entries.", command: command, doubts: moved.doubts)
  }

  /// Returns the results of the configured search that the parameter `search` names, or of the parameter `term`.
  private func results(_ request: WebRequest, _ database: Database) async throws -> Part {
    let query = request.query
    let order = Self.order(query)
    let sort = try ITunesQueries.Sort.named(order, "order")
    let offset = try request.offset(limit: Limits.itemsOnPage)
    let rows = ITunesQueries.Part(limit: Limits.itemsOnPage, offset: offset)
    let (title, path, answer, terms): (String, WebPath, ITunesQueries.Answer, [String])
    var country: String?
    if let name = query["search"] {
      // Only configured searches are shown. All other searches are private, because a user typed them.
      guard searches.contains(where: { $0.name == name }) else {
        throw SyncError(
          .missing, "there is no configured search \(Excerpt.of(name, scalars: 60))",
          hint: "the page iTunes lists the searches")
      }
      answer = try await ITunesQueries.results(of: name, sort: sort, part: rows, in: database)
      (title, path) = ("Search \(name)", Self.start.with("search", name))
      terms = searches.filter { $0.name == name }.map(\.term)
      country = searches.first { $0.name == name }?.country
    } else {
      let search = try ITunesSearch(term: query["term"] ?? "", country: query["country"] ?? "us")
      let words = ITunesQueries.Words(term: search.term, country: search.country)
      answer = try await ITunesQueries.find(words, sort: sort, part: rows, in: database)
      (title, path) = ("Search \(search.term)", Self.search(for: search.term, in: search.country))
      (terms, country) = ([search.term], search.country)
    }
    let items = answer.page.rows.namedRows.map { row in
      var item = WebItem(
        row["title"] ?? "#\(row["id"] ?? "")", path: ITunesItemPage.path(of: row), picture: row["artwork_url"])
      let album = row["collection_name"] == row["title"] ? nil : row["collection_name"]
      let facts = [ITunesText.kind(row), ITunesText.price(row)]
      item.setNames(artist: row["artist_name"], album: album)
      item.details = [facts.compactMap(\.self).joined(separator: ", "), row["release_date"]]
      return item.value(request)
    }
    let command = WebCommandLine.text(
      ["syncctl", "itunes", "search"] + terms + ["--offline"],
      [(name: "country", value: country), (name: "sort", value: order)])
    return Part(
      title: title, path: path.with("sort", order), items: items, page: answer.page, noItems: "Nothing was found.",
      command: command)
  }

  static func news(in database: Database) async throws -> [WebNews] {
    var news: [(size: Int, news: WebNews)] = []
    for chart in try await ITunesCharts.charts(in: database).prefix(Limits.chartsWithNews) {
      let movers = try await ITunesCharts.movers(chart, since: week, limit: Limits.newsOfSource, in: database)
      let notes = movers.doubts.map { "\(name(of: chart)): \($0.text(of: "entry"))" }
      for (row, mark) in MoverPlot.moves(movers.page.rows, title: "name") {
        let title = [row["name"], row["artist_name"]].compactMap(\.self).joined(separator: ", ")
        let item = WebNews(
          text: title, path: path(of: chart).text, detail: "\(mark.text) in \(name(of: chart))", notes: notes)
        news.append((abs(row.int("change") ?? 0), item))
      }
    }
    return news.sorted { $0.size > $1.size }.map(\.news)
  }
}

extension WebItem {
  /// Sets the line below the title, with its language.
  mutating func setNames(artist: String?, album: String? = nil) {
    let names = [artist, album].compactMap(\.self).joined(separator: " · ")
    // An empty `lang` means an unknown language.
    subtitle = names.isEmpty ? nil : (names, WebLanguage.ofScript(names) ?? "")
  }
}
