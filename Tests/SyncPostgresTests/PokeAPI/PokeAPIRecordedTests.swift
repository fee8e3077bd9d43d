import Foundation
import LibPQ
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

  /// Every `<endpoint>/<id>/index.json`, and `pokemon/<id>/encounters/index.json`.
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

/// Stores the real documents as a run does: none is refused, and well-known facts are found.
@Suite(
  "Recorded documents of PokeAPI", .timeLimit(.minutes(10)),
  .enabled(if: PokeAPIRecording.archive != nil, "\(UpstreamFixtures.missing)"), .mirror)
struct PokeAPIRecordedTests {
  @Test("all documents: stored unchanged, and derived")
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
    try await Self.eevee(mirror)
    try await Self.texts(mirror)
    try await Self.list(mirror)
    try await Self.matchups(files, mirror)
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

  /// Counts the rows that the documents should yield, independently of the derivation.
  private static func counts(_ files: [RecordedDocuments.File], _ mirror: StoredMirror) async throws {
    for (table, endpoint) in [
      ("ability", "ability"), ("evolution_chain", "evolution-chain"), ("item", "item"), ("language", "language"),
      ("move", "move"), ("nature", "nature"), ("pokemon", "pokemon"), ("pokemon_form", "pokemon-form"),
      ("species", "pokemon-species"), ("type", "type"), ("version", "version"), ("version_group", "version-group"),
    ] {
      let rows = try await mirror.value("SELECT count(*) FROM pokeapi.\(table)")
      #expect(rows == "\(files.count { $0.endpoint == endpoint })", "\(table)")
    }
    // A row for each element of the arrays; no two elements of a document have the same key.
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

  private static func eevee(_ mirror: StoredMirror) async throws {
    try await mirror.expect(
      "SELECT species, sentence FROM pokeapi.evolution WHERE from_species = 'eevee' AND is_default ORDER BY species_id",
      "vaporeon|use Water Stone", "jolteon|use Thunder Stone", "flareon|use Fire Stone",
      "espeon|level up with high friendship (160), during the day",
      "umbreon|level up with high friendship (160), at night", "leafeon|use Leaf Stone", "glaceon|use Ice Stone",
      "sylveon|level up with high friendship (160), knowing a Fairy-type move")
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

  /// Computed from the documents of the defending types, without the mirror's rows.
  private static func matchups(_ files: [RecordedDocuments.File], _ mirror: StoredMirror) async throws {
    var documents: [(name: String, members: [String: Any])] = []
    for file in files where file.endpoint == "type" && file.id <= 18 {
      let members = try #require(try file.document().members)
      documents.append((try #require(members["name"] as? String), members))
    }
    try #require(documents.count == 18)
    let types = documents.map(\.name)
    let byName = Dictionary(uniqueKeysWithValues: documents.map { ($0.name, $0.members) })
    func number(_ value: Any?) -> Int {
      let url = (value as? [String: Any])?["url"] as? String ?? ""
      return url.split(separator: "/").last.flatMap { Int($0) } ?? 0
    }
    func multiplier(_ attacking: String, _ defending: String, _ generation: Int) -> Double? {
      guard let attacker = byName[attacking], let defender = byName[defending],
        max(number(attacker["generation"]), number(defender["generation"])) <= generation
      else { return nil }
      let past = (defender["past_damage_relations"] as? [[String: Any]] ?? [])
        .filter { number($0["generation"]) >= generation }
        .min { number($0["generation"]) < number($1["generation"]) }
      let relations = (past?["damage_relations"] ?? defender["damage_relations"]) as? [String: [[String: Any]]] ?? [:]
      for (list, multiplier) in [("double_damage_from", 2.0), ("half_damage_from", 0.5), ("no_damage_from", 0.0)]
      where relations[list]?.contains(where: { $0["name"] as? String == attacking }) == true {
        return multiplier
      }
      return 1
    }
    for generation in 1...9 {
      let expected = PokeAPIMatchupTests.expected(types) { multiplier($0, $1, generation) }
      let answers = try await PokeAPIMatchupTests.answers(generation, mirror)
      let different = Set(expected.keys).union(answers.keys).filter { expected[$0] != answers[$0] }
      #expect(different.isEmpty, "\(generation): \(different.sorted().prefix(20))")
    }
    let today = try await PokeAPIMatchupTests.answers(nil, mirror)
    #expect(today == PokeAPIMatchupTests.expected(types) { multiplier($0, $1, 10) })
    // Outside the macro, where type-checking this product takes five seconds.
    let pairs: Int = 18 * 18 * 19 / 2
    #expect(today.count == pairs)
  }
}
