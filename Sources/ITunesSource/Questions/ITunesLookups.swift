import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

extension ITunesQueries {
  /// Returns the ids that the last lookup did not find.
  static func absent(_ ids: [Int64], country: String, in database: Database) async throws -> Set<Int64> {
    Set(
      try await database.rows(
        "SELECT id FROM itunes.lookup_absence WHERE country = $1 AND id = ANY ($2::bigint[])",
        [.text(country), .ints(ids)]
      ).ids)
  }

  /// Returns the ids of the parents' children, sorted by the position of their parent in `ids`, then by album. Omits
  /// vanished items and the parents. Empty `classes` and `kinds` mean all.
  static func children(
    of ids: [Int64], country: String, classes: [String], kinds: [String], in database: Database
  ) async throws -> [Int64] {
    try await database.rows(
      QuerySQL.text("children", of: "itunes"),
      [.text(country), .ints(ids), .texts(classes), .texts(kinds), .int(Int64(Self.mostChildren))]
    ).ids
  }

  private static let mostChildren = 2000
}

extension Favorites {
  /// Favorites have no storefront, because an item has the same id in every storefront.
  enum ITunesKind: String, Sendable, CaseIterable {
    case track, album, artist, podcast, audiobook, ebook, app

    static func remedy(id: Int64) -> String { "syncctl itunes lookup \(id) --country … fetches it" }
  }
}
