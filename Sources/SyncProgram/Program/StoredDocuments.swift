import SyncCore
import SyncPostgres
import SyncSources

/// How the documents of a mirror are read anew, whatever sources they came from.
enum StoredDocuments {
  static func rederivation(in database: Database) async throws -> Rederivation {
    let endpoints = try await PostgresIndexStore(database).streams(of: .pokeapi)
    let itunes = try await ITunesQueries.storedScopes(in: database)
    let mappings: [any DocumentMapping] =
      JikanMapping.all + endpoints.map { PokeAPIMapping($0) } + itunes.items.map { ITunesMapping(country: $0[0]) }
      + itunes.charts.map { ITunesMapping(chart: $0) }
    return Rederivation(database, mappings)
  }
}
