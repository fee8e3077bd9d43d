import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct PokeAPIToleranceTests {
  /// The text is too long for an index, even if PostgreSQL compresses it.
  private static let long = (1...2_000).map { String($0 &* 2_654_435_761 % 999_999_937, radix: 36) }.joined()

  static let intruders = [
    "null", "7", "-1", "1.5", "1e300", "99999999999999999999", "true", #""text""#, #""""#, "[]", "{}", "[null]", "[7]",
    #"["text"]"#, "[[]]", #"{"name": 7, "url": 7}"#, #"{"name": null, "url": "/api/v2/x/99999999999999999999999/"}"#,
    #"[{"name": "x", "url": "not an address"}]"#, "\"\(long)\"", #"{"name": "\#(long)", "url": "/api/v2/x/1/"}"#,
  ]

  private static func paths(of value: Any, at path: [String] = []) -> [[String]] {
    let below: [[String]] =
      if let object = value as? [String: Any] {
        object.flatMap { paths(of: $0.value, at: path + [$0.key]) }
      } else if let array = value as? [Any] {
        array.enumerated().flatMap { paths(of: $0.element, at: path + ["\($0.offset)"]) }
      } else {
        []
      }
    return below + [path]
  }

  private static func replacing(_ value: Any, at path: some Collection<String>, with intruder: Any) -> Any {
    guard let first = path.first else { return intruder }
    if var object = value as? [String: Any], let member = object[first] {
      object[first] = replacing(member, at: path.dropFirst(), with: intruder)
      return object
    }
    if var array = value as? [Any], let index = Int(first), array.indices.contains(index) {
      array[index] = replacing(array[index], at: path.dropFirst(), with: intruder)
      return array
    }
    return value
  }

  private static func doubled(_ value: Any) -> Any {
    if let object = value as? [String: Any] { return object.mapValues { doubled($0) } }
    if let array = value as? [Any] { return (array + array).map { doubled($0) } }
    return value
  }

  private static func json(_ value: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed]), as: UTF8.self)
  }

  private static func mutants(of document: PokeDocument) throws -> [PokeDocument] {
    let root = try JSONSerialization.jsonObject(with: Data(document.json.utf8))
    let values = try intruders.map { text in
      try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
    }
    let changes = paths(of: root).flatMap { path in values.map { (path: path, value: $0) } }
    #expect(changes.count >= 100)
    // Every third document is enough, because these documents still include every intruder.
    return try stride(from: 0, to: changes.count, by: testFactor > 1 ? 1 : 3).map { number in
      let (path, value) = changes[number]
      return PokeDocument(1_000_001 + Int64(number), try json(replacing(root, at: path, with: value)))
    }
  }

  private static func refused(
    _ documents: [PokeDocument], in endpoint: String, _ mirror: StoredMirror
  ) async throws -> [(document: PokeDocument, error: PostgresError)] {
    do {
      try await mirror.store(documents, in: endpoint)
      return []
    } catch let error as PostgresError {
      guard documents.count > 1 else { return documents.map { ($0, error) } }
      let half = documents.count / 2
      return try await refused(Array(documents[..<half]), in: endpoint, mirror)
        + refused(Array(documents[half...]), in: endpoint, mirror)
    }
  }

  @Test("any value in place of any other, in documents of every endpoint", arguments: PokeSamples.all.map(\.endpoint))
  func anything(_ endpoint: String) async throws {
    for document in PokeSamples.all.first(where: { $0.endpoint == endpoint })?.documents ?? [] {
      let mutants = try Self.mutants(of: document)
      for batch in stride(from: 0, to: mutants.count, by: 200) {
        let documents = Array(mutants[batch..<min(batch + 200, mutants.count)])
        for (document, error) in try await Self.refused(documents, in: endpoint, mirror) {
          Issue.record("\(endpoint): \(error.message): \(document.json.prefix(2_000))")
        }
      }
      #expect(try await mirror.value("SELECT count(*) >= \(mutants.count) FROM pokeapi.resource") == "t")
    }
    _ = try await mirror.rows("SELECT * FROM pokeapi.pokedex, pokeapi.type_efficacy")
  }

  @Test("one bad member removes no other")
  func neighbors() async throws {
    let text = PokeSamples.species.json
    let bad = text.replacing(#""names": ["#, with: #""names": [null, 7, {"name": "x"}, "#)
      .replacing(#""growth_rate": {"name""#, with: #""growth_rate": {"title""#)
      .replacing(#""egg_groups": ["#, with: #""egg_groups": [{"name": "x", "url": "/"}, "#)
      .replacing(#""capture_rate": 190"#, with: #""capture_rate": "190""#)
    try await mirror.store([PokeDocument(25, bad)], in: "pokemon-species")
    try await mirror.expect(
      "SELECT name, growth_rate_id, growth_rate, capture_rate, base_happiness FROM pokeapi.species", "pikachu|2|∅|∅|70")
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.name") == "2")
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.species_egg_group") == "2")
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.species_text") == "2")
  }

  @Test("a way of evolution that is not in a list is a list of one")
  func oneWay() async throws {
    let way = #"{"trigger": \#(PokeSamples.link("evolution-trigger", 1, "level-up")), "min_level": 16}"#
    func chain(_ id: Int64, _ details: String) -> PokeDocument {
      PokeDocument(
        id,
        """
        {"id": \(id), "chain": {"species": \(PokeSamples.link("pokemon-species", 4, "charmander")),
         "evolution_details": {}, "evolves_to": [{"evolves_to": [], "evolution_details": \(details),
           "species": \(PokeSamples.link("pokemon-species", 5, "charmeleon"))}]}}
        """)
    }
    try await mirror.store([chain(1, way), chain(2, "[\(way)]")], in: "evolution-chain")
    let rows = try await mirror.rows(
      """
      SELECT chain_id, from_species_id, species_id, ordinal, trigger, min_level, sentence FROM pokeapi.evolution
      ORDER BY chain_id
      """)
    let expected = ["4", "5", "1", "level-up", "16", "level up at level 16"]
    #expect(rows == [["1"] + expected, ["2"] + expected])
  }

  @Test("repeated parts of a document count once", arguments: PokeSamples.all.map(\.endpoint))
  func twice(_ endpoint: String) async throws {
    let documents = PokeSamples.all.first { $0.endpoint == endpoint }?.documents ?? []
    try await mirror.store(documents, in: endpoint)
    let before = try await mirror.derivedRows()
    try await mirror.store(
      documents.map { document in
        let root = try JSONSerialization.jsonObject(with: Data(document.json.utf8))
        return PokeDocument(document.id, try Self.json(Self.doubled(root)))
      }, in: endpoint)
    var after = try await mirror.derivedRows()
    var expected = before
    // The key of these tables contains a row number, so a repeated part of a document can add a row.
    for counted in ["encounter", "evolution"] {
      #expect(after[counted].map(\.count) ?? 0 >= before[counted].map(\.count) ?? 0)
      (after[counted], expected[counted]) = (nil, nil)
    }
    #expect(after == expected)
  }

  @Test("links are absolute or relative, with or without a final slash, and lead to ids of any sign")
  func links() async throws {
    let cases: [(url: String, id: String?)] = [
      (#""https://pokeapi.example/api/v2/move-ailment/-1/""#, "-1"), (#""/api/v2/pokemon/25""#, "25"),
      (#""/api/v2/pokemon/25/""#, "25"), (#""/api/v2/pokemon/0/""#, "0"), (#""/api/v2/pokemon/25/encounters""#, nil),
      (#""/api/v2/pokemon/pikachu/""#, nil), (#""""#, nil), ("null", nil), ("25", nil), (#"["/a/1/"]"#, nil),
      (#""/api/v2/pokemon/1000000000000000000/""#, nil),
      (#""/api/v2/pokemon/999999999999999999/""#, "999999999999999999"),
    ]
    for (url, id) in cases {
      let found = try await mirror.value("SELECT pokeapi.link_id($1::jsonb)", [.text(#"{"url": \#(url)}"#)])
      #expect(found == id, "\(url)")
    }
    for other in ["null", "7", "[]", "{}", #""/a/1/""#] {
      let found = try await mirror.rows(
        "SELECT pokeapi.link_id($1::jsonb), pokeapi.link_name($1::jsonb)", [.text(other)])
      #expect(found == [[nil, nil]], "\(other)")
    }
  }

  @Test("a number is a whole number that fits, or null")
  func numbers() async throws {
    let cases: [(number: String, whole: String?)] = [
      ("12", "12"), ("12.0", "12"), ("1.2e1", "12"), ("-1", "-1"), ("0", "0"), ("2147483647", "2147483647"),
      ("2147483648", nil), ("-2147483648", "-2147483648"), ("1.5", nil), ("1e400", nil), ("null", nil), ("true", nil),
      (#""12""#, nil), ("[12]", nil), ("{}", nil),
    ]
    for (number, whole) in cases {
      #expect(try await mirror.value("SELECT pokeapi.whole($1::jsonb)", [.text(number)]) == whole, "\(number)")
    }
  }
}
