import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the National Pokédex.", usage: "syncctl pokedex list [<options>]",
    discussion: """
      Stats are sorted from the highest, ids and names in ascending order, equal values by id. If more Pokémon \
      follow, standard error prints the command for the next page. A table omits columns that do not fit a \
      narrow terminal; the other formats have all columns.

      Examples:
        syncctl pokedex list --generation 1 --sort speed --limit 10
        syncctl pokedex list --type fire --type flying --lang ja
        syncctl pokedex list --legendary --sort total --limit 20 --after 150
        syncctl pokedex list --name saur
        syncctl pokedex list --unowned --forms --format csv
      """)

  /// `syncctl pokedex pikachu` shows one Pokémon, as `pokedex show` does.
  @Argument(help: .hidden, completion: Completion.words(.pokemon))
  var word: String?

  @OptionGroup var language: LanguageOptions
  @OptionGroup var filter: PokemonFilterOptions

  @Option(help: "Only Pokémon with this part of a name, or with this number, e.g. saur or 25.")
  var name: String?

  @Flag(help: "Only Pokémon in the collection owned (syncctl favorites).")
  var owned = false

  @Flag(help: "Only Pokémon not in the collection owned.")
  var unowned = false

  @Flag(help: "Only legendary Pokémon.")
  var legendary = false

  @Flag(help: "Only mythical Pokémon.")
  var mythical = false

  @Option(
    name: .customLong("sort"), help: "id, name, total, hp, attack, defense, special-attack, special-defense or speed.",
    completion: .list(Pokedex.Order.allCases.map(\.rawValue)))
  var order = Pokedex.Order.id.rawValue

  @OptionGroup var pages: PagedLimitOptions<AllRows>
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    if let word { return try await PokedexShowCommand.show(word, language, output, common) }
    let order = try Pokedex.Order.named(order, "order")
    guard !(owned && unowned) else {
      throw SyncError(.usage, "--owned and --unowned cannot be combined", hint: "omit both for all")
    }
    let request = try pages.request()
    let (page, wanted) = try await common.context().withPokedex("pokemon", language) { database, choice in
      var question = try await filter.words.question(order, languages: choice.preferences, in: database)
      question.isOwned = owned ? true : unowned ? false : nil
      question.isLegendary = legendary
      question.isMythical = mythical
      question.name = name
      let page = try await request.read { limit, start in
        question.limit = limit
        question.after = start
        return try await Pokedex.list(question, in: database)
      }
      return (page, choice.language)
    }
    try filter.show(page, request, wanted, output)
  }
}

/// The options of commands that filter Pokémon.
struct PokemonFilterOptions: ParsableArguments {
  @Option(help: "Only this type, e.g. fire or ほのお; given twice, both types.", completion: Completion.words(.types))
  var type: [String] = []

  @Option(help: ArgumentHelp("Only species introduced in this generation, from 1.", valueName: "n"))
  var generation: Int?

  @Flag(help: "Also forms outside the National Pokédex (ids above 10000).")
  var forms = false

  var words: PokemonFilterWords { PokemonFilterWords(type: type, generation: generation, forms: forms) }

  func show(_ page: ListPage, _ request: PageRequest, _ language: String, _ output: FormatOptions) throws {
    let streams = StandardStreams()
    let listing = Listing.pokemon(
      page.rows, emptyMessage: request.start == nil ? "No Pokémon matches." : "There are no further Pokémon.",
      showsForms: forms)
    try streams.print(listing, output)
    PokedexChoice.noteOtherLanguages(of: page.rows, wanted: language)
    streams.noteNext(page, request, output)
  }
}

extension Listing {
  static let statTitles = [
    "hp": "HP", "attack": "Atk", "defense": "Def", "special_attack": "SpA", "special_defense": "SpD", "speed": "Spe",
  ]

  static func pokemon(_ rows: RowSet, emptyMessage: String, showsForms: Bool) -> Listing {
    var titles = statTitles
    titles["position"] = "#"
    titles["type_names"] = "types"
    titles["is_form"] = "form"
    var hidden: Set = ["language", "types", "generation", "is_baby", "is_legendary", "is_mythical", "artwork_url"]
    if !showsForms { hidden.formUnion(["slug", "is_form"]) }
    return Listing(rows, emptyMessage: emptyMessage, titles: titles, cut: ["name", "type_names"]).joiningLists.laidOut(
      hiding: hidden, leaving: Array(statTitles.keys), ["slug"], ["type_names"], ["total", "is_form"])
  }
}
