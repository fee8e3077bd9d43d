/// The source of the documents of a simulated PokeAPI; links in them are relative, such as `/api/v2/pokemon/25/`.
protocol PokeAPIDocuments: Sendable {
  var build: PokeAPIBuild { get }
  /// The names of the endpoints, in the order of the root index, without `meta`.
  var endpoints: [String] { get }
  /// The list of an endpoint, nil where there is no such endpoint.
  func rows(of endpoint: String) -> [PokeAPIRow]?
  /// One document, or a list of encounters, as JSON; nil where there is none.
  func document(_ address: PokeAPIAddress) -> [UInt8]?
}

/// The answer of `/meta/` for a dataset.
struct PokeAPIBuild: Sendable, Equatable {
  var hash: String
  /// Unix seconds, as a text.
  var deployDate: String
}

/// One row of a list.
struct PokeAPIRow: Sendable, Equatable {
  var id: Int
  /// Nil at the endpoints whose documents have no names.
  var name: String?
}
