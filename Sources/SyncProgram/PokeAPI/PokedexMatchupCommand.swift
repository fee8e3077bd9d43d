import ArgumentParser
import SyncCore
import SyncPostgres

struct PokedexMatchupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matchup",
    abstract: "Show what attacks do to a Pokémon of one type or two.",
    usage: "syncctl pokedex matchup [<type> ...] [<options>]",
    discussion: """
      Rows are {attacking_type, multiplier}, one for each attacking type; with --attacking {defending_type, \
      multiplier}, what attacks of that type do to each single type. --generation uses the types and \
      multipliers of that generation.

      Examples:
        syncctl pokedex matchup fire flying
        syncctl pokedex matchup ほのお --generation 1
        syncctl pokedex matchup --attacking electric --format json
      """)

  @OptionGroup var language: LanguageOptions

  @Argument(
    help: ArgumentHelp("The type or the two types that are attacked.", valueName: "type"),
    completion: Completion.words(.types))
  var types: [String] = []

  @Option(name: .long, help: ArgumentHelp("The other direction: what attacks of this type do.", valueName: "type"))
  var attacking: String?

  @Option(name: .long, help: ArgumentHelp("As it was in this generation, from 1.", valueName: "n"))
  var generation: Int?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    guard attacking == nil ? (1...2).contains(types.count) : types.isEmpty else {
      throw SyncError(
        .usage, "matchup takes one type or two, or --attacking with a type",
        hint: "syncctl pokedex matchup fire flying")
    }
    let streams = StandardStreams()
    let (rows, chosen, names) = try await Context(configuration: try common.configuration()).withPokedex(
      "type", language
    ) {
      database, choice in
      try await PokedexChoice.check(generation: generation, in: database)
      let all = try await Pokedex.types(languages: choice.preferences, in: database)
      let chosen = try PokedexChoice.types(attacking.map { [$0] } ?? types, among: all.filter(\.isBattle))
      try await checkTimes(of: chosen, in: database)
      let names = Dictionary(all.map { ($0.slug, $0.name) }, uniquingKeysWith: { first, _ in first })
      if let type = chosen.first, attacking != nil {
        return (try await Pokedex.matchup(attacking: type.slug, generation: generation, in: database), chosen, names)
      }
      let slugs = chosen.map(\.slug)
      return (try await Pokedex.matchup(defending: slugs, generation: generation, in: database), chosen, names)
    }
    guard output.format == .table else {
      return try streams.print(Listing(rows, emptyMessage: ""), as: output.format)
    }
    let width = streams.renderingOptions.width
    let title = chosen.map(\.name).joined(separator: ", ")
    let then = generation.map { " in generation \($0)" } ?? ""
    try streams.print(
      lines: TextLayout.wrap((attacking == nil ? "attacks on " : "attacks of ") + title + then, to: width)
        + MatchupGroups(
          rows.rows.map { row in
            (multiplier: row[1] ?? "?", name: row[0].map { names[$0] ?? $0 } ?? "?")
          }
        ).lines(width: width))
  }

  /// - Throws: `SyncError` `.usage` for a type that the generation did not have.
  private func checkTimes(of types: [PokedexType], in database: Database) async throws {
    guard let generation else { return }
    let there = try await Pokedex.battleTypes(generation: generation, in: database)
    for type in types where !there.contains(type.slug) {
      throw SyncError(
        .usage, "there was no type \(Excerpt.of(type.slug, scalars: 40)) in generation \(generation)",
        hint: "known: \(there.map { Excerpt.of($0, scalars: 40) }.joined(separator: ", "))")
    }
  }
}
