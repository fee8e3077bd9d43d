import LibPQ

extension CompletionWords {
  package static var pokemon: CompletionWords { documents("pokemon") }
  package static var types: CompletionWords { documents("type") }

  private static func documents(_ endpoint: String) -> CompletionWords {
    CompletionWords(try QuerySQL.text("document_names", of: "pokeapi"), [.text(endpoint)])
  }
}
