/// PokeAPI with documents of the caller, whose links become absolute.
package final class GivenPokeAPI: SimulatedUpstream {
  package typealias Row = (id: Int, name: String?)

  private let frontEnd: PokeAPIFrontEnd

  /// - Parameters:
  ///   - lists: The rows of each endpoint.
  ///   - document: Returns a document or a Pokémon's encounters, with links that begin with `/api/v2/`.
  package init(
    build: String, lists: [String: [Row]], _ settings: PokeAPISettings = PokeAPISettings(),
    document: @escaping @Sendable (PokeAPIAddress) -> [UInt8]?
  ) {
    frontEnd = PokeAPIFrontEnd(
      GivenDocuments(
        build: PokeAPIBuild(hash: build, deployDate: "1786004122"),
        lists: lists.mapValues { $0.map { PokeAPIRow(id: $0.id, name: $0.name) } }, find: document),
      settings)
  }

  /// Applies from the next request.
  package var settings: PokeAPISettings {
    get { frontEnd.settings }
    set { frontEnd.settings = newValue }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer { await frontEnd.answer(request) }
}

private struct GivenDocuments: PokeAPIDocuments {
  let build: PokeAPIBuild
  let lists: [String: [PokeAPIRow]]
  let find: @Sendable (PokeAPIAddress) -> [UInt8]?

  var endpoints: [String] { lists.keys.sorted() }

  func rows(of endpoint: String) -> [PokeAPIRow]? { lists[endpoint] }

  func document(_ address: PokeAPIAddress) -> [UInt8]? { find(address) }
}
