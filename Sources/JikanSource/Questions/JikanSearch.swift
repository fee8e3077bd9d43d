package import SyncPostgres
package import SyncProgram

extension JikanSource {
  /// Returns the anime and the manga with a matching title in any language.
  package func search(_ request: SearchRequest, in database: Database) async throws -> [SearchGroup] {
    var groups: [SearchGroup] = []
    for kind in JikanKind.allCases {
      let found = try await JikanTitles.search(
        request.text, kind: kind.rawValue, toleratesErrors: request.toleratesErrors, in: database)
      guard !found.isEmpty else { continue }
      let shown = Array(found.prefix(request.limit ?? found.count))
      let ranks = Dictionary(shown.map { ($0.id, $0.rank) }, uniquingKeysWith: { first, _ in first })
      let rows = try await JikanTitles.rows(shown, kind: kind.rawValue, in: database)
      let pictures = try await JikanCatalogue.pictures(of: shown.map(\.id), kind: kind.rawValue, in: database)
      let hits = rows.namedRows.compactMap { row -> SearchHit? in
        guard let id = row["mal_id"].flatMap({ Int64($0) }) else { return nil }
        var hit = Self.hit(row, kind, id, ranks[id] ?? .part)
        hit.picture = pictures[id]
        return hit
      }
      groups.append(SearchGroup(kind == .anime ? "Anime" : "Manga", hits, total: found.count))
    }
    return groups
  }

  private static func hit(_ row: NamedRow, _ kind: JikanKind, _ id: Int64, _ rank: SearchRank) -> SearchHit {
    var hit = SearchHit(
      rank, kind: kind.rawValue, id: id, title: row["title"] ?? "\(id)", command: "\(kind.rawValue) show \(id)")
    hit.subtitle = row["title_japanese"].map { ($0, "ja") }
    hit.match = row["match"]
    let facts = [row["type"], row["year"], row["vanished_at"].map { _ in "removed upstream" }].compactMap(\.self)
    hit.detail = facts.joined(separator: ", ")
    return hit
  }
}
