/// Two services behind one address: PokeAPI under `/api/v2`, another one under all other paths.
package struct SideBySideUpstream: SimulatedUpstream {
  private let pokeAPI: any SimulatedUpstream
  private let other: any SimulatedUpstream

  package init(pokeAPI: any SimulatedUpstream, other: any SimulatedUpstream) {
    self.pokeAPI = pokeAPI
    self.other = other
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let path = request.path.lowercased()
    let isPokeAPI = path == PokeAPIFrontEnd.path || path.hasPrefix("\(PokeAPIFrontEnd.path)/")
    return await isPokeAPI ? pokeAPI.answer(request) : other.answer(request)
  }
}
