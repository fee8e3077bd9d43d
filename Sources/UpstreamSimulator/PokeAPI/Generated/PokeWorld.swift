/// All that generated documents are made of: what there is, what it is called, and what refers to what.
///
/// Generated once; documents are written from it on request, always the same. Facts in two documents, such as a
/// Pokémon's type and a type's Pokémon, agree.
struct PokeWorld: Sendable {
  let seed: UInt64
  let scale: Double
  /// The numbers of what there is of each kind, in order.
  private(set) var ids: [PokeKind: [Int]] = [:]
  private var names: [PokeKind: [Int: String]] = [:]
  private var references: [PokeKind: [Int: PokeJSON]] = [:]
  private var numbers: [PokeKind: [String: Int]] = [:]

  private(set) var species: [Int: PokeSpecies] = [:]
  private(set) var pokemon: [Int: Pokemon] = [:]
  /// The numbers of the species of each chain, the first one first.
  private(set) var chains: [Int: [Int]] = [:]
  private(set) var index = PokeIndex()

  init(seed: UInt64, scale: Double) {
    self.seed = seed
    self.scale = scale
    let census = PokeCensus(scale: scale)
    for kind in PokeKind.allCases where ![.pokemonForm, .evolutionChain].contains(kind) {
      add(kind, census.ids(of: kind))
    }
    let roster = PokeRoster(self)
    (species, pokemon, chains) = (roster.species, roster.pokemon, roster.chains)
    add(.evolutionChain, chains.keys.sorted())
    add(.pokemonForm, roster.forms.keys.sorted(), names: roster.forms)
    index = PokeIndex(self)
  }

  private mutating func add(_ kind: PokeKind, _ ids: [Int], names given: [Int: String]? = nil) {
    self.ids[kind] = ids
    var names: [Int: String] = [:]
    var references: [Int: PokeJSON] = [:]
    for (position, id) in ids.enumerated() {
      let url = PokeJSON.string("\(PokeAPIFrontEnd.path)/\(kind.rawValue)/\(id)/")
      guard !kind.isUnnamed else {
        references[id] = ["url": url]
        continue
      }
      let name = given?[id] ?? PokeNames.name(of: kind, id, position: position)
      names[id] = name
      references[id] = ["name": .string(name), "url": url]
    }
    self.names[kind] = names
    self.references[kind] = references
    numbers[kind] = Dictionary(names.map { ($0.value, $0.key) }, uniquingKeysWith: min)
  }

  func count(_ kind: PokeKind) -> Int { ids[kind]?.count ?? 0 }

  func name(_ kind: PokeKind, _ id: Int) -> String { names[kind]?[id] ?? "unknown" }

  /// The number of what has that name; the least one of several.
  func number(_ kind: PokeKind, _ name: String) -> Int? { numbers[kind]?[name] }

  /// A link, and the name if there is one; null if there is none.
  func link(_ kind: PokeKind, _ id: Int?) -> PokeJSON { id.flatMap { references[kind]?[$0] } ?? .null }

  func link(_ kind: PokeKind, named name: String) -> PokeJSON { link(kind, number(kind, name)) }

  func links(_ kind: PokeKind, _ ids: some Sequence<Int>) -> PokeJSON {
    .array(ids.compactMap { references[kind]?[$0] })
  }

  /// What the seed gives for one document.
  func draws(_ kind: PokeKind, _ id: Int) -> Draws {
    let position = PokeKind.allCases.firstIndex(of: kind) ?? 0
    return Draws(seed: seed, stream: 1 << 37 + UInt64(position)).of(id)
  }

  /// Some documents of a kind: this many, spread over all of them.
  func some(_ kind: PokeKind, _ count: Int, _ draws: Draws, _ aspect: Int) -> [Int] {
    guard let ids = ids[kind], !ids.isEmpty else { return [] }
    let count = min(count, ids.count)
    let start = draws.draw(aspect, below: ids.count)
    // Consecutive ones where there are few, so that none is duplicated.
    let step = max(1, ids.count / max(count, 1))
    return (0..<count).map { ids[(start + $0 * step) % ids.count] }
  }

  func one(_ kind: PokeKind, _ draws: Draws, _ aspect: Int) -> Int { some(kind, 1, draws, aspect).first ?? 1 }
}

extension Draws {
  /// One of several things; at least one must exist.
  func pick<Element>(_ aspect: Int, _ choices: [Element]) -> Element {
    choices[draw(aspect, below: choices.count)]
  }

  /// A number of a range.
  func number(_ aspect: Int, _ range: ClosedRange<Int>) -> Int {
    range.lowerBound + draw(aspect, below: range.count)
  }
}

/// A species, and what is common to all its forms.
struct PokeSpecies: Sendable {
  var id: Int
  var chain: Int
  var parent: Int?
  var generation: Int
  /// By number of the language; empty for one that is invented.
  var names: [Int: String] = [:]
  var color: Int
  var genderRate: Int
  var captureRate: Int
  /// `b` for a baby, `l` for a legendary, `m` for a mythical one.
  var flags: String
  var eggGroups: [Int]
  var growth: Int
  var shape: Int
  var habitat: Int?
  /// The Pokémon that it comes as, the usual one first.
  var varieties: [Int]
}

/// One form of a species that has its own number among Pokémon.
struct Pokemon: Sendable {
  var id: Int
  var species: Int
  var types: [Int]
  var stats: [Int]
  var abilities: [Ability]
  var height: Int
  var weight: Int
  var forms: [Int]

  struct Ability: Sendable {
    var id: Int
    var slot: Int
    var isHidden: Bool { slot == 3 }
  }
}
