import LibPQ
import SyncCore

extension Pokedex {
  /// What attacks of every type do to a Pokémon of these types: `attacking_type` and `multiplier`, the strongest first.
  ///
  /// - Parameters:
  ///   - types: slugs.
  ///   - generation: as it was then, among the types that there were; nil for today.
  package static func matchup(
    defending types: [String], generation: Int?, in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      "SELECT attacking_type, trim_scale(multiplier) AS multiplier FROM pokeapi.matchup($1::text[], $2::integer)",
      [.texts(types), generation.map { .int(Int64($0)) } ?? .null])
  }

  /// What attacks of a type do to every single type: `defending_type` and `multiplier`, the strongest first.
  package static func matchup(
    attacking type: String, generation: Int?, in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      "SELECT defending_type, trim_scale(multiplier) AS multiplier FROM pokeapi.attack($1::text, $2::integer)",
      [.text(type), generation.map { .int(Int64($0)) } ?? .null])
  }

  /// The slugs of the types that met each other in a generation, or do today.
  package static func battleTypes(generation: Int?, in database: Database) async throws -> [String] {
    try await database.read { connection in
      try connection.query(
        "SELECT DISTINCT attacking_type FROM pokeapi.efficacy($1::integer) WHERE attacking_type IS NOT NULL ORDER BY 1",
        [generation.map { .int(Int64($0)) } ?? .null]
      ).map { try $0.text(0) }.compactMap { $0 }
    }
  }

  /// One row about a type: what it does, what is done to it, and all Pokémon of it; what is a list is `json`.
  package static func type(
    _ type: PokedexType, includesForms: Bool, languages: [String], in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("type", of: "pokeapi"),
      [.texts(languages), .int(type.id), .text(type.name), .bool(includesForms)])
  }
}
