import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

enum JikanHistory {
  struct Snapshot: PagedAnswer {
    let page: ListPage
    let publishedAt: String
    let startsLater: Bool
    /// The number of exact positions, if the answer omits all other positions; else `nil`.
    let cutAt: Int?
    let doubts: [ListDoubt]
  }

  static func doubt(_ question: JikanRankings.Question, in database: Database) async throws -> ListDoubt? {
    guard question.order == .top else { return nil }
    return try await database.read { connection in
      do {
        return try PublishedList.last(question, at: "infinity", connection).doubt
      } catch let error as SyncError where error.code == .missing {
        return nil
      }
    }
  }

  /// Returns the last publication at or before `moment`. If all publications are later, returns the first publication.
  /// An entry's members and favorites are from the last change of its score, position or rank.
  static func rows(
    _ question: JikanRankings.Question, asOf moment: Moment, in database: Database
  ) async throws -> Snapshot {
    guard question.order == .top else {
      throw SyncError(.usage, "the order \(question.order.rawValue) has no history", hint: "omit --sort or --as-of")
    }
    return try await database.read { connection in
      let name = "jikan \(question.kind) as of"
      var time = try moment.resolved(connection)
      var after = PGParameter.int(0)
      if case .cursor(let cursor) = question.after {
        after = try cursor.parameters(of: name, [.time, .bigint])[1]
        time = cursor.values[0] ?? time
      }
      let published = try PublishedList.last(question, at: time, connection)
      let scope = try question.parameters + published.scope
      if case .id(let id) = question.after {
        let found = try RowSet(
          QuerySQL.text("as_of", of: "jikan"), scope + [.int(0), .limit(1), .int(id), .int(0)], connection)
        guard let position = found.namedRows.first?["cursor_position"].flatMap({ Int64($0) }) else {
          throw SyncError(
            .missing, "\(question.kind) \(id) was not in this ranking", hint: "give a mal_id that the ranking has")
        }
        after = .int(position)
      }
      let rows = try RowSet(
        QuerySQL.text("as_of", of: "jikan"),
        scope + [after, .pageLimit(question.limit), .null, .offset(question.after)], connection)
      let isCut = published.entries > published.positions && rows.rows.count <= question.limit ?? .max
      return Snapshot(
        page: ListPage(rows, limit: question.limit, listing: name),
        publishedAt: TimeText.second(published.publishedAt), startsLater: published.startsLater,
        cutAt: isCut ? published.positions : nil, doubts: [published.doubt].compactMap(\.self))
    }
  }

  /// Returns the largest moves first. Compares only positions that are exact in both publications. If an entry entered
  /// or left, its missing position counts as the end of the list.
  static func movers(
    _ question: JikanRankings.Question, since moment: Moment, in database: Database
  ) async throws -> Snapshot {
    try await database.read { connection in
      var before = try PublishedList.last(question, at: try moment.resolved(connection), connection)
      // `before` can be from another list than the question's, because the type had no list of its own at `moment`.
      // `now` must be from the same list as `before`.
      var list = question
      list.subtype = before.subtype
      let now = try PublishedList.last(list, at: "infinity", connection)
      before.positions = min(before.positions, now.positions)
      let found = try RowSet(
        QuerySQL.text("movers", of: "jikan"),
        question.parameters + before.scope + [
          .limit(question.limit), .bool(now.doubt.map { $0.unread != 0 } ?? false),
        ],
        connection)
      let lacksPosition = found.rows.contains { cells in
        let row = NamedRow(found.columns, cells)
        return ["climbed", "fell"].contains(row["section"]) && row["change"] == nil
      }
      return Snapshot(
        page: ListPage(all: found), publishedAt: TimeText.second(before.publishedAt),
        startsLater: before.startsLater, cutAt: lacksPosition ? before.positions : nil,
        doubts: [before.doubt, now.doubt].compactMap(\.self).distinct())
    }
  }

  static func entry(
    kind: String, id: Int64, subtype: String?, filter: String?, in database: Database
  ) async throws -> RowSet {
    let rows = try await database.rows(
      QuerySQL.text("history", of: "jikan"), [.text(kind), .text(subtype ?? "all"), .text(filter ?? "none"), .int(id)])
    guard !rows.rows.isEmpty else {
      let list = [subtype.map { "type \($0)" } ?? "all types", filter].compactMap(\.self).joined(separator: ", ")
      throw SyncError(
        .missing, "\(kind) \(id) has no history in the list of \(list)",
        hint: "check the id; a list's history begins with its first complete run")
    }
    return rows
  }
}

private struct PublishedList {
  let subtype: String
  let publishedAt: String
  let entries: Int
  var positions: Int
  let startsLater: Bool
  let doubt: ListDoubt?

  /// Parameters $5 to $7 of `as_of.sql` and `movers.sql`.
  var scope: [PGParameter] { [.text(subtype), .int(Int64(positions)), .text(publishedAt)] }

  static func last(
    _ question: JikanRankings.Question, at moment: String, _ connection: borrowing PGConnection
  ) throws -> PublishedList {
    let list: [PGParameter] = [
      .text(question.kind), .text(question.subtype ?? "all"), .text(question.filter ?? "none"),
    ]
    func last(at moment: String, startsLater: Bool) throws -> PublishedList? {
      try connection.query(QuerySQL.text("publication", of: "jikan"), list + [.text(moment)]).first { row in
        let publishedAt = try row.text(1) ?? ""
        return PublishedList(
          subtype: try row.text(0) ?? "all", publishedAt: publishedAt, entries: Int(try row.int(2) ?? 0),
          positions: Int(try row.int(3) ?? 0), startsLater: startsLater,
          doubt: ListDoubt(isConsistent: try row.bool(4), certificate: try row.text(5), publishedAt: publishedAt))
      }
    }
    if let found = try last(at: moment, startsLater: false) { return found }
    let first = try connection.query(QuerySQL.text("first_publication", of: "jikan"), list).text(row: 0, column: 0)
    if let first, let found = try last(at: first, startsLater: true) { return found }
    let stream = ["top-\(question.kind)", question.filter].compactMap(\.self).joined(separator: ":")
    throw SyncError(
      .missing, "the list \(stream) has not been published yet",
      hint: "syncctl run --stream \(stream) fetches it")
  }
}
