import PostgresTestKit

enum SmallPokedex {
  static let all: [(endpoint: String, documents: [PokeDocument])] = [
    ("pokemon-species", species), ("pokemon", pokemon), ("pokemon-form", forms), ("evolution-chain", [chain]),
    ("type", types), ("ability", [ability]), ("language", languages), ("version", versions),
    ("version-group", versionGroups), ("generation", generations), ("move", [PokeSamples.move]),
  ]

  private static func link(_ endpoint: String, _ id: Int, _ name: String) -> String {
    PokeSamples.link(endpoint, id, name)
  }

  private static let languageIDs = ["ja-hrkt": 1, "zh-hant": 4, "en": 9, "ja": 11, "zh-hans": 12]

  private static func language(_ name: String) -> String { link("language", languageIDs[name] ?? 0, name) }

  private static func texts(_ texts: [(String, String)], _ member: String = "name") -> String {
    texts.map { #"{"language": \#(language($0.0)), "\#(member)": "\#($0.1)"}"# }.joined(separator: ", ")
  }

  private static let typeIDs = ["fire": 10, "flying": 3, "water": 11, "fairy": 18]

  static func aPokemon(
    _ id: Int64, _ name: String, species: (Int, String), types: [String], stats: [Int], isDefault: Bool = true
  ) -> PokeDocument {
    let names = ["hp", "attack", "defense", "special-attack", "special-defense", "speed"]
    let statTexts = zip(names, stats).enumerated().map { index, stat in
      #"{"base_stat": \#(stat.1), "effort": 0, "stat": \#(link("stat", index + 1, stat.0))}"#
    }
    let typeTexts = types.enumerated().map { index, type in
      #"{"slot": \#(index + 1), "type": \#(link("type", typeIDs[type] ?? 0, type))}"#
    }
    return PokeDocument(
      id,
      """
      {"id": \(id), "name": "\(name)", "height": 6, "weight": 85, "is_default": \(isDefault), "order": 1,
       "species": \(link("pokemon-species", species.0, species.1)), "types": [\(typeTexts.joined(separator: ","))],
       "stats": [\(statTexts.joined(separator: ","))],
       "abilities": [{"ability": \(link("ability", 66, "blaze")), "is_hidden": false, "slot": 1},
         {"ability": \(link("ability", 94, "solar-power")), "is_hidden": true, "slot": 3}],
       "sprites": {"front_default": "https://raw.example/\(id).png", "front_female": null}}
      """)
  }

  private static func aSpecies(
    _ id: Int64, _ name: String, generation: Int = 1, isLegendary: Bool = false, names: [(String, String)],
    texts entries: String = ""
  ) -> PokeDocument {
    PokeDocument(
      id,
      """
      {"id": \(id), "name": "\(name)", "is_baby": false, "is_legendary": \(isLegendary), "is_mythical": false,
       "generation": \(link("generation", generation, "generation-\(generation)")),
       "evolution_chain": {"url": "/api/v2/evolution-chain/\(isLegendary ? 9 : 2)/"}, "names": [\(texts(names))],
       "genera": [\(texts([("en", "Lizard Pokémon"), ("zh-hans", "蜥蜴宝可梦")], "genus"))],
       "flavor_text_entries": [\(entries)]}
      """)
  }

  static let species = [
    aSpecies(
      4, "charmander", names: [("en", "Charmander"), ("zh-hant", "小火龍"), ("ja", "ヒトカゲ"), ("ja-hrkt", "ヒトカゲ")],
      texts: """
        {"flavor_text": "Old.", "language": \(language("en")), "version": \(link("version", 7, "old"))},
        {"flavor_text": "New.", "language": \(language("en")), "version": \(link("version", 3, "new"))},
        {"flavor_text": "旧文。", "language": \(language("zh-hans")), "version": \(link("version", 7, "old"))}
        """),
    aSpecies(5, "charmeleon", names: [("en", "Charmeleon"), ("zh-hans", "火恐龙"), ("zh-hant", "火恐龍")]),
    aSpecies(6, "charizard", names: [("en", "Charizard"), ("zh-hans", "喷火龙"), ("ja", "リザードン")]),
    aSpecies(150, "mewtwo", generation: 2, isLegendary: true, names: [("en", "Mewtwo"), ("ja", "ミュウツー")]),
    aSpecies(386, "deoxys", generation: 3, names: [("en", "Deoxys"), ("ja", "デオキシス")]),
  ]

  static let pokemon = [
    aPokemon(4, "charmander", species: (4, "charmander"), types: ["fire"], stats: [39, 52, 43, 60, 50, 65]),
    aPokemon(5, "charmeleon", species: (5, "charmeleon"), types: ["fire"], stats: [58, 64, 58, 80, 65, 80]),
    aPokemon(6, "charizard", species: (6, "charizard"), types: ["fire", "flying"], stats: [78, 84, 78, 109, 85, 100]),
    aPokemon(150, "mewtwo", species: (150, "mewtwo"), types: ["water"], stats: [106, 110, 90, 154, 90, 130]),
    aPokemon(386, "deoxys-normal", species: (386, "deoxys"), types: ["water"], stats: [58, 150, 50, 150, 50, 150]),
    aPokemon(
      10_001, "deoxys-attack", species: (386, "deoxys"), types: ["water"], stats: [50, 180, 20, 180, 20, 150],
      isDefault: false),
    aPokemon(
      10_034, "charizard-mega-x", species: (6, "charizard"), types: ["fire"], stats: [78, 130, 111, 130, 85, 100],
      isDefault: false),
  ]

  private static func aForm(
    _ id: Int64, _ name: String, pokemon: (Int, String), isDefault: Bool = true, names: [(String, String)]
  ) -> PokeDocument {
    PokeDocument(
      id,
      """
      {"id": \(id), "name": "\(name)", "form_name": "x", "is_default": \(isDefault),
       "pokemon": \(link("pokemon", pokemon.0, pokemon.1)), "names": [\(texts(names))]}
      """)
  }

  static let forms = [
    aForm(10_031, "deoxys-attack", pokemon: (10_001, "deoxys-attack"), names: [("en", "Attack Deoxys")]),
    aForm(
      10_200, "charizard-mega-x", pokemon: (10_034, "charizard-mega-x"),
      names: [("en", "Mega Charizard X"), ("ja", "メガリザードンＸ")]),
    aForm(10_300, "charizard-hat", pokemon: (6, "charizard"), isDefault: false, names: [("en", "Hat Charizard")]),
  ]

  static let chain = PokeDocument(
    2,
    """
    {"id": 2, "baby_trigger_item": null, "chain": {
      "species": \(link("pokemon-species", 4, "charmander")), "evolution_details": [], "evolves_to": [{
        "species": \(link("pokemon-species", 5, "charmeleon")), "evolution_details": [
          {"trigger": \(link("evolution-trigger", 1, "level-up")), "min_level": 16}],
        "evolves_to": [{
          "species": \(link("pokemon-species", 6, "charizard")), "evolves_to": [], "evolution_details": [
            {"trigger": \(link("evolution-trigger", 1, "level-up")), "min_level": 36},
            {"trigger": \(link("evolution-trigger", 3, "use-item")), "item": \(link("item", 82, "fire-stone"))}]}]}]}}
    """)

  private static func aType(
    _ id: Int64, _ name: String, generation: Int = 1, names: [(String, String)], double: [String], half: [String],
    none: [String] = [], pastHalf: [String]? = nil
  ) -> PokeDocument {
    let links = { (names: [String]) in
      "[" + names.map { link("type", typeIDs[$0] ?? 0, $0) }.joined(separator: ", ") + "]"
    }
    let past = pastHalf.map {
      """
      {"generation": \(link("generation", 1, "generation-i")), "damage_relations": {
        "double_damage_to": \(links(double)), "half_damage_to": \(links($0)), "no_damage_to": []}}
      """
    }
    return PokeDocument(
      id,
      """
      {"id": \(id), "name": "\(name)", "generation": \(link("generation", generation, "generation-\(generation)")),
       "damage_relations": {"double_damage_to": \(links(double)), "half_damage_to": \(links(half)),
         "no_damage_to": \(links(none)), "double_damage_from": [], "half_damage_from": [], "no_damage_from": []},
       "past_damage_relations": [\(past ?? "")], "names": [\(texts(names))]}
      """)
  }

  static let types = [
    aType(
      10, "fire", names: [("en", "Fire"), ("zh-hant", "火"), ("ja-hrkt", "ほのお")], double: [],
      half: ["fire", "water"], pastHalf: ["fire"]),
    aType(3, "flying", names: [("en", "Flying"), ("zh-hant", "飛行")], double: [], half: [], none: ["fairy"]),
    aType(11, "water", names: [("en", "Water"), ("zh-hant", "水")], double: ["fire", "flying"], half: ["water"]),
    aType(18, "fairy", generation: 6, names: [("en", "Fairy")], double: [], half: ["fire"]),
  ]

  static let ability = PokeDocument(
    66,
    """
    {"id": 66, "name": "blaze", "generation": \(link("generation", 3, "generation-iii")),
     "names": [\(texts([("en", "Blaze"), ("zh-hant", "猛火")]))]}
    """)

  static let languages = languageIDs.sorted { $0.value < $1.value }.map { name, id in
    PokeDocument(Int64(id), #"{"id": \#(id), "name": "\#(name)", "iso639": "xx", "iso3166": "xx", "official": true}"#)
  }

  static let versions = [
    PokeDocument(3, #"{"id": 3, "name": "new", "version_group": \#(link("version-group", 1, "new"))}"#),
    PokeDocument(7, #"{"id": 7, "name": "old", "version_group": \#(link("version-group", 2, "old"))}"#),
  ]

  static let versionGroups = [
    PokeDocument(1, #"{"id": 1, "name": "new", "order": 20, "generation": \#(link("generation", 9, "g"))}"#),
    PokeDocument(2, #"{"id": 2, "name": "old", "order": 3, "generation": \#(link("generation", 1, "g"))}"#),
  ]

  static let generations = (1...9).map { PokeDocument($0, #"{"id": \#($0), "name": "generation-\#($0)"}"#) }
}

extension StoredMirror {
  func storePokedex() async throws {
    for (endpoint, documents) in SmallPokedex.all { try await store(documents, in: endpoint) }
  }
}
