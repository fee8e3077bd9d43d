import SyncCore
import SyncPostgres
import SyncWeb

struct SharedPages: Sendable {
  let configuration: @Sendable () -> Configuration
  let confirmations: Confirmations
  let said: @Sendable (String) -> Void

  private var operations: OperationPages {
    OperationPages(configuration: configuration, confirmations: confirmations, said: said)
  }

  func parts(_ sources: [any Source]) -> [WebPart] {
    let reports = ReportPages(configuration: configuration)
    let runs = RunPages(configuration: configuration, confirmations: confirmations)
    let shared = WebPart(
      links: [
        WebLink("Favorites", to: "/favorites"), WebLink("Reports", to: "/reports", covering: ["/reports/"]),
        WebLink("State", to: "/", covering: ["/runs", "/quarantine", "/jobs/", "/limits/"]),
      ],
      pages: [OverviewPage(configuration: configuration).page] + runs.pages + operations.pages
        + [favorites, reports.list, reports.page])
    let used = Set(configuration().used(mirrored: []).map(\.id))
    let ofSources = sources.map { source in
      var part = source.web
      if !used.contains(source.id) {
        part.showsLinks = { [id = source.id] database in try await MirroredSources.read(database).contains(id) }
      }
      return part
    }
    let search = WebPart(pages: [SearchPage(configuration: configuration).page])
    return ofSources + [shared, search]
  }

  private var favorites: WebPage {
    WebPage("/favorites", template: "shared/favorites") { [configuration] request, database in
      let collection = try request.query["collection"].map { (name) throws(SyncError) in
        try FavoriteWords.collection(name)
      }
      let number = try request.page()
      let limit = Limits.favoritesOnPage
      let page = try await Favorites.list(
        collection, limit: limit, after: .offset(try request.offset(limit: limit)), in: database)
      let collections = try await CompletionWords.collections.read(in: database)
      let parts = Dictionary(configuration().sources.map { ($0.name, $0.web) }, uniquingKeysWith: { first, _ in first })
      let table = Listing(
        page.rows, emptyMessage: "No favorites yet; a heart on an item's page adds it.",
        titles: ["title_japanese": "japanese", "rank_change": "change"]
      ).saying(FavoritesCommand.List.states, in: "state").laidOut(
        hiding: Self.hidden.union(request.rights.showsPersonalData ? [] : ["note"]),
        ifEmpty: ["note", "title_japanese", "score", "rank", "rank_change", "type"])
      let path: (String, Listing.WebRow) -> String? = { key, row in
        guard key == "title", let source = row["source"]?.string, let kind = row["kind"]?.string,
          let id = row["id"]?.integer
        else { return nil }
        return parts[source]?.itemPath(kind, id)
      }
      let heart: (Listing.WebRow) -> WebValue? = { row in
        guard request.rights.allowsWriting, let source = row["source"]?.string, let kind = row["kind"]?.string,
          let id = row["id"]?.integer, let collection = row["collection"]?.string
        else { return nil }
        return request.heart(of: id, kind: kind, source: source, in: collection, isSet: true)
      }
      let all = WebPath("/favorites")
      return WebContent(
        title: collection ?? "Favorites",
        [
          "favorites": table.webTable(
            page.total.map { HumanFormat.counted($0, "favorite") } ?? "Favorites", path: path, heart: heart),
          "choices": .list(
            [all.choice("all", isChosen: collection == nil)]
              + collections.map { all.with("collection", $0).choice($0, isChosen: $0 == collection) }),
          "pager": page.total.flatMap {
            all.with("collection", collection).pager(
              page: number, shown: page.rows.rows.count, limit: limit, total: $0)
          },
        ]
      ).printed(
        by: WebCommandLine.text(["syncctl", "favorites", "list"], [(name: "collection", value: collection)]),
        parameters: ["collection", "page"])
    }
  }

  private static let hidden: Set<String> = [
    "url", "id", "source", "status", "my_score", "episodes_watched", "chapters_read", "volumes_read", "started_on",
    "finished_on", "tags",
  ]

  var actions: [WebAction] { Self.favoriteActions + operations.actions }

  private static let favoriteActions = [
    WebAction("/favorites") { request, database in
      let item = try Self.item(request)
      try await FavoriteWords.checkMirrored(item, in: database)
      _ = try await Favorites.add(item, to: try Self.collection(request), note: nil, in: database)
    },
    WebAction("/favorites/remove") { request, database in
      do {
        try await Favorites.remove(try Self.item(request), from: try Self.collection(request), in: database)
      } catch let error as SyncError where error.code == .missing {
        // The item is already absent from the collection.
      }
    },
  ]

  private static func item(_ form: WebRequest) throws(SyncError) -> Favorites.Item {
    guard let source = form.query["source"], let kind = form.query["kind"],
      let id = form.query["id"].flatMap({ Int64($0) })
    else { throw SyncError(.usage, "the form has no source, kind or id", hint: "open the page again") }
    return try FavoriteWords.item(source: source, kind: kind, id: id)
  }

  private static func collection(_ form: WebRequest) throws(SyncError) -> String {
    try FavoriteWords.collection(form.query["collection"] ?? WebRequest.collection)
  }
}

extension RowSet {
  /// The rows that other machines can see. Runs of one-off searches are omitted, because their names contain the user's
  /// words. Errors are omitted, because they can name the database and its user.
  func shared(with configuration: Configuration) -> RowSet {
    let errors = columns.indices.filter { ["error", "last_error", "warning"].contains(columns[$0].name) }
    let kept = zip(rows, namedRows).filter { _, named in
      !configuration.isOneOff(StreamName(source: named["source"] ?? "", name: named["stream"] ?? ""))
    }
    let rows = kept.map { row, _ in
      var row = row
      for error in errors { row[error] = nil }
      return row
    }
    return RowSet(columns: columns, rows: rows, total: total)
  }
}
