/// A small handmade PokeAPI with some sixty species, as in reality.
///
/// Numbers without a meaning for the project, such as the levels of moves, are invented, but consistent.
struct PokeWorld: PokeAPIDocuments {
  static let shared = PokeWorld()

  let build = PokeAPIBuild(hash: "9c2f04d1be7a6538f0c1d94e27ab8605d3f71e2a", deployDate: "1786004122")
  let endpoints: [String]
  let species: [PokeSpecies]
  let pokemon: [PokePokemon]
  let moves: [PokeMove]
  let groups: [PokeGroup]
  let areas: [(id: Int, location: Int, pokemon: [Int])]
  let categories: [Int: Int]
  let chains: [Int: Int]
  private let names: [String: [Int: Name]]
  private let numbers: [String: [String: Int]]

  struct Name {
    var name, chinese, english: String

    init(_ name: String, _ chinese: String = "", _ english: String? = nil) {
      (self.name, self.chinese, self.english) = (name, chinese, english ?? Self.title(name))
    }

    static func title(_ name: String) -> String {
      name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
  }

  private static let unnamed: [String: [Int]] = [
    "characteristic": Array(1...30), "contest-effect": [1, 2, 3], "machine": [24], "super-contest-effect": [1, 2, 4],
  ]

  private init() {
    var names: [String: [Int: Name]] = Self.unnamed.mapValues { ids in
      Dictionary(uniqueKeysWithValues: ids.map { ($0, Name("")) })
    }
    for line in PokeTables.vocabulary.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map { String($0) }
      names[words[0]] = Self.entries(words[1])
    }
    species = Self.rows(PokeTables.species).map(PokeSpecies.init)
    pokemon = species.map { PokePokemon($0) } + Self.rows(PokeTables.forms).map { PokePokemon($0) }
    moves = Self.rows(PokeTables.moves).map(PokeMove.init)
    groups = Self.rows(PokeTables.groups).map(PokeGroup.init)
    let areas = Self.rows(PokeTables.areas)
    self.areas = areas.map { ($0.number(0), $0.number(2), $0.numbers(3)) }
    categories = Self.rows(PokeTables.itemCategories.replacing("|", with: "\n")).reduce(into: [:]) { categories, row in
      for item in row.numbers(0).dropFirst() { categories[item] = row.numbers(0)[0] }
    }
    let roots = Self.entries(PokeTables.chains).compactMapValues { Int($0.name) }
    let parents = Dictionary(uniqueKeysWithValues: species.map { ($0.id, $0.parent) })
    chains = parents.reduce(into: [:]) { chains, species in
      var root = species.key
      while let parent = parents[root], parent > 0 { root = parent }
      chains[species.key] = roots[root]
    }
    func add(_ endpoint: String, _ rows: [(Int, Name)]) { names[endpoint] = Dictionary(uniqueKeysWithValues: rows) }
    add("pokemon-species", species.map { ($0.id, Name($0.name, $0.chinese)) })
    add("pokemon", pokemon.map { ($0.id, Name($0.name)) })
    add("pokemon-form", pokemon.map { ($0.form, Name($0.name)) })
    add("evolution-chain", Set(chains.values).map { ($0, Name("")) })
    add("move", moves.map { ($0.id, Name($0.name, $0.chinese)) })
    add("version-group", groups.map { ($0.id, Name($0.name)) })
    add("version", groups.flatMap { $0.versions.map { ($0.key, $0.value) } })
    add("location-area", areas.map { ($0.number(0), Name($0[1])) })
    self.names = names
    numbers = names.mapValues { Dictionary($0.map { ($1.name, $0) }, uniquingKeysWith: min) }
    endpoints = names.keys.sorted()
  }

  private static func rows(_ table: String) -> [TableRow] { table.split(separator: "\n").map { TableRow($0) } }

  /// Reads entries such as `3:name/Chinese/English`, by id.
  static func entries(_ text: String) -> [Int: Name] {
    var entries: [Int: Name] = [:]
    var next = 1
    for word in text.split(separator: " ") {
      let parts = word.split(separator: ":", maxSplits: 1)
      if parts.count > 1, let number = Int(parts[0]) { next = number }
      let words = (parts.last ?? "").split(separator: "/", omittingEmptySubsequences: false).map {
        String($0.replacing("_", with: " "))
      }
      entries[next] = Name(words[0], words.count > 1 ? words[1] : "", words.count > 2 ? words[2] : nil)
      next += 1
    }
    return entries
  }

  func rows(of endpoint: String) -> [PokeAPIRow]? {
    names[endpoint].map { names in
      names.sorted { $0.key < $1.key }.map { PokeAPIRow(id: $0, name: $1.name.isEmpty ? nil : $1.name) }
    }
  }

  func document(_ address: PokeAPIAddress) -> [UInt8]? {
    if address.endpoint == "pokemon-encounters" {
      return names["pokemon"]?[address.id].map { _ in encounters(address.id).bytes }
    }
    return names[address.endpoint]?[address.id].flatMap { document(address.endpoint, address.id, $0) }?.bytes
  }

  func ids(_ endpoint: String) -> [Int] { (names[endpoint] ?? [:]).keys.sorted() }

  func name(_ endpoint: String, _ id: Int) -> Name { names[endpoint]?[id] ?? Name("unknown") }

  func number(_ endpoint: String, _ name: String) -> Int? { numbers[endpoint]?[name] }

  /// A link with the name, if any; null for an unknown id.
  func link(_ endpoint: String, _ id: Int?) -> SimulatedJSON {
    guard let id, let name = names[endpoint]?[id]?.name else { return .null }
    let url = "\(PokeAPIFrontEnd.path)/\(endpoint)/\(id)/"
    return name.isEmpty ? #"{"url":\#(url)}"# : #"{"name":\#(name),"url":\#(url)}"#
  }

  func link(_ endpoint: String, named name: String) -> SimulatedJSON { link(endpoint, number(endpoint, name)) }

  func links(_ endpoint: String, _ ids: some Sequence<Int>) -> SimulatedJSON { .array(ids.map { link(endpoint, $0) }) }

  /// A list of texts by language, without empty ones.
  func texts(_ member: String, _ texts: [(language: Int, text: String)], _ more: SimulatedJSON = "") -> SimulatedJSON {
    .array(
      texts.filter { !$0.text.isEmpty }.map { language, text in
        #"{\#(member):\#(text),"language":\#(link("language", language))\#(more)}"#
      })
  }

  func names(_ name: Name) -> SimulatedJSON { texts("name", [(4, name.chinese), (9, name.english)]) }

  func sentence(_ member: String, _ name: Name, _ more: SimulatedJSON = "") -> SimulatedJSON {
    texts(
      member, [(4, "關於\(name.chinese.isEmpty ? name.english : name.chinese)。"), (9, "About \(name.english).")], more)
  }

  func sentences(_ member: String, _ name: Name, since generation: Int) -> SimulatedJSON {
    .joined(
      groups(since: generation).map { sentence(member, name, #","version_group":\#(link("version-group", $0))"#) })
  }

  func effects(_ effect: String) -> SimulatedJSON { texts("effect", [(9, effect)], #","short_effect":\#(effect)"#) }

  func allSpecies(where belongs: (PokeSpecies) -> Bool) -> SimulatedJSON {
    links("pokemon-species", species.filter(belongs).map(\.id))
  }

  func allMoves(where belongs: (PokeMove) -> Bool) -> SimulatedJSON { links("move", moves.filter(belongs).map(\.id)) }

  func groups(since generation: Int) -> [Int] { groups.filter { $0.generation >= generation }.map(\.id) }
}

struct PokeSpecies: Sendable {
  let id: Int
  let name: String
  let parent: Int
  let gender, capture, color, shape, habitat, growth: Int
  let eggs: [Int]
  let flags: String
  let japanese, chinese, genus, chineseGenus: String
  let generation: Int
  fileprivate let row: TableRow

  init(_ row: TableRow) {
    self.row = row
    (id, name, parent, eggs, flags) = (row.number(0), row[1], row.number(4), row.numbers(6), row[7])
    let facts = row.numbers(5)
    (gender, capture, color, shape, habitat, growth) = (facts[0], facts[1], facts[5], facts[6], facts[7], facts[8])
    (japanese, chinese, genus, chineseGenus) = (row[9], row[10], row[11], row[12])
    generation = 1 + [151, 251, 386, 493, 649, 721, 809, 905].count { $0 < row.number(0) }
  }
}

/// The usual form of a species, or a form with its own id.
struct PokePokemon: Sendable {
  let id: Int
  let name: String
  let species, form: Int
  let types: [String]
  let stats: [Int]
  let height, weight, experience: Int
  let abilities: [(id: Int, slot: Int)]

  init(_ species: PokeSpecies) {
    let (row, facts) = (species.row, species.row.numbers(5))
    (id, name, self.species, form) = (species.id, species.name, species.id, species.id)
    (types, stats, abilities) = (row.words(2), row.numbers(3), Self.abilities(row.words(8)))
    (height, weight, experience) = (facts[2], facts[3], facts[4])
  }

  init(_ row: TableRow) {
    let facts = row.numbers(5)
    (id, name, species, form) = (row.number(0), row[1], row.number(2), row.number(7))
    (types, stats, abilities) = (row.words(3), row.numbers(4), Self.abilities(row.words(6)))
    (height, weight, experience) = (facts[0], facts[1], facts[2])
  }

  /// Hidden abilities always have the third slot.
  private static func abilities(_ words: [String]) -> [(id: Int, slot: Int)] {
    words.enumerated().map { place, word in
      let isHidden = word.hasSuffix("h")
      return (id: Int(isHidden ? String(word.dropLast()) : word) ?? 0, slot: isHidden ? 3 : place + 1)
    }
  }
}

struct PokeMove: Sendable {
  let id: Int
  let name, chinese, type, damageClass: String
  let power, accuracy, points, priority, generation, target, ailment, category, chance: Int

  init(_ row: TableRow) {
    (id, name, chinese, type, damageClass) = (row.number(0), row[1], row[2], row[3], row[4])
    let numbers = row.numbers(5) + row.numbers(6) + row.numbers(7)
    (power, accuracy, points, priority) = (numbers[0], numbers[1], numbers[2], numbers[3])
    (generation, target, ailment, category, chance) = (numbers[4], numbers[5], numbers[6], numbers[7], numbers[8])
  }

  func isLearned(by pokemon: PokePokemon) -> Bool {
    type == "normal" || pokemon.types.contains(type) || (pokemon.species + id).isMultiple(of: 4)
  }
}

struct PokeGroup: Sendable {
  let id: Int
  let name: String
  let generation, order: Int
  let regions, pokedexes: [Int]
  let versions: [Int: PokeWorld.Name]

  init(_ row: TableRow) {
    (id, name, generation, order) = (row.number(0), row[1], row.number(2), row.number(3))
    (regions, pokedexes, versions) = (row.numbers(4), row.numbers(5), PokeWorld.entries(row[6]))
  }
}
