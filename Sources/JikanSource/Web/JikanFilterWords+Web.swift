import SyncCore
import SyncWeb

extension JikanFilterWords {
  /// The names of the parameters in the address of a page. They are the names of the options of
  /// `syncctl rankings jikan`.
  static let parameters = ["genre", "studio", "season", "year", "status", "rating", "min-score"]

  /// Reads the filters from the address of a page. Like the options, all filters but `min-score` can be repeated.
  /// - Throws: `SyncError` `.usage` for a text that is not a number.
  init(_ request: WebRequest) throws(SyncError) {
    func number<Number: LosslessStringConvertible>(_ name: String, _ text: String) throws(SyncError) -> Number {
      guard let number = Number(text) else {
        throw SyncError(.usage, "\(name) \(Excerpt.of(text, scalars: 40)) is not a number", hint: "write digits only")
      }
      return number
    }
    var years: [Int] = []
    for text in request.all("year") { years.append(try number("year", text)) }
    var minScore: Double?
    if let text = request.query["min-score"] { minScore = try number("min-score", text) }
    self.init(
      genre: request.all("genre"),
      studio: request.all("studio"),
      season: request.all("season"),
      year: years,
      status: request.all("status").filter { $0 != "any" },
      rating: request.all("rating"),
      minScore: minScore)
  }
}
