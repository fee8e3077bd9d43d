package struct GeneratedPokeAPI: SimulatedUpstream {
  private let frontEnd: PokeAPIFrontEnd

  package init(_ settings: PokeAPISettings = PokeAPISettings()) {
    frontEnd = PokeAPIFrontEnd(RepeatedPokeAPI(count: settings.documents), settings)
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer { await frontEnd.answer(request) }
}

/// The world with copies of Pokémon, under other ids and names.
private struct RepeatedPokeAPI: PokeAPIDocuments {
  private static let firstID = 100_000

  let count: Int
  private let world = PokeWorld.shared

  init(count: Int) { self.count = count }

  var build: PokeAPIBuild { world.build }
  var endpoints: [String] { world.endpoints }

  func rows(of endpoint: String) -> [PokeAPIRow]? {
    guard endpoint == "pokemon", count > world.pokemon.count else { return world.rows(of: endpoint) }
    let copies = (world.pokemon.count..<count).map { PokeAPIRow(id: Self.firstID + $0, name: name(ofCopy: $0)) }
    return (world.rows(of: endpoint) ?? []) + copies
  }

  func document(_ address: PokeAPIAddress) -> [UInt8]? {
    let copy = address.id - Self.firstID
    guard (world.pokemon.count..<max(count, world.pokemon.count)).contains(copy) else { return world.document(address) }
    if address.endpoint == "pokemon-encounters" { return Array("[]".utf8) }
    guard address.endpoint == "pokemon" else { return nil }
    return world.pokemonDocument(original(ofCopy: copy), as: address.id, name(ofCopy: copy))?.bytes
  }

  private func original(ofCopy number: Int) -> PokePokemon { world.pokemon[number % world.pokemon.count] }

  private func name(ofCopy number: Int) -> String { "\(original(ofCopy: number).name)-\(number)" }
}
