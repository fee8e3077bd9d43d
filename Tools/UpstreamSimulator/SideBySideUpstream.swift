/// Several services at one address: each has its paths, and one serves all others.
package struct SideBySideUpstream: SimulatedUpstream {
  /// A service that is known by its paths.
  package enum Service: Sendable {
    /// `/search`, `/lookup` and the charts.
    case iTunes
    /// All else under `/api/v2`.
    case pokeAPI

    /// Nil for a path of neither.
    init?(path: String) {
      if ITunesService(path: path) != nil {
        self = .iTunes
        return
      }
      let path = path.lowercased()
      guard path == PokeAPIFrontEnd.path || path.hasPrefix("\(PokeAPIFrontEnd.path)/") else { return nil }
      self = .pokeAPI
    }
  }

  private let services: [Service: any SimulatedUpstream]
  private let other: any SimulatedUpstream

  /// - Parameters:
  ///   - services: the paths of one that is missing are those of the other one.
  ///   - other: answers under all other paths.
  package init(_ services: [Service: any SimulatedUpstream], other: any SimulatedUpstream) {
    self.services = services
    self.other = other
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let service = Service(path: request.path).flatMap { services[$0] }
    return await (service ?? other).answer(request)
  }
}
