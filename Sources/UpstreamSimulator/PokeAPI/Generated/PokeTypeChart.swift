/// How much damage attacks of a type do to Pokémon of a type, in all generations.
struct PokeTypeChart {
  /// What an attack does that is not as strong as others.
  enum Relation: String, CaseIterable {
    case double, half, no
  }

  /// By attacking type: what takes double, half and no damage; in the newest games.
  private static let newest = """
    normal||rock steel|ghost
    fighting|normal rock steel ice dark|flying poison bug psychic fairy|ghost
    flying|fighting bug grass|rock steel electric|
    poison|grass fairy|poison ground rock ghost|steel
    ground|poison rock steel fire electric|bug grass|flying
    rock|flying bug fire ice|fighting ground steel|
    bug|grass psychic dark|fighting flying poison ghost steel fire fairy|
    ghost|ghost psychic|dark|normal
    steel|rock ice fairy|steel fire water electric|
    fire|bug steel grass ice|rock fire water dragon|
    water|ground rock fire|water grass dragon|
    grass|ground rock water|flying poison bug steel fire grass dragon|
    electric|flying water|grass electric dragon|ground
    psychic|fighting poison|steel psychic|dark
    ice|flying ground grass dragon|steel fire water ice|
    dragon|dragon|steel|fairy
    dark|ghost psychic|fighting dark fairy|
    fairy|fighting dragon dark|poison steel fire|
    """

  private struct Pair: Hashable {
    var attacking: String
    var defending: String
  }

  /// The types that have relations, in order.
  let types: [String]
  private var relations: [Pair: Relation] = [:]

  /// The newest games' chart.
  init() {
    var types: [String] = []
    for line in Self.newest.split(separator: "\n") {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
      types.append(String(parts[0]))
      for (relation, defending) in zip(Relation.allCases, parts.dropFirst()) {
        for type in defending.split(separator: " ") {
          relations[Pair(attacking: String(parts[0]), defending: String(type))] = relation
        }
      }
    }
    self.types = types
  }

  /// The chart of the games up to a generation that changed it: 1 or 5.
  init(upTo generation: Int) {
    let chart = PokeTypeChart()
    let later: Set<String> = generation == 1 ? ["steel", "dark", "fairy"] : ["fairy"]
    types = chart.types.filter { !later.contains($0) }
    relations = chart.relations.filter { !later.contains($0.key.attacking) && !later.contains($0.key.defending) }
    if generation == 1 {
      relations[Pair(attacking: "bug", defending: "poison")] = .double
      relations[Pair(attacking: "poison", defending: "bug")] = .double
      relations[Pair(attacking: "ghost", defending: "psychic")] = .no
      relations[Pair(attacking: "ice", defending: "fire")] = nil
    } else {
      relations[Pair(attacking: "ghost", defending: "steel")] = .half
      relations[Pair(attacking: "dark", defending: "steel")] = .half
    }
  }

  /// The types to which attacks of a type do this much damage.
  func targets(of type: String, _ relation: Relation) -> [String] {
    types.filter { relations[Pair(attacking: type, defending: $0)] == relation }
  }

  /// The types whose attacks do this much damage to a type.
  func attackers(of type: String, _ relation: Relation) -> [String] {
    types.filter { relations[Pair(attacking: $0, defending: type)] == relation }
  }

  /// The generations, oldest first, up to which a type had other relations to types that were there then.
  static func changes(of type: String) -> [Int] {
    let changed: [Int: Set<String>] = [
      1: ["bug", "poison", "ghost", "psychic", "ice", "fire"], 5: ["ghost", "dark", "steel"],
    ]
    return changed.filter { $0.value.contains(type) }.map(\.key).sorted()
  }
}
