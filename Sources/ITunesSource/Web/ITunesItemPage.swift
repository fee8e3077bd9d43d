import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// A mirrored item of one storefront, or an entry that only charts have named.
///
/// The path has the kind as favorites name it, because an id is unique only within a kind. The parameter `country` is
/// the storefront. Without it, the page shows the storefront `us`, or else the first mirrored one.
enum ITunesItemPage {
  static let page = WebPage("/itunes/:kind/:id", template: "sources/itunes/item") { request, database in
    let (kind, id) = (request.parameters["kind"] ?? "", try request.id("id"))
    let types = chartTypes(of: kind)
    let wanted = request.query["country"]
    let itemClass = itemClass(of: kind)
    let mirrored = try await ITunesQueries.items([id], country: nil, class: itemClass, in: database).namedRows
    let charted = try await ITunesCharts.items(id, class: itemClass, types: types, in: database)
    let rows = mirrored + charted.namedRows
    guard let row = choose(rows, wanted) else {
      throw SyncError(
        .missing, "the mirror has no \(Excerpt.of(kind, scalars: 40)) \(id)\(wanted.map { " in \($0)" } ?? "")",
        hint: "syncctl itunes lookup \(id) fetches it")
    }
    let country = row["country"] ?? ""
    let text = ITunesItemText(row: row)

    var values = shown(row, text, request)
    let charts = try await ITunesCharts.charts(with: id, types: types, in: database)
    values["heart"] = try await heart(of: id, kind, request, in: database)
    values["numbers"] = .numbers(charts.prefix(3).map { (label: ITunesPage.name(of: $0.chart), text: $0.position) })
    values["credits"] = .list(try await credits(row, text, in: database))
    values["facts"] = .facts(text.facts)
    values["histories"] = .list(try await histories(id, charts.map(\.chart), in: database))
    values["prices"] = try await prices(row, in: database)
    values["children"] = try await children(row, request, in: database)
    values["countries"] = countries(rows, kind, id, country)
    let command = WebCommandLine.text(
      ["syncctl", "itunes", "lookup", "\(id)", "--country", country, "--offline"])
    var content = WebContent(title: row["title"] ?? "#\(id)", values)
      .printed(by: mirrored.contains { $0["country"] == country } ? command : nil, parameters: ["country"])
    return content
  }

  /// Returns the path of an item's page in the storefront; `nil` for a kind that has no page.
  static func path(_ kind: String, _ id: Int64, in country: String?) -> String? {
    guard kind.wholeMatch(of: #/[a-z-]{1,40}/#) != nil else { return nil }
    return WebPath("/itunes/\(kind)/\(id)").with("country", country).text
  }

  /// Returns the path of an item's page in any storefront, because favorites have none.
  static func path(_ kind: String, _ id: Int64) -> String? { path(kind, id, in: nil) }

  /// Returns the path of the page of a row that has the columns `class`, `id` and `country`.
  static func path(of row: NamedRow) -> String? {
    guard let id = row["id"].flatMap({ Int64($0) }), let name = row["class"] else { return nil }
    return path(kind(of: name), id, in: row["country"])
  }

  /// Returns the class of a kind. Favorites have the kind `album` for the class `collection`.
  private static func itemClass(of kind: String) -> String { kind == "album" ? "collection" : kind }

  static func kind(of itemClass: String) -> String { itemClass == "collection" ? "album" : itemClass }

  /// The kinds of the entries of charts, as in the view `itunes.favorite_item`.
  private static let chartKinds = [
    "songs": "track", "music-videos": "track", "albums": "album", "apps": "app", "podcasts": "podcast",
    "podcast-episodes": "podcast-episode", "books": "ebook", "audio-books": "audiobook",
  ]

  /// Returns the kind of a chart's entries; `nil` for an unknown type of chart.
  static func kind(ofChart type: String) -> String? { chartKinds[type] }

  private static func chartTypes(of kind: String) -> [String] {
    chartKinds.filter { $0.value == kind }.map(\.key).sorted()
  }

  private static func choose(_ rows: [NamedRow], _ country: String?) -> NamedRow? {
    if let country { return rows.first { $0["country"] == country.lowercased() } }
    return rows.first { $0["country"] == "us" } ?? rows.first
  }

  private static func heart(
    of id: Int64, _ kind: String, _ request: WebRequest, in database: Database
  ) async throws -> WebValue? {
    guard Favorites.ITunesKind(rawValue: kind) != nil else { return nil }
    return try await request.heart(of: id, kind: kind, source: ITunesSource.name, in: database)
  }

  private static func shown(_ row: NamedRow, _ text: ITunesItemText, _ request: WebRequest) -> [String: WebValue?] {
    let title = row["title"] ?? ""
    let store = row["track_view_url"] ?? row["collection_view_url"] ?? row["artist_view_url"]
    let preview = row["preview_url"]
    let isVideo = ["music-video", "feature-movie", "tv-episode"].contains(row["kind"] ?? "")
    return [
      "artwork": .picture(row["artwork_url"], request), "initial": .text(String(title.prefix(1))),
      "words": .text(text.words.joined(separator: ", ")),
      "removed": row["vanished_at"].map { .text("Removed upstream, \(TimeText.wholeSecond($0)).") },
      "audio": isVideo ? nil : .picture(preview, request),
      "addresses": .links([
        ("\(storeName(store)) ↗", store), ("preview ↗", request.showsPictures && !isVideo ? nil : preview),
        ("feed ↗", row["feed_url"]),
      ]),
    ]
  }

  private static func storeName(_ address: String?) -> String {
    let host = address?.split(separator: "/", maxSplits: 2).dropFirst().first.map(String.init) ?? ""
    let names = [
      ("music.", "Apple Music"), ("podcasts.", "Apple Podcasts"), ("apps.", "App Store"), ("books.", "Apple Books"),
    ]
    return names.first { host.hasPrefix($0.0) }?.1 ?? "Apple"
  }

  /// Returns the artist and the album. They link to their pages if the mirror has them. Otherwise, the artist links to
  /// a search in the mirror.
  private static func credits(
    _ row: NamedRow, _ text: ITunesItemText, in database: Database
  ) async throws -> [WebValue] {
    let country = row["country"] ?? ""
    let parents = ["artist_id", "collection_id"].map { row[$0].flatMap { Int64($0) } }
    let found = try await ITunesQueries.items(parents.compactMap(\.self), country: country, in: database).namedRows
    func page(_ id: Int64?, _ classes: [String]) -> String? {
      guard let id else { return nil }
      return found.first { $0["id"] == "\(id)" && classes.contains($0["class"] ?? "") }.flatMap { path(of: $0) }
    }
    func credit(_ label: String, _ name: String?, _ path: String?) -> WebValue? {
      name.map { name in
        .object([
          "credit": .text(label), "creditName": .text(name), "creditPath": path.map { .text($0) } ?? false,
          "creditLanguage": .text(WebLanguage.ofScript(name) ?? ""),
        ])
      }
    }
    return [
      credit(
        "by", text.artist,
        page(parents[0], ["artist"]) ?? text.artist.map { ITunesPage.search(for: $0, in: country).text }),
      credit("from", text.album, page(parents[1], ["collection", "podcast"])),
    ].compactMap(\.self)
  }

  private static func histories(
    _ id: Int64, _ charts: [ITunesCharts.Chart], in database: Database
  ) async throws -> [WebValue] {
    var histories: [WebValue] = []
    for chart in charts.prefix(Limits.chartsWithNews) {
      let rows = try await ITunesCharts.entry(id, in: chart, database)
      if let plot = HistoryPlot(rows).webValue("Position in \(ITunesPage.name(of: chart))") { histories.append(plot) }
    }
    return histories
  }

  /// Returns `nil` if the price never changed.
  private static func prices(_ row: NamedRow, in database: Database) async throws -> WebValue? {
    guard let id = row["id"].flatMap({ Int64($0) }), let itemClass = row["class"], let country = row["country"] else {
      return nil
    }
    let changes = try await ITunesQueries.priceChanges(
      of: id, class: itemClass, country: country, limit: Limits.runsOnPage, in: database)
    guard !changes.rows.isEmpty else { return nil }
    return Listing(changes, emptyMessage: "", exact: ["at"]).webTable("Price changes")
  }

  /// Returns the songs of an album, the episodes of a podcast, or the albums of an artist; `nil` if there are none.
  private static func children(_ row: NamedRow, _ request: WebRequest, in database: Database) async throws -> WebValue?
  {
    guard let id = row["id"].flatMap({ Int64($0) }), let itemClass = row["class"], let country = row["country"],
      let classes = ["collection": ["track"], "artist": ["collection", "track"], "podcast": ["podcast-episode"]][
        itemClass]
    else { return nil }
    let ids = try await ITunesQueries.children(of: [id], country: country, classes: classes, kinds: [], in: database)
    let shown = Array(ids.prefix(Limits.itemsOnPage))
    guard !shown.isEmpty else { return nil }
    let rows = try await ITunesQueries.items(shown, country: country, in: database).namedRows
    let items = rows.filter { classes.contains($0["class"] ?? "") }.map { child -> WebValue in
      var item = WebItem(child["title"] ?? "", path: path(of: child), picture: child["artwork_url"])
      let length = child.int("track_time_ms").flatMap { $0 > 0 ? ITunesText.length(milliseconds: $0) : nil }
      item.setNames(artist: itemClass == "podcast" ? nil : child["artist_name"])
      item.position = itemClass == "collection" ? child["track_number"] : nil
      item.details = [
        [length, ITunesText.price(child), child["release_date"]].compactMap(\.self).joined(separator: ", ")
      ]
      return item.value(request)
    }
    return .object([
      "items": .list(items), "itemsStyle": .text(itemClass == "artist" ? "covers" : "covers lines"),
      "childrenTitle": .text(["collection": "Tracks", "podcast": "Episodes"][itemClass] ?? "Albums and songs"),
    ])
  }

  /// Returns links to the storefronts that have the item; `nil` if there is only one.
  private static func countries(_ rows: [NamedRow], _ kind: String, _ id: Int64, _ shown: String) -> WebValue? {
    let countries = rows.compactMap { $0["country"] }.distinct()
    guard countries.count > 1 else { return nil }
    let path = WebPath("/itunes/\(kind)/\(id)")
    return .object([
      "choices": .list(countries.map { path.with("country", $0).choice($0, isChosen: $0 == shown) })
    ])
  }
}
