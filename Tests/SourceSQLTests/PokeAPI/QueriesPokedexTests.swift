import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import PokeAPISource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesPokedexTests {
  private static func ids(
    _ mirror: StoredMirror, _ order: Pokedex.Order = .id, _ change: (inout Pokedex.Question) -> Void = { _ in }
  ) async throws -> [String?] {
    var question = Pokedex.Question(order: order, languages: ["en"])
    change(&question)
    return try column("id", try await Pokedex.list(question, in: mirror.owner).rows)
  }

  @Test("only the National Pokédex; forms only on request, vanished ones never")
  func list() async throws {
    try await mirror.storePokedex()
    #expect(try await Self.ids(mirror) == ["4", "5", "6", "150", "386"])
    #expect(try await Self.ids(mirror) { $0.includesForms = true } == ["4", "5", "6", "150", "386", "10001", "10034"])
    try await mirror.execute(
      "UPDATE pokeapi.resource SET vanished_at = now() WHERE endpoint = 'pokemon' AND id IN (5, 10001)")
    #expect(try await Self.ids(mirror) { $0.includesForms = true } == ["4", "6", "150", "386", "10034"])
  }

  @Test("filters: all given types, the generation of the species, legendary, owned")
  func filters() async throws {
    try await mirror.storePokedex()
    #expect(try await Self.ids(mirror) { $0.types = ["fire"] } == ["4", "5", "6"])
    #expect(try await Self.ids(mirror) { $0.types = ["flying", "fire"] } == ["6"])
    #expect(try await Self.ids(mirror) { $0.types = ["flying", "water"] } == [])
    #expect(try await Self.ids(mirror) { $0.generation = 2 } == ["150"])
    #expect(try await Self.ids(mirror) { ($0.generation, $0.includesForms) = (1, true) } == ["4", "5", "6", "10034"])
    #expect(try await Self.ids(mirror) { $0.isLegendary = true } == ["150"])
    #expect(try await Self.ids(mirror) { $0.isMythical = true } == [])
    let six = Favorites.Item.pokeapi(endpoint: "pokemon", id: 6)
    _ = try await Favorites.add(six, to: "owned", note: nil, in: mirror.owner)
    _ = try await Favorites.add(.pokeapi(endpoint: "pokemon", id: 4), to: "favorites", note: nil, in: mirror.owner)
    #expect(try await Self.ids(mirror) { $0.isOwned = true } == ["6"])
    #expect(try await Self.ids(mirror) { $0.isOwned = false } == ["4", "5", "150", "386"])
  }

  @Test("in every order the pages are the whole list, by id and, though rows leave between them, by cursor")
  func pages() async throws {
    try await mirror.storePokedex()
    try await mirror.store(
      [PokeDocument(900, #"{"id": 900, "name": "missingno"}"#), PokeDocument(901, "{}")], in: "pokemon")
    for order in Pokedex.Order.allCases {
      let whole = try await Self.ids(mirror, order) { $0.includesForms = true }
      #expect(whole.count == 9)
      let rest = try await Self.ids(mirror, order) { ($0.includesForms, $0.after) = (true, .offset(4)) }
      #expect(rest == Array(whole.dropFirst(4)), "\(order)")
      for (size, isByCursor) in [(1, false), (3, false), (1, true), (3, true)] {
        var question = Pokedex.Question(order: order, languages: ["en"])
        question.includesForms = true
        question.limit = size
        var pages: [String?] = []
        repeat {
          let page = try await Pokedex.list(question, in: mirror.owner)
          #expect(!page.rows.columns.contains { $0.name.hasPrefix("cursor") })
          pages += try column("id", page.rows)
          let last = try #require(pages.last.flatMap { $0 }.flatMap { Int64($0) })
          question.after = page.next.flatMap { PageCursor($0.description) }.map { isByCursor ? .cursor($0) : .id(last) }
          guard isByCursor else { continue }
          try await mirror.execute(
            "UPDATE pokeapi.resource SET vanished_at = now() WHERE endpoint = 'pokemon' AND id = \(last)")
        } while question.after != nil && pages.count < 20
        #expect(pages == whole, "\(order)")
        try await mirror.execute("UPDATE pokeapi.resource SET vanished_at = NULL")
      }
    }
    var question = Pokedex.Question(order: .speed, languages: ["en"])
    let ranked = try column("id", try await Pokedex.ranking(question, in: mirror.owner).rows)
    question.after = .offset(2)
    #expect(try column("id", try await Pokedex.ranking(question, in: mirror.owner).rows) == Array(ranked.dropFirst(2)))
    question.limit = 1
    question.after = nil
    question.after = try await Pokedex.ranking(question, in: mirror.owner).next.map { .cursor($0) }
    question.order = .name
    let other = question
    await expectError(.usage, "another listing or order") { _ = try await Pokedex.list(other, in: mirror.owner) }
  }

  @Test("ties are ordered by id; a page begins after any id")
  func ties() async throws {
    try await mirror.storePokedex()
    try await mirror.store([PokeDocument(900, #"{"id": 900, "name": "missingno"}"#)], in: "pokemon")
    #expect(try await Self.ids(mirror, .total) == ["150", "386", "6", "5", "4", "900"])
    #expect(
      try await Self.ids(mirror, .speed) { $0.includesForms = true }
        == ["386", "10001", "150", "6", "10034", "5", "4", "900"])
    #expect(try await Self.ids(mirror, .name) == ["6", "4", "5", "386", "150", "900"])
    #expect(try await Self.ids(mirror, .total) { ($0.types, $0.after) = (["fire"], .id(386)) } == ["6", "5", "4"])
    await expectError(.missing) { _ = try await Self.ids(mirror) { $0.after = .id(77) } }
  }

  @Test("names and types in the first language that has them")
  func languages() async throws {
    try await mirror.storePokedex()
    var question = Pokedex.Question(order: .id, languages: ["zh-hant", "zh-hans", "en"])
    question.includesForms = true
    let rows = try await Pokedex.list(question, in: mirror.owner).rows
    #expect(try column("name", rows) == ["小火龍", "火恐龍", "喷火龙", "Mewtwo", "Deoxys", "Attack Deoxys", "喷火龙"])
    #expect(try column("language", rows) == ["zh-hant", "zh-hant", "zh-hans", "en", "en", "en", "zh-hans"])
    #expect(try column("type_names", rows)[2] == #"["火","飛行"]"#)
    #expect(try column("types", rows)[2] == #"["fire","flying"]"#)
    question.languages = ["ko"]
    #expect(try column("language", try await Pokedex.list(question, in: mirror.owner).rows)[0] == "ja-hrkt")
    question.languages = ["ja"]
    let japanese = try await Pokedex.list(question, in: mirror.owner).rows
    #expect(try column("name", japanese)[6] == "メガリザードンＸ")
    #expect(try await Pokedex.languages(in: mirror.owner) == ["ja-hrkt", "zh-hant", "en", "ja", "zh-hans"])
  }

  @Test("a form without a name in the language has the species' name with what tells it apart")
  func formNames() async throws {
    func form(
      _ id: Int64, of pokemon: Int, names: String, isDefault: Bool = true, labels: [(String, Int, String)]
    ) -> PokeDocument {
      let labels = labels.map { #"{"language": \#(PokeSamples.link("language", $0.1, $0.0)), "name": "\#($0.2)"}"# }
      return PokeDocument(
        id,
        """
        {"id": \(id), "name": "form-\(id)", "form_name": "x", "is_default": \(isDefault),
         "pokemon": \(PokeSamples.link("pokemon", pokemon, "p")),
         "names": [{"language": \(PokeSamples.link("language", 9, "en")), "name": "\(names)"}],
         "form_names": [null, 7, {"name": "x"}, \(labels.joined(separator: ", "))]}
        """)
    }
    try await mirror.storePokedex()
    try await mirror.store(
      [
        // The only form of a Pokémon is not always its default form.
        form(
          10_031, of: 10_001, names: "Attack Deoxys", isDefault: false,
          labels: [("ja", 11, "アタックフォルム"), ("en", 9, "Attack Forme")]),
        form(
          10_200, of: 10_034, names: "Mega Charizard X",
          labels: [("ja", 11, "メガリザードンＸ"), ("zh-hans", 12, "超级的样子"), ("ko", 3, "메가")]),
      ], in: "pokemon-form")
    var question = Pokedex.Question(order: .id, languages: ["ja"])
    question.includesForms = true
    let japanese = try await Pokedex.list(question, in: mirror.owner).rows
    #expect(try column("name", japanese).suffix(3) == ["デオキシス", "デオキシス (アタックフォルム)", "メガリザードンＸ"])
    question.languages = ["zh-hant", "zh-hans", "en"]
    let chinese = try await Pokedex.list(question, in: mirror.owner).rows
    #expect(try column("name", chinese).suffix(2) == ["Attack Deoxys", "喷火龙 (超级的样子)"])
    #expect(try column("language", chinese).suffix(2) == ["en", "zh-hans"])
    for (word, id) in [("デオキシス (アタックフォルム)", 10_001), ("喷火龙(超级的样子)", 10_034)] as [(String, Int64)] {
      let match = try #require(try await Pokedex.find(word, languages: ["ja"], in: mirror.owner), "\(word)")
      #expect(match.id == id)
      let entry = try await Pokedex.entry(match, languages: ["zh-hans", "ja"], in: mirror.owner)
      #expect(try column("name", entry).first == word.replacing("龙(", with: "龙 ("))
    }
  }

  @Test("equal values share a position")
  func ranking() async throws {
    try await mirror.storePokedex()
    var question = Pokedex.Question(order: .speed, languages: ["en"])
    question.includesForms = true
    let rows = try await Pokedex.ranking(question, in: mirror.owner).rows
    #expect(try column("position", rows) == ["1", "1", "3", "4", "4", "6", "7"])
    #expect(try column("value", rows) == ["150", "150", "130", "100", "100", "80", "65"])
    question.limit = 2
    question.after = .id(6)
    let page = try await Pokedex.ranking(question, in: mirror.owner).rows
    #expect(try column("position", page) == ["4", "6"])
    question.order = .name
    let wrong = question
    await expectError(.usage) { _ = try await Pokedex.ranking(wrong, in: mirror.owner) }
  }

  @Test("before anything is mirrored the error says how to mirror it")
  func empty() async throws {
    let question = Pokedex.Question(order: .id, languages: ["en"])
    let errors = [
      await syncError { _ = try await Pokedex.list(question, in: mirror.owner) },
      await syncError { _ = try await Pokedex.find("pikachu", languages: ["en"], in: mirror.owner) },
      await syncError { _ = try await Pokedex.types(languages: ["en"], in: mirror.owner) },
    ]
    for error in errors {
      #expect(error?.code == .missing)
      #expect(error?.hint?.contains("syncctl run --source pokeapi") == true)
    }
    #expect(try await Pokedex.languages(in: mirror.owner) == [])
    #expect(try await Pokedex.generations(in: mirror.owner) == [])
  }

  @Test("documents without any members are listed without an error")
  func hollow() async throws {
    for endpoint in ["pokemon", "pokemon-species", "pokemon-form", "type", "evolution-chain", "ability", "language"] {
      try await mirror.store(
        [PokeDocument(1, "{}"), PokeDocument(2, #"{"id": 2, "name": null, "names": 5, "types": null}"#)], in: endpoint)
    }
    #expect(try await Self.ids(mirror) == ["1", "2"])
    let one = try #require(try await Pokedex.find("1", languages: ["en"], in: mirror.owner))
    #expect(try await Pokedex.entry(one, languages: ["en"], in: mirror.owner).rows.count == 1)
    #expect(try await Pokedex.evolution(one, languages: ["en"], in: mirror.owner).ways.rows == [])
    let types = try await Pokedex.types(languages: ["en"], in: mirror.owner)
    #expect(types.map(\.slug) == ["1", "2"])
    _ = try await Pokedex.type(types[0], includesForms: true, languages: ["en"], in: mirror.owner)
  }
}
