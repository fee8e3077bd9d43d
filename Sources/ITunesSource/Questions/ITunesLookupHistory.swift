import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

extension ITunesQueries {
  struct Lookup: Sendable, Equatable {
    enum Action: String, Sendable, CaseIterable {
      case search
      case lookup
      case show
    }

    var action: Action
    var country: String
    var term: String?
    var id: Int64?
    var itemClass: String?
    var results: Int
  }

  static func record(_ lookups: [Lookup], in database: Database) async throws {
    guard !lookups.isEmpty else { return }
    try await database.write { connection in
      for lookup in lookups {
        _ = try connection.query(
          QuerySQL.text("record_lookup", of: "itunes"),
          [
            .text(lookup.action.rawValue), .text(lookup.country), .text(lookup.term), .int(lookup.id),
            .text(lookup.itemClass), .int(Int64(lookup.results)),
          ])
      }
    }
  }

  static func lookups(
    _ actions: [Lookup.Action] = [], country: String? = nil, limit: Int?, after: PageStart? = nil, in database: Database
  ) async throws -> ListPage {
    let listing = "itunes history"
    let start: PGParameter =
      switch after {
      case nil, .offset: .null
      case .id(let number): .int(number)
      case .cursor(let cursor): try cursor.parameters(of: listing, [.bigint])[0]
      }
    let rows = try await database.rows(
      QuerySQL.text("lookups", of: "itunes"),
      [.texts(actions.map(\.rawValue)), .text(country), start, .pageLimit(limit), .offset(after)])
    return ListPage(rows, limit: limit, listing: listing)
  }
}
