enum PokeSamples {
  static let all: [(endpoint: String, documents: [PokeDocument])] = [
    ("ability", [ability]), ("egg-group", [eggGroup]), ("evolution-chain", [chain]), ("item", [item]),
    ("language", [language]), ("move", [move]), ("nature", [nature]), ("pokemon", [pikachu, rockStar]),
    ("pokemon-encounters", [encounters]), ("pokemon-form", [form]), ("pokemon-species", [species]), ("type", [ghost]),
    ("version", [version]), ("version-group", [versionGroup]),
  ]

  static func link(_ endpoint: String, _ id: Int, _ name: String) -> String {
    #"{"name": "\#(name)", "url": "https://api.example/api/v2/\#(endpoint)/\#(id)/"}"#
  }

  /// Returns a link with a relative address, as in PokeAPI's data archive.
  static func relative(_ endpoint: String, _ id: Int, _ name: String) -> String {
    #"{"name": "\#(name)", "url": "/api/v2/\#(endpoint)/\#(id)/"}"#
  }

  private static let en = link("language", 9, "en")
  private static let zhHant = relative("language", 4, "zh-hant")
  private static let electric = link("type", 13, "electric")

  private static func pokemon(_ id: Int64, _ name: String, isDefault: Bool) -> PokeDocument {
    PokeDocument(
      id,
      """
      {"id": \(id), "name": "\(name)", "height": 4, "weight": 60, "base_experience": 112, "order": 35,
       "is_default": \(isDefault), "species": \(link("pokemon-species", 25, "pikachu")),
       "types": [{"slot": 1, "type": \(electric)}],
       "past_types": [{"generation": \(link("generation", 5, "generation-v")), "types": [
         {"slot": 1, "type": \(link("type", 1, "normal"))}, {"slot": 2, "type": \(electric)}]}],
       "stats": [
         {"base_stat": 35, "effort": 0, "stat": \(link("stat", 1, "hp"))},
         {"base_stat": 55, "effort": 0, "stat": \(link("stat", 2, "attack"))},
         {"base_stat": 40, "effort": 0, "stat": \(link("stat", 3, "defense"))},
         {"base_stat": 50, "effort": 0, "stat": \(link("stat", 4, "special-attack"))},
         {"base_stat": 50, "effort": 0, "stat": \(link("stat", 5, "special-defense"))},
         {"base_stat": 90, "effort": 2, "stat": \(link("stat", 6, "speed"))}],
       "past_stats": [{"generation": \(link("generation", 1, "generation-i")), "stats": [
         {"base_stat": 50, "effort": 0, "stat": \(link("stat", 9, "special"))}]}],
       "abilities": [
         {"ability": \(link("ability", 9, "static")), "is_hidden": false, "slot": 1},
         {"ability": \(link("ability", 31, "lightning-rod")), "is_hidden": true, "slot": 3}],
       "past_abilities": [{"abilities": [{"ability": null, "is_hidden": true, "slot": 3}],
         "generation": \(link("generation", 4, "generation-iv"))}],
       "moves": [{"move": \(link("move", 84, "thunder-shock")), "version_group_details": []}],
       "game_indices": [], "held_items": [], "forms": [\(link("pokemon-form", 25, "pikachu"))],
       "cries": {"latest": "https://raw.example/cries/\(id).ogg", "legacy": null},
       "sprites": {"front_default": "https://raw.example/\(id).png", "front_female": "https://raw.example/f/\(id).png",
         "other": {"official-artwork": {"front_default": "https://raw.example/art/\(id).png"},
                   "home": {"front_female": "https://raw.example/home/f/\(id).png"}}}}
      """)
  }

  static let pikachu = pokemon(25, "pikachu", isDefault: true)
  static let rockStar = pokemon(10_080, "pikachu-rock-star", isDefault: false)

  static let species = PokeDocument(
    25,
    """
    {"id": 25, "name": "pikachu", "order": 26, "gender_rate": 4, "capture_rate": 190, "base_happiness": 70,
     "hatch_counter": 10, "is_baby": false, "is_legendary": false, "is_mythical": false,
     "has_gender_differences": true, "forms_switchable": false, "growth_rate": \(link("growth-rate", 2, "medium")),
     "color": \(link("pokemon-color", 10, "yellow")), "shape": \(link("pokemon-shape", 8, "quadruped")),
     "habitat": null, "generation": \(link("generation", 1, "generation-i")),
     "evolves_from_species": \(link("pokemon-species", 172, "pichu")),
     "evolution_chain": {"url": "/api/v2/evolution-chain/10/"},
     "egg_groups": [\(link("egg-group", 5, "ground")), \(link("egg-group", 6, "fairy"))],
     "pokedex_numbers": [{"entry_number": 25, "pokedex": \(link("pokedex", 1, "national"))},
       {"entry_number": 22, "pokedex": \(link("pokedex", 3, "original-johto"))}],
     "names": [{"language": \(en), "name": "Pikachu"}, {"language": \(zhHant), "name": "皮卡丘"}],
     "genera": [{"genus": "Mouse Pokémon", "language": \(en)}],
     "flavor_text_entries": [
       {"flavor_text": "It raises its\\ntail to watch\\fits surround\\u00ad\\nings.", "language": \(en),
        "version": \(link("version", 1, "red"))},
       {"flavor_text": "The same game\\nagain.", "language": \(en), "version": \(link("version", 1, "red"))},
       {"flavor_text": "會立起尾巴\\n觀察四周。", "language": \(zhHant), "version": \(link("version", 33, "sword"))}]}
    """)

  static let chain = PokeDocument(
    10,
    """
    {"id": 10, "baby_trigger_item": \(link("item", 213, "light-ball")), "chain": {
      "is_baby": true, "species": \(link("pokemon-species", 172, "pichu")), "evolution_details": [], "evolves_to": [{
        "is_baby": false, "species": \(relative("pokemon-species", 25, "pikachu")), "evolution_details": [
          {"trigger": \(link("evolution-trigger", 1, "level-up")), "min_happiness": 220, "time_of_day": "",
           "is_default": true, "near_special_rock": false, "version_group": \(link("version-group", 3, "gold-silver"))}],
        "evolves_to": [{
          "is_baby": false, "species": \(link("pokemon-species", 26, "raichu")), "evolves_to": [],
          "evolution_details": [
            {"trigger": \(link("evolution-trigger", 3, "use-item")), "item": \(link("item", 83, "thunder-stone")),
             "evolved_form": \(link("pokemon", 10_100, "raichu-alola")), "region": \(link("region", 7, "alola")),
             "base_form": \(link("pokemon", 25, "pikachu")), "version_group": \(link("version-group", 17, "sun-moon"))},
            {"trigger": \(link("evolution-trigger", 3, "use-item")), "item": \(link("item", 83, "thunder-stone")),
             "base_form": \(link("pokemon", 25, "pikachu")), "version_group": \(link("version-group", 1, "red-blue"))}
          ]}]}]}}
    """)

  static let ghost = PokeDocument(
    8,
    """
    {"id": 8, "name": "ghost", "generation": \(link("generation", 1, "generation-i")),
     "move_damage_class": \(link("move-damage-class", 2, "physical")),
     "damage_relations": {
       "double_damage_to": [\(link("type", 8, "ghost")), \(link("type", 14, "psychic"))],
       "half_damage_to": [\(link("type", 17, "dark"))], "no_damage_to": [\(link("type", 1, "normal"))],
       "double_damage_from": [], "half_damage_from": [], "no_damage_from": []},
     "past_damage_relations": [{"generation": \(link("generation", 1, "generation-i")), "damage_relations": {
       "double_damage_to": [\(link("type", 8, "ghost"))], "half_damage_to": [],
       "no_damage_to": [\(link("type", 1, "normal")), \(link("type", 14, "psychic"))]}}],
     "names": [{"language": \(en), "name": "Ghost"}], "pokemon": [], "moves": [], "sprites": {}}
    """)

  static let move = PokeDocument(
    84,
    """
    {"id": 84, "name": "thunder-shock", "generation": \(link("generation", 1, "generation-i")), "type": \(electric),
     "damage_class": \(link("move-damage-class", 3, "special")), "power": 40, "accuracy": 100, "pp": 30, "priority": 0,
     "effect_chance": 10, "target": \(link("move-target", 10, "selected-pokemon")),
     "meta": {"ailment": \(link("move-ailment", -1, "unknown")), "category": \(link("move-category", 0, "damage")),
       "ailment_chance": 10, "crit_rate": 0, "drain": 0, "flinch_chance": 0, "healing": 0, "max_hits": null,
       "min_hits": null, "max_turns": null, "min_turns": null, "stat_chance": 0},
     "stat_changes": [{"change": -1, "stat": \(link("stat", 6, "speed"))}],
     "past_values": [{"accuracy": null, "effect_chance": null, "power": 45, "pp": null, "type": null,
       "version_group": \(link("version-group", 3, "gold-silver"))}],
     "effect_entries": [{"effect": "Inflicts damage.\\n\\nMay paralyze.", "short_effect": "May\\nparalyze.",
       "language": \(en)}],
     "names": [{"language": \(en), "name": "Thunder Shock"}]}
    """)

  static let ability = PokeDocument(
    9,
    """
    {"id": 9, "name": "static", "is_main_series": true, "generation": \(link("generation", 3, "generation-iii")),
     "effect_entries": [{"effect": "Paralyzes.", "short_effect": "Paralyzes.", "language": \(en)}],
     "names": [{"language": \(en), "name": "Static"}]}
    """)

  static let item = PokeDocument(
    4,
    """
    {"id": 4, "name": "poke-ball", "category": \(link("item-category", 34, "standard-balls")), "fling_power": 30,
     "fling_effect": \(link("item-fling-effect", 2, "burn")), "baby_trigger_for": {"url": "/api/v2/evolution-chain/10/"},
     "effect_entries": [{"effect": "Catches.", "short_effect": "Catches.", "language": \(en)}],
     "prices": [
       {"currency": \(link("currency", 1, "poke-dollar")), "purchase_price": 200, "sell_price": 100,
        "version_group": \(link("version-group", 1, "red-blue"))},
       {"currency": \(link("currency", 2, "league-points")), "purchase_price": 5, "sell_price": null,
        "version_group": \(link("version-group", 25, "scarlet-violet"))}],
     "names": [{"language": \(en), "name": "Poké Ball"}], "sprites": {"default": "https://raw.example/poke-ball.png"}}
    """)

  static let nature = PokeDocument(
    2,
    """
    {"id": 2, "name": "bold", "increased_stat": \(link("stat", 3, "defense")),
     "decreased_stat": \(link("stat", 2, "attack")), "likes_flavor": \(link("berry-flavor", 5, "sour")),
     "hates_flavor": null, "names": [{"language": \(en), "name": "Bold"}]}
    """)

  static let form = PokeDocument(
    25,
    """
    {"id": 25, "name": "pikachu", "form_name": "", "order": 36, "form_order": 1, "is_default": true,
     "is_battle_only": false, "is_mega": false, "pokemon": \(link("pokemon", 25, "pikachu")),
     "version_group": \(link("version-group", 28, "red-green-japan")), "types": [{"slot": 1, "type": \(electric)}],
     "names": [], "sprites": {"front_default": "https://raw.example/25.png"}}
    """)

  static let encounters = PokeDocument(
    25,
    """
    [{"location_area": \(relative("location-area", 118, "trophy-garden-area")), "version_details": [
       {"max_chance": 10, "version": \(link("version", 12, "diamond")), "encounter_details": [
         {"chance": 5, "condition_values": [\(link("encounter-condition-value", 4, "time-night")),
            \(link("encounter-condition-value", 3, "radar-on"))], "max_level": 18, "min_level": 16,
          "method": \(link("encounter-method", 1, "walk")), "pokemon_details": null},
         {"chance": 5, "condition_values": [], "max_level": 18, "min_level": 18,
          "method": \(link("encounter-method", 1, "walk")),
          "pokemon_details": {"always_shiny": false, "is_alpha": true, "never_shiny": true, "min_perfect_ivs": 3}}]}]}]
    """)

  static let eggGroup = PokeDocument(
    5, #"{"id": 5, "name": "ground", "names": [{"language": \#(en), "name": "Field"}], "pokemon_species": []}"#)
  static let language = PokeDocument(
    4,
    #"{"id": 4, "name": "zh-hant", "iso639": "zh", "iso3166": "tw", "official": true, "names": [{"language": \#(en), "#
      + #""name": "Traditional Chinese"}]}"#)
  static let version = PokeDocument(
    1, #"{"id": 1, "name": "red", "names": [], "version_group": \#(link("version-group", 1, "red-blue"))}"#)
  static let versionGroup = PokeDocument(
    1, #"{"id": 1, "name": "red-blue", "order": 1, "generation": \#(link("generation", 1, "generation-i"))}"#)
}
