import Foundation
import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexMatch: Sendable, Equatable {
  let id: Int64
  let slug: String
  /// `nil` until the species is mirrored.
  let chainID: Int64?
}

extension Pokedex {
  /// Finds a Pokémon by its number, its slug or its name in any language. Names are compared after `folded`. Slugs are
  /// searched among Pokémon, then species, then forms. A species matches its default form.
  static func find(_ word: String, languages: [String], in database: Database) async throws -> PokedexMatch? {
    if let match = try await match(word, languages, database) { return match }
    guard let spelled = spelled(word, in: try await names(in: database)) else { return nil }
    return try await match(spelled, languages, database)
  }

  /// Returns the name in lower case and NFKC form, without spaces and emoji selectors (♀️). NFKC turns `１０まんボルト` into
  /// `10まんボルト`.
  static func folded(_ name: String) -> String {
    let kept = name.precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars.filter {
      !$0.properties.isWhitespace && !$0.properties.isVariationSelector
    }
    return String(kept)
  }

  static func number(_ word: String) -> Int64? {
    guard word.hasPrefix("#") else { return Int64(word) }
    let digits = word.dropFirst()
    return digits.first?.isNumber == true ? Int64(digits) : nil
  }

  /// Returns the name that equals `word` after `folded`, but has other bytes. The queries can miss such a name, because
  /// PostgreSQL compares bytes.
  static func spelled(_ word: String, in names: [String]) -> String? {
    let foldedWord = folded(word)
    return names.first { folded($0) == foldedWord && !$0.utf8.elementsEqual(word.utf8) }
  }

  private static func match(_ word: String, _ languages: [String], _ database: Database) async throws -> PokedexMatch? {
    guard !word.utf8.contains(0) else { return nil }
    return try await database.read { connection in
      try requireMirrored("pokemon", connection)
      let named =
        try connection.query(
          QuerySQL.text("by_name", of: "pokeapi"), [.texts(languages), .text(word)]
        ).first { try $0.int(0) } ?? nil
      guard let id = number(word) ?? named else { return nil }
      try refuseVanished("pokemon", id, connection)
      return try connection.query(
        QuerySQL.text("match", of: "pokeapi"), [.int(id)]
      ).first { row in
        PokedexMatch(
          id: try row.int(0) ?? id, slug: try row.text(1) ?? "\(id)", chainID: try row.int(3))
      }
    }
  }

  static func refuseVanished(_ endpoint: String, _ id: Int64, _ connection: borrowing PGConnection) throws {
    let vanishedAt =
      try connection.query(
        "SELECT vanished_at FROM pokeapi.resource WHERE endpoint = $1 AND id = $2", [.text(endpoint), .int(id)]
      ).first { try $0.text(0) } ?? nil
    if let vanishedAt {
      throw SyncError(
        .missing, "\(endpoint) \(id) was removed upstream (\(TimeText.second(vanishedAt)))",
        hint: "its last document is in pokeapi.resource")
    }
  }

  static func names(in database: Database) async throws -> [String] {
    try await database.rows(QuerySQL.text("names", of: "pokeapi")).texts
  }

  static func types(languages: [String], in database: Database) async throws -> [PokedexType] {
    try await database.read { connection in
      try requireMirrored("type", connection)
      let statement = try QuerySQL.text("type_names", of: "pokeapi")
      var names: [Int64: [String]] = [:]
      for (id, name) in try connection.query(statement, [.texts(languages)]).map({ row in
        (try row.int(0) ?? 0, try row.text(1) ?? "")
      }) {
        names[id, default: []].append(name)
      }
      return try connection.query(QuerySQL.text("types", of: "pokeapi")).map { row in
        let id = try row.int(0) ?? 0
        let slug = try row.text(1) ?? "\(id)"
        let translations = names[id] ?? []
        return PokedexType(
          id: id, slug: slug, name: translations.first ?? slug, isBattle: try row.bool(2) ?? false,
          generation: try row.int(3), names: [slug] + translations)
      }
    }
  }

  static func namedEndpoints(in database: Database) async throws -> [String] {
    try await database.rows(
      "SELECT DISTINCT endpoint FROM pokeapi.resource WHERE name IS NOT NULL ORDER BY endpoint"
    ).texts
  }
}

extension CompletionWords {
  static var pokemon: CompletionWords { documents("pokemon") }
  static var types: CompletionWords { documents("type") }
  static var typesAndPokemon: CompletionWords { documents("type", "pokemon") }
  static var moves: CompletionWords { documents("move") }
  static var abilities: CompletionWords { documents("ability") }
  static var items: CompletionWords { documents("item") }

  private static func documents(_ endpoints: String...) -> CompletionWords {
    CompletionWords(try QuerySQL.text("document_names", of: "pokeapi"), [.texts(endpoints)])
  }
}
