/// How those Pokémon evolve that a person would look up.
enum PokeEvolutionFacts {
  /// Number of the evolved species, trigger, version group, and further conditions; `default` for the newest games.
  static let details = """
    2 level-up red-blue default min_level=16
    3 level-up red-blue default min_level=32
    5 level-up red-blue default min_level=16
    6 level-up red-blue default min_level=36
    8 level-up red-blue default min_level=16
    9 level-up red-blue default min_level=36
    25 level-up red-blue default min_happiness=220
    26 use-item red-blue default base_form=25 item=83
    26 use-item sun-moon default base_form=25 evolved_form=10100 item=83 region=7
    64 level-up red-blue default min_level=16
    65 trade red-blue default
    93 level-up red-blue default min_level=25
    94 trade red-blue default
    106 level-up red-blue default min_level=20 relative_physical_stats=1
    107 level-up red-blue default min_level=20 relative_physical_stats=-1
    237 level-up gold-silver default min_level=20 relative_physical_stats=0
    130 level-up red-blue default min_level=20
    134 use-item red-blue default base_form=133 item=84
    135 use-item red-blue default base_form=133 item=83
    136 use-item red-blue default base_form=133 item=82
    196 level-up gold-silver default base_form=133 min_happiness=160 time_of_day=day
    197 level-up gold-silver default base_form=133 min_happiness=160 time_of_day=night
    470 level-up diamond-pearl base_form=133 location=8 near_special_rock
    470 level-up black-white base_form=133 location=375 near_special_rock
    470 use-item sword-shield default base_form=133 item=85
    471 level-up diamond-pearl base_form=133 location=48 near_special_rock
    471 level-up black-white base_form=133 location=380 near_special_rock
    471 use-item sword-shield default base_form=133 item=885
    700 level-up x-y base_form=133 known_move_type=18 min_affection=2
    700 level-up sword-shield default base_form=133 known_move_type=18 min_happiness=160
    176 level-up gold-silver default min_happiness=160
    468 use-item diamond-pearl default item=107
    247 level-up gold-silver default min_level=30
    248 level-up gold-silver default min_level=55
    253 level-up ruby-sapphire default min_level=16
    254 level-up ruby-sapphire default min_level=36
    281 level-up ruby-sapphire default min_level=20
    282 level-up ruby-sapphire default min_level=30
    475 use-item diamond-pearl default gender=2 item=109
    291 level-up ruby-sapphire default min_level=20
    292 shed ruby-sapphire default
    350 level-up ruby-sapphire min_beauty=170
    350 trade black-white default held_item=580
    388 level-up diamond-pearl default min_level=18
    389 level-up diamond-pearl default min_level=32
    448 level-up diamond-pearl default min_happiness=160 time_of_day=day
    496 level-up black-white default min_level=17
    497 level-up black-white default min_level=36
    657 level-up x-y default min_level=16
    658 level-up x-y default min_level=36
    687 level-up x-y default min_level=30 turn_upside_down
    705 level-up x-y default min_level=40
    706 level-up x-y default min_level=50 needs_overworld_rain
    723 level-up sun-moon default min_level=17
    724 level-up sun-moon default min_level=34
    811 level-up sword-shield default min_level=16
    812 level-up sword-shield default min_level=35
    907 level-up scarlet-violet default min_level=16
    908 level-up scarlet-violet default min_level=36
    922 level-up scarlet-violet default min_level=18
    923 level-up scarlet-violet default min_steps=1000
    1000 gimmighoul-coins scarlet-violet default
    """

  /// The chains of the service, by the species at their beginning.
  static let chains: [Int: Int] = [
    1: 1, 4: 2, 7: 3, 172: 10, 63: 27, 92: 40, 236: 47, 129: 64, 133: 67, 150: 77, 151: 78, 175: 87, 246: 126,
    252: 130, 280: 140, 290: 144, 349: 178, 387: 203, 447: 232, 495: 249, 656: 331, 686: 347, 704: 356, 722: 368,
    810: 430, 906: 475, 921: 482, 999: 528, 1025: 549,
  ]

  /// Items by number: those that evolve, and some that everybody knows.
  static let items: [Int: String] = [
    1: "master-ball", 2: "ultra-ball", 3: "great-ball", 4: "poke-ball", 17: "potion", 45: "hp-up",
    46: "protein", 47: "iron", 48: "carbos", 49: "calcium", 52: "zinc", 80: "sun-stone",
    81: "moon-stone", 82: "fire-stone", 83: "thunder-stone", 84: "water-stone", 85: "leaf-stone", 107: "shiny-stone",
    108: "dusk-stone", 109: "dawn-stone", 210: "metal-coat", 213: "light-ball", 580: "prism-scale", 885: "ice-stone",
    // One name, and two documents.
    723: "roseli-berry", 2279: "roseli-berry",
  ]

  /// Places where something evolves.
  static let locations: [Int: String] = [
    8: "eterna-forest", 48: "sinnoh-route-217", 375: "pinwheel-forest", 380: "twist-mountain",
  ]

  /// Moves that everybody knows.
  static let moves: [Int: String] = [
    1: "pound", 22: "vine-whip", 33: "tackle", 44: "bite", 45: "growl", 52: "ember", 53: "flamethrower",
    55: "water-gun", 57: "surf", 75: "razor-leaf", 82: "dragon-rage", 84: "thunder-shock", 85: "thunderbolt",
    86: "thunder-wave", 93: "confusion", 94: "psychic", 98: "quick-attack", 129: "swift", 150: "splash",
  ]
}
