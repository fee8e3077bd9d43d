package struct SideBySideUpstream: SimulatedUpstream {
  package enum Service: Sendable {
    case iTunes
    case pokeAPI

    init?(path: String) {
      if ITunesService(path: path) != nil {
        self = .iTunes
        return
      }
      let path = path.lowercased()
      guard path == SimulatedPokeAPI.path || path.hasPrefix("\(SimulatedPokeAPI.path)/") else { return nil }
      self = .pokeAPI
    }
  }

  private let services: [Service: any SimulatedUpstream]
  private let other: any SimulatedUpstream

  package init(_ services: [Service: any SimulatedUpstream], other: any SimulatedUpstream) {
    self.services = services
    self.other = other
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let service = Service(path: request.path).flatMap { services[$0] }
    return await (service ?? other).answer(request)
  }
}
