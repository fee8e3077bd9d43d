import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The page's parameters have the names of the options of `syncctl rankings jikan`.
struct JikanRankingPage: Sendable {
  let kind: JikanKind
  private let cachedChanges = WebCache<Changes>()
  private let cachedChoices = WebCache<JikanRankingChoices>()

  /// The movements of a week.
  private struct Changes: Sendable {
    var marks: [Int64: MoverPlot.Mark] = [:]
    var doubts: [ListDoubt] = []
  }

  init(kind: JikanKind) { self.kind = kind }

  var path: String { kind.rankingPath.text }

  var page: WebPage {
    WebPage(path, template: "sources/jikan/ranking") { request, database in try await content(request, database) }
  }

  private func content(_ request: WebRequest, _ database: Database) async throws -> WebContent {
    var question = try await question(request, in: database)
    let changes = try await changes(question, request.rights, in: database)
    let offset = try request.offset(limit: Limits.itemsOnPage)
    let (list, total) = try await list(&question, offset: offset, in: database)
    let choices = try await cachedChoices.value(
      of: kind.rawValue, for: request.rights, life: Limits.newsLife
    ) { try await JikanRankingChoices.read(kind, in: database) }
    let cards = try await JikanCards(list, kind, request, in: database)
    let form = JikanRankingForm(kind, request, choices)
    return WebContent(
      title: "Top \(kind.rawValue)",
      [
        "sections": kind.sections(at: path), "form": form.value, "chips": .list(form.chips),
        "hasChips": .flag(!form.chips.isEmpty), "views": form.views,
        "itemsStyle": .text(form.isList ? "lines" : "posters"),
        "items": cards.value { row, card in
          card.position = row["position"]
          card.change = changes.marks[row.id]
        },
        "noItems": .text(RankingsJikanCommand.emptyMessage(question)),
        "total": total.map { .text(HumanFormat.counted($0, "entry", many: "entries")) },
        "hasChanges": .flag(!changes.marks.isEmpty), "notes": .list(changes.doubts.map { .text($0.text(of: "title")) }),
        "pager": form.path.pager(
          page: try request.page(), shown: cards.rows.count, limit: Limits.itemsOnPage, total: total ?? 0),
      ]
    ).printed(by: try form.command(page: request.page()), parameters: JikanRankingForm.parameters)
  }

  /// Returns the rows of a page, and the number of entries on all pages.
  private func list(
    _ question: inout JikanRankings.Question, offset: Int, in database: Database
  ) async throws -> (rows: RowSet, total: Int?) {
    question.limit = Limits.itemsOnPage
    question.after = offset > 0 ? .offset(offset) : nil
    let page = try await JikanRankings.page(question, in: database)
    guard page.rows.rows.isEmpty, offset > 0 else { return (page.rows, page.total) }
    // A page behind the last one has no row that could contain the total.
    var first = question
    first.limit = 1
    first.after = nil
    return (page.rows, try await JikanRankings.page(first, in: database).total)
  }

  private func question(_ request: WebRequest, in database: Database) async throws -> JikanRankings.Question {
    let query = request.query
    let order = try JikanRankings.Order.named(query["sort"] ?? JikanRankings.Order.top.rawValue, "order")
    _ = try JikanRankingForm.View.named(query["view"] ?? JikanRankingForm.View.grid.rawValue, "view")
    var question = JikanRankings.Question(
      kind: kind.rawValue, subtype: try JikanListChoice.subtype(query["type"] ?? "all", of: kind), order: order)
    question.filter = try JikanListChoice.list(query["list"], of: kind)
    guard order == .top || question.filter == nil else {
      throw SyncError(.usage, "the order \(order.rawValue) has no list", hint: "omit sort or list")
    }
    let words = try JikanFilterWords(request)
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
