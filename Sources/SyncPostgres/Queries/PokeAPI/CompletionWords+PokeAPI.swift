import LibPQ

extension CompletionWords {
  package static let pokemon = documents("pokemon")
  package static let types = documents("type")

  private static func documents(_ endpoint: StaticString) -> CompletionWords {
    CompletionWords(
      SQL(
        trusted: """
          SELECT name FROM pokeapi.resource
          WHERE endpoint = '\(endpoint)' AND name IS NOT NULL AND vanished_at IS NULL ORDER BY id
          """))
  }
}
