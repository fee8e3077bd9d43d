/// Pokémon, their forms and where they are met.
extension PokeWorld {
  func pokemonDocument(_ id: Int) -> PokeJSON? {
    guard let pokemon = pokemon[id], let species = species[pokemon.species] else { return nil }
    let draws = draws(.pokemon, id)
    return [
      "abilities": .array(pokemon.abilities.map(ability)),
      "base_experience": draws.draw(80, below: 27) == 0 ? .null : .int(draws.number(81, 36...300)),
      "cries": [
        "latest": .string("\(Self.cries)/latest/\(id).ogg"),
        "legacy": id < 650 ? .string("\(Self.cries)/legacy/\(id).ogg") : .null,
      ],
      "forms": links(.pokemonForm, pokemon.forms), "game_indices": gameIndices(species),
      "height": .int(pokemon.height), "held_items": heldItems(id), "id": .int(id),
      "is_default": .bool(id < 10_000),
      "location_area_encounters": .string("\(PokeAPIFrontEnd.path)/pokemon/\(id)/encounters"),
      "moves": moves(of: id, since: species.generation), "name": .string(name(.pokemon, id)),
      "order": .int(id < 10_000 ? id : -1), "past_abilities": pastAbilities(draws), "past_stats": pastStats(pokemon),
      "past_types": pastTypes(pokemon, draws), "species": link(.pokemonSpecies, pokemon.species),
      "sprites": PokeSprites.pokemon(id, hasFemale: draws.draw(82, below: 10) == 0), "stats": stats(pokemon),
      "types": types(pokemon.types), "weight": .int(pokemon.weight),
    ]
  }

  private static let cries = "https://raw.githubusercontent.com/PokeAPI/cries/main/cries/pokemon"

  private func ability(_ ability: Pokemon.Ability) -> PokeJSON {
    ["ability": link(.ability, ability.id), "is_hidden": .bool(ability.isHidden), "slot": .int(ability.slot)]
  }

  func types(_ types: [Int]) -> PokeJSON {
    .array(zip(1..., types).map { ["slot": .int($0), "type": link(.type, $1)] })
  }

  private func stats(_ pokemon: Pokemon) -> PokeJSON {
    let highest = pokemon.stats.indices.max { pokemon.stats[$0] < pokemon.stats[$1] }
    return .array(
      pokemon.stats.enumerated().map { position, value in
        [
          "base_stat": .int(value), "effort": .int(position == highest ? 2 : 0), "stat": link(.stat, position + 1),
        ]
      })
  }

  private func gameIndices(_ species: PokeSpecies) -> PokeJSON {
    let versions = (ids[.version] ?? []).filter {
      $0 <= 22 && PokeGames.generation(ofVersion: $0) >= species.generation
    }
    return .array(versions.map { ["game_index": .int(species.id), "version": link(.version, $0)] })
  }

  /// What wild ones carry; the same for all versions here.
  private func heldItems(_ id: Int) -> PokeJSON {
    guard let item = index.heldItems[id] else { return [] }
    return [["item": link(.item, item), "version_details": heldDetails(id)]]
  }

  func heldDetails(_ id: Int) -> PokeJSON {
    let draws = draws(.pokemon, id)
    return .array(
      some(.version, 6, draws, 85).map { version in
        ["rarity": .int(draws.pick(86, [1, 5, 50])), "version": link(.version, version)]
      })
  }

  private func pastAbilities(_ draws: Draws) -> PokeJSON {
    guard draws.draw(87, below: 3) == 0 else { return [] }
    return [
      [
        "abilities": [
          [
            "ability": draws.draw(89, below: 3) == 0 ? link(.ability, draws.number(93, 1...40)) : .null,
            "is_hidden": true, "slot": 3,
          ]
        ], "generation": link(.generation, 4),
      ]
    ]
  }

  /// The first games had one stat in place of two.
  private func pastStats(_ pokemon: Pokemon) -> PokeJSON {
    guard pokemon.id <= 151 else { return [] }
    let special: PokeJSON = ["base_stat": .int(pokemon.stats[3]), "effort": 0, "stat": link(.stat, 9)]
    return [["generation": link(.generation, 1), "stats": [special]]]
  }

  private func pastTypes(_ pokemon: Pokemon, _ draws: Draws) -> PokeJSON {
    guard pokemon.types.contains(18), pokemon.id <= 649 else { return [] }
    // What is fairy now was normal as its first type, and had none as its second.
    let before = pokemon.types.first == 18 ? [1] + pokemon.types.dropFirst() : pokemon.types.filter { $0 != 18 }
    return [["generation": link(.generation, 5), "types": types(before)]]
  }

  /// Two in three by level, and again where a game teaches it at another level too.
  private func moves(of id: Int, since generation: Int) -> PokeJSON {
    let all = PokeGames.since(generation)
    // Equally many of the games for each move, so that documents differ in size like the real ones.
    let most = min(all.count, draws(.pokemon, id).number(88, 2...16))
    return .array(
      (index.moves[id] ?? []).map { move in
        let draws = draws(.pokemon, id).of(move)
        let start = draws.draw(1, below: all.count)
        let details = (0..<draws.number(2, 1...most)).map { position in
          learning(in: all[(start + position) % all.count], draws)
        }
        return ["move": link(.move, move), "version_group_details": .array(details)]
      })
  }

  private func learning(in group: Int, _ draws: Draws) -> PokeJSON {
    let method = draws.pick(3, [1, 1, 4, 4, 2, 3])
    let level = method == 1 ? draws.of(group).number(4, 1...60) : 0
    return [
      "level_learned_at": .int(level), "move_learn_method": link(.moveLearnMethod, method),
      "order": method == 1 && level.isMultiple(of: 7) ? .int(level / 7 + 1) : .null,
      "version_group": link(.versionGroup, group),
    ]
  }

  func formDocument(_ id: Int) -> PokeJSON? {
    guard let owner = index.ownerOfForm[id], let pokemon = pokemon[owner] else { return nil }
    let name = name(.pokemonForm, id)
    let species = self.name(.pokemonSpecies, pokemon.species)
    let look = name.hasPrefix("\(species)-") ? String(name.dropFirst(species.count + 1)) : ""
    let isPlain = id < 10_000
    let title = PokeNames.title(look)
    let group = species.isEmpty || isPlain ? PokeGames.since(self.species[pokemon.species]?.generation ?? 1).first : 15
    return [
      "form_name": .string(isPlain ? "" : look.isEmpty ? "form" : look),
      "form_names": isPlain ? [] : names([(9, "\(title) Form"), (5, "Forme \(title)"), (4, "\(title)的樣子")]),
      "form_order": .int(isPlain ? 1 : 2), "id": .int(id), "is_battle_only": .bool(look.hasPrefix("mega")),
      "is_default": .bool(pokemon.forms.first == id), "is_mega": .bool(look.hasPrefix("mega")), "name": .string(name),
      "names": isPlain ? [] : names([(9, PokeNames.title(name))]), "order": .int(id),
      "pokemon": link(.pokemon, owner), "sprites": PokeSprites.form(id), "trigger_conditions": [],
      "types": types(pokemon.types), "version_group": link(.versionGroup, group),
    ]
  }

  // MARK: Encounters

  func encountersDocument(_ id: Int) -> PokeJSON? {
    guard pokemon[id] != nil else { return nil }
    return .array(
      (index.encountersOfPokemon[id] ?? []).map { encounter in
        ["location_area": link(.locationArea, encounter.area), "version_details": versionDetails(encounter)]
      })
  }

  /// The same from both sides: where a Pokémon is met, and whom one meets in a place.
  func versionDetails(_ encounter: PokeIndex.Encounter) -> PokeJSON {
    .array(
      encounter.versions.map { version in
        let draws = draws(.pokemon, encounter.pokemon).of(encounter.area).of(version)
        let details = (0..<draws.number(1, 1...4)).map { slot(draws.of($0)) }
        return [
          "encounter_details": .array(details), "max_chance": .int(draws.pick(2, [10, 20, 30, 100])),
          "version": link(.version, version),
        ]
      })
  }

  private func slot(_ draws: Draws) -> PokeJSON {
    let level = draws.number(1, 2...60)
    let marks: PokeJSON = ["always_shiny": false, "is_alpha": false, "min_perfect_ivs": .null, "never_shiny": true]
    return [
      "chance": .int(draws.pick(2, [1, 4, 5, 10, 20])),
      "condition_values": links(
        .encounterConditionValue, some(.encounterConditionValue, draws.pick(3, [0, 0, 1, 2]), draws, 4)),
      "max_level": .int(level + draws.draw(5, below: 4)), "method": link(.encounterMethod, draws.number(6, 1...66)),
      "min_level": .int(level), "pokemon_details": draws.draw(7, below: 40) == 0 ? marks : .null,
    ]
  }
}
