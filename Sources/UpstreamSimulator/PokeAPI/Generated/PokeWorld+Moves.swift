/// Moves, machines, abilities, and lists of moves.
extension PokeWorld {
  /// The facts of a move, as far as other documents contain them too.
  struct Traits {
    var type: Int
    var damageClass: Int
    var target: Int
    var generation: Int
    var ailment: Int
    var category: Int
    /// Effects on stats, all on other ones.
    var statChanges: [(stat: Int, change: Int)]
    var contestType: Int
  }

  func traits(ofMove id: Int) -> Traits {
    let draws = draws(.move, id)
    let known = [
      84: 13, 85: 13, 86: 13, 52: 10, 53: 10, 55: 11, 57: 11, 22: 12, 75: 12, 82: 16, 93: 14, 94: 14, 44: 17,
    ]
    let damageClass = id == 86 || id == 45 || id == 150 ? 1 : draws.number(1, 1...3)
    let stats = draws.draw(6, below: 4) == 0 ? draws.number(7, 1...2) : 0
    return Traits(
      type: known[id] ?? (PokeEvolutionFacts.moves[id] != nil ? 1 : draws.number(2, 1...18)), damageClass: damageClass,
      target: draws.pick(3, [10, 10, 10, 10, 7, 11, 9, 12]), generation: Self.generation(ofMove: id),
      ailment: draws.pick(4, ids[.moveAilment] ?? [0]), category: draws.pick(5, ids[.moveCategory] ?? [0]),
      statChanges: (0..<stats).map { (2 + (id + $0) % 5, draws.pick(8 + $0, [-2, -1, 1, 2])) },
      contestType: id % 5 + 1)
  }

  /// The last move of each generation.
  private static func generation(ofMove id: Int) -> Int {
    let last = [165, 251, 354, 467, 559, 621, 742, 850]
    return id > 10_000 ? 3 : 1 + (last.firstIndex { id <= $0 } ?? 8)
  }

  func moveDocument(_ id: Int) -> PokeJSON? {
    guard let learners = ids[.move].map({ _ in index.learners[id] ?? [] }) else { return nil }
    let (draws, traits) = (draws(.move, id), traits(ofMove: id))
    let isStatus = traits.damageClass == 1
    let isContest = traits.generation <= 4
    return [
      "accuracy": draws.draw(10, below: 3) == 0 ? .null : .int(draws.pick(11, [50, 70, 85, 90, 95, 100])),
      "contest_combos": isContest && draws.draw(12, below: 3) == 0 ? combos(draws) : .null,
      "contest_effect": isContest ? link(.contestEffect, id % 33 + 1) : .null,
      "contest_type": isContest ? link(.contestType, traits.contestType) : .null,
      "damage_class": link(.moveDamageClass, traits.damageClass),
      "effect_chance": draws.draw(13, below: 4) == 0 ? .int(draws.pick(14, [10, 20, 30])) : .null,
      "effect_changes": effectChanges(draws, since: traits.generation), "effect_entries": verboseEffects(draws),
      "flavor_text_entries": groupTexts("flavor_text", draws, since: traits.generation, most: 24),
      "generation": link(.generation, traits.generation), "id": .int(id),
      "learned_by_pokemon": links(.pokemon, learners),
      "machines": machines(index.machinesOfMove[id]),
      "meta": draws.draw(15, below: 8) == 0 ? .null : meta(traits, draws),
      "name": .string(name(.move, id)), "names": moveNames(id), "past_values": pastValues(traits, draws),
      "power": isStatus ? .null : .int(draws.number(16, 4...30) * 5),
      "pp": draws.draw(17, below: 50) == 0 ? .null : .int(draws.number(18, 1...8) * 5),
      "priority": .int(id == 98 ? 1 : 0),
      "stat_changes": .array(traits.statChanges.map { ["change": .int($0.change), "stat": link(.stat, $0.stat)] }),
      "super_contest_effect": isContest ? link(.superContestEffect, superContestEffect(ofMove: id)) : .null,
      "target": link(.moveTarget, traits.target), "type": link(.type, traits.type),
    ]
  }

  private func moveNames(_ id: Int) -> PokeJSON {
    let title = PokeNames.title(name(.move, id))
    let known: [Int: [(Int, String)]] = [
      85: [(1, "１０まんボルト"), (4, "十萬伏特"), (11, "１０まんボルト"), (12, "十万伏特")],
      98: [(1, "でんこうせっか"), (4, "電光一閃"), (11, "でんこうせっか"), (12, "电光一闪")],
    ]
    return names((known[id] ?? []) + [5, 6, 7, 8, 9].map { ($0, title) })
  }

  private func combos(_ draws: Draws) -> PokeJSON {
    let moves = links(.move, some(.move, 2, draws, 19))
    let none: PokeJSON = ["use_after": .null, "use_before": .null]
    let after: PokeJSON = ["use_after": moves, "use_before": .null]
    let before: PokeJSON = ["use_after": .null, "use_before": moves]
    let (normal, special) = draws.pick(32, [(after, none), (before, none), (none, after), (none, before)])
    return ["normal": normal, "super": special]
  }

  private func meta(_ traits: Traits, _ draws: Draws) -> PokeJSON {
    let isMultiple = draws.draw(20, below: 20) == 0
    return [
      "ailment": link(.moveAilment, traits.ailment), "ailment_chance": .int(draws.pick(21, [0, 0, 10, 30])),
      "category": link(.moveCategory, traits.category), "crit_rate": .int(draws.pick(22, [0, 0, 0, 1])),
      "drain": .int(draws.pick(23, [0, 0, 0, 50, -25])), "flinch_chance": .int(draws.pick(24, [0, 0, 30])),
      "healing": 0,
      "max_hits": isMultiple ? 5 : .null, "max_turns": .null, "min_hits": isMultiple ? 2 : .null, "min_turns": .null,
      "stat_chance": .int(traits.statChanges.isEmpty ? 0 : 10),
    ]
  }

  private func pastValues(_ traits: Traits, _ draws: Draws) -> PokeJSON {
    guard draws.draw(25, below: 3) == 0 else { return [] }
    return [
      [
        "accuracy": draws.draw(26, below: 2) == 0 ? 75 : .null, "effect_chance": .null,
        "effect_entries": draws.draw(27, below: 5) == 0 ? verboseEffects(draws, [9]) : [],
        "power": draws.draw(28, below: 2) == 0 ? .int(draws.number(29, 4...20) * 5) : .null, "pp": .null,
        "type": draws.draw(30, below: 10) == 0 ? link(.type, 1) : .null,
        "version_group": link(.versionGroup, draws.pick(31, PokeGames.since(traits.generation))),
      ]
    ]
  }

  func machines(_ machines: [Int]?) -> PokeJSON {
    .array(
      (machines ?? []).map {
        ["machine": link(.machine, $0), "version_group": link(.versionGroup, versionGroup(ofMachine: $0))]
      })
  }

  func machineDocument(_ id: Int) -> PokeJSON {
    [
      "id": .int(id), "item": link(.item, item(ofMachine: id)), "move": link(.move, move(ofMachine: id)),
      "version_group": link(.versionGroup, versionGroup(ofMachine: id)),
    ]
  }

  func superContestEffect(ofMove id: Int) -> Int {
    let effects = ids[.superContestEffect] ?? [1]
    return effects[abs(id) % effects.count]
  }

  func moveLinks(where holds: (Int, Traits) -> Bool) -> PokeJSON {
    links(.move, (ids[.move] ?? []).filter { holds($0, traits(ofMove: $0)) })
  }

  // MARK: Abilities

  static func generation(ofAbility id: Int) -> Int {
    let last = [76, 123, 164, 191, 233, 267]
    return id > 10_000 ? 5 : 3 + (last.firstIndex { id <= $0 } ?? 6)
  }

  func abilityDocument(_ id: Int) -> PokeJSON {
    let draws = draws(.ability, id)
    let generation = Self.generation(ofAbility: id)
    let isMain = id < 10_000
    let owners = (index.pokemonOfAbility[id] ?? []).map { owner -> PokeJSON in
      [
        "is_hidden": .bool(owner.ability.isHidden), "pokemon": link(.pokemon, owner.id),
        "slot": .int(owner.ability.slot),
      ]
    }
    let title = PokeNames.title(name(.ability, id))
    let isStatic = id == 9
    return [
      "effect_changes": isMain ? effectChanges(draws, since: generation) : [],
      "effect_entries": isMain ? verboseEffects(draws) : [],
      "flavor_text_entries": isMain ? groupTexts("flavor_text", draws, since: generation, most: 18) : [],
      "generation": link(.generation, generation), "id": .int(id), "is_main_series": .bool(isMain),
      "name": .string(name(.ability, id)),
      "names": names(
        (isStatic ? [(1, "せいでんき"), (4, "靜電"), (11, "せいでんき")] : []) + [5, 6, 7, 8, 9].map { ($0, title) }),
      "pokemon": .array(owners),
    ]
  }
}
