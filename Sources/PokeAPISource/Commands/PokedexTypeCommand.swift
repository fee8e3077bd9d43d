import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexTypeCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "type", abstract: "Show what a type is strong and weak against, and all its Pokémon.",
    usage: "syncctl pokedex type <name> [<options>]",
    discussion: """
      JSON is one object with attacking and defending multipliers and the Pokémon. CSV has a row for each Pokémon.

      Examples:
        syncctl pokedex type ghost
        syncctl pokedex type 龍 --lang zh-Hant --forms
        syncctl pokedex type dragon --format csv
      """)

  @OptionGroup var language: LanguageOptions

  @Flag(help: "Also forms outside the National Pokédex (ids above 10000).")
  var forms = false

  @Argument(help: "The type, in any language.", completion: Completion.words(.types))
  var name: String

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let (rows, members, names) = try await common.context().withPokedex("type", language) { database, choice in
      let all = try await Pokedex.types(languages: choice.preferences, in: database)
      guard let type = try PokedexChoice.types([name], among: all, code: .missing).first else {
        throw SyncError(.missing, "there is no type")
      }
      let names = Dictionary(all.map { ($0.slug, $0.name) }, uniquingKeysWith: { first, _ in first })
      var question = Pokedex.Question(order: .id, languages: choice.preferences)
      question.types = [type.slug]
      question.includesForms = forms
      return (
        try await Pokedex.type(type, includesForms: forms, languages: choice.preferences, in: database),
        try await Pokedex.list(question, in: database).rows, names
      )
    }
    let pokemon = Listing.pokemon(members, emptyMessage: "No Pokémon is of that type.", showsForms: forms)
    return Listing(rows, emptyMessage: "")
      .inCSV { _ in pokemon }
      .inTables { _ in
        pokemon.headed { width in rows.namedRows.flatMap { Self.lines($0, names, width: width) } + [""] }
      }
  }

  private static func lines(_ row: NamedRow, _ names: [String: String], width: Int?) -> [String] {
    let name = row["name"] ?? ""
    let slug = row["slug"] ?? ""
    var lines = TextLayout.wrap(name.lowercased() == slug ? name : "\(name) (\(slug))", to: width)
    for (title, column) in [("its attacks", "attacking"), ("attacks on it", "defending")] {
      let relations = row.json(column, as: [Relation].self) ?? []
      let groups = MatchupGroups(
        relations.map { relation in
          (multiplier: relation.multiplier, name: relation.type.map { names[$0] ?? $0 } ?? "?")
        })
      let shown = groups.lines(width: width, leavesOutUsual: true)
      if !shown.isEmpty { lines += ["", title] + shown }
    }
    return lines
  }

  private struct Relation: Decodable {
    let type: String?
    let multiplier: String

    private enum CodingKeys: String, CodingKey {
      case attackingType, defendingType, multiplier
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      type =
        try container.decodeIfPresent(String.self, forKey: .attackingType)
        ?? container.decodeIfPresent(String.self, forKey: .defendingType)
      let number = try container.decode(Double.self, forKey: .multiplier)
      multiplier = Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
  }
}
