import LibPQ
import SyncCore

/// The rankings of the Jikan mirror as they were. Only what a run published is ever shown.
package enum JikanHistory {
  /// A list as it was.
  package struct Snapshot: Sendable {
    package let rows: RowSet
    /// ISO 8601, UTC.
    package let publishedAt: String
    /// The answer ends after this position of the list, although the list continued: further down the history is not
    /// exact.
    package let cutAt: Int?
  }

  /// The list of the question's kind and type as the last publication at or before `moment` left it, with the columns
  /// of `JikanRankings.rows`; members and favorites are those of the day that the entry's rank, score or position
  /// changed.
  ///
  /// - Parameter question: its order must be `.top`: the others have no history.
  /// - Throws: `SyncError` `.missing` if nothing was published by then, or if `after` was not in the list, `.usage` for
  ///   another order.
  package static func rows(
    _ question: JikanRankings.Question, asOf moment: Moment, in database: Database
  ) async throws -> Snapshot {
    guard question.order == .top else {
      throw SyncError(
        .usage, "the order \(question.order.rawValue) has no history", hint: "leave --by away, or --as-of")
    }
    return try await database.read { connection in
      let published = try PublishedList.last(
        kind: question.kind, subtype: question.subtype, at: try moment.resolved(connection), connection)
      let listed = "WITH listed AS (\(entries("$2", window: "$3")))"
      let scope: [PGParameter] = [
        .text(question.kind), .text(published.publishedAt), .int(Int64(published.positions)),
        .text(published.subtype), published.type.map { .text($0) } ?? .null,
      ]
      var afterPosition: Int64 = 0
      if let after = question.after {
        let found = try connection.query(
          SQL(trusted: "\(listed) SELECT position FROM listed WHERE mal_id = $6 AND position IS NOT NULL"),
          scope + [.int(after)]
        ).first { try $0.int(0) }
        guard let position = found ?? nil else {
          throw SyncError(
            .missing, "\(question.kind) \(after) was not in this ranking", hint: "give a mal_id from it")
        }
        afterPosition = position
      }
      let page = """
        \(listed)
        SELECT l.position, l.mal_id, m.title, m.title_english, m.title_japanese, m.type, l.score, l.rank, l.members,
               l.favorites, m.url
        FROM listed l LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = l.mal_id
        WHERE l.position > $6 ORDER BY l.position LIMIT $7
        """
      let rows = try RowSet(
        try connection.query(SQL(trusted: page), scope + [.int(afterPosition), .int(Int64(question.limit))]))
      let isCut = published.entries > published.positions && rows.rows.count < question.limit
      return Snapshot(
        rows: rows, publishedAt: RowSet.isoTime(published.publishedAt), cutAt: isCut ? published.positions : nil)
    }
  }

  /// Who moved since `moment`: the last publication of the list against the last one at or before then, both as far as
  /// their positions are exact. The longest way first; who came in or left has come from or gone to the end.
  ///
  /// - Throws: `SyncError` `.missing` if nothing was published by then.
  package static func movers(
    kind: String, subtype: String?, since moment: Moment, limit: Int, in database: Database
  ) async throws -> RowSet {
    try await database.read { connection in
      let before = try PublishedList.last(
        kind: kind, subtype: subtype, at: try moment.resolved(connection), connection)
      // The same list, even if one of the type's own is mirrored by now.
      let now = try PublishedList.last(kind: kind, subtype: before.subtype, at: "infinity", connection)
      let sql = """
        WITH past AS (\(entries("$2", window: "$3"))),
        present AS (\(entries("$6", window: "$3"))),
        absent AS (
          SELECT 1 + greatest((SELECT max(position) FROM past), (SELECT max(position) FROM present)) AS position
        ), mover AS (
          SELECT mal_id, n.position, p.position AS previous_position, p.position - n.position AS change,
                 CASE WHEN p.position IS NULL THEN 'entered' WHEN n.position IS NULL THEN 'left'
                      WHEN n.position < p.position THEN 'up' ELSE 'down' END AS movement,
                 n.score, p.score AS previous_score, coalesce(n.members, p.members) AS members,
                 abs(coalesce(p.position, a.position) - coalesce(n.position, a.position)) AS way
          FROM present n FULL JOIN past p USING (mal_id) CROSS JOIN absent a
          WHERE n.position IS DISTINCT FROM p.position
        )
        SELECT v.mal_id, m.title, m.title_japanese, m.type, v.position, v.previous_position, v.change, v.movement,
               v.score, v.previous_score, v.members
        FROM mover v LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = v.mal_id
        ORDER BY v.way DESC, coalesce(v.position, v.previous_position), v.mal_id LIMIT $7
        """
      return try RowSet(
        try connection.query(
          SQL(trusted: sql),
          [
            .text(kind), .text(before.publishedAt), .int(Int64(min(before.positions, now.positions))),
            .text(before.subtype), before.type.map { .text($0) } ?? .null, .text(now.publishedAt), .int(Int64(limit)),
          ]))
    }
  }

  /// Every row of one entry in one list, the latest last.
  ///
  /// - Throws: `SyncError` `.missing` if there is none.
  package static func entry(
    kind: String, id: Int64, subtype: String?, in database: Database
  ) async throws -> RowSet {
    let rows = try await database.rows(
      """
      SELECT h.position, h.rank, h.score, h.members, h.favorites, h.valid_from, h.valid_to,
             greatest(0, extract(epoch FROM coalesce(h.valid_to, clock_timestamp()) - h.valid_from))::bigint
               AS duration_seconds
      FROM jikan.ranking_history h
      WHERE h.kind = $1 AND h.subtype = $2 AND h.filter = 'none' AND h.mal_id = $3
      ORDER BY h.valid_from
      """, [.text(kind), .text(subtype ?? "all"), .int(id)])
    guard !rows.rows.isEmpty else {
      throw SyncError(
        .missing, "\(kind) \(id) has no history in the list of \(subtype.map { "type \($0)" } ?? "all types")",
        hint: "check the id; a list has a history from its first whole run on")
    }
    return rows
  }

  /// The entries of a list at the time `moment`; the position is null beyond the window, and counts the entries of the
  /// type alone if one is given.
  ///
  /// `$1` kind, `$4` subtype of the list, `$5` type or NULL.
  private static func entries(_ moment: String, window: String) -> String {
    """
    SELECT h.mal_id, CASE WHEN h.position <= \(window) THEN row_number() OVER (ORDER BY h.position) END AS position,
           h.rank, h.score, h.members, h.favorites
    FROM jikan.ranking_history h LEFT JOIN jikan.media m ON m.kind = h.kind AND m.mal_id = h.mal_id
    WHERE h.kind = $1 AND h.subtype = $4 AND h.filter = 'none'
      AND h.valid_from <= \(moment)::timestamptz AND (h.valid_to > \(moment)::timestamptz OR h.valid_to IS NULL)
      AND ($5::text IS NULL OR m.type = jikan.type_label($5))
    """
  }
}

/// A publication of a list with a history.
private struct PublishedList {
  /// Which list: the type's own if it has one, else that of all types.
  let subtype: String
  /// What the entries have to be of, in a list of all types; nil for all of them.
  let type: String?
  /// As PostgreSQL writes it, with microseconds.
  let publishedAt: String
  let entries: Int
  /// So many positions from the top are exact.
  let positions: Int

  /// The last one at or before `moment`.
  ///
  /// - Throws: `SyncError` `.missing` if there is none.
  static func last(
    kind: String, subtype: String?, at moment: String, _ connection: borrowing PGConnection
  ) throws -> PublishedList {
    let wanted = subtype ?? "all"
    let found = try connection.query(
      """
      SELECT subtype, published_at::text, entries, positions FROM jikan.ranking_publication
      WHERE kind = $1 AND filter = 'none' AND subtype IN ($2, 'all') AND published_at <= $3::timestamptz
      ORDER BY subtype = $2 DESC, published_at DESC LIMIT 1
      """, [.text(kind), .text(wanted), .text(moment)]
    ).first { row in
      let list = try row.text(0) ?? "all"
      return PublishedList(
        subtype: list, type: list == wanted ? nil : wanted, publishedAt: try row.text(1) ?? "",
        entries: Int(try row.int(2) ?? 0), positions: Int(try row.int(3) ?? 0))
    }
    if let found { return found }
    let first = try connection.query(
      """
      SELECT min(published_at)::text FROM jikan.ranking_publication
      WHERE kind = $1 AND filter = 'none' AND subtype IN ($2, 'all')
      """, [.text(kind), .text(wanted)]
    ).text(row: 0, column: 0)
    guard let first else {
      throw SyncError(
        .missing, "no list of \(kind) has been published yet", hint: "syncctl run --source jikan walks it to its end")
    }
    throw SyncError(
      .missing, "the history of \(kind) does not reach back to \(RowSet.isoTime(moment))",
      hint: "it begins at \(RowSet.isoTime(first))")
  }
}
