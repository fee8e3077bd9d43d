import ArgumentParser
import SyncCore
import SyncPostgres

struct PokedexShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one Pokémon: stats, abilities, pictures, description, evolution, forms.",
    usage: "syncctl pokedex show <name|id> [<options>]",
    discussion: """
      NAME is the name in URLs (deoxys-attack) or a name in any language, case ignored; the name of a species \
      means its default form. A text that is missing in the language is shown in its other script, in English, \
      or in any language, and standard error says so. Evolution conditions are in English.

      Examples:
        syncctl pokedex show 25
        syncctl pokedex show 妙蛙種子 --lang zh-Hant
        syncctl pokedex show pikachu --format json
      """)

  @OptionGroup var language: LanguageOptions

  @Argument(help: ArgumentHelp("A name, or an id.", valueName: "name|id"), completion: Completion.words(.pokemon))
  var word: String

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    let (rows, wanted) = try await common.context().withPokedex("pokemon", language) {
      database, choice in
      let match = try await PokedexChoice.pokemon(word, languages: choice.preferences, in: database)
      return (try await Pokedex.entry(match, languages: choice.preferences, in: database), choice.language)
    }
    guard let row = rows.namedRows.first else { return }
    switch output.shape {
    case .table:
      try streams.print(lines: PokedexEntryText(row: row).lines(width: streams.renderingOptions.width))
    case .csv: try streams.print(PokedexEntryText(row: row).flat(Listing(rows, emptyMessage: "")), output)
    case .json, .ndjson: try streams.print(Listing(rows, emptyMessage: ""), output)
    }
    if let remark = PokedexEntryText.otherLanguages(row, wanted: wanted) { streams.note(remark) }
  }
}
