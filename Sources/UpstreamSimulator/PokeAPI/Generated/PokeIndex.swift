/// What refers to a thing, found from what it refers to.
struct PokeIndex: Sendable {
  struct Encounter: Sendable {
    var pokemon: Int
    var area: Int
    var versions: [Int]
  }

  /// By type, with the slot it has.
  private(set) var pokemonOfType: [Int: [(id: Int, slot: Int)]] = [:]
  private(set) var pokemonOfAbility: [Int: [(id: Int, ability: Pokemon.Ability)]] = [:]
  private(set) var moves: [Int: [Int]] = [:]
  private(set) var learners: [Int: [Int]] = [:]
  private(set) var encountersOfPokemon: [Int: [Encounter]] = [:]
  private(set) var encountersOfArea: [Int: [Encounter]] = [:]
  private(set) var ownerOfForm: [Int: Int] = [:]
  private(set) var machinesOfMove: [Int: [Int]] = [:]
  private(set) var machinesOfItem: [Int: [Int]] = [:]

  /// What wild ones carry.
  private(set) var heldItems: [Int: Int] = [:]
  private(set) var holders: [Int: [Int]] = [:]
  /// The items without which no baby of a family is born.
  private(set) var babyItems: [Int: Int] = [:]
  private(set) var chainsOfItem: [Int: Int] = [:]

  init() {}

  init(_ world: PokeWorld) {
    for id in world.ids[.pokemon] ?? [] {
      guard let pokemon = world.pokemon[id] else { continue }
      for (slot, type) in pokemon.types.enumerated() { pokemonOfType[type, default: []].append((id, slot + 1)) }
      for ability in pokemon.abilities { pokemonOfAbility[ability.id, default: []].append((id, ability)) }
      for form in pokemon.forms { ownerOfForm[form] = id }
      let draws = world.draws(.pokemon, id)
      // Most know 30 to 110; those of the first games know the most.
      moves[id] = world.some(.move, draws.number(40, 25...105), draws, 41)
      for move in moves[id] ?? [] { learners[move, default: []].append(id) }
      if id < 10_000 { addEncounters(of: id, draws, world) }
      guard draws.draw(83, below: 4) == 0 else { continue }
      let item = world.one(.item, draws, 84)
      heldItems[id] = item
      holders[item, default: []].append(id)
    }
    for (chain, family) in world.chains.sorted(by: { $0.key < $1.key }) {
      guard let root = family.first, PokeFacts.species[root] == nil, world.species[root]?.flags == "b" else { continue }
      let item = world.one(.item, world.draws(.evolutionChain, chain), 1)
      // One family for an item.
      guard chainsOfItem[item] == nil else { continue }
      (babyItems[chain], chainsOfItem[item]) = (item, chain)
    }
    for id in world.ids[.machine] ?? [] {
      machinesOfMove[world.move(ofMachine: id), default: []].append(id)
      machinesOfItem[world.item(ofMachine: id), default: []].append(id)
    }
  }

  private mutating func addEncounters(of id: Int, _ draws: Draws, _ world: PokeWorld) {
    let count = draws.pick(50, [0, 0, 1, 2, 4, 6, 8, 10, 12, 16, 40])
    for area in world.some(.locationArea, count, draws, 51) {
      let versions = world.some(.version, draws.of(area).number(52, 1...5), draws.of(area), 53)
      let encounter = Encounter(pokemon: id, area: area, versions: versions)
      encountersOfPokemon[id, default: []].append(encounter)
      encountersOfArea[area, default: []].append(encounter)
    }
  }
}

extension PokeWorld {
  func move(ofMachine id: Int) -> Int { one(.move, draws(.machine, id), 1) }
  func item(ofMachine id: Int) -> Int { one(.item, draws(.machine, id), 2) }
  func versionGroup(ofMachine id: Int) -> Int { draws(.machine, id).number(3, 1...32) }
}
