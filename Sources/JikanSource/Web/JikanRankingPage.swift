import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The page's parameters have the names of the options of `syncctl rankings jikan`.
struct JikanRankingPage: Sendable {
  let kind: JikanKind
  private let cachedMarks = WebCache<[Int64: MoverPlot.Mark]>()

  init(kind: JikanKind) { self.kind = kind }

  var path: String { "/rankings/\(kind.rawValue)" }

  var page: WebPage {
    WebPage(path, template: "sources/jikan/ranking") { request, database in try await content(request, database) }
  }

  private static let parameters = [
    "type", "list", "sort", "genre", "studio", "season", "year", "status", "rating", "min-score",
  ]

  private func content(_ request: WebRequest, _ database: Database) async throws -> WebContent {
    var question = try await question(request.query, in: database)
    let marks = try await marks(question, request.rights, in: database)
    (question.limit, question.after) = (Limits.itemsOnPage, try request.start())
    let page = try await JikanRankings.page(question, in: database)
    let hearts = try await request.hearts(JikanSource.name, kind.rawValue, page.rows.namedRows.map(\.id), in: database)
    let items = page.rows.namedRows.map { row in
      var item = WebItem(row.title, path: "/\(kind.rawValue)/\(row.id)", picture: row["image_url"])
      (item.place, item.change, item.hearts) = (row["position"], marks[row.id], [hearts[row.id]])
      let facts = [
        row["type"], row["score"].map { "score \(HumanFormat.twoDecimals($0))" },
        row.int("members").map { HumanFormat.counted($0, "member") },
      ]
      item.details = [row["title_japanese"], facts.compactMap(\.self).joined(separator: ", "), row["not_mirrored"]]
      return item.value(request)
    }
    let query = request.query
    let all = Self.parameters.reduce(WebPath(path)) { $0.with($1, query[$1]) }
    return WebContent(
      title: "Top \(kind.rawValue)",
      [
        "items": .list(items), "noItems": .text(RankingsJikanCommand.emptyMessage(question)),
        "total": page.total.map { .text(HumanFormat.counted($0, "entry", many: "entries")) },
        "hasChanges": .flag(!marks.isEmpty),
        "groups": .list([
          all.group("Type", "type", ["all"] + kind.subtypes, chosen: query["type"]),
          // These links drop the parameter `list`, because only the order `top` has several lists.
          all.with("list", nil).group(
            "Order", "sort", JikanRankings.Order.allCases.map(\.rawValue), chosen: query["sort"]),
          all.group("Status", "status", ["any"] + JikanListChoice.words(of: kind), chosen: query["status"]),
        ]),
        "form": all.form(fields(query)),
        "nextPath": page.next.map { .text(all.with("after", "\($0)").text) },
      ])
  }

  private func fields(_ query: [String: String]) -> [WebValue] {
    let seasons = [""] + JikanSeason.Quarter.allCases.map(\.rawValue)
    let season = WebValue.field("season", label: "season", value: query["season"] ?? "", options: seasons)
    return [.field("genre", label: "genre", value: query["genre"] ?? "")] + (kind == .anime ? [season] : [])
      + [.field("year", label: "year", value: query["year"] ?? "", type: "number", step: "1")]
  }

  private func question(_ query: [String: String], in database: Database) async throws -> JikanRankings.Question {
    let order = try JikanRankings.Order.named(query["sort"] ?? JikanRankings.Order.top.rawValue, "order")
    var question = JikanRankings.Question(
      kind: kind.rawValue, subtype: try JikanListChoice.subtype(query["type"] ?? "all", of: kind), order: order)
    question.filter = try JikanListChoice.list(query["list"], of: kind)
    guard order == .top || question.filter == nil else {
      throw SyncError(.usage, "the order \(order.rawValue) has no list", hint: "omit sort or list")
    }
    let slice = try SliceOptions(query)
    try slice.check(for: kind)
    question.slice = try await slice.slice(of: kind, in: database)
    return question
  }

  private static let week = Moment.ago(.seconds(7 * 86_400))

  private func marks(
    _ question: JikanRankings.Question, _ rights: WebRights, in database: Database
  ) async throws -> [Int64: MoverPlot.Mark] {
    guard question.order == .top else { return [:] }
    let read: @Sendable () async throws -> [Int64: MoverPlot.Mark] = {
      let rows = try await Self.movers(question, in: database)
      return Dictionary(zip(rows.namedRows.map(\.id), MoverPlot(rows, title: "title").marks)) { first, _ in first }
    }
    // Slices are not cached, because the number of possible slices is unlimited.
    guard question.slice == JikanRankings.Slice() else { return try await read() }
    return try await cachedMarks.value(
      of: "\(question.subtype ?? "") \(question.filter ?? "")", for: rights, life: Limits.newsLife, make: read)
  }

  private static func movers(_ question: JikanRankings.Question, in database: Database) async throws -> RowSet {
    do {
      return try await JikanHistory.movers(question, since: week, in: database).page.rows
    } catch let error as SyncError where error.code == .missing {
      return RowSet(columns: [], rows: [])
    }
  }

  static func news(in database: Database) async throws -> [WebNews] {
    var news: [(size: Int, news: WebNews)] = []
    for kind in JikanKind.allCases {
      let question = JikanRankings.Question(kind: kind.rawValue, limit: Limits.newsOfSource)
      let rows = try await movers(question, in: database)
      for (row, mark) in zip(rows.namedRows, MoverPlot(rows, title: "title").marks) {
        let place = row["position"].map { ", now \($0) of the top \(kind.rawValue)" } ?? ", top \(kind.rawValue)"
        let item = WebNews(text: row.title, path: "/\(kind.rawValue)/\(row.id)", detail: mark.text + place)
        news.append((abs(row.int("change") ?? 0), item))
      }
    }
    return news.sorted { $0.size > $1.size }.map(\.news)
  }
}

extension SliceOptions {
  init(_ query: [String: String]) throws(SyncError) {
    func number<Number: LosslessStringConvertible>(_ name: String) throws(SyncError) -> Number? {
      guard let text = query[name] else { return nil }
      guard let number = Number(text) else {
        throw SyncError(.usage, "\(name) \(Excerpt.of(text, scalars: 40)) is not a number", hint: "write digits only")
      }
      return number
    }
    func words(_ name: String) -> [String] { query[name].map { [$0] } ?? [] }
    self.init()
    (genre, studio, season, rating) = (words("genre"), words("studio"), words("season"), words("rating"))
    status = words("status").filter { $0 != "any" }
    let year: Int? = try number("year")
    self.year = year.map { [$0] } ?? []
    minScore = try number("min-score")
  }
}

extension NamedRow {
  var id: Int64 { self["mal_id"].flatMap { Int64($0) } ?? 0 }
}
