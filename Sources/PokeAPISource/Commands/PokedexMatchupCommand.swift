import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexMatchupCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "matchup", abstract: "Show how effective attacks are against a Pokémon, or against one or two types.",
    usage: "syncctl pokedex matchup [<type|pokemon> ...] [<options>]",
    discussion: """
      A Pokémon, named as in pokedex show, means its types; a word that is a type means the type. Each \
      row has an attacking_type and its multiplier; with --attacking, a defending_type and the multiplier of \
      attacks of the given type. --generation uses the types and multipliers of that generation, including a \
      Pokémon's types at that time.

      Examples:
        syncctl pokedex matchup charizard
        syncctl pokedex matchup fire flying
        syncctl pokedex matchup ほのお --generation 1
        syncctl pokedex matchup --attacking electric --format json
      """)

  @OptionGroup var language: LanguageOptions

  @Argument(
    help: ArgumentHelp("One or two types that are attacked, or a Pokémon.", valueName: "type|pokemon"),
    completion: Completion.words(.typesAndPokemon))
  var types: [String] = []

  @Option(help: ArgumentHelp("Show the effect of attacks of this type instead.", valueName: "type"))
  var attacking: String?

  @Option(help: ArgumentHelp("Use the rules of this generation, from 1.", valueName: "n"))
  var generation: Int?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    guard attacking == nil ? (1...2).contains(types.count) : types.isEmpty else {
      throw SyncError(
        .usage, "matchup takes one or two types, a Pokémon, or --attacking with a type",
        hint: "syncctl pokedex matchup fire flying")
    }
    let (rows, title, names) = try await common.context().withPokedex("type", language) { database, choice in
      try await PokedexChoice.check(generation: generation, in: database)
      let all = try await Pokedex.types(languages: choice.preferences, in: database)
      let known = all.filter(\.isBattle)
      let battler = try await battler(among: known, choice.preferences, in: database)
      let chosen = try PokedexChoice.types(attacking.map { [$0] } ?? battler?.types ?? types, among: known)
      try await checkTimes(of: chosen, in: database)
      let names = Dictionary(all.map { ($0.slug, $0.name) }, uniquingKeysWith: { first, _ in first })
      let title = chosen.map(\.name).joined(separator: ", ")
      if let type = chosen.first, attacking != nil {
        return (
          try await Pokedex.matchup(attacking: type.slug, generation: generation, in: database),
          "attacks of \(title)", names
        )
      }
      return (
        try await Pokedex.matchup(defending: chosen.map(\.slug), generation: generation, in: database),
        "attacks on \(battler.map { "\($0.name) (\(title))" } ?? title)", names
      )
    }
    let then = generation.map { " in generation \($0)" } ?? ""
    return Listing(rows, emptyMessage: "").asText { width in
      TextLayout.wrap(title + then, to: width)
        + MatchupGroups(
          rows.rows.map { row in (multiplier: row[1] ?? "?", name: row[0].map { names[$0] ?? $0 } ?? "?") }
        ).lines(width: width)
    }
  }

  private func battler(
    among known: [PokedexType], _ languages: [String], in database: Database
  ) async throws -> PokedexBattler? {
    guard attacking == nil, types.count == 1, let word = types.first, PokedexChoice.type(word, among: known) == nil,
      try await database.read({ try Pokedex.isMirrored("pokemon", $0) })
    else { return nil }
    guard let match = try await Pokedex.find(word, languages: languages, in: database) else {
      let words = known.flatMap(\.names) + (try await Pokedex.names(in: database))
      let near = Suggestion.several(to: word, among: words)
      throw SyncError(
        .usage, "there is no type or Pokémon \(Excerpt.of(word, scalars: 40))",
        hint: PokedexChoice.hint(near, otherwise: "types: \(PokedexChoice.listed(known.map(\.slug)))"))
    }
    let battler = try await Pokedex.battler(match, generation: generation, languages: languages, in: database)
    if let generation, let first = battler.generation, generation < first {
      throw SyncError(
        .usage, "there was no \(battler.name) in generation \(generation)",
        hint: "it was introduced in generation \(first)")
    }
    guard !battler.types.isEmpty else {
      throw SyncError(.missing, "the types of \(battler.name) are not mirrored", hint: "give its types")
    }
    return battler
  }

  private func checkTimes(of types: [PokedexType], in database: Database) async throws {
    guard let generation else { return }
    let there = try await Pokedex.battleTypes(generation: generation, in: database)
    for type in types where !there.contains(type.slug) {
      throw SyncError(
        .usage, "there was no type \(Excerpt.of(type.slug, scalars: 40)) in generation \(generation)",
        hint: "known: \(PokedexChoice.listed(there))")
    }
  }
}
