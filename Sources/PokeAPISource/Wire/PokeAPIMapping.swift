import SyncCore
import SyncProgram

/// Derives the columns of an endpoint's stored documents again.
struct PokeAPIMapping: DocumentMapping {
  let sql: StreamSQL
  private let reader: PokeAPIReader

  init(_ endpoint: String) {
    sql = .pokeAPI(endpoint)
    reader = PokeAPIReader(endpoint: PokeAPIEndpoint(name: endpoint))
  }

  var name: String { "pokeapi \(reader.endpoint.name)" }
  var version: Int { Int(PokeAPI.mappingVersion) }

  func read(_ document: [UInt8], key: Int64) -> Page.Entry { reader.stored(document, key: key) }
}
