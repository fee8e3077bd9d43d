struct PokeAPIDocuments: Sendable {
  let hash: String
  let lists: [String: [SimulatedPokeAPI.Row]]
  let find: @Sendable (PokeAPIAddress) -> [UInt8]?
}
