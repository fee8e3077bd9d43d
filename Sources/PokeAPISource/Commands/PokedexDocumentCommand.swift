import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

protocol PokedexDocumentWords: Sendable {
  static var kind: PokedexDocument { get }
  static var completion: CompletionWords { get }
  static var contents: String { get }
  static var slug: String { get }
  static var remark: String { get }
  static var examples: [String] { get }
}

enum PokedexMoveWords: PokedexDocumentWords {
  static let kind = PokedexDocument.move
  static var completion: CompletionWords { .moves }
  static let contents = "type, power, effect, and the Pokémon that learn it"
  static let slug = "thunder-punch"
  static let remark = " Power, accuracy and PP are today's."
  static let examples = ["thunderbolt", "10まんボルト --lang ja", "surf --format json"]
}

enum PokedexAbilityWords: PokedexDocumentWords {
  static let kind = PokedexDocument.ability
  static var completion: CompletionWords { .abilities }
  static let contents = "its effect, and the Pokémon that have it"
  static let slug = "speed-boost"
  static let remark = ""
  static let examples = ["levitate", "靜電 --lang zh-Hant", "speed-boost --format json"]
}

enum PokedexItemWords: PokedexDocumentWords {
  static let kind = PokedexDocument.item
  static var completion: CompletionWords { .items }
  static let contents = "price, effect, and the Pokémon that hold it"
  static let slug = "master-ball"
  static let remark = """
     The price is from the latest games that have one; the chance that a wild Pokémon holds it is the highest of any \
    game.
    """
  static let examples = ["ultra-ball", "マスターボール --lang ja", "magnet --format json"]
}

struct PokedexDocumentCommand<Words: PokedexDocumentWords>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let endpoint = Words.kind.rawValue
    return CommandConfiguration(
      commandName: endpoint, abstract: "Show one \(endpoint): \(Words.contents).",
      usage: "syncctl pokedex \(endpoint) <name|id> [<options>]",
      discussion: """
        NAME is the name in URLs (\(Words.slug)) or a name in any language, in any case. If a text is missing in the \
        language, another language is shown, as in pokedex show.\(Words.remark)

        Examples:
        \(Registry.examples(Words.examples.map { "pokedex \(endpoint) \($0)" }))
        """)
  }

  @OptionGroup var language: LanguageOptions

  @Argument(
    help: ArgumentHelp("A name, or an id.", valueName: "name|id"), completion: Completion.words(Words.completion))
  var word: String

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    let (rows, wanted) = try await common.context().withPokedex(Words.kind.rawValue, language) { database, choice in
      let languages = choice.preferences
      let id = try await PokedexChoice.document(word, of: Words.kind.rawValue, languages: languages, in: database)
      return (try await Pokedex.document(Words.kind, id: id, languages: languages, in: database), choice.language)
    }
    guard let row = rows.namedRows.first else { return }
    let text = PokedexDocumentText(kind: Words.kind, row: row)
    try streams.print(
      Listing(rows, emptyMessage: "").inCSV { text.flat($0) }.asText { text.lines(width: $0) }, output)
    if let remark = PokedexEntryText.otherLanguages(row, wanted: wanted) { streams.note(remark) }
  }
}
