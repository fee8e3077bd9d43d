import LibPQ

extension Favorites {
  /// The endpoints of PokeAPI whose documents have names, so that they can be told from each other in a list.
  package static func endpoints(in database: Database) async throws -> [String] {
    try await database.read { connection in
      try connection.query(
        "SELECT DISTINCT endpoint FROM pokeapi.resource WHERE name IS NOT NULL ORDER BY endpoint"
      ).map { try $0.text(0) }.compactMap { $0 }
    }
  }
}

extension Favorites.Item {
  package static func pokeapi(endpoint: String, id: Int64) -> Self { Self(source: "pokeapi", kind: endpoint, id: id) }
}
