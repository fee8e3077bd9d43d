import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// What the pages of Pokémon share. The parameter `lang` selects the language of names and texts. Without `lang`, the
/// browser's languages select it.
enum PokedexPages {
  static let list = WebPath("/pokedex")

  /// Returns the path of a Pokémon's page in the language of the request.
  static func path(_ id: Int64, _ request: WebRequest) -> WebPath {
    WebPath("/pokedex/\(id)").with("lang", request.query["lang"])
  }

  static func language(_ request: WebRequest, _ database: Database) async throws -> LanguageChoice {
    let languages = try await Pokedex.languages(in: database)
    guard let word = request.query["lang"], word != "browser" else {
      return .accepted(request.languages, known: languages)
    }
    return try .named(word, known: languages)
  }

  private static let languages = ["en", "zh-Hant", "zh-Hans", "ja", "ko", "fr", "de", "es", "it"]

  /// Returns the words of the parameter `lang` that pages offer, without languages that the mirror does not have.
  static func languages(in database: Database) async throws -> [String] {
    let known = try await Pokedex.languages(in: database)
    return ["browser"] + languages.filter { known.contains($0.lowercased()) }
  }

  static let languageNames = [
    "browser": "of the browser", "en": "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文", "ja": "日本語", "ko": "한국어",
    "fr": "français", "de": "Deutsch", "es": "español", "it": "italiano",
  ]

  /// Returns the types of Pokémon in the games' order. Returns an empty array if no type has been mirrored.
  static func battleTypes(_ choice: LanguageChoice, _ database: Database) async throws -> [PokedexType] {
    do {
      let types = try await Pokedex.types(languages: choice.preferences, in: database).filter(\.isBattle)
      return types.sorted { (PokedexType.place(of: $0.slug), $0.slug) < (PokedexType.place(of: $1.slug), $1.slug) }
    } catch let error as SyncError where error.code == .missing {
      return []
    }
  }

  /// Returns one element of the list `labels` for the partial `sources/pokeapi/labels`: the coloured name of a type,
  /// which links to the Pokémon of the type.
  static func label(_ slug: String, name: String, _ request: WebRequest) -> WebValue {
    let path = list.with("type", slug).with("lang", request.query["lang"])
    return .object([
      "typeName": .text(name), "typeClass": .text(WebType(name, colour: slug).className),
      "typePath": .text(path.text),
    ])
  }

  /// Returns the types of a row as coloured labels without links.
  static func types(of row: NamedRow) -> [WebType] {
    let (slugs, names) = (row.json("types", as: [String].self) ?? [], row.json("type_names", as: [String].self) ?? [])
    return slugs.enumerated().map { index, slug in
      WebType(names.indices.contains(index) ? names[index] : slug, colour: slug)
    }
  }

  /// Returns the list `groups` of the partial `sources/pokeapi/matchup`: the attacking types by their multiplier, the
  /// highest first, without the usual multiplier 1. Returns `nil` without defending types.
  static func matchup(
    defending types: [String], among battleTypes: [PokedexType], _ request: WebRequest, _ database: Database
  ) async throws -> WebValue? {
    guard !types.isEmpty else { return nil }
    let rows = try await Pokedex.matchup(defending: types, generation: nil, in: database).rows
    let attacks = rows.map { row in (multiplier: row[1] ?? "?", name: row[0] ?? "?") }
      .sorted { PokedexType.place(of: $0.name) < PokedexType.place(of: $1.name) }
    return .object([
      "matchups": .list(
        MatchupGroups(attacks).groups.filter { $0.multiplier != "1" }.map { group in
          .object([
            "multiplier": .text(MatchupGroups.label(group.multiplier, isUTF8: true)),
            "labels": .list(
              group.names.map { slug in
                label(slug, name: battleTypes.first { $0.slug == slug }?.name ?? slug, request)
              }),
          ])
        })
    ])
  }

  /// Returns the heart of the collection `owned`; `nil` if the request cannot change favorites.
  static func owned(_ row: NamedRow, _ request: WebRequest) -> WebValue? {
    guard request.rights.allowsWriting, let id = row["id"].flatMap({ Int64($0) }) else { return nil }
    return request.heart(
      of: id, kind: "pokemon", source: PokeAPISource.name, in: "owned", isSet: row.isTrue("owned"), label: "owned")
  }
}

extension NamedRow {
  var pokemon: Int64 { self["id"].flatMap { Int64($0) } ?? 0 }
}
