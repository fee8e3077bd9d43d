/// What things are called.
enum PokeNames {
  /// The name as part of addresses.
  ///
  /// - Parameter position: among all of the kind, for kinds whose names are listed.
  static func name(of kind: PokeKind, _ id: Int, position: Int) -> String {
    switch kind {
    case .pokemonSpecies: PokeFacts.species[id]?.name ?? invented(id)
    case .pokemon:
      id < 10_000 ? name(of: .pokemonSpecies, id, position: position) : PokeFacts.forms[id]?.name ?? "form-\(id)"
    case .ability: PokeFacts.abilities[id] ?? pair(id, qualities, gifts)
    case .move: PokeEvolutionFacts.moves[id] ?? pair(id, qualities, deeds)
    case .item: itemName(id)
    case .location: PokeEvolutionFacts.locations[id] ?? pair(id, qualities, places)
    case .locationArea: "\(pair(id / 2 + 1, qualities, places))-\(id.isMultiple(of: 2) ? "area" : "b1f-\(id)")"
    case .encounterConditionValue: "condition-\(id)"
    default: listed(kind, position)
    }
  }

  private static func listed(_ kind: PokeKind, _ position: Int) -> String {
    guard let names = PokeFacts.vocabulary[kind], names.indices.contains(position) else { return "\(kind)-\(position)" }
    return names[position]
  }

  private static func itemName(_ id: Int) -> String {
    if let name = PokeEvolutionFacts.items[id] { return name }
    if let berry = PokeFacts.berryItems.firstIndex(of: id) { return "\(listed(.berry, berry))-berry" }
    return pair(id, qualities, things)
  }

  /// Two words, different for different numbers.
  private static func pair(_ id: Int, _ first: [String], _ second: [String]) -> String {
    let turn = id / (first.count * second.count)
    // The second word advances with each round of the first, so that neighbours share none.
    let one = id % first.count
    let two = (id / first.count + id) % second.count
    return turn == 0 ? "\(first[one])-\(second[two])" : "\(first[one])-\(second[two])-\(turn + 1)"
  }

  /// An invented species.
  private static func invented(_ id: Int) -> String {
    beginnings[id % beginnings.count] + endings[(id / beginnings.count + id) % endings.count]
  }

  /// The name of a species in a language that is missing from its facts.
  static func invented(_ id: Int, of species: PokeSpecies, language: Int) -> String {
    guard species.names.isEmpty else { return title(name(of: .pokemonSpecies, id, position: 0)) }
    return invented(id, language: language)
  }

  /// The same in other scripts, by the number of the language; the English one for all others.
  private static func invented(_ id: Int, language: Int) -> String {
    let (one, two) = (id % beginnings.count, (id / beginnings.count + id) % endings.count)
    switch language {
    case 1, 11: return kana[one % kana.count] + kana[(one + two + 7) % kana.count] + "ン"
    case 3: return hangul[one % hangul.count] + hangul[(one + two + 5) % hangul.count]
    case 4, 12: return hanzi[one % hanzi.count] + hanzi[(one + two + 3) % hanzi.count] + "獸"
    default: return title(invented(id))
    }
  }

  /// `vine-whip` as `Vine Whip`.
  static func title(_ name: String) -> String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  private static let beginnings = words(
    """
    flor glim tor bru vel mar pex quil sna dro fen gru hal ix jol kra lum mox nib or pyr ruf sel tun ur vex wim yar \
    zel bom cin dap ebb fip gam hob isk jut kel lop
    """)
  private static let endings = words(
    """
    bat dillo fin gon hopper kin ling moth nix otter puff quito roo saur tail urchin viper wing yak zee ard bit \
    cruel don eon fawn gale horn ink jaw
    """)
  private static let qualities = words(
    """
    amber bitter calm dark eager frozen gentle hollow iron jagged keen lucky misty noble odd pale quick rapid silent \
    tidal upper vivid wild young zesty arc bright crystal dusty ember fierce golden hidden icy
    """)
  private static let gifts = words(
    "armor body charm eye focus grip heart instinct mind nerve pelt scale shell skin veil will")
  private static let deeds = words(
    """
    beam blast burst chop claw dance dive drain edge fang flare glare guard howl hymn kick lash press pulse punch rush \
    shot slam slash song spin storm strike sweep toss wave whirl
    """)
  private static let things = words(
    """
    ball band bell bottle box candy card chip cloth coin crown disc drop fan feather flute fossil gem glass herb honey \
    incense jewel key lens letter mail map mask memory mint mulch nugget orb pass pearl plate powder ring root scale \
    scarf seed shard spoon stone stick tag ticket tonic tool wing
    """)
  private static let places = words(
    """
    bay bridge bluff cape cave city coast cove crater desert falls field forest garden gate grove harbor hill island \
    isle lake lighthouse mansion marsh meadow mine park pass peak plain pond port ridge river road ruins shore tower \
    town
    """)
  private static let kana = ["フロ", "グリ", "トル", "ブル", "ベル", "マル", "ペク", "キル", "スナ", "ドロ", "フェ", "ラム", "モク"]
  private static let hangul = ["플로", "글림", "토르", "브루", "벨", "마르", "펙", "킬", "스나", "드로", "펜"]
  private static let hanzi = ["炎", "波", "葉", "雷", "岩", "風", "霜", "影", "光", "鋼", "夢", "鱗", "角", "翼", "尾", "爪", "星"]

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map { String($0) } }
}
