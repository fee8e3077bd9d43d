package import SyncPostgres

extension Favorites.Item {
  package static func jikan(kind: String, id: Int64) -> Self { Self(source: "jikan", kind: kind, id: id) }

  package static func pokeapi(endpoint: String, id: Int64) -> Self { Self(source: "pokeapi", kind: endpoint, id: id) }
}
