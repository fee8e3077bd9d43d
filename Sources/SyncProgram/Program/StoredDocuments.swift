import SyncCore
import SyncPostgres

enum StoredDocuments {
  static func rederivation(in database: Database) async throws -> Rederivation {
    var mappings: [any DocumentMapping] = []
    for source in Registry.sources { mappings += try await source.mappings(in: database) }
    return Rederivation(database, mappings)
  }
}
