import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexEvolutionCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "evolution", abstract: "Show a Pokémon's evolution as a tree, with the conditions.",
    usage: "syncctl pokedex evolution <name|id> [<options>]",
    discussion: """
      The other formats have a row for each way to evolve and a column for each condition; null means no \
      condition. A Pokémon without evolutions has no rows.

      Examples:
        syncctl pokedex evolution eevee
        syncctl pokedex evolution 皮卡丘 --lang zh-Hant
        syncctl pokedex evolution 133 --format csv
      """)

  @OptionGroup var language: LanguageOptions

  @Argument(help: ArgumentHelp("A name, or an id.", valueName: "name|id"), completion: Completion.words(.pokemon))
  var word: String

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let (root, ways) = try await common.context().withPokedex("pokemon", language) { database, choice in
      let languages = choice.preferences
      let match = try await PokedexChoice.pokemon(word, languages: languages, in: database)
      return try await Pokedex.evolution(match, languages: languages, in: database)
    }
    let hints = ways.rows.isEmpty ? ["This Pokémon neither evolves nor evolved from another."] : []
    return Listing(ways, emptyMessage: "")
      .asText { EvolutionTree(root: root, rows: ways).lines(width: $0) }
      .inTables { $0.hinting(hints) }
  }
}

extension EvolutionTree {
  init(root: (id: Int64, name: String)?, rows: RowSet) {
    var ways: [Path] = []
    var fromNames: [Int64: String] = [:]
    for row in rows.namedRows {
      guard let to = row["to_id"].flatMap({ Int64($0) }) else { continue }
      let from = row["from_id"].flatMap { Int64($0) }
      if let from { fromNames[from] = row["from_name"] }
      ways.append(Path(from: from, to: to, name: row["to_name"] ?? "\(to)", sentence: row["sentence"] ?? ""))
    }
    self.init(root: root, ways: ways, fromNames: fromNames)
  }
}
