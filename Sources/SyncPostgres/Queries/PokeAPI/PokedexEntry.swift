import LibPQ
import SyncCore

extension Pokedex {
  /// One row with everything that is shown of a Pokémon; what is a list or an object is `json`.
  package static func entry(_ match: PokedexMatch, languages: [String], in database: Database) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("show", of: "pokeapi"),
      [.texts(languages), match.chainID.map { .int($0) } ?? .null, .int(match.id)])
  }

  /// The species that the family begins with and every way of evolution in it; from, to, the conditions, the sentence.
  package static func evolution(
    _ match: PokedexMatch, languages: [String], in database: Database
  ) async throws -> (root: (id: Int64, name: String)?, ways: RowSet) {
    let chain: PGParameter = match.chainID.map { .int($0) } ?? .null
    return try await database.read { connection in
      let root = try connection.query(
        QuerySQL.text("evolution_root", of: "pokeapi"), [.texts(languages), chain, .int(match.id)]
      ).first { row in (id: try row.int(0) ?? 0, name: try row.text(1) ?? "") }
      let ways = try RowSet(
        try connection.query(
          QuerySQL.text("evolution", of: "pokeapi"), [.texts(languages), chain]))
      return (root, ways)
    }
  }
}
