import LibPQ
import PostgresTestKit
import SyncCore

@testable import SyncPostgres

struct PokeDocument: Sendable {
  let id: Int64
  let json: String
  /// The mapping's version, which is the last byte of the content hash.
  var version: UInt8 = 1

  init(_ id: Int64, _ json: String, version: UInt8 = 1) {
    self.id = id
    self.json = json
    self.version = version
  }

  var contentHash: [UInt8] { PostgresTestKit.contentHash("\(json.utf8.fnv1a)", version: version) }
}

extension StoredMirror {
  @discardableResult
  func poke(_ name: String, _ parameters: [PGParameter], _ endpoint: String = "") async throws -> [[String?]] {
    let sql = try SourceSQL.text(name, StreamSQL(folder: "pokeapi", scope: [endpoint]))
    return try await database.write { connection in Array(try RowSet(sql, parameters, connection).rows) }
  }

  /// Stores documents as a run does, with `requestTime` in microseconds since 1970. `rederiving` derives the rows of
  /// stored documents again, and does not count the documents as changed.
  func store(
    _ documents: [PokeDocument], in endpoint: String, requestTime: Int64 = 2, rederiving: Bool = false
  ) async throws {
    try await poke(
      "write",
      [
        .ints(documents.map(\.id)), .byteas(documents.map(\.contentHash)), .ints(documents.map { _ in 0 }),
        .jsons(documents.map { Array($0.json.utf8) }), .texts([endpoint]), .ints(documents.map { _ in requestTime }),
        .bool(rederiving),
      ], endpoint)
  }

  func storeSamples() async throws {
    for (endpoint, documents) in PokeSamples.all { try await store(documents, in: endpoint) }
  }

  func derivedRows() async throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    let tables = try await rows(
      """
      SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'pokeapi'::regnamespace
        AND relname <> 'resource' ORDER BY 1
      """)
    for table in tables.compactMap({ $0[0] }) {
      found[table] = try await rows("SELECT t::text FROM pokeapi.\(table) t ORDER BY 1").compactMap { $0[0] }
    }
    return found
  }
}
