import SyncCore
import SyncPostgres
import SyncSources

/// Favorites of Jikan: anime and manga, by their ids or titles.
struct JikanFavorites: FavoriteKinds {
  private let named = NamedKinds(of: .jikan, JikanKind.allCases.map(\.rawValue), example: "")

  var kinds: [String] { named.kinds }
  var help: String { named.help }
  let example = #"jikan anime 5114 --note "again in winter""#

  func check(kind: String) throws(SyncError) { try named.check(kind: kind) }

  func id(named word: String, kind: String, in database: Database) async throws -> Int64 {
    try await JikanTitleChoice.id(word, try JikanListChoice.kind(kind), in: database)
  }
}
