import ArgumentParser
import SyncCore
import SyncPostgres

protocol PokedexDocumentCommand: AsyncParsableCommand {
  static var kind: PokedexDocument { get }
  var language: LanguageOptions { get }
  var word: String { get }
  var output: FormatOptions { get }
  var common: CommonOptions { get }
}

extension PokedexDocumentCommand {
  func run() async throws {
    let streams = StandardStreams()
    let endpoint = Self.kind.rawValue
    let (rows, wanted) = try await common.context().withPokedex(endpoint, language) { database, choice in
      let id = try await PokedexChoice.document(word, of: endpoint, languages: choice.preferences, in: database)
      return (
        try await Pokedex.document(Self.kind, id: id, languages: choice.preferences, in: database), choice.language
      )
    }
    guard let row = rows.namedRows.first else { return }
    let text = PokedexDocumentText(kind: Self.kind, row: row)
    switch output.shape {
    case .table: try streams.print(lines: text.lines(width: streams.renderingOptions.width))
    case .csv: try streams.print(text.flat(Listing(rows, emptyMessage: "")), output)
    case .json, .ndjson: try streams.print(Listing(rows, emptyMessage: ""), output)
    }
    if let remark = PokedexEntryText.otherLanguages(row, wanted: wanted) { streams.note(remark) }
  }
}

struct PokedexMoveCommand: PokedexDocumentCommand {
  static let kind = PokedexDocument.move
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Show one move: type, power, effect, and the Pokémon that learn it.",
    usage: "syncctl pokedex move <name|id> [<options>]",
    discussion: """
      NAME is the name in URLs (thunder-punch) or a name in any language, case ignored. Texts that are missing \
      in the language are shown as those of syncctl pokedex show are. Power, accuracy and PP are today's.

      Examples:
        syncctl pokedex move thunderbolt
        syncctl pokedex move 10まんボルト --lang ja
        syncctl pokedex move surf --format json
      """)

  @OptionGroup var language: LanguageOptions

  @Argument(help: ArgumentHelp("A name, or an id.", valueName: "name|id"), completion: Completion.words(.moves))
  var word: String

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions
}

struct PokedexAbilityCommand: PokedexDocumentCommand {
  static let kind = PokedexDocument.ability
  static let configuration = CommandConfiguration(
    commandName: "ability", abstract: "Show one ability: its effect, and the Pokémon that have it.",
    usage: "syncctl pokedex ability <name|id> [<options>]",
    discussion: """
      NAME is the name in URLs (speed-boost) or a name in any language, case ignored. Texts that are missing \
      in the language are shown as those of syncctl pokedex show are.

      Examples:
        syncctl pokedex ability levitate
        syncctl pokedex ability 靜電 --lang zh-Hant
        syncctl pokedex ability speed-boost --format json
      """)

  @OptionGroup var language: LanguageOptions

  @Argument(help: ArgumentHelp("A name, or an id.", valueName: "name|id"), completion: Completion.words(.abilities))
  var word: String

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions
}

struct PokedexItemCommand: PokedexDocumentCommand {
  static let kind = PokedexDocument.item
  static let configuration = CommandConfiguration(
    commandName: "item", abstract: "Show one item: price, effect, and the Pokémon that hold it.",
    usage: "syncctl pokedex item <name|id> [<options>]",
    discussion: """
      NAME is the name in URLs (master-ball) or a name in any language, case ignored. Texts that are missing in \
      the language are shown as those of syncctl pokedex show are. The price is that of the latest games that \
      have one; how often a wild Pokémon holds it is the highest of any game.

      Examples:
        syncctl pokedex item ultra-ball
        syncctl pokedex item マスターボール --lang ja
        syncctl pokedex item magnet --format json
      """)

  @OptionGroup var language: LanguageOptions

  @Argument(help: ArgumentHelp("A name, or an id.", valueName: "name|id"), completion: Completion.words(.items))
  var word: String

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions
}
