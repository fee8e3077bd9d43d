import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pokedex", abstract: "Look up Pokémon in the mirror of PokeAPI.",
    discussion: """
      Examples:
        syncctl pokedex list --type fire --type flying --sort total
        syncctl pokedex pikachu --lang zh-Hant
        syncctl pokedex type ghost
        syncctl pokedex matchup charizard
        syncctl pokedex move thunderbolt
        syncctl pokedex evolution eevee
      """,
    subcommands: [
      PokedexListCommand.self, PokedexShowCommand.self, PokedexTypeCommand.self, PokedexMatchupCommand.self,
      PokedexEvolutionCommand.self, PokedexDocumentCommand<PokedexMoveWords>.self,
      PokedexDocumentCommand<PokedexAbilityWords>.self, PokedexDocumentCommand<PokedexItemWords>.self,
    ], defaultSubcommand: PokedexListCommand.self, aliases: ["pokemon"])
}

struct LanguageOptions: ParsableArguments {
  @Option(
    name: .customLong("lang"),
    help: ArgumentHelp(
      "Language of names and texts: en, zh-Hant, zh-Hans, ja, ko, fr, … (default: the locale's language).",
      valueName: "language"), completion: .list(["en", "zh-hant", "zh-hans", "ja", "ko", "fr", "de", "es", "it"]))
  var language: String?

  func choice(in database: Database) async throws -> LanguageChoice {
    let known = try await Pokedex.languages(in: database)
    if let language { return try .named(language, known: known) }
    let choice = LanguageChoice.ofLocale(known: known, environment: SystemTerminal.environment)
    if let remark = choice.remark { StandardStreams().note(remark) }
    return choice
  }
}

extension Context {
  func withPokedex<R: Sendable>(
    _ endpoint: String, _ language: LanguageOptions, _ body: (Database, LanguageChoice) async throws -> R
  ) async throws -> R {
    try await withExistingMirror(hint: "syncctl run --source pokeapi fills it") { database in
      try await Pokedex.requireMirrored(endpoint, in: database)
      return try await body(database, try await language.choice(in: database))
    }
  }
}

enum PokedexChoice {
  static func pokemon(_ word: String, languages: [String], in database: Database) async throws -> PokedexMatch {
    if let match = try await Pokedex.find(word, languages: languages, in: database) { return match }
    let near =
      Pokedex.number(word) == nil ? Suggestion.several(to: word, among: try await Pokedex.names(in: database)) : []
    throw SyncError(
      .missing, "there is no Pokémon \(Excerpt.of(word, scalars: 40))",
      hint: hint(near, otherwise: "syncctl pokedex list shows them"))
  }

  static func document(
    _ word: String, of endpoint: String, languages: [String], in database: Database
  ) async throws -> Int64 {
    let ids = try await Pokedex.documents(named: word, endpoint: endpoint, languages: languages, in: database)
    guard let id = ids.first else {
      let near =
        Pokedex.number(word) == nil
        ? Suggestion.several(to: word, among: try await Pokedex.words(for: endpoint, in: database)) : []
      throw SyncError(
        .missing, "the mirror has no \(endpoint) \(Excerpt.of(word, scalars: 40))",
        hint: hint(near, otherwise: "give its id, or its name in any language"))
    }
    guard ids.count == 1 else {
      throw SyncError(
        .usage, "\(Excerpt.of(word, scalars: 40)) is the name of more than one \(endpoint)",
        hint: "give the id: \(ids.prefix(5).map(String.init).joined(separator: ", "))")
    }
    return id
  }

  static func hint(_ near: [String], otherwise: String) -> String {
    near.isEmpty ? otherwise : "did you mean \(listed(near))?"
  }

  static func listed(_ words: [String]) -> String {
    words.map { Excerpt.of($0, scalars: 40) }.joined(separator: ", ")
  }

  static func type(_ word: String, among types: [PokedexType]) -> PokedexType? {
    let wanted = Pokedex.folded(word)
    // The slug and the shown name are compared first, because the word can be another type's name in some language.
    return types.first { $0.slug == wanted } ?? types.first { Pokedex.folded($0.name) == wanted }
      ?? types.first { type in type.names.contains { Pokedex.folded($0) == wanted } }
  }

  static func types(
    _ words: [String], among types: [PokedexType], code: SyncError.Code = .usage
  ) throws(SyncError) -> [PokedexType] {
    var chosen: [PokedexType] = []
    for word in words {
      guard let found = type(word, among: types) else {
        let near = Suggestion.several(to: word, among: types.flatMap(\.names)).first.map {
          "did you mean \(Excerpt.of($0, scalars: 40))? "
        }
        throw SyncError(
          code, "there is no type \(Excerpt.of(word, scalars: 40))",
          hint: "\(near ?? "")known: \(listed(types.map(\.slug)))")
      }
      if !chosen.contains(found) { chosen.append(found) }
    }
    return chosen
  }

  static func check(generation: Int?, in database: Database) async throws {
    guard let generation else { return }
    let known = try await Pokedex.generations(in: database)
    guard known.contains(Int64(generation)) else {
      throw SyncError(
        .usage, "there is no generation \(generation)",
        hint: "known: \(known.map(String.init).joined(separator: ", "))")
    }
  }

  static func noteOtherLanguages(of rows: RowSet, wanted: String) {
    let count = rows.count(ofOther: wanted, in: "language")
    guard count > 0 else { return }
    StandardStreams().note(
      "\(HumanFormat.count(count)) of \(HumanFormat.count(rows.rows.count)) names do not exist in \(wanted) "
        + "and are shown in another language")
  }
}

struct PokedexShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one Pokémon: stats, abilities, pictures, description, evolution, forms.",
    usage: "syncctl pokedex show <name|id> [<options>]",
    discussion: """
      NAME is the name in URLs (deoxys-attack) or a name in any language, in any case; the name of a species \
      means its default form. If a text is missing in the language, it is shown in the language's other script, \
      in English or in any language, with a note on standard error. Evolution conditions are in English.

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

  func run() async throws { try await Self.show(word, language, output, common) }

  /// Prints the Pokémon with a name or an id.
  static func show(
    _ word: String, _ language: LanguageOptions, _ output: FormatOptions, _ common: CommonOptions
  ) async throws {
    let streams = StandardStreams()
    let (rows, wanted) = try await common.context().withPokedex("pokemon", language) {
      database, choice in
      let match = try await PokedexChoice.pokemon(word, languages: choice.preferences, in: database)
      return (try await Pokedex.entry(match, languages: choice.preferences, in: database), choice.language)
    }
    guard let row = rows.namedRows.first else { return }
    let text = PokedexEntryText(row: row)
    try streams.print(
      Listing(rows, emptyMessage: "").inCSV { text.flat($0) }.asText { text.lines(width: $0) }, output)
    if let remark = PokedexEntryText.otherLanguages(row, wanted: wanted) { streams.note(remark) }
  }
}
