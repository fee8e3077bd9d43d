import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import PokeAPISource
@testable import SyncPostgres

enum RecordedDocuments {
  struct File: Sendable {
    let endpoint: String
    let id: Int64
    let url: URL

    func document() throws -> PokeDocument {
      PokeDocument(id, String(decoding: try Data(contentsOf: url), as: UTF8.self))
    }
  }

  static func all() async throws -> [File] { files(in: URL(fileURLWithPath: try await PokeAPIRecording.tree())) }

  private static func files(in folder: URL) -> [File] {
    guard let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
    var files: [File] = []
    while let url = found.nextObject() as? URL {
      guard url.lastPathComponent == "index.json" else { continue }
      var path = Array(url.pathComponents.dropLast())
      let isEncounters = path.last == "encounters"
      if isEncounters { path.removeLast() }
      guard path.count > 2, let id = Int64(path[path.count - 1]) else { continue }
      let endpoint = isEncounters ? "pokemon-encounters" : path[path.count - 2]
      files.append(File(endpoint: endpoint, id: id, url: url))
    }
    return files.sorted { ($0.endpoint, $0.id) < ($1.endpoint, $1.id) }
  }
}

@Suite(
  "Recorded documents of PokeAPI", .timeLimit(.minutes(10)),
  .enabled(if: PokeAPIRecording.archive != nil, "\(UpstreamFixtures.missing)"), .mirror)
struct PokeAPIRecordedTests {
  @Test("all documents: stored unchanged, derived, and found by the queries of the Pokédex")
  func everything() async throws {
    let files = try await RecordedDocuments.all()
    try #require(files.count > 4_000)
    for (endpoint, documents) in Dictionary(grouping: files, by: \.endpoint) {
      for start in stride(from: 0, to: documents.count, by: 50) {
        let batch = try documents[start..<min(start + 50, documents.count)].map { try $0.document() }
        try await mirror.store(batch, in: endpoint)
      }
    }
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.resource") == "\(files.count)")
    try await Self.equalSources(files, mirror)
    try await Self.counts(files, mirror)
    try await Self.texts(mirror)
    try await Self.list(mirror)
    try await Self.matchups(mirror)
    try await Self.pokedex(mirror)
    try await Self.words(mirror)
    for kind in PokedexDocument.allCases { try await Self.documents(kind, mirror) }
    try await Self.battlers(mirror)
    try await Self.thunderbolt(mirror)
  }

  private static func equalSources(_ files: [RecordedDocuments.File], _ mirror: StoredMirror) async throws {
    for start in stride(from: 0, to: files.count, by: 50) {
      let batch = Array(files[start..<min(start + 50, files.count)])
      try await mirror.expect(
        """
        SELECT f.endpoint, f.id FROM unnest($1::text[], $2::bigint[], $3::jsonb[]) AS f (endpoint, id, raw)
        LEFT JOIN pokeapi.resource r USING (endpoint, id) WHERE f.raw IS DISTINCT FROM r.raw
        """,
        with: [
          .texts(batch.map(\.endpoint)), .ints(batch.map(\.id)),
          .jsons(try batch.map { Array(try $0.document().json.utf8) }),
        ])
    }
  }

  private static func counts(_ files: [RecordedDocuments.File], _ mirror: StoredMirror) async throws {
    for (table, endpoint) in [
      ("ability", "ability"), ("evolution_chain", "evolution-chain"), ("item", "item"), ("language", "language"),
      ("move", "move"), ("nature", "nature"), ("pokemon", "pokemon"), ("pokemon_form", "pokemon-form"),
      ("species", "pokemon-species"), ("type", "type"), ("version", "version"), ("version_group", "version-group"),
    ] {
      let rows = try await mirror.value("SELECT count(*) FROM pokeapi.\(table)")
      #expect(rows == "\(files.count { $0.endpoint == endpoint })", "\(table)")
    }
    // Each element of these arrays makes a row, because no two elements of a document have the same key.
    for (table, endpoint, path) in [
      ("pokemon_type", "pokemon", "$.types[*]"), ("pokemon_past_type", "pokemon", "$.past_types[*].types[*]"),
      ("pokemon_stat", "pokemon", "$.stats[*]"), ("pokemon_past_stat", "pokemon", "$.past_stats[*].stats[*]"),
      ("pokemon_ability", "pokemon", "$.abilities[*]"), ("pokemon_form_type", "pokemon-form", "$.types[*]"),
      ("species_egg_group", "pokemon-species", "$.egg_groups[*]"), ("item_price", "item", "$.prices[*]"),
      ("species_text", "pokemon-species", "$.flavor_text_entries[*]"), ("move_past_value", "move", "$.past_values[*]"),
      ("species_genus", "pokemon-species", "$.genera[*]"), ("move_stat_change", "move", "$.stat_changes[*]"),
      ("pokedex_number", "pokemon-species", "$.pokedex_numbers[*]"),
      ("evolution", "evolution-chain", "$.**.evolution_details[*]"),
      ("encounter", "pokemon-encounters", "$[*].version_details[*].encounter_details[*]"),
    ] {
      let same = try await mirror.rows(
        """
        SELECT (SELECT count(*) FROM pokeapi.\(table)), count(*)
        FROM pokeapi.resource, jsonb_path_query(raw, 'strict \(path)') WHERE endpoint = '\(endpoint)'
        """)
      #expect(same.first?[0] == same.first?[1] && same.first?[0] != "0", "\(table) \(same)")
    }
    let names = try await mirror.rows(
      """
      SELECT (SELECT count(*) FROM pokeapi.name), count(*)
      FROM pokeapi.resource, jsonb_path_query(raw, '$.names[*]') WHERE jsonb_typeof(raw) = 'object'
      """)
    #expect(names.first?[0] == names.first?[1])
  }

  private static func texts(_ mirror: StoredMirror) async throws {
    try await mirror.expect(
      """
      SELECT species_id, language, text FROM pokeapi.species_text
      WHERE text ~ '[\\n\\f\\r\\t\\u00ad]|[ \\u3000]{2}|^[ \\u3000]|[ \\u3000]$' OR text = '' LIMIT 5
      """)
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.evolution WHERE sentence LIKE '%unknown%'") == "0")
  }

  private static func list(_ mirror: StoredMirror) async throws {
    let count = try await mirror.rows(
      "SELECT count(*), min(id), max(id), bool_and(cardinality(types) > 0 AND total > 0 AND hp > 0) "
        + "FROM pokeapi.pokedex WHERE NOT is_form")
    let species = try await mirror.value("SELECT count(*) FROM pokeapi.species")
    #expect(count == [[species, "1", species, "t"]])
  }

  private static func matchups(_ mirror: StoredMirror) async throws {
    let types = TypeChart.today.sorted { $0.value.id < $1.value.id }.map(\.key)
    for generation in [nil, 1, 2, 3, 4, 5, 6, 7, 8, 9] as [Int?] {
      let expected = PokeAPIMatchupTests.expected(types) { TypeChart.multiplier($0, $1, generation) }
      let answers = try await PokeAPIMatchupTests.answers(generation, mirror)
      let different = Set(expected.keys).union(answers.keys).filter { expected[$0] != answers[$0] }
      #expect(different.isEmpty, "\(generation ?? 0): \(different.sorted().prefix(20))")
    }
  }

  private static func pokedex(_ mirror: StoredMirror) async throws {
    var question = Pokedex.Question(order: .id, languages: ["zh-hant"])
    let all = try await Pokedex.list(question, in: mirror.owner).rows
    #expect(all.rows.map { $0[0] } == (1...386).map { "\($0)" })
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
    question.types = ["fire", "flying"]
    question.generation = 1
    question.limit = nil
    #expect(try await Pokedex.list(question, in: mirror.owner).rows.rows.map { $0[0] } == ["146", "6"])
  }

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
    // The test takes only some documents, because all would take a minute.
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
