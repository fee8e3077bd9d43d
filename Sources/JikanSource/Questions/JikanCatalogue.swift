import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

enum JikanCatalogue {
  static func entry(kind: String, id: Int64, in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("show", of: "jikan"), [.text(kind), .int(id)])
  }

  static func knows(_ id: Int64, kind: String, in database: Database) async throws -> Bool {
    let found = try await database.rows(
      "SELECT FROM jikan.media WHERE kind = $1 AND mal_id = $2", [.text(kind), .int(id)])
    if !found.rows.isEmpty { return true }
    return try await notMirrored(id, kind: kind, in: database) != nil
  }

  static func isEmpty(_ kind: JikanKind, in database: Database) async throws -> Bool {
    try await database.rows("SELECT FROM jikan.media WHERE kind = $1 LIMIT 1", [.text(kind.rawValue)]).rows.isEmpty
  }

  static func notMirrored(_ id: Int64, kind: String, in database: Database) async throws -> String? {
    try await database.rows("SELECT jikan.not_mirrored($1, $2)", [.text(kind), .int(id)]).rows.first?.first ?? nil
  }

  /// Returns the addresses of posters by id.
  static func pictures(of ids: [Int64], kind: String, in database: Database) async throws -> [Int64: String] {
    let rows = try await database.rows(
      "SELECT mal_id, image_url FROM jikan.media WHERE kind = $1 AND mal_id = ANY ($2::bigint[])",
      [.text(kind), .ints(ids)])
    return rows.rows.reduce(into: [:]) { pictures, row in
      if let id = row[0].flatMap({ Int64($0) }) { pictures[id] = row[1] }
    }
  }

  static func seasons(limit: Int?, in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("season_list", of: "jikan"), [.limit(limit)])
  }

  /// Returns the anime in the season's mirrored list. Without a list, returns the anime that began in the season.
  static func season(
    list: String, _ season: (year: Int, name: String)?, limit: Int?, offset: Int = 0, in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("season", of: "jikan"),
      [
        .text(list), season.map { .int(Int64($0.year)) } ?? .null, season.map { .text($0.name) } ?? .null,
        .limit(limit), .int(Int64(offset)),
      ])
  }

  /// - Parameter day: A value of `JikanList.scheduleFilters`; `nil` for all days.
  static func schedule(day: String?, limit: Int?, in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("schedule", of: "jikan"), [.text(day), .limit(limit)])
  }

  static func genres(kind: String?, limit: Int?, in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("genres", of: "jikan"), [.text(kind), .limit(limit)])
  }

  /// Returns the values of the columns that filters of a ranking compare, with their numbers of entries.
  static func rankingChoices(kind: String, in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("ranking_choices", of: "jikan"), [.text(kind)])
  }

  enum Facet: Sendable {
    case genre
    case studio
    case author

    fileprivate var members: [String] {
      switch self {
      case .genre: ["genres", "explicit_genres", "themes", "demographics"]
      case .studio: ["studios"]
      case .author: ["authors"]
      }
    }
  }

  /// The orders of `makers`. All orders but that of names begin with the greatest number.
  enum MakerOrder: String, Sendable, CaseIterable {
    case titles, score, members, name
  }

  /// Returns the studios of anime, or the authors of manga.
  /// - Parameters:
  ///   - name: The only maker, in the mirror's spelling; `nil` for all makers.
  static func makers(
    of kind: JikanKind, named name: String? = nil, order: MakerOrder = .titles, limit: Int?, offset: Int = 0,
    in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("makers", of: "jikan"),
      [
        .text(kind.rawValue), .text(kind.makers.members[0]), .text(name), .text(order.rawValue), .limit(limit),
        .int(Int64(offset)),
      ])
  }

  /// Returns the titles of a studio or an author, the most popular first.
  /// - Parameters:
  ///   - maker: The name in the mirror's spelling.
  ///   - omitted: The id of an entry that is not returned.
  static func titles(
    by maker: String, _ kind: JikanKind, except omitted: Int64? = nil, limit: Int?, offset: Int = 0,
    in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("made", of: "jikan"),
      [
        .text(kind.rawValue), .text(kind.makers.members[0]), .text(maker), .int(omitted), .limit(limit),
        .int(Int64(offset)),
      ])
  }

  /// Returns the names that match the words in any case. If one of the words matches no name, returns all names.
  static func names(
    of facet: Facet, kind: String, for words: [String], in database: Database
  ) async throws -> [String] {
    let found = try await database.rows(
      QuerySQL.text("link_names_among", of: "jikan"), [.text(kind), .texts(facet.members), .texts(words)]
    ).texts
    let spellings = Set(found.map { $0.lowercased() })
    if words.allSatisfy({ spellings.contains($0.lowercased()) }) { return found }
    return try await names(of: facet, kind: kind).read(in: database)
  }

  static func names(of facet: Facet, kind: String) -> CompletionWords {
    CompletionWords(try QuerySQL.text("link_names", of: "jikan"), [.text(kind), .texts(facet.members)])
  }
}

extension JikanKind {
  /// The links to the makers of a kind: the studios of anime, the authors of manga.
  var makers: JikanCatalogue.Facet {
    switch self {
    case .anime: .studio
    case .manga: .author
    }
  }
}
