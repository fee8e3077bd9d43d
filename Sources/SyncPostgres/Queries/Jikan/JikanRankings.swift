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
      .text(question.kind), question.subtype.map { .text($0) } ?? .null, .int(Int64(question.limit)),
      question.after.map { .int($0) } ?? .null,
    ]
    let sql = statement(question)
    return try await database.read { connection in
      if let after = question.after {
        let exists = try connection.query(
          SQL(trusted: "\(sql.ordered) SELECT EXISTS (SELECT FROM ordered WHERE mal_id = $4) WHERE $3::bigint > 0"),
          parameters
        ).bool(row: 0, column: 0)
        guard exists == true else {
          throw SyncError(.missing, "\(question.kind) \(after) is not in this ranking", hint: "give a mal_id from it")
        }
      }
      return try RowSet(try connection.query(SQL(trusted: sql.ordered + sql.page), parameters))
    }
  }

  /// `$1` kind, `$2` subtype or NULL, `$3` limit, `$4` mal_id to continue after or NULL.
  private static func statement(_ question: Question) -> (ordered: String, page: String) {
    // The upstream's own list of a type if it was mirrored, else the rows of that type in the whole list.
    let members = """
      SELECT mal_id, position FROM jikan.ranking
      WHERE kind = $1 AND subtype = $2 AND filter = 'none'
      UNION ALL
      SELECT mal_id, position FROM jikan.ranking r LEFT JOIN jikan.media m USING (kind, mal_id)
      WHERE kind = $1 AND r.subtype = 'all' AND filter = 'none'
        AND ($2::text IS NULL OR m.type = jikan.type_label($2))
        AND NOT EXISTS (SELECT FROM jikan.ranking WHERE kind = $1 AND subtype = $2 AND filter = 'none')
      """
    let all = """
      SELECT mal_id, NULL::integer AS position FROM jikan.media m
      WHERE kind = $1 AND vanished_at IS NULL AND ($2::text IS NULL OR m.type = jikan.type_label($2))
        AND \(condition(question.order))
      """
    let ordered = """
      WITH chosen AS (\(question.order == .top ? members : all)),
      ordered AS (
        SELECT row_number() OVER (ORDER BY \(key(question.order)), mal_id) AS place, mal_id
        FROM chosen LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
      )
      """
    let page = """
       SELECT place AS position, mal_id, title, title_english, title_japanese, type, nullif(score, 0) AS score,
              c.rank, members, favorites, url
      FROM ordered
      LEFT JOIN (SELECT * FROM jikan.media WHERE kind = $1) m USING (mal_id)
      LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
      WHERE $4::bigint IS NULL OR place > (SELECT place FROM ordered WHERE mal_id = $4)
      ORDER BY place LIMIT $3
      """
    return (ordered, page)
  }

  private static func condition(_ order: Order) -> String {
    switch order {
    case .airing: "ongoing"
    case .upcoming: "status IN ('Not yet aired', 'Not yet published')"
    default: "true"
    }
  }

  private static func key(_ order: Order) -> String {
    switch order {
    case .top: "position"
    case .rank: "nullif(rank, 0) NULLS LAST"
    case .airing, .upcoming, .popularity: "members DESC NULLS LAST"
    case .favorites: "favorites DESC NULLS LAST"
    }
  }
}
