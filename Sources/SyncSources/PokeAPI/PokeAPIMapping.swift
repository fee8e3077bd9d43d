package import SyncCore

package struct PokeAPIMapping: DocumentMapping {
  package let sql: StreamSQL
  private let reader: PokeAPIReader

  package init(_ endpoint: String) {
    sql = .pokeAPI(endpoint)
    reader = PokeAPIReader(endpoint: PokeAPIEndpoint(name: endpoint))
  }

  package var name: String { "pokeapi \(reader.endpoint.name)" }
  package var version: Int { Int(PokeAPI.mappingVersion) }

  package func read(_ document: [UInt8], key: Int64) -> Page.Entry { reader.stored(document, key: key) }
}
