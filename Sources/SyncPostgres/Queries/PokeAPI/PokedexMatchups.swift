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
    let sql = """
      WITH \(PokedexSQL.entries)
      SELECT t.id, $3::text AS name, t.name AS slug, t.generation_id AS generation,
             (SELECT coalesce(json_agg(row_to_json(a)), '[]') FROM pokeapi.attack(t.name) a) AS attacking,
             (SELECT coalesce(json_agg(row_to_json(m)), '[]') FROM pokeapi.matchup(ARRAY[t.name]) m) AS defending,
             (SELECT coalesce(json_agg(json_build_object(
                'id', e.id, 'name', e.name, 'slug', e.slug, 'is_form', e.is_form, 'types', e.types,
                'type_names', e.type_names, 'total', e.total, 'owned', e.owned) ORDER BY e.id), '[]')
              FROM entry e WHERE t.name = ANY (e.types) AND ($4::boolean OR NOT e.is_form)) AS pokemon
      FROM pokeapi.type t WHERE t.id = $2
      """
    return try await database.rows(
      SQL(trusted: sql), [.texts(languages), .int(type.id), .text(type.name), .bool(includesForms)])
  }
}
