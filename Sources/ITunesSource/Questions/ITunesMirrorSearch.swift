import LibPQ
package import SyncPostgres
package import SyncProgram

extension ITunesSource {
  /// Returns the items of all storefronts and charts with a matching title, artist or collection. Queries no service.
  package func search(_ request: SearchRequest, in database: Database) async throws -> [SearchGroup] {
    let rows = try await database.rows(
      QuerySQL.text("search", of: "itunes"), [.text(request.text), .limit(request.limit)])
    return SearchRows(rows).groups(style: "covers") { kind in
      Self.headings[kind] ?? kind
    } command: { _, id, row in
      let country = row["country"].flatMap { $0 == "us" ? nil : " --country \($0)" } ?? ""
      if let chart = row["chart"] { return "rankings history itunes \(id) --chart \(chart)\(country)" }
      return "itunes lookup \(id)\(country) --offline"
    }
  }

  private static let headings = [
    "artist": "Artists", "album": "Albums", "track": "Tracks", "podcast": "Podcasts",
    "podcast-episode": "Podcast episodes", "audiobook": "Audiobooks", "ebook": "Books", "app": "Apps",
  ]
}
