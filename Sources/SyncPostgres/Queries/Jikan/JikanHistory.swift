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
  /// of `JikanRankings.rows`; members and favorites are those of the day that the entry's score, position or rank
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
      let scope: [PGParameter] = [
        .text(question.kind), published.type.map { .text($0) } ?? .null, .text(published.subtype),
        .int(Int64(published.positions)), .text(published.publishedAt),
      ]
      var afterPosition: Int64 = 0
      if let after = question.after {
        let found = try connection.query(
          QuerySQL.text("as_of_position", of: "jikan"), scope + [.int(after)]
        ).first { try $0.int(0) }
        guard let position = found ?? nil else {
          throw SyncError(
            .missing, "\(question.kind) \(after) was not in this ranking", hint: "give a mal_id from it")
        }
        afterPosition = position
      }
      let rows = try RowSet(
        try connection.query(
          QuerySQL.text("as_of", of: "jikan"), scope + [.int(afterPosition), .limit(question.limit)]))
      let isCut = published.entries > published.positions && rows.rows.count < question.limit ?? .max
      return Snapshot(
        rows: rows, publishedAt: RowSet.isoTime(published.publishedAt), cutAt: isCut ? published.positions : nil)
    }
  }

  /// Who moved since `moment`: the last publication of the list against the last one at or before then, both as far as
  /// their positions are exact. The longest way first; who came in or left has come from or gone to the end.
  ///
  /// - Throws: `SyncError` `.missing` if nothing was published by then.
  package static func movers(
    kind: String, subtype: String?, since moment: Moment, limit: Int?, in database: Database
  ) async throws -> RowSet {
    try await database.read { connection in
      let before = try PublishedList.last(
        kind: kind, subtype: subtype, at: try moment.resolved(connection), connection)
      // The same list, even if one of the type's own is mirrored by now.
      let now = try PublishedList.last(kind: kind, subtype: before.subtype, at: "infinity", connection)
      return try RowSet(
        try connection.query(
          QuerySQL.text("movers", of: "jikan"),
          [
            .text(kind), before.type.map { .text($0) } ?? .null, .text(before.subtype),
            .int(Int64(min(before.positions, now.positions))), .text(before.publishedAt), .limit(limit),
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
      QuerySQL.text("history", of: "jikan"), [.text(kind), .text(subtype ?? "all"), .int(id)])
    guard !rows.rows.isEmpty else {
      throw SyncError(
        .missing, "\(kind) \(id) has no history in the list of \(subtype.map { "type \($0)" } ?? "all types")",
        hint: "check the id; a list has a history from its first whole run on")
    }
    return rows
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
      QuerySQL.text("publication", of: "jikan"), [.text(kind), .text(wanted), .text(moment)]
    ).first { row in
      let list = try row.text(0) ?? "all"
      return PublishedList(
        subtype: list, type: list == wanted ? nil : wanted, publishedAt: try row.text(1) ?? "",
        entries: Int(try row.int(2) ?? 0), positions: Int(try row.int(3) ?? 0))
    }
    if let found { return found }
    let first = try connection.query(
      QuerySQL.text("first_publication", of: "jikan"), [.text(kind), .text(wanted)]
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
