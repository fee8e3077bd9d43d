import LibPQ
import SyncCore

/// Questions to the iTunes mirror: items by id and by words, and what searches returned.
package enum ITunesQueries {
  package enum Sort: String, Sendable, CaseIterable {
    /// In the upstream's order, as far as it is known.
    case relevance
    /// By artist, then by album: the album itself, then its tracks.
    case artist
    /// The latest first.
    case release
    /// The cheapest first; what has no price comes last.
    case price
  }

  /// Which part of an answer is wanted.
  package struct Part: Sendable {
    package var limit: Int
    package var offset: Int

    package init(limit: Int, offset: Int = 0) {
      self.limit = limit
      self.offset = offset
    }

    fileprivate var parameters: [PGParameter] { [.int(Int64(limit)), .int(Int64(offset))] }
  }

  /// Part of an answer, and how many rows all of it has.
  package struct Answer: Sendable {
    package let rows: RowSet
    package let total: Int
  }

  /// What a search of the mirror is for.
  package struct Words: Sendable {
    /// All words of it must occur in title, artist and album, in any case, with or without accents.
    package var term: String
    package var country: String
    /// Classes of items, e.g. `track`; all if it is empty.
    package var classes: [String]
    /// Kinds as the upstream writes them, e.g. `song`; all if it is empty.
    package var kinds: [String]

    package init(term: String, country: String, classes: [String] = [], kinds: [String] = []) {
      self.term = term
      self.country = country
      self.classes = classes
      self.kinds = kinds
    }
  }

  /// What a search returned when it was published last, or was last published at or before a time.
  ///
  /// - Parameter search: its name; that of a command's own search is made of what was requested.
  /// - Throws: `SyncError` `.missing` if it was not published by then.
  package static func results(
    of search: String, sort: Sort, part: Part, asOf moment: Moment? = nil, in database: Database
  ) async throws -> Answer {
    return try await database.read { connection in
      let time = try moment?.resolved(connection) ?? "infinity"
      let published = try connection.query(
        "SELECT EXISTS (SELECT FROM itunes.search_publication WHERE search = $1 AND published_at <= $2::timestamptz)",
        [.text(search), .text(time)]
      ).bool(row: 0, column: 0)
      guard published == true else {
        throw SyncError(
          .missing, "the search \(Excerpt.of(search, scalars: 80)) was not published by then",
          hint: "syncctl run --source itunes runs the searches of the configuration")
      }
      return try answer(
        "results", count: "count_results", [.text(search), .text(time)], sort.rawValue, part, connection)
    }
  }

  /// Items of the mirror in which all words occur. Nothing that has vanished is among them.
  ///
  /// The position is the best one that a search of the same term in the same storefront has published; without one,
  /// titles that are the term come first, then titles that begin with it.
  package static func find(
    _ words: Words, sort: Sort, part: Part, in database: Database
  ) async throws -> Answer {
    // Without an order of the upstream's, what is closest to the words comes first.
    let order = sort == .relevance ? "distance" : sort.rawValue
    return try await database.read { connection in
      try answer(
        "find", count: "count_found",
        [.text(words.term), .text(words.country), .texts(words.classes), .texts(words.kinds)], order, part, connection)
    }
  }

  /// - Parameter parameters: of both statements; the limit and the offset follow them.
  private static func answer(
    _ statement: String, count: String, _ parameters: [PGParameter], _ order: String, _ part: Part,
    _ connection: borrowing PGConnection
  ) throws -> Answer {
    let total = try connection.query(QuerySQL.text(count, of: "itunes"), parameters).int(row: 0, column: 0)
    let rows = try connection.query(
      QuerySQL.text(statement, of: "itunes", choosing: ["order": "order by \(order)"]), parameters + part.parameters)
    return Answer(rows: try RowSet(rows), total: Int(total ?? 0))
  }

  /// Everything that the mirror knows of items with these ids, vanished ones included, in the order of the ids. One id
  /// may stand for items of several classes.
  ///
  /// - Parameters:
  ///   - country: a storefront; nil for all.
  ///   - itemClass: e.g. `track`; nil for all.
  package static func items(
    _ ids: [Int64], country: String?, class itemClass: String? = nil, in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("show", of: "itunes"),
      [.ints(ids), country.map { .text($0) } ?? .null, itemClass.map { .text($0) } ?? .null])
  }

  /// The searches that have been published, with when they last returned something else.
  package static func searches(in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("searches", of: "itunes"))
  }

  /// Ids of all items of a storefront, vanished ones included, in order: what a refresh requests. Episodes of podcasts
  /// are not among them: they are not found by their ids alone.
  package static func knownIDs(country: String, in database: Database) async throws -> [Int64] {
    try await database.read { connection in
      try connection.query(
        "SELECT DISTINCT id FROM itunes.item WHERE country = $1 AND class <> 'podcast-episode' ORDER BY id",
        [.text(country)]
      ).map { try $0.int(0) }.compactMap { $0 }
    }
  }

  /// The scopes whose documents are derived again when a mapping changes: of items those with only a storefront, of
  /// charts those with storefront and type, the parts between them being empty.
  package static func storedScopes(in database: Database) async throws -> (items: [[String]], charts: [[String]]) {
    try await database.read { connection in
      let countries = try connection.query("SELECT DISTINCT country FROM itunes.item ORDER BY country")
        .map { [try $0.text(0) ?? ""] }
      let types = try connection.query("SELECT DISTINCT country, type FROM itunes.chart_item ORDER BY country, type")
        .map { [try $0.text(0) ?? "", "", "", try $0.text(1) ?? ""] }
      return (countries, types)
    }
  }
}
