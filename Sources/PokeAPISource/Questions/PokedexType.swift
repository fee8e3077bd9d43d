import SyncCore
import SyncPostgres
import SyncProgram

/// A type of Pokémon and moves, with its names in all languages, the preferred one first.
struct PokedexType: Sendable, Equatable {
  let id: Int64
  let slug: String
  let name: String
  let isBattle: Bool
  let generation: Int64?
  let names: [String]

  /// The order of the types in the games. Newer types follow these.
  static let gameOrder = [
    "normal", "fire", "water", "electric", "grass", "ice", "fighting", "poison", "ground", "flying", "psychic", "bug",
    "rock", "ghost", "dragon", "dark", "steel", "fairy",
  ]

  /// Returns the position of a type in the games' order.
  static func place(of slug: String) -> Int { gameOrder.firstIndex(of: slug) ?? gameOrder.count }
}
