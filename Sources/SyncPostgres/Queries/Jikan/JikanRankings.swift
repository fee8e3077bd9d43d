import LibPQ
import SyncCore

/// The rankings of the Jikan mirror: the published lists, and orderings of the rows that are there.
package enum JikanRankings {
  package enum Order: String, Sendable, CaseIterable {
    /// Position in the list as published.
    case top
    /// MyAnimeList's own field; null and 0 come last.
    case rank
    case airing, upcoming, popularity, favorites
  }

  package struct Question: Sendable {
    package var kind: String
    /// The upstream's name of a type, e.g. `tv`; nil for all.
    package var subtype: String?
    package var order: Order
    package var limit: Int
    /// Continue after the entry with this `mal_id`.
    package var after: Int64?

    package init(kind: String, subtype: String?, order: Order, limit: Int, after: Int64?) {
      self.kind = kind
      self.subtype = subtype
      self.order = order
      self.limit = limit
      self.after = after
    }
  }

  /// - Throws: `SyncError` `.missing` if `after` is not in the ranking.
  package static func rows(_ question: Question, in database: Database) async throws -> RowSet {
    let parameters: [PGParameter] = [
      .text(question.kind), question.subtype.map { .text($0) } ?? .null,
      question.after.map { .int($0) } ?? .null, .int(Int64(question.limit)),
    ]
    let parts = parts(question.order)
    return try await database.read { connection in
      if let after = question.after {
        let exists = try connection.query(
          QuerySQL.text("ranking_has", of: "jikan", choosing: parts), Array(parameters.dropLast())
        ).bool(row: 0, column: 0)
        guard exists == true else {
          throw SyncError(.missing, "\(question.kind) \(after) is not in this ranking", hint: "give a mal_id from it")
        }
      }
      return try RowSet(try connection.query(QuerySQL.text("ranking", of: "jikan", choosing: parts), parameters))
    }
  }

  /// What is ranked, and by what.
  private static func parts(_ order: Order) -> [String: String] {
    let condition = [.airing, .upcoming].contains(order) ? order.rawValue : "all"
    let key =
      switch order {
      case .top: "position"
      case .rank: "rank"
      case .airing, .upcoming, .popularity: "members"
      case .favorites: "favorites"
      }
    return [
      "entries": "entries of the \(order == .top ? "list" : "mirror")", "condition": "condition of \(condition)",
      "order": "order by \(key)",
    ]
  }
}
