import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct RankingsPokeAPICommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pokeapi",
    abstract: "Show the Pokémon with the highest base stats.",
    usage: "syncctl rankings pokeapi [<options>]",
    discussion: """
      Equal values share a position, and as many positions after it are skipped. While there is more than \
      --limit, standard error has the command for the next page.

      Examples:
        syncctl rankings pokeapi --sort total
        syncctl rankings pokeapi --sort speed --type electric --generation 1
        syncctl rankings pokeapi --sort hp --limit 50 --after 242
      """)

  @OptionGroup var language: LanguageOptions
  @OptionGroup var filter: PokemonFilter

  @Option(
    name: .customLong("sort"), help: "total, hp, attack, defense, special-attack, special-defense or speed.",
    completion: .list(Pokedex.Order.values.map(\.rawValue)))
  var order = Pokedex.Order.total.rawValue

  @Option(help: ArgumentHelp("How many; 0 for all.", valueName: "n"))
  var limit = 20

  @Option(help: ArgumentHelp("Continue after a page, or after the Pokémon with this id.", valueName: "cursor|id"))
  var after: After?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let order = try PokedexChoice.order(order, among: Pokedex.Order.values)
    let limit = try Bounds.limit(limit)
    let (page, wanted) = try await common.context().withPokedex("pokemon", language) { database, choice in
      var question = try await filter.question(order, languages: choice.preferences, in: database)
      question.limit = limit
      question.after = after?.start
      return (try await Pokedex.ranking(question, in: database), choice.language)
    }
    try filter.show(page, isFirst: after == nil, wanted, output)
  }
}
