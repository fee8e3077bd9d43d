import SyncPostgres

/// The filters of Pokémon as the user wrote them, on the command line or in the address of a page. The initializer has
/// no default values, so that a new filter does not compile before the command and the page read it.
struct PokemonFilterWords: Sendable {
  let type: [String]
  let generation: Int?
  let forms: Bool

  /// Returns a question with the mirror's names of the filters.
  /// - Throws: `SyncError` `.usage` for a type or a generation that the mirror does not have.
  func question(_ order: Pokedex.Order, languages: [String], in database: Database) async throws -> Pokedex.Question {
    var question = Pokedex.Question(order: order, languages: languages)
    if !type.isEmpty {
      let types = try await Pokedex.types(languages: languages, in: database)
      question.types = try PokedexChoice.types(type, among: types).map(\.slug)
    }
    try await PokedexChoice.check(generation: generation, in: database)
    question.generation = generation
    question.includesForms = forms
    return question
  }
}
