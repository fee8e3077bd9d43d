import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

enum ITunesQueries {
  enum Sort: String, Sendable, CaseIterable {
    /// The positions in the service's results. Items without a known position are last.
    case relevance
    case artist
    case release
    case price

    /// Whether a limit selects the first results of this order. In other orders, it selects the most relevant results.
    var isRanking: Bool { self == .release || self == .price }
  }

  struct Part: Sendable {
    var limit: Int?
    var after: PageCursor?
    /// The number of rows before the page.
    var offset = 0
  }

  struct Answer: PagedAnswer {
    let page: ListPage
    let total: Int
    var publication: Publication?
  }

  struct Publication: Sendable {
    fileprivate let at: String
    let isLatest: Bool
    /// The seconds since the service's last answer.
    let secondsAgo: Int64

    var publishedAt: String { TimeText.second(at) }
  }

  struct Words: Sendable {
    var term: String
    var country: String
    var classes: [String] = []
    var kinds: [String] = []
  }

  static func publication(of search: String, in database: Database) async throws -> Publication? {
    try await database.read { connection in try publication(search, "infinity", connection) }
  }

  private static func publication(
    _ search: String, _ time: String, _ connection: borrowing PGConnection
  ) throws -> Publication? {
    let found = try connection.query(QuerySQL.text("search_published", of: "itunes"), [.text(search), .text(time)])
    guard let at = try found.text(row: 0, column: 0) else { return nil }
    return Publication(
      at: at, isLatest: try found.bool(row: 0, column: 1) ?? true, secondsAgo: try found.int(row: 0, column: 2) ?? 0)
  }

  /// Returns the last publication of the search at or before `moment`; `nil` means now. Later pages show the same
  /// publication as the first page.
  ///
  /// - Parameter most: The limit of all pages together; `nil` for no limit.
  static func results(
    of search: String, sort: Sort, most: Int? = nil, part: Part, asOf moment: Moment? = nil, in database: Database
  ) async throws -> Answer {
    try await database.read { connection in
      let listing = "search \(search) by \(sort.rawValue)"
      let key = try part.after?.parameters(of: listing, [.time, .array])[1] ?? .null
      let time = try part.after?.values[0] ?? moment?.resolved(connection) ?? "infinity"
      guard let publication = try publication(search, time, connection) else {
        throw SyncError(
          .missing, "the search \(Excerpt.of(search, scalars: 80)) was not published by then",
          hint: "syncctl run --source itunes runs the searches of the configuration")
      }
      guard part.after == nil || publication.at == time else {
        throw SyncError(
          .missing, "the search's results at the time of the cursor are no longer kept",
          hint: "omit --after")
      }
      let question = [PGParameter.text(search), .text(publication.at)]
      let rows = try rows("results", by: sort.rawValue, question + [.limit(most)], part, after: key, connection)
      let found = try count("count_results", question, connection)
      let total = min(found, most ?? found)
      return Answer(
        page: ListPage(rows, limit: part.limit, listing: listing, total: total), total: total, publication: publication)
    }
  }

  /// Returns items that contain all words, without vanished items. An item's position is its best position in the
  /// mirrored searches with this term and storefront.
  ///
  /// - Parameter most: The limit of all pages together; `nil` for no limit.
  static func find(
    _ words: Words, sort: Sort, most: Int? = nil, part: Part, in database: Database
  ) async throws -> Answer {
    let order = sort == .relevance ? "distance" : sort.rawValue
    return try await database.read { connection in
      let listing = "mirror of \(words.country) by \(order)"
      let key = try part.after?.parameters(of: listing, [.array])[0] ?? .null
      let question = [PGParameter.text(words.term), .text(words.country), .texts(words.classes), .texts(words.kinds)]
      let rows = try rows("find", by: order, question + [.limit(most)], part, after: key, connection)
      let found = try count("count_found", question, connection)
      let total = min(found, most ?? found)
      return Answer(page: ListPage(rows, limit: part.limit, listing: listing, total: total), total: total)
    }
  }

  private static func count(
    _ statement: String, _ question: [PGParameter], _ connection: borrowing PGConnection
  ) throws -> Int {
    Int(try connection.query(QuerySQL.text(statement, of: "itunes"), question).int(row: 0, column: 0) ?? 0)
  }

  private static func rows(
    _ statement: String, by order: String, _ question: [PGParameter], _ part: Part, after key: PGParameter,
    _ connection: borrowing PGConnection
  ) throws -> RowSet {
    let pageParameters = [PGParameter.pageLimit(part.limit), key, .text(order), .int(Int64(part.offset))]
    return try RowSet(QuerySQL.text(statement, of: "itunes"), question + pageParameters, connection)
  }

  /// Returns the items with these ids in the order of the ids, including vanished items. Several items can have one id.
  static func items(
    _ ids: [Int64], country: String?, class itemClass: String? = nil, in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("show", of: "itunes"),
      [.ints(ids), .text(country), .text(itemClass)])
  }

  /// Returns the price changes of an item, the latest first.
  static func priceChanges(
    of id: Int64, class itemClass: String, country: String, limit: Int, in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("price_changes", of: "itunes"),
      [.text(country), .text(itemClass), .int(id), .limit(limit)])
  }

  /// Returns the ids that a refresh looks up. Podcast episodes are omitted, because the service does not find an
  /// episode by its id.
  static func mirroredIDs(country: String, in database: Database) async throws -> [Int64] {
    try await database.rows(
      "SELECT DISTINCT id FROM itunes.item WHERE country = $1 AND class <> 'podcast-episode' ORDER BY id",
      [.text(country)]
    ).ids
  }

  static func storedScopes(in database: Database) async throws -> (items: [[String]], charts: [[String]]) {
    try await database.read { connection in
      let countries = try connection.query("SELECT DISTINCT country FROM itunes.item ORDER BY country")
        .map { [try $0.text(0) ?? ""] }
      let types = try connection.query("SELECT DISTINCT country, type FROM itunes.chart_item ORDER BY country, type")
        .map { [try $0.text(0) ?? "", "", "", try $0.text(1) ?? ""] }
      return (countries, types)
    }
  }

  /// Returns the ids that the last lookup did not find.
  static func absent(_ ids: [Int64], country: String, in database: Database) async throws -> Set<Int64> {
    Set(
      try await database.rows(
        "SELECT id FROM itunes.lookup_absence WHERE country = $1 AND id = ANY ($2::bigint[])",
        [.text(country), .ints(ids)]
      ).ids)
  }

  /// Returns the ids of the children in the order of their parents in `ids`, then by album. Omits vanished items and
  /// the parents themselves. Empty `classes` and `kinds` mean all.
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
