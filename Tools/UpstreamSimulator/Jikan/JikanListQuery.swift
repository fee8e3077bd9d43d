struct JikanListQuery: Sendable {
  private(set) var page = 1
  private(set) var limit = 25
  private(set) var selection = JikanSelection()
  private(set) var isReversed = false

  var offset: Int {
    let (offset, isTooFar) = (page - 1).multipliedReportingOverflow(by: limit)
    return isTooFar ? Int.max : offset
  }

  static func top(
    _ kind: SimulatedKind, _ parameters: QueryParameters, maximumLimit: Int
  ) throws(SimulatedJikanProblem) -> JikanListQuery {
    var query = try JikanListQuery(parameters, maximumLimit: maximumLimit)
    try query.readTypes(of: kind, parameters)
    let running = kind == .anime ? "airing" : "publishing"
    switch try choice("filter", of: [running, "upcoming", "bypopularity", "favorite"], parameters) {
    case nil: break
    case "favorite": query.selection.order = .favorites
    case let filter:
      query.selection.order = .members
      if filter == running { query.selection.status = .current }
      if filter == "upcoming" { query.selection.status = .upcoming }
    }
    return query
  }

  static func catalogue(
    _ kind: SimulatedKind, _ request: JikanRequest, _ settings: JikanSettings
  ) throws(SimulatedJikanProblem) -> JikanListQuery {
    var query = try JikanListQuery(request.parameters, maximumLimit: request.maximumLimit)
    if let cap = settings.pageCap ?? (request.isSuccessor ? JikanSettings.successorPageCap : nil), query.page > cap {
      throw .invalid(parameter: "page", message: "The page must not be greater than \(cap).")
    }
    let parameters = request.parameters
    try query.readTypes(of: kind, parameters)
    query.selection.order = .identifier
    query.selection.isApprovedOnly = !parameters.isSet("unapproved")
    let isOrdered = try choice("order_by", of: ["mal_id"], parameters) != nil
    let sort = try choice("sort", of: ["asc", "desc"], parameters)
    query.isReversed = isOrdered && sort == "desc"
    return query
  }

  static func season(
    _ season: SimulatedSeason?, _ request: JikanRequest
  ) throws(SimulatedJikanProblem) -> JikanListQuery {
    var query = try JikanListQuery(request.parameters, maximumLimit: request.maximumLimit)
    query.selection.type = try choice("filter", of: [JikanLabel].animeTypes.map(\.parameter), request.parameters)
    query.selection.order = request.isSuccessor ? .score : .members
    query.selection.season = season
    if season == nil { query.selection.status = .upcoming }
    query.selection.isApprovedOnly = !request.parameters.isSet("unapproved")
    return query
  }

  static func schedule(day: String?, _ request: JikanRequest) throws(SimulatedJikanProblem) -> JikanListQuery {
    var query = try JikanListQuery(request.parameters, maximumLimit: request.maximumLimit)
    let filterDay = try choice("filter", of: JikanSchedule.filters, request.parameters)
    if let day, !JikanSchedule.filters.contains(day) { throw .noRoute }
    query.selection.type = "tv"
    query.selection.status = .current
    query.selection.order = .fewestMembers
    query.selection.day = day ?? filterDay
    query.selection.isApprovedOnly = !request.parameters.isSet("unapproved")
    return query
  }

  private init(_ parameters: QueryParameters, maximumLimit: Int) throws(SimulatedJikanProblem) {
    page = try Self.number("page", parameters) ?? 1
    if let limit = try Self.number("limit", parameters) {
      guard limit <= maximumLimit else {
        let message = "Value \(limit) is higher than the configured '\(maximumLimit)' max value."
        throw .invalid(parameter: "limit", message: message)
      }
      self.limit = limit
    }
  }

  private mutating func readTypes(of kind: SimulatedKind, _ parameters: QueryParameters) throws(SimulatedJikanProblem) {
    let types = kind == .anime ? [JikanLabel].animeTypes : .mangaTypes
    selection.type = try Self.choice("type", of: types.map(\.parameter), parameters)
  }

  private static func number(_ name: String, _ parameters: QueryParameters) throws(SimulatedJikanProblem) -> Int? {
    guard let text = parameters[name] else { return nil }
    guard let number = Int(text) else { throw .invalid(parameter: name, message: "The \(name) must be an integer.") }
    guard number >= 1 else { throw .invalid(parameter: name, message: "The \(name) must be at least 1.") }
    return number
  }

  static func choice(
    _ name: String, of choices: [String], _ parameters: QueryParameters
  ) throws(SimulatedJikanProblem) -> String? {
    guard let text = parameters[name] else { return nil }
    guard !text.isEmpty, choices.contains(text) else {
      throw .invalid(parameter: name, message: "The selected \(name) is invalid.")
    }
    return text
  }
}
