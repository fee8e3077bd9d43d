import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct RankingsPokeAPICommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pokeapi", abstract: "Show the Pokémon with the highest base stats.",
    usage: "syncctl rankings pokeapi [<options>]",
    discussion: """
      Equal values share a position, and the positions after it are skipped (1, 1, 3). If more Pokémon follow, \
      standard error prints the command for the next page.

      Examples:
        syncctl rankings pokeapi --sort total
        syncctl rankings pokeapi --sort speed --type electric --generation 1
        syncctl rankings pokeapi --sort hp --limit 50 --after 242
      """)

  @OptionGroup var language: LanguageOptions
  @OptionGroup var filter: PokemonFilterOptions

  @Option(
    name: [.customLong("sort"), .customLong("by")],
    help: "total, hp, attack, defense, special-attack, special-defense or speed.",
    completion: .list(Pokedex.Order.values.map(\.rawValue)))
  var order = Pokedex.Order.total.rawValue

  @OptionGroup var pages: PagedLimitOptions<TwentyRows>
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let order = try Pokedex.Order.named(order, "order", among: Pokedex.Order.values)
    let request = try pages.request()
    let (page, wanted) = try await common.context().withPokedex("pokemon", language) { database, choice in
      var question = try await filter.words.question(order, languages: choice.preferences, in: database)
      let page = try await request.read { limit, start in
        question.limit = limit
        question.after = start
        return try await Pokedex.ranking(question, in: database)
      }
      return (page, choice.language)
    }
    try filter.show(page, request, wanted, output)
  }
}
