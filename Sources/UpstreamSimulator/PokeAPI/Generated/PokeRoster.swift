/// Who there is: the species, their families and their forms; the known ones as they are, all others invented.
struct PokeRoster {
  private(set) var species: [Int: PokeSpecies] = [:]
  private(set) var pokemon: [Int: Pokemon] = [:]
  private(set) var chains: [Int: [Int]] = [:]
  /// The names of the forms, by their numbers.
  private(set) var forms: [Int: String] = [:]

  init(_ world: PokeWorld) {
    addFamilies(world)
    for id in world.ids[.pokemon] ?? [] { addPokemon(id, world) }
    addForms(world)
  }

  /// The last species of each generation.
  static let generations = [151, 251, 386, 493, 649, 721, 809, 905, 1025]

  private mutating func addFamilies(_ world: PokeWorld) {
    let ids = world.ids[.pokemonSpecies] ?? []
    let known = PokeFacts.species
    for id in ids.filter({ known[$0] != nil }).sorted(by: Self.byAncestry) {
      let parent = known[id]?.parent
      let chain = parent.flatMap { species[$0]?.chain } ?? PokeEvolutionFacts.chains[id] ?? id
      add(id, chain: chain, parent: parent, world)
    }
    let invented = ids.filter { known[$0] == nil }
    guard !invented.isEmpty else { return }
    let gaps: Set = [500, 501, 502, 510, 511, 520, 530, 540]
    let taken = gaps.union(PokeEvolutionFacts.chains.values)
    let free = (1...549).filter { !taken.contains($0) }
    // As many species to a family as the whole has.
    let families = max(1, invented.count * free.count / (1025 - known.count))
    var parent: Int?
    var family = -1
    for (position, id) in invented.enumerated() {
      let next = min((position * families + families - 1) / invented.count, families - 1)
      parent = next == family ? invented[position - 1] : nil
      family = next
      add(id, chain: free[min(family, free.count - 1)], parent: parent, world)
    }
  }

  /// Parents before their evolutions, though some have higher numbers.
  private static func byAncestry(_ one: Int, _ other: Int) -> Bool { (depth(one), one) < (depth(other), other) }

  private static func depth(_ id: Int) -> Int { PokeFacts.species[id]?.parent.map { depth($0) + 1 } ?? 0 }

  private mutating func add(_ id: Int, chain: Int, parent: Int?, _ world: PokeWorld) {
    let known = PokeFacts.species[id]
    let draws = world.draws(.pokemonSpecies, id)
    var names: [Int: String] = [:]
    if let known {
      names = [1: known.japanese, 3: known.korean, 4: known.traditional, 11: known.japanese, 12: known.simplified]
    }
    let flags = known?.flags ?? (parent == nil ? draws.pick(9, Self.flags) : "-")
    let eggGroups = flags == "-" ? [draws.number(1, 1...14)] : [15]
    species[id] = PokeSpecies(
      id: id, chain: chain, parent: parent, generation: 1 + (Self.generations.firstIndex { id <= $0 } ?? 8),
      names: names, color: known.flatMap { world.number(.pokemonColor, $0.color) } ?? draws.number(2, 1...10),
      genderRate: known?.genderRate ?? draws.pick(3, [-1, 0, 1, 4, 4, 4, 4, 6, 8]),
      captureRate: known?.captureRate ?? draws.pick(4, [3, 45, 75, 120, 190, 255]), flags: flags,
      eggGroups: eggGroups + (draws.draw(5, below: 3) == 0 && eggGroups != [15] ? [eggGroups[0] % 14 + 1] : []),
      growth: draws.number(6, 1...6), shape: draws.number(7, 1...14), habitat: id <= 386 ? draws.number(8, 1...9) : nil,
      varieties: [id])
    chains[chain, default: []].append(id)
  }

  /// Of species that evolve from none, this many are babies, legendary and mythical.
  private static let flags = Array(repeating: "-", count: 20) + ["b", "b", "l", "m"]

  private mutating func addPokemon(_ id: Int, _ world: PokeWorld) {
    let draws = world.draws(.pokemon, id)
    let (fact, form) = (PokeFacts.species[id], PokeFacts.forms[id])
    let known = world.ids[.pokemonSpecies] ?? []
    let speciesID = id < 10_000 ? id : form?.species ?? known[draws.draw(1, below: known.count)]
    if id > 10_000 { species[speciesID]?.varieties.append(id) }
    let types = (fact?.types ?? form?.types)?.compactMap { world.number(.type, $0) } ?? Self.types(draws)
    let base = draws.number(3, 20...90)
    pokemon[id] = Pokemon(
      id: id, species: speciesID, types: types,
      stats: fact?.stats ?? form?.stats ?? (0..<6).map { base + draws.draw(4 + $0, below: 60) },
      abilities: fact?.abilities ?? form?.abilities ?? Self.abilities(draws, world),
      height: fact?.height ?? draws.number(12, 1...40), weight: fact?.weight ?? draws.number(13, 1...3000), forms: [id])
  }

  private static func types(_ draws: Draws) -> [Int] {
    let first = draws.number(20, 1...18)
    return draws.draw(21, below: 2) == 0 ? [first] : [first, (first + draws.draw(22, below: 17)) % 18 + 1]
  }

  private static func abilities(_ draws: Draws, _ world: PokeWorld) -> [Pokemon.Ability] {
    let numbers = (world.ids[.ability] ?? []).filter { $0 < 10_000 }
    let start = draws.draw(30, below: numbers.count)
    let slots = draws.pick(31, [[1, 3], [1, 2, 3], [1]])
    return slots.enumerated().map { .init(id: numbers[(start + $0 * 17) % numbers.count], slot: $1) }
  }

  /// One form for each Pokémon, and further ones that only look different.
  private mutating func addForms(_ world: PokeWorld) {
    for id in pokemon.keys { forms[id] = world.name(.pokemon, id) }
    let ids = world.ids[.pokemonSpecies] ?? []
    let count = Int((228 * world.scale).rounded())
    guard count > 0 else { return }
    for id in 10_327...10_326 + count {
      let owner = ids[world.draws(.pokemonForm, id).draw(0, below: ids.count)]
      forms[id] = "\(world.name(.pokemon, owner))-look-\(id - 10_326)"
      pokemon[owner]?.forms.append(id)
    }
  }
}
