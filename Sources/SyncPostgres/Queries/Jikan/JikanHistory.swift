import LibPQ
import SyncCore

/// The rankings of the Jikan mirror as they were. Only what a run published is ever shown.
package enum JikanHistory {
  /// A list as it was.
  package struct Snapshot: Sendable {
    package let rows: RowSet
    /// ISO 8601, UTC.
    package let publishedAt: String
    /// The history begins with it, after the moment in question.
    package let startsLater: Bool
    /// The answer ends after this position of the list, although the list continued: further down the history is not
    /// exact.
    package let cutAt: Int?
  }

  /// The list of the question's kind and type as the last publication at or before `moment` left it, else the first,
  /// with the columns of `JikanRankings.rows`; members and favorites are those of the day that the entry's score,
  /// position or rank changed.
  ///
  /// - Parameter question: its order must be `.top`: the others have no history.
  /// - Throws: `SyncError` `.missing` if nothing has been published, or if `after` was not in the list, `.usage` for
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
        rows: rows, publishedAt: RowSet.isoTime(published.publishedAt), startsLater: published.startsLater,
        cutAt: isCut ? published.positions : nil)
    }
  }

  /// Who moved since `moment`: the last publication of the list against the last one at or before then, else the first
  /// one, both as far as their positions are exact. The longest way first; who came in or left has come from or gone to
  /// the end.
  ///
  /// - Returns: the movers, and when the earlier list was published.
  /// - Throws: `SyncError` `.missing` if nothing has been published.
  package static func movers(
    kind: String, subtype: String?, since moment: Moment, limit: Int?, in database: Database
  ) async throws -> Snapshot {
    try await database.read { connection in
      let before = try PublishedList.last(
        kind: kind, subtype: subtype, at: try moment.resolved(connection), connection)
      // The same list, even if one of the type's own is mirrored by now.
      let now = try PublishedList.last(kind: kind, subtype: before.subtype, at: "infinity", connection)
      let rows = try connection.query(
        QuerySQL.text("movers", of: "jikan"),
        [
          .text(kind), before.type.map { .text($0) } ?? .null, .text(before.subtype),
          .int(Int64(min(before.positions, now.positions))), .text(before.publishedAt), .limit(limit),
        ])
      return Snapshot(
        rows: try RowSet(rows), publishedAt: RowSet.isoTime(before.publishedAt), startsLater: before.startsLater,
        cutAt: nil)
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
  /// It is the first one, and nothing was published by the moment in question.
  let startsLater: Bool

  /// The last one at or before `moment`, else the first one.
  ///
  /// - Throws: `SyncError` `.missing` if nothing has been published.
  static func last(
    kind: String, subtype: String?, at moment: String, _ connection: borrowing PGConnection
  ) throws -> PublishedList {
    let wanted = subtype ?? "all"
    func last(at moment: String, startsLater: Bool) throws -> PublishedList? {
      try connection.query(
        QuerySQL.text("publication", of: "jikan"), [.text(kind), .text(wanted), .text(moment)]
      ).first { row in
        let list = try row.text(0) ?? "all"
        return PublishedList(
          subtype: list, type: list == wanted ? nil : wanted, publishedAt: try row.text(1) ?? "",
          entries: Int(try row.int(2) ?? 0), positions: Int(try row.int(3) ?? 0), startsLater: startsLater)
      }
    }
    if let found = try last(at: moment, startsLater: false) { return found }
    let first = try connection.query(
      QuerySQL.text("first_publication", of: "jikan"), [.text(kind), .text(wanted)]
    ).text(row: 0, column: 0)
    if let first, let found = try last(at: first, startsLater: true) { return found }
    throw SyncError(
      .missing, "no list of \(kind) has been published yet", hint: "syncctl run --source jikan walks it to its end")
  }
}
