/// Pokémon, their forms, species and chains, and moves.
extension PokeWorld {
  func pokemonDocument(_ id: Int) -> SimulatedJSON? {
    guard let pokemon = pokemon.first(where: { $0.id == id }) else { return nil }
    return pokemonDocument(pokemon, as: id, pokemon.name)
  }

  /// A Pokémon's document under its own id and name, or those of a copy.
  func pokemonDocument(_ pokemon: PokePokemon, as id: Int, _ name: String) -> SimulatedJSON? {
    guard let species = species.first(where: { $0.id == pokemon.species }) else { return nil }
    let cries = "https://raw.githubusercontent.com/PokeAPI/cries/main/cries/pokemon"
    let isDefault = pokemon.id < 10_000
    let games = groups.filter { $0.generation >= species.generation && $0.generation <= 5 }.flatMap {
      $0.versions.keys.sorted()
    }
    let indices = games.map { version -> SimulatedJSON in
      #"{"game_index":\#(species.id),"version":\#(link("version", version))}"#
    }
    let held = Self.heldItem(of: pokemon).map { item -> SimulatedJSON in
      #"{"item":\#(link("item", item)),"version_details":\#(heldDetails)}"#
    }
    let abilities = pokemon.abilities.map { ability -> SimulatedJSON in
      #"{"ability":\#(link("ability", ability.id)),"is_hidden":\#(ability.slot == 3),"slot":\#(ability.slot)}"#
    }
    let highest = pokemon.stats.max()
    let stats = pokemon.stats.enumerated().map { place, value -> SimulatedJSON in
      #"{"base_stat":\#(value),"effort":\#(value == highest ? 2 : 0),"stat":\#(link("stat", place + 1))}"#
    }
    // In the first generation, special attack and defense were one stat.
    let special: SimulatedJSON = #"""
      [{"generation":\#(link("generation", 1)),"stats":[{"base_stat":\#(pokemon.stats[3]),"effort":0,\#
      "stat":\#(link("stat", 9))}]}]
      """#
    // Before fairy existed, it was normal as a first type and missing as a second one.
    let types: [String] = pokemon.types.first == "fairy" ? ["normal"] + pokemon.types.dropFirst() : pokemon.types
    let past: SimulatedJSON = #"""
      [{"generation":\#(link("generation", 5)),"types":\#(self.types(types.filter { $0 != "fairy" }))}]
      """#
    let hadOthers = pokemon.types.contains("fairy") && pokemon.id <= 649
    return #"""
      {"abilities":\#(.array(abilities)),"base_experience":\#(pokemon.experience),\#
      "cries":{"latest":"\#(text: cries)/latest/\#(pokemon.id).ogg",\#
      "legacy":\#(pokemon.id < 650 ? "\(cries)/legacy/\(pokemon.id).ogg" : nil as String?)},\#
      "forms":\#(links("pokemon-form", [pokemon.form])),"game_indices":\#(.array(indices)),"height":\#(pokemon.height),\#
      "held_items":\#(.array(held.map { [$0] } ?? [])),"id":\#(id),"is_default":\#(isDefault),\#
      "location_area_encounters":"\#(text: PokeAPIFrontEnd.path)/pokemon/\#(id)/encounters",\#
      "moves":\#(learned(by: pokemon, since: species.generation)),"name":\#(name),"order":\#(isDefault ? id : -1),\#
      "past_abilities":[],"past_stats":\#(pokemon.id <= 151 ? special : "[]"),"past_types":\#(hadOthers ? past : "[]"),\#
      "species":\#(link("pokemon-species", pokemon.species)),\#
      "sprites":\#(PokeSprites.pokemon(pokemon.id, hasFemale: isDefault && species.flags.contains("f"))),\#
      "stats":\#(.array(stats)),"types":\#(self.types(pokemon.types)),"weight":\#(pokemon.weight)}
      """#
  }

  func types(_ types: [String]) -> SimulatedJSON {
    .array(zip(1..., types).map { slot, type in #"{"slot":\#(slot),"type":\#(link("type", named: type))}"# })
  }

  private func learned(by pokemon: PokePokemon, since generation: Int) -> SimulatedJSON {
    .array(
      moves.filter { $0.isLearned(by: pokemon) }.map { move in
        let level = move.id.isMultiple(of: 2) ? (move.id * 7 + pokemon.species) % 50 + 1 : 0
        let details = groups(since: max(generation, move.generation)).map { group -> SimulatedJSON in
          #"""
          {"level_learned_at":\#(level),"move_learn_method":\#(link("move-learn-method", level > 0 ? 1 : 4)),\#
          "order":null,"version_group":\#(link("version-group", group))}
          """#
        }
        return #"{"move":\#(link("move", move.id)),"version_group_details":\#(.array(details))}"#
      })
  }

  func formDocument(_ id: Int) -> SimulatedJSON? {
    guard let pokemon = pokemon.first(where: { $0.form == id }) else { return nil }
    let species = name("pokemon-species", pokemon.species)
    let look = String(pokemon.name.dropFirst(species.name.count + 1))
    let isMega = look.hasPrefix("mega")
    let looks = ["alola": "阿羅拉的樣子", "starter": "搭檔", "gmax": "超極巨化", "attack": "攻擊形態", "defense": "防禦形態"]
    let form = Name(look, looks[look] ?? (isMega ? "超級進化" : ""))
    let names = Name(pokemon.name, form.chinese.isEmpty ? "" : "\(species.chinese)（\(form.chinese)）")
    return #"""
      {"form_name":\#(look),"form_names":\#(look.isEmpty ? "[]" : self.names(form)),\#
      "form_order":\#(look.isEmpty ? 1 : 2),"id":\#(id),"is_battle_only":\#(isMega),"is_default":true,"is_mega":\#(isMega),"name":\#(pokemon.name),\#
      "names":\#(look.isEmpty ? "[]" : self.names(names)),"order":\#(id),"pokemon":\#(link("pokemon", pokemon.id)),\#
      "sprites":\#(PokeSprites.form(id)),"trigger_conditions":[],"types":\#(types(pokemon.types)),\#
      "version_group":\#(link("version-group", look.isEmpty ? 1 : 15))}
      """#
  }

  func speciesDocument(_ id: Int) -> SimulatedJSON? {
    guard let species = species.first(where: { $0.id == id }) else { return nil }
    let name = name("pokemon-species", id)
    let types =
      pokemon.first { $0.id == id }?.types.compactMap { number("type", $0) }.map { self.name("type", $0) } ?? []
    let color = self.name("pokemon-color", species.color)
    let chinese = "\(species.chinese)是\(color.chinese)的\(types.map(\.chinese).joined(separator: "、"))屬性寶可夢。"
    let english = """
      \(name.english) is a \(color.name) Pokémon\nof the \(types.map(\.english).joined(separator: " and "))\u{AD}\ntype.
      """
    let flavors = groups.filter { $0.generation >= species.generation }.flatMap { $0.versions.keys.sorted() }.map {
      texts("flavor_text", [(4, chinese), (9, english)], #","version":\#(link("version", $0))"#)
    }
    let forms = pokemon.filter { $0.species == id }
    let varieties = forms.map { form -> SimulatedJSON in
      #"{"is_default":\#(form.id == id),"pokemon":\#(link("pokemon", form.id))}"#
    }
    let entries = pokedexes(of: species).map { pokedex -> SimulatedJSON in
      #"{"entry_number":\#(id),"pokedex":\#(link("pokedex", pokedex))}"#
    }
    let park: SimulatedJSON =
      #"[{"area":\#(link("pal-park-area", id % 5 + 1)),"base_score":50,"rate":\#(10 + id % 4 * 10)}]"#
    let genera = texts("genus", [(4, "\(species.chineseGenus)寶可夢"), (9, "\(species.genus) Pokémon")])
    let names = texts("name", [(1, species.japanese), (4, species.chinese), (9, name.english), (11, species.japanese)])
    return #"""
      {"base_happiness":\#(species.flags == "-" ? 50 : 70),"capture_rate":\#(species.capture),\#
      "color":\#(link("pokemon-color", species.color)),"egg_groups":\#(links("egg-group", species.eggs)),\#
      "evolution_chain":\#(link("evolution-chain", chains[id])),\#
      "evolves_from_species":\#(link("pokemon-species", species.parent)),"flavor_text_entries":\#(.joined(flavors)),\#
      "form_descriptions":[],"forms_switchable":\#(forms.count > 1),"gender_rate":\#(species.gender),\#
      "genera":\#(genera),"generation":\#(link("generation", species.generation)),\#
      "growth_rate":\#(link("growth-rate", species.growth)),"habitat":\#(link("pokemon-habitat", species.habitat)),\#
      "has_gender_differences":\#(species.flags.contains("f")),"hatch_counter":20,"id":\#(id),\#
      "is_baby":\#(species.flags.contains("b")),"is_legendary":\#(species.flags.contains("l")),\#
      "is_mythical":\#(species.flags.contains("m")),"name":\#(name.name),"names":\#(names),"order":\#(id),\#
      "pal_park_encounters":\#(id <= 493 ? park : "[]"),"pokedex_numbers":\#(.array(entries)),\#
      "shape":\#(link("pokemon-shape", species.shape)),"varieties":\#(.array(varieties))}
      """#
  }

  /// The conditions of an evolution by member name: links as ids, flags as 1.
  struct Evolution: Sendable {
    var trigger: String
    var group: String
    var time = ""
    var conditions: [String: Int] = [:]
  }

  private static let evolutions: [Int: [Evolution]] = PokeTables.evolutions.split(separator: "\n")
    .reduce(into: [:]) { known, line in
      let words = line.split(separator: " ").map { String($0) }
      var evolution = Evolution(trigger: words[1], group: words[2])
      for word in words.dropFirst(3) {
        let parts = word.split(separator: "=").map { String($0) }
        if parts[0] == "time_of_day" { evolution.time = parts[1] }
        evolution.conditions[parts[0]] = parts.count > 1 ? Int(parts[1]) : 1
      }
      known[Int(words[0]) ?? 0, default: []].append(evolution)
    }

  func evolutions(into species: Int) -> [Evolution] { Self.evolutions[species] ?? [] }

  private static let numbers = [
    "gender", "min_affection", "min_beauty", "min_damage_taken", "min_happiness", "min_level", "min_move_count",
    "min_steps", "relative_physical_stats",
  ]
  private static let linked = [
    ("base_form", "pokemon"), ("evolved_form", "pokemon"), ("held_item", "item"), ("item", "item"),
    ("known_move", "move"), ("known_move_type", "type"), ("location", "location"), ("party_species", "pokemon-species"),
    ("party_type", "type"), ("region", "region"), ("trade_species", "pokemon-species"), ("used_move", "move"),
  ]
  private static let flags = ["near_special_rock", "needs_multiplayer", "needs_overworld_rain", "turn_upside_down"]

  private func conditions(_ evolution: Evolution) -> SimulatedJSON {
    var members: [(String, SimulatedJSON?)] = Self.linked.map { ($0, link($1, evolution.conditions[$0])) }
    members += Self.numbers.map { name -> (String, SimulatedJSON?) in (name, .int(evolution.conditions[name])) }
    members += (Self.flags + ["default"]).map { flag -> (String, SimulatedJSON?) in
      (flag == "default" ? "is_default" : flag, evolution.conditions[flag] != nil ? "true" : "false")
    }
    members += [
      ("time_of_day", .string(evolution.time)), ("trigger", link("evolution-trigger", named: evolution.trigger)),
      ("version_group", link("version-group", named: evolution.group)),
    ]
    return .object(members)
  }

  func chainDocument(_ id: Int) -> SimulatedJSON? {
    guard let root = species.first(where: { chains[$0.id] == id && $0.parent == 0 }) else { return nil }
    return #"{"baby_trigger_item":null,"chain":\#(branch(root)),"id":\#(id)}"#
  }

  private func branch(_ root: PokeSpecies) -> SimulatedJSON {
    #"""
    {"evolution_details":\#(.array(evolutions(into: root.id).map(conditions))),\#
    "evolves_to":\#(.array(species.filter { $0.parent == root.id }.map(branch))),\#
    "is_baby":\#(root.flags.contains("b")),"species":\#(link("pokemon-species", root.id))}
    """#
  }

  func moveDocument(_ id: Int) -> SimulatedJSON? {
    guard let move = moves.first(where: { $0.id == id }) else { return nil }
    let name = name("move", id)
    let learners = pokemon.filter { move.isLearned(by: $0) }.map(\.id)
    let machines: SimulatedJSON = #"[{"machine":\#(link("machine", 24)),"version_group":\#(link("version-group", 1))}]"#
    let change: SimulatedJSON = #"[{"change":-1,"stat":\#(link("stat", 2))}]"#
    let chance = move.chance > 0 ? " Has a \(move.chance)% chance of another effect." : ""
    let effect = move.power > 0 ? "Inflicts regular damage.\(chance)" : "Inflicts no regular damage."
    let some: (Int) -> Int? = { $0 > 0 ? $0 : nil }
    return #"""
      {"accuracy":\#(some(move.accuracy)),"contest_combos":null,\#
      "contest_effect":\#(link("contest-effect", id % 3 + 1)),\#
      "contest_type":\#(link("contest-type", id % 5 + 1)),\#
      "damage_class":\#(link("move-damage-class", named: move.damageClass)),"effect_chance":\#(some(move.chance)),\#
      "effect_changes":[],"effect_entries":\#(effects(effect)),\#
      "flavor_text_entries":\#(sentences("flavor_text", name, since: max(2, move.generation))),\#
      "generation":\#(link("generation", move.generation)),"id":\#(id),"learned_by_pokemon":\#(links("pokemon", learners)),\#
      "machines":\#(id == 85 ? machines : "[]"),\#
      "meta":{"ailment":\#(link("move-ailment", move.ailment)),"ailment_chance":\#(move.ailment > 0 ? move.chance : 0),\#
      "category":\#(link("move-category", move.category)),"crit_rate":0,"drain":\#(id == 202 ? 50 : 0),\#
      "flinch_chance":\#(id == 44 ? 30 : 0),"healing":0,"max_hits":null,"max_turns":null,"min_hits":null,\#
      "min_turns":null,"stat_chance":0},"name":\#(move.name),"names":\#(names(name)),"past_values":[],\#
      "power":\#(some(move.power)),"pp":\#(move.points),"priority":\#(move.priority),\#
      "stat_changes":\#(id == 45 ? change : "[]"),\#
      "super_contest_effect":\#(link("super-contest-effect", [1, 2, 4][id % 3])),\#
      "target":\#(link("move-target", move.target)),"type":\#(link("type", named: move.type))}
      """#
  }
}
