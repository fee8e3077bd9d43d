/// The games, and what holds in them.
enum PokeGames {
  /// A group of versions that share their data.
  struct Group {
    var versions: [Int]
    var generation: Int
    var order: Int
    var regions: [Int]
    var pokedexes: [Int]
  }

  /// By the number of the group, from 1 on.
  static let groups: [Group] = """
    1 2|1|3|1|2
    3|1|4|1|2
    4 5|2|5|1 2|3
    6|2|6|1 2|3
    7 8|3|7|3|4
    9|3|8|3|4
    10 11|3|11|1|2
    12 13|4|12|4|5
    14|4|13|4|6
    15 16|4|14|1 2|7
    17 18|5|15|5|8
    19|3|9||
    20|3|10||
    21 22|5|16|5|9
    23 24|6|17|6|12 13 14
    25 26|6|18|3|15
    27 28|7|19|7|16 17 18 19 20
    29 30|7|20|7|21 22 23 24 25
    31 32|7|21|1|26
    33 34|8|22|8|27 28 29
    35 50|8|23|8|28
    36 51|8|24|8|29
    37 38|8|25|4|5
    39|8|26|9|30
    40 41|9|27|10|31 32 33
    42 52|9|28|10|32
    43 53|9|29|10|33
    44 45|1|1|1|2
    46|1|2|1|2
    47|9|30||34 35
    48|9|31||35
    49|9|32||36
    """.split(separator: "\n").map { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ").compactMap { Int($0) } }
      return Group(
        versions: parts[0], generation: parts[1].first ?? 1, order: parts[2].first ?? 1, regions: parts[3],
        pokedexes: parts[4])
    }

  static func group(_ id: Int) -> Group? { groups.indices.contains(id - 1) ? groups[id - 1] : nil }

  /// The groups for which something holds, by their numbers.
  static func ids(where holds: (Group) -> Bool) -> [Int] { zip(1..., groups).filter { holds($0.1) }.map(\.0) }

  /// The groups from a generation on.
  static func since(_ generation: Int) -> [Int] { ids { $0.generation >= generation } }

  static func group(ofVersion version: Int) -> Int { ids { $0.versions.contains(version) }.first ?? 1 }

  static func generation(ofVersion version: Int) -> Int { group(group(ofVersion: version))?.generation ?? 1 }

  /// The region of each generation.
  static let mainRegions = [1, 2, 3, 4, 5, 6, 7, 8, 10]

  /// The stats that natures raise and lower, none for neutral ones.
  static let natures: [(raised: Int, lowered: Int)?] = [
    nil, (3, 2), (4, 2), (5, 2), (6, 2), (2, 3), nil, (4, 3), (5, 3), (6, 3), (2, 4), (3, 4), nil, (5, 4), (4, 5),
    (6, 4), (2, 5), (3, 5), nil, (6, 5), (2, 6), (3, 6), (4, 6), (5, 6), nil,
  ]

  /// The flavour that goes with a stat.
  static let flavors = [2: 1, 4: 2, 6: 3, 5: 4, 3: 5]

  /// The generation in which a type was introduced.
  static func generation(ofType type: Int) -> Int { [9: 2, 17: 2, 18: 6, 19: 9, 10_001: 2, 10_002: 3][type] ?? 1 }

  /// The experience that a level takes.
  static func experience(_ growth: Int, level: Int) -> Int {
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

  static let formulas = [
    #"\frac{5x^3}{4}"#, "x^3", #"\frac{4x^3}{5}"#, #"\frac{6x^3}{5} - 15x^2 + 100x - 140"#,
    #"\begin{cases} \frac{x^3(100 - x)}{50}, & x \leq 50 \\ \frac{x^3(150 - x)}{100}, & x > 50 \end{cases}"#,
    #"\frac{x^3(\lfloor x / 2 \rfloor + 24)}{50}"#,
  ]
}
