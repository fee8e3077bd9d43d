import Foundation
import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexBattler: Sendable {
  let name: String
  let generation: Int64?
  let types: [String]
}

extension Pokedex {
  static func battler(
    _ match: PokedexMatch, generation: Int?, languages: [String], in database: Database
  ) async throws -> PokedexBattler {
    try await database.read { connection in
      let row = try connection.query(
        QuerySQL.text("battler", of: "pokeapi"),
        [.texts(languages), .int(match.id), generation.map { .int(Int64($0)) } ?? .null]
      ).first { row in
        PokedexBattler(
          name: try row.text(0) ?? match.slug, generation: try row.int(1),
          types: try JSONDecoder().decode([String].self, from: Data((try row.text(2) ?? "[]").utf8)))
      }
      return row ?? PokedexBattler(name: match.slug, generation: nil, types: [])
    }
  }

  /// Returns rows of `attacking_type` and `multiplier`, the highest multiplier first. `types` are slugs, such as
  /// `fire`.
  static func matchup(defending types: [String], generation: Int?, in database: Database) async throws -> RowSet {
    try await database.rows(
      "SELECT attacking_type, trim_scale(multiplier) AS multiplier FROM pokeapi.matchup($1::text[], $2::integer)",
      [.texts(types), generation.map { .int(Int64($0)) } ?? .null])
  }

  static func matchup(attacking type: String, generation: Int?, in database: Database) async throws -> RowSet {
    try await database.rows(
      "SELECT defending_type, trim_scale(multiplier) AS multiplier FROM pokeapi.attack($1::text, $2::integer)",
      [.text(type), generation.map { .int(Int64($0)) } ?? .null])
  }

  static func battleTypes(generation: Int?, in database: Database) async throws -> [String] {
    try await database.rows(
      "SELECT DISTINCT attacking_type FROM pokeapi.efficacy($1::integer) WHERE attacking_type IS NOT NULL ORDER BY 1",
      [generation.map { .int(Int64($0)) } ?? .null]
    ).texts
  }

  static func type(
    _ type: PokedexType, includesForms: Bool, languages: [String], in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("type", of: "pokeapi"), [.texts(languages), .int(type.id), .text(type.name), .bool(includesForms)])
  }
}
