/// How species evolve.
extension PokeWorld {
  /// What it takes, by the names of members; links as the numbers of what they lead to, flags as 1.
  struct Evolution {
    var trigger: String
    var group: String
    var timeOfDay = ""
    var conditions: [String: Int] = [:]

    subscript(name: String) -> Int? { conditions[name] }
  }

  func evolutions(into species: Int) -> [Evolution] {
    if PokeFacts.species[species] != nil { return Self.known[species] ?? [] }
    guard let parent = self.species[species]?.parent else { return [] }
    let draws = draws(.pokemonSpecies, species)
    var evolution = Evolution(
      trigger: draws.pick(70, ["level-up", "level-up", "level-up", "use-item", "trade", "use-move", "take-damage"]),
      group: "sun-moon")
    evolution.conditions = ["default": 1]
    switch evolution.trigger {
    case "use-item": evolution.conditions["item"] = draws.pick(71, [80, 81, 82, 83, 84, 85, 107, 109])
    case "trade":
      if draws.draw(73, below: 3) == 0 {
        evolution.conditions["trade_species"] = 25
      } else {
        evolution.conditions["held_item"] = draws.pick(71, [210, 580])
      }
    case "use-move": evolution.conditions.merge(["used_move": one(.move, draws, 71), "min_move_count": 20]) { $1 }
    case "take-damage": evolution.conditions["min_damage_taken"] = 49
    default: evolution.conditions.merge(levelConditions(draws)) { $1 }
    }
    if draws.draw(72, below: 12) == 0 { evolution.timeOfDay = parent.isMultiple(of: 2) ? "day" : "night" }
    return [evolution]
  }

  /// Half of those that evolve by level need nothing else.
  private func levelConditions(_ draws: Draws) -> [String: Int] {
    switch draws.draw(74, below: 10) {
    case 0: ["known_move": one(.move, draws, 75)]
    case 1: ["party_species": 25]
    case 2: ["party_type": draws.number(75, 1...18), "min_level": 32]
    case 3: ["min_steps": 1000, "needs_multiplayer": 1]
    case 4: ["location": 8]
    default: ["min_level": draws.number(71, 14...40)]
    }
  }

  private static let known: [Int: [Evolution]] = {
    var known: [Int: [Evolution]] = [:]
    for line in PokeEvolutionFacts.details.split(separator: "\n") {
      let words = line.split(separator: " ").map { String($0) }
      guard words.count > 2, let species = Int(words[0]) else { continue }
      var evolution = Evolution(trigger: words[1], group: words[2])
      for word in words.dropFirst(3) {
        let parts = word.split(separator: "=").map { String($0) }
        if parts[0] == "time_of_day" {
          evolution.timeOfDay = parts[1]
        } else {
          evolution.conditions[parts[0]] = parts.count > 1 ? Int(parts[1]) : 1
        }
      }
      known[species, default: []].append(evolution)
    }
    return known
  }()

  private static let numbers = [
    "gender", "min_affection", "min_beauty", "min_damage_taken", "min_happiness", "min_level", "min_move_count",
    "min_steps", "relative_physical_stats",
  ]
  private static let linked: [(String, PokeKind)] = [
    ("base_form", .pokemon), ("evolved_form", .pokemon), ("held_item", .item), ("item", .item), ("known_move", .move),
    ("known_move_type", .type), ("location", .location), ("party_species", .pokemonSpecies), ("party_type", .type),
    ("region", .region), ("trade_species", .pokemonSpecies), ("used_move", .move),
  ]
  private static let flags = ["near_special_rock", "needs_multiplayer", "needs_overworld_rain", "turn_upside_down"]

  private func document(_ evolution: Evolution) -> PokeJSON {
    var members: [(String, PokeJSON)] = Self.linked.map { ($0, link($1, evolution[$0])) }
    members += Self.numbers.map { ($0, .int(evolution[$0])) }
    members += Self.flags.map { ($0, .bool(evolution[$0] != nil)) }
    members += [
      ("is_default", .bool(evolution["default"] != nil)), ("time_of_day", .string(evolution.timeOfDay)),
      ("trigger", link(.evolutionTrigger, named: evolution.trigger)),
      ("version_group", link(.versionGroup, named: evolution.group)),
    ]
    return .object(members)
  }

  func chainDocument(_ id: Int) -> PokeJSON? {
    guard let root = chains[id]?.first else { return nil }
    return ["baby_trigger_item": link(.item, index.babyItems[id]), "chain": branch(root), "id": .int(id)]
  }

  private func branch(_ id: Int) -> PokeJSON {
    let family = species[id].flatMap { chains[$0.chain] } ?? []
    return [
      "evolution_details": .array(evolutions(into: id).map(document)),
      "evolves_to": .array(family.filter { species[$0]?.parent == id }.map(branch)),
      "is_baby": .bool(species[id]?.flags.contains("b") ?? false), "species": link(.pokemonSpecies, id),
    ]
  }
}
