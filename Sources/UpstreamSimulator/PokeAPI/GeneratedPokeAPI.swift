/// PokeAPI, served from generated documents of its shapes and sizes.
///
/// Types and how they match, natures, stats, languages, versions and some eighty Pokémon are as they are in truth; all
/// else is invented.
package final class GeneratedPokeAPI: SimulatedUpstream {
  private let frontEnd: PokeAPIFrontEnd

  package init(_ settings: PokeAPISettings = PokeAPISettings()) {
    frontEnd = PokeAPIFrontEnd(GeneratedDocuments(seed: settings.seed, scale: settings.scale), settings)
  }

  /// From the next request on; what is generated stays as the first seed and scale made it.
  package var settings: PokeAPISettings {
    get { frontEnd.settings }
    set { frontEnd.settings = newValue }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer { await frontEnd.answer(request) }
}

private struct GeneratedDocuments: PokeAPIDocuments {
  let build: PokeAPIBuild
  let endpoints = PokeKind.allCases.map(\.rawValue).sorted()
  private let world: PokeWorld

  init(seed: UInt64, scale: Double) {
    world = PokeWorld(seed: seed, scale: scale)
    let draws = Draws(seed: seed, stream: 1 << 38)
    let digits = Array("0123456789abcdef")
    build = PokeAPIBuild(
      hash: String((0..<40).map { digits[draws.draw($0, below: digits.count)] }), deployDate: "1786004122")
  }

  func rows(of endpoint: String) -> [PokeAPIRow]? {
    guard let kind = PokeKind(rawValue: endpoint) else { return nil }
    return (world.ids[kind] ?? []).map { PokeAPIRow(id: $0, name: kind.isUnnamed ? nil : world.name(kind, $0)) }
  }

  func document(_ address: PokeAPIAddress) -> [UInt8]? {
    if address.endpoint == "pokemon-encounters" { return world.encountersDocument(address.id)?.bytes }
    return PokeKind(rawValue: address.endpoint).flatMap { world.document($0, address.id) }?.bytes
  }
}
