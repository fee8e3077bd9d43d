/// The checked parameters of a top list.
struct JikanTopQuery: Sendable {
  /// What the list keeps, and how it is ordered.
  struct Selection: Hashable, Sendable {
    var type: String?
    var filter: String?
    var rating: String?
    var safeForWork = false
  }

  var page = 1
  var limit = 25
  var selection = Selection()

  /// Reads the parameters; throws what is wrong with the first bad one.
  init(_ parameters: QueryParameters, kind: JikanKind, maximumLimit: Int) throws(JikanProblem) {
    page = try Self.number("page", parameters) ?? 1
    if let limit = try Self.number("limit", parameters) {
      guard limit <= maximumLimit else {
        let message = "Value \(limit) is higher than the configured '\(maximumLimit)' max value."
        throw .invalid(parameter: "limit", message: message)
      }
      self.limit = limit
    }
    let types = kind == .anime ? [JikanLabel].animeTypes : .mangaTypes
    selection.type = try Self.choice("type", of: types.map(\.parameter), parameters)
    let filters = [kind == .anime ? "airing" : "publishing", "upcoming", "bypopularity", "favorite"]
    selection.filter = try Self.choice("filter", of: filters, parameters)
    if kind == .anime {
      selection.rating = try Self.choice("rating", of: [JikanLabel].ratings.map(\.parameter), parameters)
    }
    selection.safeForWork = parameters.isSet("sfw")
  }

  private static func number(_ name: String, _ parameters: QueryParameters) throws(JikanProblem) -> Int? {
    guard let text = parameters[name] else { return nil }
    guard let number = Int(text) else {
      throw .invalid(parameter: name, message: "The \(name) must be an integer.")
    }
    guard number >= 1 else { throw .invalid(parameter: name, message: "The \(name) must be at least 1.") }
    return number
  }

  private static func choice(
    _ name: String, of choices: [String], _ parameters: QueryParameters
  ) throws(JikanProblem) -> String? {
    guard let text = parameters[name] else { return nil }
    guard !text.isEmpty, choices.contains(text) else {
      throw .invalid(parameter: name, message: "The selected \(name) is invalid.")
    }
    return text
  }
}
