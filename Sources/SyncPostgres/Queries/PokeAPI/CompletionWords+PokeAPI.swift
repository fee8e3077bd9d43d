import LibPQ

extension CompletionWords {
  package static var pokemon: CompletionWords { documents("pokemon") }
  package static var types: CompletionWords { documents("type") }
  package static var typesAndPokemon: CompletionWords { documents("type", "pokemon") }
  package static var moves: CompletionWords { documents("move") }
  package static var abilities: CompletionWords { documents("ability") }
  package static var items: CompletionWords { documents("item") }

  private static func documents(_ endpoints: String...) -> CompletionWords {
    CompletionWords(try QuerySQL.text("document_names", of: "pokeapi"), [.texts(endpoints)])
  }
}
