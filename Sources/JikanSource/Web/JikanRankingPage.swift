import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The page's parameters have the names of the options of `syncctl rankings jikan`.
struct JikanRankingPage: Sendable {
  let kind: JikanKind
  private let cachedChanges = WebCache<Changes>()

  /// The movements of a week.
  private struct Changes: Sendable {
    var marks: [Int64: MoverPlot.Mark] = [:]
    var doubts: [ListDoubt] = []
  }

  init(kind: JikanKind) { self.kind = kind }

  var path: String { "/rankings/\(kind.rawValue)" }

  var page: WebPage {
    WebPage(path, template: "sources/jikan/ranking") { request, database in try await content(request, database) }
  }

  private static let parameters = ["type", "list", "sort"] + JikanFilterWords.parameters

  private func content(_ request: WebRequest, _ database: Database) async throws -> WebContent {
    var question = try await question(request.query, in: database)
    let changes = try await changes(question, request.rights, in: database)
    question.limit = Limits.itemsOnPage
    question.after = try request.start()
    let page = try await JikanRankings.page(question, in: database)
    let hearts = try await request.hearts(
      of: page.rows.namedRows.map(\.id), kind: kind.rawValue, source: JikanSource.name, in: database)
    let items = page.rows.namedRows.map { row in
      var item = WebItem(row.title, path: "/\(kind.rawValue)/\(row.id)", picture: row["image_url"])
      item.position = row["position"]
      item.change = changes.marks[row.id]
      item.hearts = [hearts[row.id]]
      let facts = [
        row["type"], row["score"].map { "score \(HumanFormat.twoDecimals($0))" },
        row.int("members").map { HumanFormat.counted($0, "member") },
      ]
      item.details = [
        row.unreadRemark, row["title_japanese"],
        facts.compactMap(\.self).joined(separator: ", "), row["not_mirrored"],
      ]
      return item.value(request)
    }
    let query = request.query
    let all = Self.parameters.reduce(WebPath(path)) { $0.with($1, query[$1]) }
    return WebContent(
      title: "Top \(kind.rawValue)",
      [
        "items": .list(items), "noItems": .text(RankingsJikanCommand.emptyMessage(question)),
        "total": page.total.map { .text(HumanFormat.counted($0, "entry", many: "entries")) },
        "hasChanges": .flag(!changes.marks.isEmpty), "notes": .list(changes.doubts.map { .text($0.text(of: "title")) }),
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
    let words = try JikanFilterWords(query)
    try words.check(for: kind)
    question.filters = try await words.filters(of: kind, in: database)
    return question
  }

  private static let week = Moment.ago(.seconds(7 * 86_400))

  private func changes(
    _ question: JikanRankings.Question, _ rights: WebRights, in database: Database
  ) async throws -> Changes {
    guard question.order == .top else { return Changes() }
    let read: @Sendable () async throws -> Changes = {
      guard let movers = try await Self.movers(question, in: database) else { return Changes() }
      return Changes(
        marks: Dictionary(MoverPlot.moves(movers.page.rows, title: "title").map { ($0.row.id, $0.mark) }) { first, _ in
          first
        },
        doubts: movers.doubts)
    }
    // Filtered rankings are not cached, because the number of possible filters is unlimited.
    guard question.filters == JikanFilters() else { return try await read() }
    return try await cachedChanges.value(
      of: "\(question.subtype ?? "") \(question.filter ?? "")", for: rights, life: Limits.newsLife, make: read)
  }

  /// Returns `nil` if the list has not been published yet.
  private static func movers(
    _ question: JikanRankings.Question, in database: Database
  ) async throws -> JikanHistory.Snapshot? {
    do {
      return try await JikanHistory.movers(question, since: week, in: database)
    } catch let error as SyncError where error.code == .missing {
      return nil
    }
  }

  static func news(in database: Database) async throws -> [WebNews] {
    var news: [(size: Int, news: WebNews)] = []
    for kind in JikanKind.allCases {
      let question = JikanRankings.Question(kind: kind.rawValue, limit: Limits.newsOfSource)
      guard let movers = try await movers(question, in: database) else { continue }
      let notes = movers.doubts.map { "top \(kind.rawValue): \($0.text(of: "title"))" }
      for (row, mark) in MoverPlot.moves(movers.page.rows, title: "title") {
        let position = row["position"].map { ", now \($0) of the top \(kind.rawValue)" } ?? ", top \(kind.rawValue)"
        let item = WebNews(
          text: row.title, path: "/\(kind.rawValue)/\(row.id)", detail: mark.text + position, notes: notes)
        news.append((abs(row.int("change") ?? 0), item))
      }
    }
    return news.sorted { $0.size > $1.size }.map(\.news)
  }
}

extension NamedRow {
  var id: Int64 { self["mal_id"].flatMap { Int64($0) } ?? 0 }
}
