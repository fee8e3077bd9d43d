import Foundation
import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The page `/genres`: genres, themes and demographics, with links to the rankings.
struct JikanGenresPage: Sendable {
  private let cachedRows = WebCache<RowSet>()

  var page: WebPage {
    WebPage("/genres", template: "sources/jikan/genres") { request, database in
      let kind = try request.query["kind"].map { (word) throws(SyncError) in try JikanKind.named(word, "kind") }
      let rows = try await cachedRows.value(
        of: kind?.rawValue ?? "both", for: request.rights, life: Limits.newsLife
      ) {
        try await JikanCatalogue.genres(kind: kind?.rawValue, limit: nil, in: database)
      }.namedRows
      let kinds = JikanKind.allCases.filter { kind == nil || $0 == kind }
      let command = ["syncctl genres", kind.map { "--kind \($0.rawValue)" }].compactMap(\.self).joined(separator: " ")
      return WebContent(
        title: kind.map { "Genres of \($0.rawValue)" } ?? "Genres",
        [
          "sections": kind == .manga
            ? JikanKind.manga.sections(at: "/genres?kind=manga") : JikanKind.anime.sections(at: "/genres"),
          "groups": .list([
            WebPath("/genres").group(
              "Kind", "kind", ["both"] + JikanKind.allCases.map(\.rawValue),
              names: ["both": "Both", "anime": "Anime", "manga": "Manga"], chosen: kind?.rawValue)
          ]),
          "kinds": .list(
            kinds.compactMap { kind in
              let own = rows.filter { $0["kind"] == kind.rawValue }
              return own.isEmpty ? nil : Self.value(own, of: kind)
            }),
          "isEmpty": .flag(rows.isEmpty),
        ]
      ).printed(by: command, parameters: ["kind"])
    }
  }

  private static let facets = [
    ("genres", "Genres"), ("explicit_genres", "Explicit genres"), ("themes", "Themes"),
    ("demographics", "Demographics"),
  ]

  private static func value(_ rows: [NamedRow], of kind: JikanKind) -> WebValue {
    .object([
      "kindTitle": .text(kind.rawValue.capitalized),
      "facets": .list(
        facets.compactMap { facet, title in
          let own = rows.filter { $0["facet"] == facet }
          guard !own.isEmpty else { return nil }
          return .object(["facetTitle": .text(title), "genres": .list(own.map { genre($0, of: kind) })])
        }),
    ])
  }

  /// A genre without a mirrored entry has no link, because the ranking does not know its name.
  private static func genre(_ row: NamedRow, of kind: JikanKind) -> WebValue {
    let name = row["name"] ?? ""
    let mirrored = row.int("mirrored") ?? 0
    let others = row.int("count").flatMap { $0 > mirrored ? " of \(HumanFormat.count($0))" : nil } ?? ""
    return .object(of: [
      "genreName": .text(name), "genreEntries": .text("\(HumanFormat.count(mirrored))\(others)"),
      "genrePath": mirrored > 0 ? .text(kind.rankingPath.with("genre", name).text) : nil,
    ])
  }
}
