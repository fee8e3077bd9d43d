import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexType: Sendable, Equatable {
  let id: Int64
  let slug: String
  let name: String
  let isBattle: Bool
  let generation: Int64?
  let names: [String]
}
