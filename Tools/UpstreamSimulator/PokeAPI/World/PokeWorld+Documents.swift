/// Documents other than Pokémon, species and moves.
extension PokeWorld {
  func document(_ endpoint: String, _ id: Int, _ name: Name) -> SimulatedJSON? {
    switch endpoint {
    case "pokemon": return pokemonDocument(id)
    case "pokemon-form": return formDocument(id)
    case "pokemon-species": return speciesDocument(id)
    case "evolution-chain": return chainDocument(id)
    case "move": return moveDocument(id)
    case "item": return itemDocument(id, name)
    case "type": return typeDocument(id, name)
    case "stat": return statDocument(id, name)
    case "nature": return natureDocument(id, name)
    case "location-area": return areaDocument(id, name)
    default: break
    }
    let head: SimulatedJSON = #""id":\#(id),"name":\#(name.name)"#
    if let members = group(endpoint, id, name) { return "{\(head),\(members)}" }
    if let members = unnamed(endpoint, id) { return #"{"id":\#(id),\#(members)}"# }
    let named: SimulatedJSON = #"\#(head),"names":\#(names(name))"#
    guard let others = members(endpoint, id, name) else { return "{\(named)}" }
    return "{\(named),\(others)}"
  }

  /// The members after `id`, for a document without a name.
  private func unnamed(_ endpoint: String, _ id: Int) -> SimulatedJSON? {
    let (appeal, about) = (id % 4 + 1, Name("appeal-\(id)"))
    switch endpoint {
    case "characteristic":
      let values = (0...6).map { SimulatedJSON.int((id - 1) / 6 + 5 * $0) }
      return #"""
        "descriptions":\#(sentence("description", Name("characteristic-\(id)"))),"gene_modulo":\#((id - 1) / 6),\#
        "highest_stat":\#(link("stat", (id - 1) % 6 + 1)),"possible_values":\#(.array(values))
        """#
    case "contest-effect":
      return #"""
        "appeal":\#(appeal),"effect_entries":\#(sentence("effect", about)),\#
        "flavor_text_entries":\#(sentence("flavor_text", about)),"jam":\#(id - 1)
        """#
    case "super-contest-effect":
      let moves = allMoves { [1, 2, 4][$0.id % 3] == id }
      return #""appeal":\#(appeal),"flavor_text_entries":\#(sentence("flavor_text", about)),"moves":\#(moves)"#
    case "machine":
      return #"""
        "item":\#(link("item", named: "tm24")),"move":\#(link("move", 85)),\#
        "version_group":\#(link("version-group", 1))
        """#
    default: return nil
    }
  }

  /// The members after `name`, for a document without `names`.
  private func group(_ endpoint: String, _ id: Int, _ name: Name) -> SimulatedJSON? {
    switch endpoint {
    case "berry":
      let flavors = (1...5).map { flavor -> SimulatedJSON in
        #"{"flavor":\#(link("berry-flavor", flavor)),"potency":\#(potency(id, flavor))}"#
      }
      return #"""
        "firmness":\#(link("berry-firmness", id % 5 + 1)),"flavors":\#(.array(flavors)),"growth_time":\#(id + 2),\#
        "item":\#(link("item", 125 + id)),"max_harvest":5,"natural_gift_power":60,\#
        "natural_gift_type":\#(link("type", id + 9)),"size":\#(20 * id),"smoothness":25,"soil_dryness":15
        """#
    case "gender":
      let details = species.filter { id == 1 ? $0.gender > 0 : id == 2 ? (0..<8).contains($0.gender) : $0.gender < 0 }
        .map { species -> SimulatedJSON in
          #"{"pokemon_species":\#(link("pokemon-species", species.id)),"rate":\#(species.gender)}"#
        }
      let required = allSpecies { species in evolutions(into: species.id).contains { $0.conditions["gender"] == id } }
      return #""pokemon_species_details":\#(.array(details)),"required_for_evolution":\#(required)"#
    case "growth-rate":
      let levels = (1...100).map { level -> SimulatedJSON in
        #"{"experience":\#(Self.experience(id, level: level)),"level":\#(level)}"#
      }
      return #"""
        "descriptions":\#(sentence("description", name)),"formula":\#(Self.formulas[id - 1]),\#
        "levels":\#(.array(levels)),"pokemon_species":\#(allSpecies { $0.growth == id })
        """#
    case "contest-type":
      let names = texts("name", [(9, name.english)], #","color":"Red""#)
      return #""berry_flavor":\#(link("berry-flavor", id)),"names":\#(names)"#
    case "item-fling-effect":
      return #""effect_entries":\#(texts("effect", [(9, "Paralyzes the target.")])),"items":\#(links("item", [213]))"#
    case "move-category":
      let moves = allMoves { $0.category == id }
      return #""descriptions":\#(sentence("description", name)),"moves":\#(moves)"#
    case "version-group":
      guard let group = groups.first(where: { $0.id == id }) else { return nil }
      return #"""
        "generation":\#(link("generation", group.generation)),"move_learn_methods":\#(links("move-learn-method", 1...4)),\#
        "order":\#(group.order),"pokedexes":\#(links("pokedex", group.pokedexes)),\#
        "regions":\#(links("region", group.regions)),"versions":\#(links("version", group.versions.keys.sorted()))
        """#
    default: return nil
    }
  }

  /// The members after `names`; nil for an endpoint without others.
  private func members(_ endpoint: String, _ id: Int, _ name: Name) -> SimulatedJSON? {
    let descriptions: SimulatedJSON = #""descriptions":\#(sentence("description", name))"#
    switch endpoint {
    case "ability":
      let owners = pokemon.flatMap { pokemon in
        pokemon.abilities.filter { $0.id == id }.map { ability -> SimulatedJSON in
          #"{"is_hidden":\#(ability.slot == 3),"pokemon":\#(link("pokemon", pokemon.id)),"slot":\#(ability.slot)}"#
        }
      }
      let generation = 3 + [76, 123, 164, 191, 233, 267].count { $0 < id }
      return #"""
        "effect_changes":[],"effect_entries":\#(effects("What \(name.english) does in battle.")),\#
        "flavor_text_entries":\#(sentences("flavor_text", name, since: generation)),\#
        "generation":\#(link("generation", generation)),"is_main_series":true,"pokemon":\#(.array(owners))
        """#
    case "berry-firmness": return #""berries":\#(links("berry", ids("berry").filter { $0 % 5 + 1 == id }))"#
    case "berry-flavor":
      let berries = ids("berry").map { berry -> SimulatedJSON in
        #"{"berry":\#(link("berry", berry)),"potency":\#(potency(berry, id))}"#
      }
      return #""berries":\#(.array(berries)),"contest_type":\#(link("contest-type", id))"#
    case "egg-group": return #""pokemon_species":\#(allSpecies { $0.eggs.contains(id) })"#
    case "encounter-condition":
      let values = links("encounter-condition-value", id == 1 ? 1...2 : 3...5)
      return #""values":\#(values)"#
    case "encounter-condition-value": return #""condition":\#(link("encounter-condition", id < 3 ? 1 : 2))"#
    case "encounter-method": return #""order":\#(id)"#
    case "evolution-trigger":
      return #"""
        "pokemon_species":\#(allSpecies { evolutions(into: $0.id).contains { $0.trigger == name.name } })
        """#
    case "generation":
      let versionGroups = groups.filter { $0.generation == id }.map(\.id)
      return #"""
        "abilities":[],"main_region":\#(link("region", id < 9 ? id : 10)),"moves":\#(allMoves { $0.generation == id }),\#
        "pokemon_species":\#(allSpecies { $0.generation == id }),\#
        "types":\#(links("type", ids("type").filter { Self.generation(ofType: $0) == id })),\#
        "version_groups":\#(links("version-group", versionGroups))
        """#
    case "item-attribute":
      return #"\#(descriptions),"items":\#(links("item", ids("item").filter { $0 % 8 + 1 == id }))"#
    case "item-category":
      let items = ids("item").filter { categories[$0] == id }
      return #""items":\#(links("item", items)),"pocket":\#(link("item-pocket", Self.pocket(ofCategory: id)))"#
    case "item-pocket":
      let own = ids("item-category").filter { Self.pocket(ofCategory: $0) == id }
      return #""categories":\#(links("item-category", own))"#
    case "language":
      let code = [4: "zh", 9: "en"][id] ?? "ja"
      let country = [4: "tw", 9: "us"][id] ?? "jp"
      return #""iso3166":\#(country),"iso639":\#(code),"official":true"#
    case "location":
      let own = areas.filter { $0.location == id }.map(\.id)
      return #"""
        "areas":\#(links("location-area", own)),\#
        "game_indices":[{"game_index":\#(id),"generation":\#(link("generation", 4))}],\#
        "region":\#(link("region", id < 50 ? 4 : id > 300 ? 5 : 1))
        """#
    case "move-ailment": return #""moves":\#(allMoves { $0.ailment == id })"#
    case "move-damage-class": return #"\#(descriptions),"moves":\#(allMoves { $0.damageClass == name.name })"#
    case "move-target": return #"\#(descriptions),"moves":\#(allMoves { $0.target == id })"#
    case "move-learn-method":
      return #"\#(descriptions),"version_groups":\#(links("version-group", groups.map(\.id)))"#
    case "pal-park-area":
      let rows = species.filter { $0.id <= 493 && $0.id % 5 + 1 == id }.map { species -> SimulatedJSON in
        let rate = 10 + species.id % 4 * 10
        return #"{"base_score":50,"pokemon_species":\#(link("pokemon-species", species.id)),"rate":\#(rate)}"#
      }
      return #""pokemon_encounters":\#(.array(rows))"#
    case "pokeathlon-stat":
      func natures(_ shift: Int, _ change: Int) -> SimulatedJSON {
        .array(
          ids("nature").filter { ($0 + shift) % 5 + 1 == id }.map {
            #"{"max_change":\#(change),"nature":\#(link("nature", $0))}"#
          })
      }
      return #""affecting_natures":{"decrease":\#(natures(2, -1)),"increase":\#(natures(0, 2))}"#
    case "pokedex":
      let entries = species.filter { pokedexes(of: $0).contains(id) }.map { species -> SimulatedJSON in
        #"{"entry_number":\#(species.id),"pokemon_species":\#(link("pokemon-species", species.id))}"#
      }
      let own = groups.filter { $0.pokedexes.contains(id) }
      return #"""
        \#(descriptions),"is_main_series":true,"pokemon_entries":\#(.array(entries)),\#
        "region":\#(link("region", own.first?.regions.last)),"version_groups":\#(links("version-group", own.map(\.id)))
        """#
    case "pokemon-color": return #""pokemon_species":\#(allSpecies { $0.color == id })"#
    case "pokemon-habitat": return #""pokemon_species":\#(allSpecies { $0.habitat == id })"#
    case "pokemon-shape":
      let awesome = texts("awesome_name", [(9, name.english)])
      return #""awesome_names":\#(awesome),"pokemon_species":\#(allSpecies { $0.shape == id })"#
    case "region":
      let own = groups.filter { $0.regions.contains(id) }
      let locations = ids("location").filter { ($0 < 50 ? 4 : $0 > 300 ? 5 : 1) == id }
      return #"""
        "locations":\#(links("location", locations)),"main_generation":\#(link("generation", id < 9 ? id : id - 1)),\#
        "pokedexes":\#(links("pokedex", Set(own.flatMap(\.pokedexes)).sorted())),\#
        "version_groups":\#(links("version-group", own.map(\.id)))
        """#
    case "version":
      return #""version_group":\#(link("version-group", groups.first { $0.versions[id] != nil }?.id))"#
    default: return nil
    }
  }

  /// The national Pokédex and the regional one of the species' generation.
  func pokedexes(of species: PokeSpecies) -> [Int] {
    [1] + (groups.first { $0.generation == species.generation }?.pokedexes ?? [])
  }

  private func potency(_ berry: Int, _ flavor: Int) -> Int { berry % 5 + 1 == flavor ? 10 : 0 }

  private static func pocket(ofCategory category: Int) -> Int { [34: 3, 37: 4, 3: 5, 26: 2, 27: 2][category] ?? 1 }

  private func itemDocument(_ id: Int, _ name: Name) -> SimulatedJSON {
    let category = categories[id] ?? 0
    let price = [2: 800, 3: 600, 4: 200, 17: 200][id]
    let prices = price.map { price -> SimulatedJSON in
      #"""
      {"currency":\#(link("currency", 1)),"purchase_price":\#(price),"sell_price":\#(price / 2),\#
      "version_group":\#(link("version-group", 20))}
      """#
    }
    let holders = pokemon.filter { Self.heldItem(of: $0) == id }.map { pokemon -> SimulatedJSON in
      #"{"pokemon":\#(link("pokemon", pokemon.id)),"version_details":\#(heldDetails)}"#
    }
    let machine: SimulatedJSON = #"[{"machine":\#(link("machine", 24)),"version_group":\#(link("version-group", 1))}]"#
    let picture = "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/items/\(name.name).png"
    return #"""
      {"attributes":\#(links("item-attribute", [id % 8 + 1])),"baby_trigger_for":null,\#
      "category":\#(link("item-category", category)),"effect_entries":\#(effects("What one has \(name.english) for.")),\#
      "flavor_text_entries":\#(sentences("text", name, since: 3)),\#
      "fling_effect":\#(id == 213 ? link("item-fling-effect", 5) : .null),"fling_power":\#(category == 10 ? 30 : nil),\#
      "game_indices":[{"game_index":\#(id),"generation":\#(link("generation", 4))}],\#
      "held_by_pokemon":\#(.array(holders)),"id":\#(id),"machines":\#(id == 328 ? machine : "[]"),\#
      "name":\#(name.name),"names":\#(names(name)),"prices":\#(.array(prices.map { [$0] } ?? [])),\#
      "sprites":{"default":\#(picture)}}
      """#
  }

  static func heldItem(of pokemon: PokePokemon) -> Int? { [25: 213, 26: 213, 349: 580][pokemon.id] }

  var heldDetails: SimulatedJSON { #"[{"rarity":5,"version":\#(link("version", 3))}]"# }

  private func typeDocument(_ id: Int, _ name: Name) -> SimulatedJSON {
    func relations(_ generation: Int) -> SimulatedJSON {
      .object(
        PokeTypeChart.relations(of: name.name, generation).map { member, types -> (String, SimulatedJSON?) in
          (member, links("type", types.compactMap { number("type", $0) }))
        })
    }
    let past = PokeTypeChart.changes(of: name.name).map { generation -> SimulatedJSON in
      #"{"damage_relations":\#(relations(generation)),"generation":\#(link("generation", generation))}"#
    }
    let owners = pokemon.flatMap { pokemon in
      pokemon.types.enumerated().filter { $0.element == name.name }.map { place, _ -> SimulatedJSON in
        #"{"pokemon":\#(link("pokemon", pokemon.id)),"slot":\#(place + 1)}"#
      }
    }
    let generation = Self.generation(ofType: id)
    return #"""
      {"damage_relations":\#(relations(9)),\#
      "game_indices":[{"game_index":\#(id - 1),"generation":\#(link("generation", generation))}],\#
      "generation":\#(link("generation", generation)),"id":\#(id),\#
      "move_damage_class":\#(id < 18 ? link("move-damage-class", id < 10 ? 2 : 3) : .null),\#
      "moves":\#(allMoves { $0.type == name.name }),"name":\#(name.name),"names":\#(names(name)),\#
      "past_damage_relations":\#(.array(past)),"pokemon":\#(.array(owners)),"sprites":\#(PokeSprites.type(id))}
      """#
  }

  static func generation(ofType type: Int) -> Int { [9: 2, 17: 2, 18: 6, 19: 9, 10_001: 2, 10_002: 3][type] ?? 1 }

  private static let natures: [(raised: Int, lowered: Int)?] = [
    nil, (3, 2), (4, 2), (5, 2), (6, 2), (2, 3), nil, (4, 3), (5, 3), (6, 3), (2, 4), (3, 4), nil, (5, 4), (4, 5),
    (6, 4), (2, 5), (3, 5), nil, (6, 5), (2, 6), (3, 6), (4, 6), (5, 6), nil,
  ]

  private func statDocument(_ id: Int, _ name: Name) -> SimulatedJSON {
    func natures(_ holds: ((raised: Int, lowered: Int)) -> Bool) -> SimulatedJSON {
      links("nature", zip(1..., Self.natures).filter { $1.map(holds) ?? false }.map(\.0))
    }
    let vitamin = [1: 45, 2: 46, 3: 47, 4: 49, 5: 52, 6: 48][id]
    let growl: SimulatedJSON = id == 2 ? #"{"change":-1,"move":\#(link("move", 45))}"# : ""
    return #"""
      {"affecting_items":\#(links("item", vitamin.map { [$0] } ?? [])),\#
      "affecting_moves":{"decrease":[\#(growl)],"increase":[]},\#
      "affecting_natures":{"decrease":\#(natures { $0.lowered == id }),"increase":\#(natures { $0.raised == id })},\#
      "characteristics":\#(links("characteristic", ids("characteristic").filter { ($0 - 1) % 6 + 1 == id })),\#
      "game_index":\#([1, 2, 3, 5, 6, 4, 7, 8, 0][id - 1]),"id":\#(id),"is_battle_only":\#(id == 7 || id == 8),\#
      "move_damage_class":\#(link("move-damage-class", [2: 2, 3: 2, 4: 3, 5: 3][id])),\#
      "name":\#(name.name),"names":\#(names(name))}
      """#
  }

  private func natureDocument(_ id: Int, _ name: Name) -> SimulatedJSON {
    let effect = Self.natures[id - 1]
    let flavors = [2: 1, 4: 2, 6: 3, 5: 4, 3: 5]
    let styles = (1...3).map { style -> SimulatedJSON in
      #"""
      {"high_hp_preference":\#(10 * style),"low_hp_preference":\#(70 - 10 * style),\#
      "move_battle_style":\#(link("move-battle-style", style))}
      """#
    }
    let changes = [(2, id % 5 + 1), (-1, (id + 2) % 5 + 1)].map { change, stat -> SimulatedJSON in
      #"{"max_change":\#(change),"pokeathlon_stat":\#(link("pokeathlon-stat", stat))}"#
    }
    return #"""
      {"decreased_stat":\#(link("stat", effect?.lowered)),\#
      "hates_flavor":\#(link("berry-flavor", effect.flatMap { flavors[$0.lowered] })),"id":\#(id),\#
      "increased_stat":\#(link("stat", effect?.raised)),\#
      "likes_flavor":\#(link("berry-flavor", effect.flatMap { flavors[$0.raised] })),\#
      "move_battle_style_preferences":\#(.array(styles)),"name":\#(name.name),"names":\#(names(name)),\#
      "pokeathlon_stat_changes":\#(.array(changes))}
      """#
  }

  private func areaDocument(_ id: Int, _ name: Name) -> SimulatedJSON? {
    guard let area = areas.first(where: { $0.id == id }) else { return nil }
    let met = area.pokemon.map { pokemon -> SimulatedJSON in
      #"{"pokemon":\#(link("pokemon", pokemon)),"version_details":\#(versionDetails(area: id, pokemon))}"#
    }
    let rate: SimulatedJSON = #"[{"rate":25,"version":\#(link("version", 1))}]"#
    return #"""
      {"encounter_method_rates":[{"encounter_method":\#(link("encounter-method", 1)),"version_details":\#(rate)}],\#
      "game_index":\#(id),"id":\#(id),"location":\#(link("location", area.location)),"name":\#(name.name),\#
      "names":\#(names(name)),"pokemon_encounters":\#(.array(met))}
      """#
  }

  func encounters(_ id: Int) -> SimulatedJSON {
    .array(
      areas.filter { $0.pokemon.contains(id) }.map { area in
        #"""
        {"location_area":\#(link("location-area", area.id)),\#
        "version_details":\#(versionDetails(area: area.id, id))}
        """#
      })
  }

  /// The same in the documents of Pokémon and of areas.
  private func versionDetails(area: Int, _ pokemon: Int) -> SimulatedJSON {
    let level = (area + pokemon) % 40 + 3
    let values = links("encounter-condition-value", pokemon % 2 == 0 ? [4] : [])
    return #"""
      [{"encounter_details":[{"chance":10,"condition_values":\#(values),"max_level":\#(level + 2),\#
      "method":\#(link("encounter-method", 1)),"min_level":\#(level),"pokemon_details":null}],"max_chance":10,\#
      "version":\#(link("version", 3))}]
      """#
  }

  private static func experience(_ growth: Int, level: Int) -> Int {
    guard level > 1 else { return 0 }
    let cube = level * level * level
    switch growth {
    case 1: return 5 * cube / 4
    case 2: return cube
    case 3: return 4 * cube / 5
    case 4: return 6 * cube / 5 - 15 * level * level + 100 * level - 140
    case 5: return cube * (level <= 50 ? 100 - level : 150 - level) / (level <= 50 ? 50 : 100)
    default: return cube * (level / 2 + 24) / 50
    }
  }

  private static let formulas = [
    #"\frac{5x^3}{4}"#, "x^3", #"\frac{4x^3}{5}"#, #"\frac{6x^3}{5} - 15x^2 + 100x - 140"#,
    #"\frac{x^3(100 - x)}{50}"#, #"\frac{x^3(\lfloor x / 2 \rfloor + 24)}{50}"#,
  ]
}
