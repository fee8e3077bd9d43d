struct JikanRequest {
  enum Route {
    case health, upcoming, season(SimulatedSeason)
    case top(SimulatedKind), catalogue(SimulatedKind), genres(SimulatedKind), item(SimulatedKind, malID: Int)
    case schedule(day: String?)
  }

  let route: Route
  let isSuccessor: Bool
  let parameters: QueryParameters

  var maximumLimit: Int { isSuccessor ? 50 : 25 }

  private init(_ request: SimulatedRequest) throws(SimulatedJikanProblem) {
    guard request.method == "GET" else { throw .methodNotAllowed }
    let segments = request.path.split(separator: "/").map(String.init)
    guard !segments.isEmpty else {
      route = .health
      isSuccessor = false
      parameters = QueryParameters("")
      return
    }
    guard segments[0] == "v4" || segments[0] == "v1" else { throw .noRoute }
    isSuccessor = segments[0] == "v1"
    parameters = QueryParameters(request.query)
    route = try Self.route(Array(segments.dropFirst()))
  }

  private static func route(_ segments: [String]) throws(SimulatedJikanProblem) -> Route {
    if segments.count == 2, segments[0] == "top", let kind = SimulatedKind(rawValue: segments[1]) { return .top(kind) }
    if let kind = segments.first.flatMap(SimulatedKind.init(rawValue:)) {
      if segments.count == 1 { return .catalogue(kind) }
      if segments.count == 2, let malID = Int(segments[1]), malID >= 1 { return .item(kind, malID: malID) }
    }
    if segments.count == 2, segments[0] == "genres", let kind = SimulatedKind(rawValue: segments[1]) {
      return .genres(kind)
    }
    if segments.first == "schedules", segments.count <= 2 {
      return .schedule(day: segments.count == 2 ? segments[1] : nil)
    }
    switch (segments.first, segments.count) {
    case ("seasons", 2) where segments[1] == "now": return .season(.now)
    case ("seasons", 2) where segments[1] == "upcoming": return .upcoming
    case ("seasons", 3):
      if let season = SimulatedSeason(year: segments[1], name: segments[2]) { return .season(season) }
    default: break
    }
    throw .noRoute
  }

  static func answer(
    _ request: SimulatedRequest, by body: (JikanRequest) throws(SimulatedJikanProblem) -> SimulatedAnswer
  ) -> SimulatedAnswer {
    do throws(SimulatedJikanProblem) {
      return try body(JikanRequest(request))
    } catch {
      let isSuccessor = request.path.split(separator: "/").first == "v1"
      return error.answer(successorPath: isSuccessor ? request.path : nil)
    }
  }
}
