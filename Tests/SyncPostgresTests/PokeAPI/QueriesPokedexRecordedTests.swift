import Foundation
import LibPQ
import SyncCore
import SyncTestKit
import Testing

@testable import PokeAPISource
@testable import SyncPostgres

/// Well-known facts, queried from the real documents.
@Suite(
  "The Pokédex of the recorded documents", .timeLimit(.minutes(10)),
  .enabled(if: PokeAPIRecording.archive != nil, "\(UpstreamFixtures.missing)"), .mirror)
struct QueriesPokedexRecordedTests {
  @Test("lists, names, entries, families, types")
  func facts() async throws {
    try await Self.store(in: mirror)
    try await Self.list(mirror)
    try await Self.pikachu(mirror)
    try await Self.words(mirror)
    for kind in PokedexDocument.allCases { try await Self.documents(kind, mirror) }
    try await Self.thunderbolt(mirror)
    try await Self.battlers(mirror)
  }

  private static func store(in mirror: StoredMirror) async throws {
    let tree = try await PokeAPIRecording.tree() + "/api/v2/"
    for endpoint in [
      "pokemon", "pokemon-species", "pokemon-form", "evolution-chain", "type", "ability", "language", "version",
      "version-group", "generation", "move", "item", "item-category", "move-damage-class",
    ] {
      let ids = try FileManager.default.contentsOfDirectory(atPath: tree + endpoint).compactMap { Int64($0) }.sorted()
      try #require(!ids.isEmpty)
      for start in stride(from: 0, to: ids.count, by: 50) {
        let documents = try ids[start..<min(start + 50, ids.count)].map { id in
          PokeDocument(id, try String(contentsOfFile: "\(tree)\(endpoint)/\(id)/index.json", encoding: .utf8))
        }
        try await mirror.store(documents, in: endpoint)
      }
    }
  }

  private static func list(_ mirror: StoredMirror) async throws {
    var question = Pokedex.Question(order: .id, languages: ["zh-hant"])
    let all = try await Pokedex.list(question, in: mirror.owner).rows
    #expect(all.rows.map { $0[0] } == (1...386).map { "\($0)" })
    // Every name exists in Traditional Chinese.
    #expect(all.rows.allSatisfy { $0[2] == "zh-hant" })
    question.includesForms = true
    #expect(try await Pokedex.list(question, in: mirror.owner).rows.rows.count > 386)
    question = Pokedex.Question(order: .total, languages: ["en"])
    question.limit = 5
    let best = try await Pokedex.ranking(question, in: mirror.owner).rows
    #expect(
      best.rows.map { [$0[0], $0[2], $0[8]] } == [
        ["1", "Mewtwo", "680"], ["1", "Lugia", "680"], ["1", "Ho-Oh", "680"], ["1", "Rayquaza", "680"],
        ["5", "Slaking", "670"],
      ])
    (question.types, question.generation, question.limit) = (["fire", "flying"], 1, nil)
    #expect(try await Pokedex.list(question, in: mirror.owner).rows.rows.map { $0[0] } == ["146", "6"])
  }

  private static func pikachu(_ mirror: StoredMirror) async throws {
    let match = try #require(try await Pokedex.find("ピカチュウ", languages: ["ja"], in: mirror.owner))
    #expect(match == PokedexMatch(id: 25, slug: "pikachu", speciesID: 25, chainID: 10))
    for (language, name, genus, description) in [
      ("zh-hant", "皮卡丘", "鼠寶可夢", "電"), ("en", "Pikachu", "Mouse Pokémon", "electric"),
    ] {
      let entry = try await Pokedex.entry(match, languages: [language], in: mirror.owner)
      let cells = zip(entry.columns, entry.rows[0]).reduce(into: [String: String]()) { $0[$1.0.name] = $1.1 }
      #expect(cells["name"] == name)
      #expect(cells["genus"] == genus)
      #expect(cells["description_language"] == language)
      #expect(cells["description"]?.contains(description) == true)
      #expect(cells["description"]?.contains { $0.isNewline || $0 == "\u{AD}" } == false)
      #expect(cells["types"] == #"["electric"]"#)
      #expect(
        cells["stats"]?.replacing(" ", with: "")
          == #"{"hp":35,"attack":55,"defense":40,"special_attack":50,"special_defense":50,"speed":90}"#)
      #expect(cells["sprite_female_url"]?.hasSuffix("/female/25.png") == true)
    }
    let family = try await Pokedex.evolution(match, languages: ["en"], in: mirror.owner)
    #expect(family.root?.name == "Pichu")
    let sentences = family.ways.rows.map { "\($0[3] ?? "") > \($0[6] ?? ""): \($0.last.flatMap { $0 } ?? "")" }
    #expect(sentences.contains { $0.hasPrefix("Pichu > Pikachu: level up with high friendship") })
    #expect(sentences.contains("Pikachu > Raichu: use Thunder Stone"))
  }

  /// Each document is found by its name in links and in Japanese; its Pokémon and its texts are those of the document.
  private static func documents(_ kind: PokedexDocument, _ mirror: StoredMirror) async throws {
    let (member, column) =
      [
        .move: ("learned_by_pokemon", "learned_by"), .ability: ("pokemon", "pokemon"),
        .item: ("held_by_pokemon", "held_by"),
      ][kind] ?? ("", "")
    let endpoint = kind.rawValue
    let rows = try await mirror.rows(
      "SELECT id, name, raw FROM pokeapi.resource WHERE endpoint = '\(endpoint)' ORDER BY id")
    try #require(rows.count > 100)
    // All documents would take a minute.
    let step = testFactor > 1 ? 5 : 20
    for row in rows.enumerated().filter({ $0.offset.isMultiple(of: step) }).map(\.element) {
      let id = try #require(row[0].flatMap { Int64($0) })
      let raw = try #require(try object(row[2]))
      func entries(_ member: String) -> [[String: Any]] { raw[member] as? [[String: Any]] ?? [] }
      func language(_ entry: [String: Any]) -> String? { (entry["language"] as? [String: Any])?["name"] as? String }
      func found(_ word: String?) async throws -> [Int64] {
        try await Pokedex.documents(named: word ?? "", endpoint: endpoint, languages: ["ja"], in: mirror.owner)
      }
      #expect(try await found(row[1]) == [id])
      if let name = entries("names").first(where: { language($0) == "ja" })?["name"] as? String {
        #expect(try await found(name).contains(id), "\(name)")
      }
      let shown = try await Pokedex.document(kind, id: id, languages: ["en"], in: mirror.owner)
      let cells = zip(shown.columns, shown.rows[0]).reduce(into: [String: String]()) { $0[$1.0.name] = $1.1 }
      let pokemon = entries(member).compactMap { ($0["pokemon"] as? [String: Any] ?? $0)["name"] as? String }
      let listed = try JSONSerialization.jsonObject(with: Data((cells[column] ?? "").utf8)) as? [[String: Any]]
      #expect(Set(pokemon) == Set((listed ?? []).compactMap { $0["slug"] as? String }), "\(endpoint) \(id)")
      #expect(listed?.count == pokemon.count)
      let texts = entries("flavor_text_entries").filter { language($0) == "en" }
        .compactMap { ($0["flavor_text"] ?? $0["text"]) as? String }
      if let text = cells["description"], cells["description_language"] == "en" {
        #expect(texts.contains { plain($0) == plain(text) }, "\(text)")
      } else {
        #expect(texts.isEmpty)
      }
    }
  }

  private static func object(_ text: String?) throws -> [String: Any]? {
    try JSONSerialization.jsonObject(with: Data((text ?? "").utf8)) as? [String: Any]
  }

  /// A text without the games' line breaks and hyphens.
  private static func plain(_ text: String) -> String {
    text.filter { !$0.isWhitespace && $0 != "\u{AD}" && $0 != "-" }
  }

  private static func thunderbolt(_ mirror: StoredMirror) async throws {
    let ids = try await Pokedex.documents(named: "10まんボルト", endpoint: "move", languages: ["ja"], in: mirror.owner)
    let id = try #require(ids.first)
    let rows = try await Pokedex.document(.move, id: id, languages: ["zh-hant", "en"], in: mirror.owner)
    let cells = zip(rows.columns, rows.rows[0]).reduce(into: [String: String]()) { $0[$1.0.name] = $1.1 }
    #expect(cells["name"] == "十萬伏特" && cells["slug"] == "thunderbolt" && cells["type_name"] == "電")
    #expect([cells["power"], cells["accuracy"], cells["pp"], cells["priority"]] == ["90", "100", "15", "0"])
    #expect(cells["effect_chance"] == "10" && cells["effect_language"] == "en")
    #expect(cells["description_language"] == "zh-hant" && cells["description_version_group"] == "sword-shield")
    for word in ["thunderbolx", "0", "a\u{0}b"] {
      let none = try await Pokedex.documents(named: word, endpoint: "move", languages: [], in: mirror.owner)
      #expect(none == [], "\(word)")
    }
    try await mirror.execute("UPDATE pokeapi.resource SET vanished_at = now() WHERE endpoint = 'move' AND id = \(id)")
    for word in ["thunderbolt", "\(id)"] {
      await expectError(.missing, "vanished") {
        _ = try await Pokedex.documents(named: word, endpoint: "move", languages: [], in: mirror.owner)
      }
    }
  }

  /// Types of today and of earlier generations.
  private static func battlers(_ mirror: StoredMirror) async throws {
    for (word, generation, types) in [
      ("charizard", nil, ["fire", "flying"]), ("clefairy", nil, ["fairy"]), ("clefairy", 5, ["normal"]),
      ("clefairy", 6, ["fairy"]), ("magnemite", 1, ["electric"]), ("magnemite", 2, ["electric", "steel"]),
    ] as [(String, Int?, [String])] {
      let match = try #require(try await Pokedex.find(word, languages: [], in: mirror.owner))
      let battler = try await Pokedex.battler(match, generation: generation, languages: ["en"], in: mirror.owner)
      #expect(battler.types == types && battler.generation == 1, "\(word) \(generation ?? 0)")
      #expect(battler.name.lowercased() == word)
    }
  }

  private static func words(_ mirror: StoredMirror) async throws {
    for (word, id) in [
      ("妙蛙種子", 1), ("妙蛙种子", 1), ("BULBASAUR", 1), ("Bisasam", 1), ("Mr. Mime", 122), ("farfetch'd", 83),
      ("nidoran-f", 29), ("Nidoran♀", 29), ("nidoran ♀", 29), ("#29", 29), ("0029", 29), ("e\u{301}voli", 133),
      ("deoxys", 386), ("deoxys-attack", 10_001), ("évoli", 133), ("ÉVOLI", 133),
    ] as [(String, Int64)] {
      #expect(try await Pokedex.find(word, languages: ["en"], in: mirror.owner)?.id == id, "\(word)")
    }
    let types = try await Pokedex.types(languages: ["ja"], in: mirror.owner)
    #expect(types.count == 21)
    #expect(types.count(where: \.isBattle) == 18)
    #expect(types.first { $0.slug == "fire" }?.name == "ほのお")
  }
}
