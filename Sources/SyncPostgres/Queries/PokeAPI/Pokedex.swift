import LibPQ
import SyncCore

/// Questions to the PokeAPI mirror. Nothing that has vanished upstream is in an answer.
///
/// Wherever names are answered, `languages` are the upstream's words for languages, the preferred one first; a text
/// that none of them has comes in any other language there is.
package enum Pokedex {
  package enum Order: String, Sendable, CaseIterable {
    case id, name, total, hp, attack, defense
    case specialAttack = "special-attack"
    case specialDefense = "special-defense"
    case speed

    /// The orders that make a ranking: numbers, the highest first.
    package static let values: [Order] = allCases.filter { $0 != .id && $0 != .name }

    /// Ascending; who has no value comes last.
    fileprivate var key: String {
      switch self {
      case .id: "id"
      case .name: "lower(name)"
      default: "-coalesce(\(column), -1)"
      }
    }

    fileprivate var column: String { rawValue.replacing("-", with: "_") }
  }

  /// Which Pokémon are wanted, and how many of them in which order.
  package struct Question: Sendable {
    /// Slugs of types, all of which a Pokémon must have.
    package var types: [String] = []
    package var generation: Int?
    /// Forms too, which are not in the National Pokédex.
    package var includesForms = false
    package var isOwned: Bool?
    package var isLegendary = false
    package var isMythical = false
    package var order: Order
    /// nil for all.
    package var limit: Int?
    /// Continue after the Pokémon with this id, whether it is among those that are wanted or not.
    package var after: Int64?
    package var languages: [String]

    package init(order: Order, languages: [String]) {
      self.order = order
      self.languages = languages
    }

    fileprivate var parameters: [PGParameter] {
      [
        .texts(languages), .texts(types), generation.map { .int(Int64($0)) } ?? .null, .bool(includesForms),
        isOwned.map { .bool($0) } ?? .null, .bool(isLegendary), .bool(isMythical),
        limit.map { .int(Int64($0)) } ?? .null, after.map { .int($0) } ?? .null,
      ]
    }
  }

  /// - Throws: `SyncError` `.missing` if there is no Pokémon with the id `after`.
  package static func list(_ question: Question, in database: Database) async throws -> RowSet {
    try await rows(
      question,
      columns: """
        id, name, language, slug, is_form, to_json(types) AS types, to_json(type_names) AS type_names, hp, attack,
        defense, special_attack, special_defense, speed, total, generation_id AS generation, is_baby, is_legendary,
        is_mythical, owned
        """, in: database)
  }

  /// The highest values first; who has the same value has the same position.
  ///
  /// - Parameter question: its order must be one of `Order.values`.
  /// - Throws: `SyncError` `.missing` if there is no Pokémon with the id `after`, `.usage` for another order.
  package static func ranking(_ question: Question, in database: Database) async throws -> RowSet {
    guard Order.values.contains(question.order) else {
      throw SyncError(.usage, "there is no ranking by \(question.order.rawValue)", hint: "that is an order of the list")
    }
    return try await rows(
      question,
      columns: """
        position, id, name, language, slug, is_form, to_json(types) AS types, to_json(type_names) AS type_names,
        \(question.order.column) AS value
        """, in: database)
  }

  private static func rows(_ question: Question, columns: String, in database: Database) async throws -> RowSet {
    let sql = """
      WITH \(PokedexSQL.entries),
      keyed AS (SELECT *, \(question.order.key) AS key FROM entry),
      chosen AS (
        SELECT *, rank() OVER (ORDER BY key) AS position FROM keyed
        WHERE types @> $2::text[] AND ($3::bigint IS NULL OR generation_id = $3) AND ($4::boolean OR NOT is_form)
          AND ($5::boolean IS NULL OR owned = $5) AND (NOT $6::boolean OR is_legendary)
          AND (NOT $7::boolean OR is_mythical)
      )
      SELECT \(columns) FROM chosen
      WHERE $9::bigint IS NULL OR (key, id) > (SELECT key, id FROM keyed WHERE id = $9)
      ORDER BY key, id LIMIT $8::bigint
      """
    return try await database.read { connection in
      try requireMirrored("pokemon", connection)
      if let after = question.after {
        let exists = try connection.query(
          "SELECT EXISTS (SELECT FROM pokeapi.pokedex WHERE id = $1)", [.int(after)]
        ).bool(row: 0, column: 0)
        guard exists == true else {
          throw SyncError(.missing, "the mirror has no Pokémon with the id \(after)", hint: "give an id of the list")
        }
      }
      return try RowSet(try connection.query(SQL(trusted: sql), question.parameters))
    }
  }

  /// The languages of names and texts, in the upstream's order.
  package static func languages(in database: Database) async throws -> [String] {
    try await database.read { connection in
      try connection.query(
        """
        SELECT language FROM (
          SELECT name AS language, id FROM pokeapi.language WHERE name IS NOT NULL
          UNION ALL
          SELECT language, min(language_id) FROM pokeapi.name WHERE endpoint IN ('pokemon-species', 'type')
          GROUP BY language
        ) l GROUP BY language ORDER BY min(id), language
        """
      ).map { try $0.text(0) }.compactMap { $0 }
    }
  }

  /// The numbers of the generations that the mirror knows of.
  package static func generations(in database: Database) async throws -> [Int64] {
    try await database.read { connection in
      try connection.query(
        """
        SELECT generation_id FROM pokeapi.species WHERE generation_id IS NOT NULL
        UNION SELECT generation_id FROM pokeapi.type WHERE generation_id IS NOT NULL
        UNION SELECT id FROM pokeapi.resource WHERE endpoint = 'generation' AND vanished_at IS NULL
        ORDER BY generation_id
        """
      ).map { try $0.int(0) }.compactMap { $0 }
    }
  }

  /// - Throws: `SyncError` `.missing` while the mirror has no document of that endpoint.
  package static func requireMirrored(_ endpoint: String, in database: Database) async throws {
    try await database.read { connection in try requireMirrored(endpoint, connection) }
  }

  static func requireMirrored(_ endpoint: String, _ connection: borrowing PGConnection) throws {
    let isThere = try connection.query(
      "SELECT EXISTS (SELECT FROM pokeapi.resource WHERE endpoint = $1)", [.text(endpoint)]
    ).bool(row: 0, column: 0)
    guard isThere == true else {
      throw SyncError(
        .missing, "the mirror has no \(endpoint == "pokemon" ? "Pokémon" : "\(endpoint)s") yet",
        hint: "syncctl run --source pokeapi fetches them")
    }
  }
}
