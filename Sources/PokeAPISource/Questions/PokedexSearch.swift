import LibPQ
package import SyncPostgres
package import SyncProgram

extension PokeAPISource {
  /// Returns the Pokémon, moves, abilities, items and types with a matching name in any language.
  package func search(_ request: SearchRequest, in database: Database) async throws -> [SearchGroup] {
    let known = try await Pokedex.languages(in: database)
    let languages =
      request.languages.map { LanguageChoice.accepted($0, known: known) }
      ?? .ofLocale(known: known, environment: SystemTerminal.environment)
    let rows = try await database.rows(
      QuerySQL.text("search", of: "pokeapi"),
      [.texts(languages.preferences), .text(request.text), .limit(request.limit)])
    return SearchRows(rows).groups(style: "sprites") { kind in
      Self.headings[kind] ?? kind
    } command: { kind, id, row in
      switch kind {
      case "pokemon": "pokedex show \(id)"
      // A type has no number in commands.
      case "type": "pokedex type \(row["slug"] ?? "\(id)")"
      default: "pokedex \(kind) \(id)"
      }
    }
  }

  private static let headings = [
    "pokemon": "Pokémon", "move": "Moves", "ability": "Abilities", "item": "Items", "type": "Types",
  ]
}
