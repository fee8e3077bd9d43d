import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

/// Queries of the PokeAPI mirror, without vanished items. `languages` are the upstream's names in order of preference.
/// A text that exists in none of these languages is returned in another language.
enum Pokedex {
  enum Order: String, Sendable, CaseIterable {
    case id, name, total, hp, attack, defense
    case specialAttack = "special-attack"
    case specialDefense = "special-defense"
    case speed

    static let values: [Order] = allCases.filter { $0 != .id && $0 != .name }

    fileprivate var keyType: PageCursor.KeyType {
      switch self {
      case .id: .bigint
      case .name: .text
      default: .integer
      }
    }
  }

  struct Question: Sendable {
    var types: [String] = []
    var generation: Int?
    /// Forms are omitted by default, because the National Pokédex has no forms.
    var includesForms = false
    var isOwned: Bool?
    var isLegendary = false
    var isMythical = false
    /// A part of a name, or a number in the National Pokédex.
    var name: String?
    var order: Order
    var limit: Int?
    var after: PageStart?
    var languages: [String]

    /// Each language sorts names in its own order, so the listing's name contains the language.
    fileprivate var listing: String {
      "pokedex by \(order.rawValue)" + (order == .name ? " in \(languages.first ?? "")" : "")
    }

    fileprivate func parameters() throws(SyncError) -> [PGParameter] {
      let start: [PGParameter]
      switch after {
      case nil, .offset: start = [.null, .bool(false), .null]
      case .id(let id): start = [.int(id), .bool(false), .null]
      case .cursor(let cursor):
        let values = try cursor.parameters(of: listing, [order.keyType, .bigint])
        start = [values[1], .bool(true), values[0]]
      }
      return [
        .texts(languages), .texts(types), generation.map { .int(Int64($0)) } ?? .null, .bool(includesForms),
        isOwned.map { .bool($0) } ?? .null, .bool(isLegendary), .bool(isMythical), .pageLimit(limit),
      ] + start + [PGParameter.text(order.rawValue), .offset(after)]
    }
  }

  static func list(_ question: Question, in database: Database) async throws -> ListPage {
    try await rows("list", question, more: [.text(question.name)], in: database)
  }

  static func ranking(_ question: Question, in database: Database) async throws -> ListPage {
    guard Order.values.contains(question.order) else {
      throw SyncError(
        .usage, "there is no ranking by \(question.order.rawValue)", hint: "syncctl pokedex list has that order")
    }
    return try await rows("ranking", question, in: database)
  }

  private static func rows(
    _ statement: String, _ question: Question, more: [PGParameter] = [], in database: Database
  ) async throws -> ListPage {
    try await database.read { connection in
      try requireMirrored("pokemon", connection)
      if case .id(let after) = question.after {
        let exists = try connection.query(
          "SELECT EXISTS (SELECT FROM pokeapi.pokedex WHERE id = $1)", [.int(after)]
        ).bool(row: 0, column: 0)
        guard exists == true else {
          throw SyncError(.missing, "the mirror has no Pokémon with the id \(after)", hint: "give an id from the list")
        }
      }
      let rows = try RowSet(QuerySQL.text(statement, of: "pokeapi"), question.parameters() + more, connection)
      return ListPage(rows, limit: question.limit, listing: question.listing)
    }
  }

  static func languages(in database: Database) async throws -> [String] {
    try await database.rows(QuerySQL.text("languages", of: "pokeapi")).texts
  }

  static func generations(in database: Database) async throws -> [Int64] {
    try await database.rows(QuerySQL.text("generations", of: "pokeapi")).ids
  }

  static func requireMirrored(_ endpoint: String, in database: Database) async throws {
    try await database.read { connection in try requireMirrored(endpoint, connection) }
  }

  static func isMirrored(_ endpoint: String, _ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue("SELECT EXISTS (SELECT FROM pokeapi.resource WHERE endpoint = $1)", [.text(endpoint)])
  }

  static func requireMirrored(_ endpoint: String, _ connection: borrowing PGConnection) throws {
    guard try isMirrored(endpoint, connection) else {
      let plurals = ["pokemon": "Pokémon", "ability": "abilities"]
      throw SyncError(
        .missing, "the mirror has no \(plurals[endpoint] ?? "\(endpoint)s") yet",
        hint: "syncctl run --source pokeapi fetches them")
    }
  }

  static func entry(_ match: PokedexMatch, languages: [String], in database: Database) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("show", of: "pokeapi"), [.texts(languages), .int(match.chainID), .int(match.id)])
  }

  /// Returns the row of a Pokémon's page that `entry` does not have: shiny pictures, the species and the neighbours.
  static func surroundings(of id: Int64, languages: [String], in database: Database) async throws -> NamedRow? {
    try await database.rows(QuerySQL.text("page", of: "pokeapi"), [.texts(languages), .int(id)]).namedRows.first
  }

  /// Returns the moves that a Pokémon learns in the latest games, those by level first.
  static func moves(of id: Int64, languages: [String], in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("moves", of: "pokeapi"), [.texts(languages), .int(id)])
  }

  static func pictures(of ids: [Int64], in database: Database) async throws -> [Int64: String] {
    let rows = try await database.rows(
      "SELECT id, coalesce(artwork_url, sprite_url) FROM pokeapi.pokemon WHERE id = ANY ($1::bigint[])", [.ints(ids)])
    return rows.rows.reduce(into: [:]) { pictures, row in
      if let id = row[0].flatMap({ Int64($0) }) { pictures[id] = row[1] }
    }
  }

  static func evolution(
    _ match: PokedexMatch, languages: [String], in database: Database
  ) async throws -> (root: (id: Int64, name: String)?, ways: RowSet) {
    let chain = PGParameter.int(match.chainID)
    return try await database.read { connection in
      let root = try connection.query(
        QuerySQL.text("evolution_root", of: "pokeapi"), [.texts(languages), chain, .int(match.id)]
      ).first { row in (id: try row.int(0) ?? 0, name: try row.text(1) ?? "") }
      let ways = try RowSet(QuerySQL.text("evolution", of: "pokeapi"), [.texts(languages), chain], connection)
      return (root, ways)
    }
  }
}
