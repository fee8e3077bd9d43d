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
      let genres = ["genres", "themes", "demographics"].flatMap { row.json($0, as: [String].self) ?? [] }
      let ranking = WebPath(JikanRankingPage(kind: kind).path)
      return WebContent(
        title: row.title,
        [
          "words": .text(text.words), "picture": .picture(row["image_url"], request),
          "heart": try await request.heart(of: id, kind: kind.rawValue, source: JikanSource.name, in: database),
          "groups": .list([.object(["facts": .facts(text.counters)]), .object(["facts": .facts(text.facts)])]),
          "synopsis": .paragraphs(row["synopsis"]), "addresses": .links(text.addresses),
          "choices": .list(genres.distinct().map { ranking.with("genre", $0).choice($0, isChosen: false) }),
          "history": try await history(of: id, in: database),
        ])
    }
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
