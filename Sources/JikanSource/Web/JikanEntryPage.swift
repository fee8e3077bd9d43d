import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

struct JikanEntryPage: Sendable {
  let kind: JikanKind

  var page: WebPage {
    WebPage("/\(kind.rawValue)/:id", template: "sources/jikan/entry") { request, database in
      let id = try request.id("id")
      let rows = try await JikanTitleChoice.entry(id, kind, in: database)
      guard let row = rows.namedRows.first else { throw SyncError(.missing, "the mirror has no entry \(id)") }
      let text = MediaText(row: row)
      let facts = JikanEntryFacts(text: text, kind: kind)
      let language = JikanTitleLanguage(type: row["type"])
      let others = try await others(like: text, id, request, in: database)
      var content = WebContent(
        title: row.title,
        [
          "sections": kind.sections(at: ""),
          "titles": .list(titles(of: row, language)),
          "words": .text(text.words), "picture": .picture(row["image_url"], request),
          "initial": .text(String(row.title.prefix(1))),
          "heart": try await request.heart(of: id, kind: kind.rawValue, source: JikanSource.name, in: database),
          "numbers": facts.numbers, "facts": facts.facts, "synopsis": .paragraphs(row["synopsis"]),
          "addresses": .links([
            ("MyAnimeList ↗", row["url"]), ("Picture ↗", row["image_url"]), ("Trailer ↗", row["trailer_url"]),
          ]),
          "history": try await history(of: id, in: database),
          "others": others,
        ]
      ).printed(by: "syncctl \(kind.rawValue) show \(id)")
      content.titleLanguage = language.code(of: row.title)
      return content
    }
  }

  /// The English and the Japanese title, if they differ from the main title.
  private func titles(of row: NamedRow, _ language: JikanTitleLanguage) -> [WebValue] {
    let titles: [(text: String?, language: String?)] = [
      (row["title_english"], nil),
      (row["title_japanese"], row["title_japanese"].map { language.code(ofOriginal: $0) }),
    ]
    return titles.compactMap { title in
      guard let text = title.text, text != row["title"] else { return nil }
      return .object(of: ["otherTitle": .text(text), "otherLanguage": .text(orNil: title.language)])
    }
  }

  private static let shownOthers = 8

  /// Returns cards of other titles of the studio or author, or else of the season. The upstream's lists have no
  /// relations between entries.
  private func others(
    like text: MediaText, _ id: Int64, _ request: WebRequest, in database: Database
  ) async throws -> WebValue? {
    func cards(_ heading: String, _ rows: RowSet, path: String) async throws -> WebValue? {
      guard !rows.rows.isEmpty else { return nil }
      let cards = try await JikanCards(rows, kind, request, in: database)
      return .object([
        "othersOf": .text(heading), "othersPath": .text(path), "itemsStyle": "posters",
        "items": cards.value { _, card in card.hearts = [] },
      ])
    }

    if let maker = text.names(kind == .anime ? "studios" : "authors").first {
      let rows = try await JikanCatalogue.titles(
        by: maker, kind, except: id, limit: Self.shownOthers, in: database)
      if let found = try await cards("More of \(maker)", rows, path: kind.path(ofMaker: maker)) { return found }
    }
    let row = text.row
    guard let year = row.int("year"), let name = row["season"],
      let season = JikanSeason.named(["\(year)", name]).first
    else { return nil }
    var rows = try await JikanCatalogue.season(
      list: season.text(separator: "-"), (year, name), limit: Self.shownOthers + 1, in: database)
    let ids = rows.namedRows.map(\.id)
    rows = RowSet(
      columns: rows.columns, rows: Array(zip(ids, rows.rows).filter { $0.0 != id }.map(\.1).prefix(Self.shownOthers)))
    return try await cards("More of \(season.title)", rows, path: season.path)
  }

  private func history(of id: Int64, in database: Database) async throws -> WebValue? {
    do {
      let rows = try await JikanHistory.entry(kind: kind.rawValue, id: id, subtype: nil, filter: nil, in: database)
      return HistoryPlot(rows).webValue("Position and score in the top \(kind.rawValue)")
    } catch let error as SyncError where error.code == .missing {
      return nil
    }
  }
}
