import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

enum PokedexDocument: String, Sendable, CaseIterable {
  case move, ability, item
}

extension Pokedex {
  /// Returns the ids of documents with this number, slug or name in any language. Names are compared after `folded`.
  static func documents(
    named word: String, endpoint: String, languages: [String], in database: Database
  ) async throws -> [Int64] {
    if let id = number(word) {
      return try await database.read { connection in
        try refuseVanished(endpoint, id, connection)
        return try connection.query(
          "SELECT id FROM pokeapi.resource WHERE endpoint = $1 AND id = $2", [.text(endpoint), .int(id)]
        ).map { try $0.int(0) }.compactMap { $0 }
      }
    }
    let found = try await ids(of: word, endpoint, languages, database)
    guard found.isEmpty, let spelled = Self.spelled(word, in: try await words(for: endpoint, in: database)) else {
      return found
    }
    return try await ids(of: spelled, endpoint, languages, database)
  }

  private static func ids(
    of word: String, _ endpoint: String, _ languages: [String], _ database: Database
  ) async throws -> [Int64] {
    guard !word.utf8.contains(0) else { return [] }
    return try await database.read { connection in
      let ids = try connection.query(
        QuerySQL.text("by_document_name", of: "pokeapi"), [.texts(languages), .text(word), .text(endpoint)]
      ).map { try $0.int(0) }.compactMap { $0 }
      if ids.count == 1 { try refuseVanished(endpoint, ids[0], connection) }
      return ids
    }
  }

  static func words(for endpoint: String, in database: Database) async throws -> [String] {
    try await database.rows(QuerySQL.text("document_words", of: "pokeapi"), [.text(endpoint)]).texts
  }

  static func document(
    _ kind: PokedexDocument, id: Int64, languages: [String], in database: Database
  ) async throws -> RowSet {
    try await database.rows(QuerySQL.text(kind.rawValue, of: "pokeapi"), [.texts(languages), .int(id)])
  }
}
