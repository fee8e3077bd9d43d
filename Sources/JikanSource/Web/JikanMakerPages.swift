import Foundation
import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The pages of the studios of anime, or of the authors of manga: a list, and the titles of each.
struct JikanMakerPages: Sendable {
  let kind: JikanKind

  private let cachedRows = WebCache<RowSet>()

  private static let listed = 100

  private static let orders: [JikanCatalogue.MakerOrder: String] = [
    .titles: "Titles", .score: "Mean score", .members: "Members", .name: "Name",
  ]

  private var noun: String { kind == .anime ? "studio" : "author" }

  var pages: [WebPage] {
    [
      WebPage(kind.makersPath, template: "sources/jikan/makers") { request, database in
        try await list(request, database)
      },
      WebPage("\(kind.makersPath)/:name", template: "sources/jikan/maker") { request, database in
        try await titles(request, database)
      },
    ]
  }

  private func list(_ request: WebRequest, _ database: Database) async throws -> WebContent {
    let order = try JikanCatalogue.MakerOrder.named(request.query["sort"] ?? "titles", "order")
    let page = try request.page()
    let offset = try request.offset(limit: Self.listed)
    @Sendable func read() async throws -> RowSet {
      try await JikanCatalogue.makers(of: kind, order: order, limit: Self.listed, offset: offset, in: database)
    }
    // Only first pages are cached, because the number of a page can be any.
    let rows =
      offset == 0
      ? try await cachedRows.value(of: order.rawValue, for: request.rights, life: Limits.newsLife, make: read)
      : try await read()
    let total = try await total(rows, page: page, in: database)
    let table = Listing(
      rows, emptyMessage: "The mirror has no \(noun)s here.",
      titles: ["name": noun, "score": "mean score", "best_rank": "best rank", "most_popular": "most popular"],
      cut: ["name", "most_popular"]
    ).laidOut(hiding: ["mal_id"])
    let path = WebPath(kind.makersPath)
    return WebContent(
      title: "\(noun.capitalized)s",
      [
        "sections": kind.sections(at: kind.makersPath),
        "groups": .list([
          path.group(
            "Order", "sort", JikanCatalogue.MakerOrder.allCases.map(\.rawValue),
            names: Dictionary(
              Self.orders.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { first, _ in first }),
            chosen: order.rawValue)
        ]),
        "makers": table.webTable(
          HumanFormat.counted(total, noun),
          path: { key, row in
            switch key {
            case "name": row["name"]?.string.map(kind.path(ofMaker:))
            case "most_popular": row["mal_id"]?.integer.map(kind.path(of:))
            default: nil
            }
          }),
        "pager": path.with("sort", order == .titles ? nil : order.rawValue).pager(
          page: page, shown: rows.rows.count, limit: Self.listed, total: total),
      ]
    ).printed(by: nil, parameters: ["sort", "page"])
  }

  /// A page behind the last one has no row that could contain the total.
  private func total(_ rows: RowSet, page: Int, in database: Database) async throws -> Int {
    guard rows.rows.isEmpty, page > 1 else { return rows.total ?? 0 }
    return try await JikanCatalogue.makers(of: kind, limit: 1, in: database).total ?? 0
  }

  private func titles(_ request: WebRequest, _ database: Database) async throws -> WebContent {
    let name = try await name(request.parameters["name"] ?? "", in: database)
    let page = try request.page()
    let numbers = try await JikanCatalogue.makers(of: kind, named: name, limit: 1, in: database).namedRows.first
    let total = numbers?.int("titles") ?? 0
    let rows = try await JikanCatalogue.titles(
      by: name, kind, limit: Limits.itemsOnPage, offset: try request.offset(limit: Limits.itemsOnPage), in: database)
    let cards = try await JikanCards(rows, kind, request, in: database)
    var content = WebContent(
      title: name,
      [
        "sections": kind.sections(at: kind.makersPath),
        "numbers": .numbers([
          ("titles in the mirror", HumanFormat.count(total)),
          ("mean score", numbers?["score"].map { HumanFormat.twoDecimals($0) }),
          ("best rank", numbers?.int("best_rank").map { "#\(HumanFormat.count($0))" }),
          ("members of all titles", numbers?.int("members").map { HumanFormat.count($0) }),
        ]),
        // Only anime have a filter of the ranking for their makers.
        "rankingPath": kind == .anime
          ? .text(kind.rankingPath.with("studio", name).with("sort", JikanRankings.Order.score.rawValue).text) : nil,
        "itemsStyle": "posters", "items": cards.value(),
        "noItems": .text("There are no further titles of this \(noun)."),
        "pager": WebPath(kind.path(ofMaker: name)).pager(
          page: page, shown: cards.rows.count, limit: Limits.itemsOnPage, total: total),
      ]
    ).printed(
      by: kind == .anime ? "syncctl rankings anime --studio \(name.shellWord) --sort members" : nil,
      parameters: ["page"])
    content.titleLanguage = JikanTitleLanguage(type: nil).code(of: name)
    return content
  }

  /// Returns the mirror's spelling of a name.
  /// - Throws: `SyncError` `.missing` with similar names.
  private func name(_ word: String, in database: Database) async throws -> String {
    let names = try await JikanCatalogue.names(of: kind.makers, kind: kind.rawValue, for: [word], in: database)
    if let name = names.first(where: { $0 == word }) ?? names.first(where: { $0.lowercased() == word.lowercased() }) {
      return name
    }
    let near = Suggestion.several(to: word, among: names).map { Excerpt.of($0, scalars: 40) }
    throw SyncError(
      .missing, "the mirror has no \(noun) \(Excerpt.of(word, scalars: 40))",
      hint: near.isEmpty ? "\(kind.makersPath) lists them" : "did you mean \(near.joined(separator: ", "))?")
  }
}
