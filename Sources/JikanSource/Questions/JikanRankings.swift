import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

enum JikanRankings {
  enum Order: String, Sendable, CaseIterable {
    case top
    /// The order of MyAnimeList's own `rank`. Entries whose rank is null or 0 are last.
    case rank
    case score, popularity, members, favorites, airing, upcoming
  }

  struct Question: Sendable {
    var kind: String
    var subtype: String?
    var filter: String?
    var filters = JikanFilters()
    var order = Order.top
    var limit: Int?
    var after: PageStart?

    /// Parameters $1 to $4 of the queries `ranking`, `as_of` and `movers`.
    var parameters: [PGParameter] {
      get throws { list + [try filters.parameter] }
    }

    fileprivate var list: [PGParameter] {
      [.text(kind), .text(subtype), .text(filter ?? "none")]
    }

    /// The list's name in a cursor, without the filters.
    fileprivate var name: String { "jikan \(kind) \(filter ?? order.rawValue)" }
  }

  static func page(_ question: Question, in database: Database) async throws -> ListPage {
    try await database.read { connection in
      let start = try start(question, connection)
      let rows = try RowSet(
        QuerySQL.text("ranking", of: "jikan"), parameters(question, start, limit: .pageLimit(question.limit)),
        connection)
      return ListPage(rows, limit: question.limit, listing: question.name)
    }
  }

  private struct Start {
    /// The times of the publication and of the first query, from the cursor.
    var moment: [PGParameter] = [.null, .null]
    var position: [PGParameter] = [.null, .null]
    var isKept = false
  }

  private static func start(_ question: Question, _ connection: borrowing PGConnection) throws -> Start {
    switch question.after {
    case nil, .offset: return Start()
    case .id(let id):
      guard let start = try after(id, question, connection) else {
        throw SyncError(
          .missing, "\(question.kind) \(id) is not in this ranking", hint: "give a mal_id that the ranking has")
      }
      return start
    case .cursor(let cursor):
      let values = try cursor.parameters(of: question.name, [.microseconds, .microseconds, .bigint, .bigint])
      let position = Array(values[2...])
      guard question.order == .top else { return Start(moment: Array(values[..<2]), position: position) }
      let isKept = try connection.query(
        QuerySQL.text("order_kept", of: "jikan"), question.list + [values[0]]
      ).bool(row: 0, column: 0)
      if isKept == true { return Start(moment: Array(values[..<2]), position: position, isKept: true) }
      // Continue after the current position of the cursor's entry. If the entry left the list, use its old position.
      let id = cursor.values[3].flatMap { Int64($0) } ?? 0
      return try after(id, question, connection) ?? Start(position: position)
    }
  }

  private static func after(_ id: Int64, _ question: Question, _ connection: borrowing PGConnection) throws -> Start? {
    let key = try connection.query(
      QuerySQL.text("ranking", of: "jikan"), parameters(question, Start(), limit: .limit(1), only: .int(id))
    ).first { try $0.int(2) }
    return (key ?? nil).map { Start(position: [.int($0), .int(id)]) }
  }

  private static func parameters(
    _ question: Question, _ start: Start, limit: PGParameter, only id: PGParameter = .null
  ) throws -> [PGParameter] {
    try question.parameters + start.moment + start.position
      + [limit, .text(question.order.rawValue), .bool(start.isKept), id, .offset(question.after)]
  }
}
