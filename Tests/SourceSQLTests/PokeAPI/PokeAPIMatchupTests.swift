import LibPQ
import PostgresTestKit
import Testing

@testable import SyncPostgres

/// The documents and the expected answers are made from this chart.
struct TypeChart {
  struct Kind {
    let id: Int
    let generation: Int
    /// Defending types, by the multiplier of this type's attacks in the latest generation.
    let relations: [Double: [String]]
  }

  static let today: [String: Kind] = [
    "normal": kind(1, weak: "rock steel", none: "ghost"),
    "fighting": kind(2, "normal rock steel ice dark", weak: "flying poison bug psychic fairy", none: "ghost"),
    "flying": kind(3, "fighting bug grass", weak: "rock steel electric"),
    "poison": kind(4, "grass fairy", weak: "poison ground rock ghost", none: "steel"),
    "ground": kind(5, "poison rock steel fire electric", weak: "bug grass", none: "flying"),
    "rock": kind(6, "flying bug fire ice", weak: "fighting ground steel"),
    "bug": kind(7, "grass psychic dark", weak: "fighting flying poison ghost steel fire fairy"),
    "ghost": kind(8, "ghost psychic", weak: "dark", none: "normal"),
    "steel": kind(9, since: 2, "rock ice fairy", weak: "steel fire water electric"),
    "fire": kind(10, "bug steel grass ice", weak: "rock fire water dragon"),
    "water": kind(11, "ground rock fire", weak: "water grass dragon"),
    "grass": kind(12, "ground rock water", weak: "flying poison bug steel fire grass dragon"),
    "electric": kind(13, "flying water", weak: "grass electric dragon", none: "ground"),
    "psychic": kind(14, "fighting poison", weak: "steel psychic", none: "dark"),
    "ice": kind(15, "flying ground grass dragon", weak: "steel fire water ice"),
    "dragon": kind(16, "dragon", weak: "steel", none: "fairy"),
    "dark": kind(17, since: 2, "ghost psychic", weak: "fighting dark fairy"),
    "fairy": kind(18, since: 6, "fighting dragon dark", weak: "poison steel fire"),
  ]

  /// Earlier multipliers, and the last generation in which they applied.
  static let past: [(attacking: String, defending: String, until: Int, multiplier: Double)] = [
    ("bug", "poison", 1, 2), ("poison", "bug", 1, 2), ("ghost", "psychic", 1, 0), ("ice", "fire", 1, 1),
    ("ghost", "steel", 5, 0.5), ("dark", "steel", 5, 0.5),
  ]

  private static func kind(
    _ id: Int, since generation: Int = 1, _ strong: String = "", weak: String = "", none: String = ""
  ) -> Kind {
    func names(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    return Kind(id: id, generation: generation, relations: [2: names(strong), 0.5: names(weak), 0: names(none)])
  }

  static func multiplier(_ attacking: String, _ defending: String, _ generation: Int?) -> Double? {
    let generation = generation ?? 9
    guard let attacker = today[attacking], let defender = today[defending],
      max(attacker.generation, defender.generation) <= generation
    else { return nil }
    let before = past.first { $0.attacking == attacking && $0.defending == defending && generation <= $0.until }
    return before?.multiplier ?? attacker.relations.first { $0.value.contains(defending) }?.key ?? 1
  }

  static var documents: [PokeDocument] {
    today.map { name, kind in
      let eras = Set(past.filter { $0.attacking == name }.map(\.until)).sorted()
      let entries = eras.map { era in
        """
        {"generation": \(PokeSamples.relative("generation", era, "era")), "damage_relations": \(relations(name, era))}
        """
      }
      return document(kind.id, name, kind.generation, relations(name, nil), entries)
    } + [
      document(19, "stellar", 9, "{}", []), document(10_001, "unknown", 2, #"{"double_damage_to": []}"#, []),
      document(10_002, "shadow", 3, "{}", []),
    ]
  }

  private static func relations(_ attacking: String, _ generation: Int?) -> String {
    let lists = [("double_damage_to", 2.0), ("half_damage_to", 0.5), ("no_damage_to", 0.0)].map { name, multiplier in
      let links = today.keys.sorted().filter { Self.multiplier(attacking, $0, generation) == multiplier }
        .map { PokeSamples.link("type", today[$0]?.id ?? 0, $0) }
      return #""\#(name)": [\#(links.joined(separator: ", "))]"#
    }
    return "{\(lists.joined(separator: ", "))}"
  }

  private static func document(
    _ id: Int, _ name: String, _ generation: Int, _ relations: String, _ past: [String]
  ) -> PokeDocument {
    PokeDocument(
      Int64(id),
      """
      {"id": \(id), "name": "\(name)", "generation": \(PokeSamples.link("generation", generation, "era")),
       "damage_relations": \(relations), "past_damage_relations": [\(past.joined(separator: ", "))]}
      """)
  }
}

@Suite(.timeLimit(.minutes(10)), .mirror)
struct PokeAPIMatchupTests {
  /// Returns the multiplier of every attack on each type and pair of types. A key is `attacking defending…`.
  static func answers(_ generation: Int?, _ mirror: StoredMirror) async throws -> [String: String] {
    let rows = try await mirror.rows(
      """
      SELECT m.attacking_type || ' ' || a.name || coalesce(' ' || nullif(b.name, a.name), ''), m.multiplier::text
      FROM pokeapi.type a, pokeapi.type b, LATERAL pokeapi.matchup(a.name, nullif(b.name, a.name), $1::integer) m
      WHERE a.id <= b.id
      """, [generation.map { .int(Int64($0)) } ?? .null])
    #expect(Set(rows.map { $0[0] }).count == rows.count)
    return Dictionary(rows.map { ($0[0] ?? "", $0[1] ?? "") }) { first, _ in first }
  }

  static func expected(_ types: [String], _ multiplier: (String, String) -> Double?) -> [String: String] {
    var expected: [String: String] = [:]
    for (place, first) in types.enumerated() {
      for second in types[place...] {
        for attacking in types {
          guard let one = multiplier(attacking, first), let other = multiplier(attacking, second) else { continue }
          let product = first == second ? one : one * other
          let name = first == second ? first : "\(first) \(second)"
          expected["\(attacking) \(name)"] = product.rounded() == product ? "\(Int(product))" : "\(product)"
        }
      }
    }
    return expected
  }

  @Test("every type and every two types, in every generation")
  func everything() async throws {
    try await mirror.store(TypeChart.documents.shuffled(), in: "type")
    let types = TypeChart.today.sorted { $0.value.id < $1.value.id }.map(\.key)
    // With n types, n attacking types are combined with n * (n + 1) / 2 single types and pairs of types.
    let earlier: [Int: Int] = [1: 15 * 15 * 8, 2: 17 * 17 * 9, 3: 17 * 17 * 9, 5: 17 * 17 * 9]
    for generation in [nil, 1, 2, 3, 5, 6, 9] as [Int?] {
      let expected = Self.expected(types) { TypeChart.multiplier($0, $1, generation) }
      #expect(expected.count == earlier[generation ?? 0] ?? 18 * 18 * 19 / 2)
      #expect(try await Self.answers(generation, mirror) == expected)
    }
  }

  @Test("the other direction; a list of types; and a name that is not a type")
  func directions() async throws {
    try await mirror.store(TypeChart.documents, in: "type")
    func grouped(_ call: String, _ column: String) async throws -> [[String?]] {
      try await mirror.rows(
        "SELECT multiplier::text, string_agg(\(column), ' ' ORDER BY \(column)) FROM \(call) GROUP BY 1 ORDER BY 1")
    }
    let fireFlying: [[String?]] = [
      ["0", "ground"], ["0.25", "bug grass"], ["0.5", "fairy fighting fire steel"],
      ["1", "dark dragon flying ghost ice normal poison psychic"], ["2", "electric water"], ["4", "rock"],
    ]
    for call in [
      "pokeapi.matchup('fire', 'flying')", "pokeapi.matchup('flying', 'fire')",
      "pokeapi.matchup(ARRAY['fire', 'flying'])", "pokeapi.matchup(ARRAY['flying', 'fire', 'fire'], 9)",
      "pokeapi.matchup('fire', 'flying', 6)",
    ] { #expect(try await grouped(call, "attacking_type") == fireFlying, "\(call)") }
    #expect(
      try await grouped("pokeapi.attack('ghost')", "defending_type") == [
        ["0", "normal"], ["0.5", "dark"],
        ["1", "bug dragon electric fairy fighting fire flying grass ground ice poison rock steel water"],
        ["2", "ghost psychic"],
      ])
    #expect(
      try await grouped("pokeapi.attack('ghost', 1)", "defending_type") == [
        ["0", "normal psychic"],
        ["1", "bug dragon electric fighting fire flying grass ground ice poison rock water"], ["2", "ghost"],
      ])
    try await mirror.expect(
      "SELECT attacking_type FROM pokeapi.matchup('fire') LIMIT 4", "ground", "rock", "water", "dark")
    for call in [
      "matchup('fyre')", "matchup('fire', 'fyre')", "matchup('steel', 'fire', 1)", "matchup('stellar')",
      "matchup('fire', NULL, 0)", "matchup('{}'::text[])", "attack('fyre')", "attack('fairy', 5)", "attack('unknown')",
    ] { #expect(try await mirror.value("SELECT count(*) FROM pokeapi.\(call)") == "0", "\(call)") }
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.attack('water', 99)") == "18")
  }

  @Test("the table of all pairs has today's rows, and those of earlier generations that differ")
  func efficacy() async throws {
    try await mirror.store(TypeChart.documents, in: "type")
    try await mirror.expect("SELECT count(*) FROM pokeapi.type_efficacy WHERE generation_id = 0", "\(18 * 18)")
    try await mirror.expect(
      """
      SELECT attacking_type, defending_type, generation_id, multiplier::text FROM pokeapi.type_efficacy
      WHERE attacking_type = 'ice' AND defending_type IN ('fire', 'grass', 'rock') ORDER BY 2, 3
      """, "ice|fire|0|0.5", "ice|fire|1|1", "ice|grass|0|2", "ice|grass|1|2", "ice|rock|0|1")
    try await mirror.expect(
      "SELECT name FROM pokeapi.type WHERE NOT is_battle ORDER BY 1", "shadow", "stellar", "unknown")
  }
}
