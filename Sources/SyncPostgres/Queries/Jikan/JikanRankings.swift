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
    /// Nil for all.
    package var limit: Int?
    /// Continue after the entry with this `mal_id`.
    package var after: Int64?

    package init(kind: String, subtype: String?, order: Order, limit: Int?, after: Int64?) {
      self.kind = kind
      self.subtype = subtype
      self.order = order
      self.limit = limit
      self.after = after
    }
  }

  /// - Throws: `SyncError` `.missing` if `after` is not in the ranking.
  package static func rows(_ question: Question, in database: Database) async throws -> RowSet {
    let parts = parts(question.order)
    let list: [PGParameter] = [.text(question.kind), question.subtype.map { .text($0) } ?? .null]
    return try await database.read { connection in
      var place: Int64 = 0
      if let after = question.after {
        let found = try connection.query(
          QuerySQL.text("ranking_position", of: "jikan", choosing: parts), list + [.int(after)]
        ).first { try $0.int(0) }
        guard let position = found ?? nil else {
          throw SyncError(.missing, "\(question.kind) \(after) is not in this ranking", hint: "give a mal_id from it")
        }
        place = position
      }
      return try RowSet(
        try connection.query(
          QuerySQL.text("ranking", of: "jikan", choosing: parts), list + [.int(place), .limit(question.limit)]))
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
