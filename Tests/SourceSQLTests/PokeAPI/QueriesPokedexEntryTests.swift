import Foundation
import PostgresTestKit
import SyncCore
import Testing

@testable import PokeAPISource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesPokedexEntryTests {
  private static func cells(_ rows: RowSet) throws -> [String: String] {
    let row = try #require(rows.rows.first)
    return zip(rows.columns, row).reduce(into: [:]) { cells, pair in cells[pair.0.name] = pair.1 }
  }

  private static func json(_ text: String?) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(try #require(text).utf8), options: .fragmentsAllowed)
  }

  @Test("search words for a Pokémon: ids, names in links, names of species and forms in any language and case")
  func find() async throws {
    let words: [(String, Int64?)] = [
      ("4", 4), ("charmander", 4), ("CHARMANDER", 4), ("小火龍", 4), ("ヒトカゲ", 4), ("喷火龙", 6), ("Deoxys", 386),
      ("deoxys-normal", 386), ("deoxys-attack", 10_001), ("Deoxys Attack", 10_001), ("attack deoxys", 10_001),
      ("10034", 10_034), ("Mega Charizard X", 10_034), ("メガリザードンＸ", 10_034), ("charizard-hat", 6),
      ("hat charizard", 6), ("pikachu", nil), ("", nil), ("%", nil), ("' OR true --", nil), ("-1", nil), ("a\0b", nil),
      ("99999999999999999999", nil), ("0004", 4), ("#4", 4), ("#0004", 4), ("#", nil), ("#-4", nil), ("#4a", nil),
    ]
    try await mirror.storePokedex()
    for (word, id) in words {
      #expect(try await Pokedex.find(word, languages: ["en"], in: mirror.owner)?.id == id, "\(word)")
    }
  }

  @Test("names in either form of Unicode, with a space before a sign, and with a sign as an emoji")
  func spellings() async throws {
    try await mirror.storePokedex()
    try await mirror.store([PokeSamples.item], in: "item")
    let (composed, decomposed) = ("\u{e9}clair", "e\u{301}clair")
    try await mirror.execute(
      """
      INSERT INTO pokeapi.name (endpoint, id, language, name) VALUES
        ('pokemon-species', 4, 'fr', '\(composed) a'), ('pokemon-species', 5, 'fr', '\(decomposed) b'),
        ('pokemon-species', 6, 'fr', 'Nidoran♀'), ('move', 84, 'fr', '\(composed)'),
        ('ability', 66, 'fr', '\(decomposed)')
      """)
    for form in [composed, decomposed, decomposed.uppercased()] {
      #expect(try await Pokedex.find("\(form) a", languages: ["fr"], in: mirror.owner)?.id == 4, "\(form)")
      #expect(try await Pokedex.find("\(form) b", languages: ["fr"], in: mirror.owner)?.id == 5, "\(form)")
      for (endpoint, id) in [("move", 84), ("ability", 66)] as [(String, Int64)] {
        let found = try await Pokedex.documents(named: form, endpoint: endpoint, languages: [], in: mirror.owner)
        #expect(found == [id], "\(endpoint) \(form)")
      }
    }
    for word in ["nidoran♀", "nidoran ♀", "NIDORAN ♀\u{FE0F}"] {
      #expect(try await Pokedex.find(word, languages: ["en"], in: mirror.owner)?.id == 6, "\(word)")
    }
    for word in ["poke\u{301} ball", "Pok\u{e9} Ball", "#4", "004"] {
      let found = try await Pokedex.documents(named: word, endpoint: "item", languages: [], in: mirror.owner)
      #expect(found == [4], "\(word)")
    }
  }

  @Test("if two species share a name, the preferred language decides; dots and apostrophes are ignored")
  func ambiguous() async throws {
    try await mirror.storePokedex()
    try await mirror.execute(
      """
      INSERT INTO pokeapi.name (endpoint, id, language, name)
      VALUES ('pokemon-species', 4, 'de', 'Same'), ('pokemon-species', 6, 'fr', 'same'),
             ('pokemon-species', 5, 'de', 'Mr. Far’s')
      """)
    #expect(try await Pokedex.find("same", languages: ["fr", "de"], in: mirror.owner)?.id == 6)
    #expect(try await Pokedex.find("same", languages: ["de", "fr"], in: mirror.owner)?.id == 4)
    #expect(try await Pokedex.find("SAME", languages: ["en"], in: mirror.owner)?.id == 4)
    #expect(try await Pokedex.find("mr. far's", languages: ["en"], in: mirror.owner)?.id == 5)
    #expect(try await Pokedex.names(in: mirror.owner).contains("小火龍"))
  }

  @Test("a vanished Pokémon is shown as vanished")
  func vanished() async throws {
    try await mirror.storePokedex()
    try await mirror.execute(
      "UPDATE pokeapi.resource SET vanished_at = '2026-11-01Z' WHERE endpoint = 'pokemon' AND id = 4")
    for word in ["4", "charmander", "小火龍"] {
      await expectError(.missing, "2026-11-01T00:00:00Z") {
        _ = try await Pokedex.find(word, languages: ["en"], in: mirror.owner)
      }
    }
  }

  @Test("all data of a Pokémon, in the available languages")
  func entry() async throws {
    try await mirror.storePokedex()
    let match = try #require(try await Pokedex.find("4", languages: [], in: mirror.owner))
    #expect(match == PokedexMatch(id: 4, slug: "charmander", chainID: 2))
    let chinese = try Self.cells(
      try await Pokedex.entry(match, languages: ["zh-hant", "zh-hans", "en"], in: mirror.owner))
    let expected = [
      "name": "小火龍", "language": "zh-hant", "slug": "charmander", "genus": "蜥蜴宝可梦", "genus_language": "zh-hans",
      "description": "旧文。", "description_language": "zh-hans", "height_m": "0.6", "weight_kg": "8.5", "total": "309",
      "sprite_url": "https://raw.example/4.png", "sprite_female_url": nil, "owned": "f",
    ]
    for (column, text) in expected { #expect(chinese[column] == text, "\(column)") }
    let abilities = try #require(try Self.json(chinese["abilities"]) as? [[String: Any]])
    #expect(abilities.map { $0["name"] as? String } == ["猛火", "solar-power"])
    #expect(abilities.map { $0["is_hidden"] as? Bool } == [false, true])
    let stats = try #require(try Self.json(chinese["stats"]) as? [String: Int])
    #expect(stats == ["hp": 39, "attack": 52, "defense": 43, "special_attack": 60, "special_defense": 50, "speed": 65])
    // The description is from the latest games, which do not have the highest ids.
    let english = try Self.cells(try await Pokedex.entry(match, languages: ["en"], in: mirror.owner))
    #expect(english["description"] == "New.")
    #expect(english["description_version"] == "new")
  }

  @Test("a form shows the others of its species, and the family")
  func form() async throws {
    try await mirror.storePokedex()
    let match = try #require(try await Pokedex.find("charizard-mega-x", languages: [], in: mirror.owner))
    let cells = try Self.cells(try await Pokedex.entry(match, languages: ["en"], in: mirror.owner))
    #expect(cells["name"] == "Mega Charizard X")
    #expect(cells["is_form"] == "t")
    let forms = try #require(try Self.json(cells["forms"]) as? [[String: Any]])
    #expect(forms.map { $0["slug"] as? String } == ["charizard"])
    let ways = try #require(try Self.json(cells["evolution"]) as? [[String: Any]])
    #expect(ways.count == 3)
    #expect(ways[0]["min_level"] as? Int == 16)
    #expect(ways[0].keys.contains("item") == false)
  }

  @Test("an ancestor of a later generation comes before its descendants")
  func youngerAncestor() async throws {
    try await mirror.storePokedex()
    // Pichu has the id 172, Pikachu 25.
    let chain = SmallPokedex.chain.json.replacing("pokemon-species/4/", with: "pokemon-species/172/")
    try await mirror.store([PokeDocument(2, chain)], in: "evolution-chain")
    let match = try #require(try await Pokedex.find("charizard", languages: [], in: mirror.owner))
    let family = try await Pokedex.evolution(match, languages: ["en"], in: mirror.owner)
    #expect(family.ways.rows.map { $0[1] } == ["172", "5", "5"])
    let cells = try Self.cells(try await Pokedex.entry(match, languages: ["en"], in: mirror.owner))
    let ways = try #require(try Self.json(cells["evolution"]) as? [[String: Any]])
    #expect(ways.map { $0["from_id"] as? Int } == [172, 5, 5])
  }

  @Test("a family has a row for each way, each condition in its column")
  func evolution() async throws {
    try await mirror.storePokedex()
    let match = try #require(try await Pokedex.find("charizard", languages: [], in: mirror.owner))
    let family = try await Pokedex.evolution(match, languages: ["zh-hant", "en"], in: mirror.owner)
    #expect(family.root?.id == 4)
    #expect(family.root?.name == "小火龍")
    #expect(
      family.ways.columns.map(\.name).prefix(9) == [
        "chain_id", "from_id", "from", "from_name", "to_id", "to", "to_name", "trigger", "item",
      ])
    #expect(family.ways.columns.last?.name == "sentence")
    #expect(
      family.ways.rows.map { Array($0[1...8]) } == [
        ["4", "charmander", "小火龍", "5", "charmeleon", "火恐龍", "level-up", nil],
        ["5", "charmeleon", "火恐龍", "6", "charizard", "Charizard", "level-up", nil],
        ["5", "charmeleon", "火恐龍", "6", "charizard", "Charizard", "use-item", "fire-stone"],
      ])
    let alone = try #require(try await Pokedex.find("mewtwo", languages: [], in: mirror.owner))
    #expect(try await Pokedex.evolution(alone, languages: ["ja"], in: mirror.owner).ways.rows == [])
  }

  @Test("types with all their names and their effects, today and in earlier generations")
  func types() async throws {
    try await mirror.storePokedex()
    let types = try await Pokedex.types(languages: ["zh-hant", "en"], in: mirror.owner)
    #expect(types.map(\.slug) == ["fairy", "fire", "flying", "water"])
    #expect(types.map(\.name) == ["Fairy", "火", "飛行", "水"])
    #expect(Set(types[1].names) == ["fire", "火", "Fire", "ほのお"])
    let matchup = { (types: [String], generation: Int?) async throws in
      try await Pokedex.matchup(defending: types, generation: generation, in: mirror.owner).rows
    }
    #expect(
      try await matchup(["fire"], nil) == [["water", "2"], ["flying", "1"], ["fairy", "0.5"], ["fire", "0.5"]])
    #expect(try await matchup(["fire", "flying"], nil).first == ["water", "4"])
    #expect(try await matchup(["water"], 1) == [["fire", "1"], ["flying", "1"], ["water", "0.5"]])
    #expect(
      try await Pokedex.matchup(attacking: "fire", generation: nil, in: mirror.owner).rows
        == [["fairy", "1"], ["flying", "1"], ["fire", "0.5"], ["water", "0.5"]])
    #expect(try await Pokedex.battleTypes(generation: 1, in: mirror.owner) == ["fire", "flying", "water"])
    #expect(try await Pokedex.generations(in: mirror.owner) == Array(1...9))
    let fire = try Self.cells(
      try await Pokedex.type(types[1], includesForms: false, languages: ["en"], in: mirror.owner))
    let members = try #require(try Self.json(fire["pokemon"]) as? [[String: Any]])
    #expect(members.map { $0["id"] as? Int } == [4, 5, 6])
    let attacking = try #require(try Self.json(fire["attacking"]) as? [[String: Any]])
    #expect(Set(attacking[0].keys) == ["defending_type", "multiplier"])
    let withForms = try Self.cells(
      try await Pokedex.type(types[1], includesForms: true, languages: ["en"], in: mirror.owner))
    #expect(try #require(try Self.json(withForms["pokemon"]) as? [Any]).count == 4)
  }
}
