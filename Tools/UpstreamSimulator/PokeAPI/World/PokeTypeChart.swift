enum PokeTypeChart {
  /// The newest chart: attacking type; the types that take double, half and no damage.
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
  private static let rows = newest.split(separator: "\n").map { TableRow($0) }

  /// Differences up to a generation; the column of the newest chart where the defending type belonged.
  private static let older: [(generation: Int, attacking: String, defending: String, column: Int)] = [
    (1, "bug", "poison", 1), (1, "poison", "bug", 1), (1, "ghost", "psychic", 3), (1, "ice", "fire", 0),
    (5, "ghost", "steel", 2), (5, "dark", "steel", 2),
  ]

  /// The generations, oldest first, up to which the type had other relations.
  static func changes(of type: String) -> [Int] {
    Set(older.filter { [$0.attacking, $0.defending].contains(type) }.map(\.generation)).sorted()
  }

  static func relations(of type: String, _ generation: Int) -> [(String, [String])] {
    let later = generation == 1 ? ["steel", "dark", "fairy"] : generation < 6 ? ["fairy"] : []
    let types = rows.filter { !later.contains($0[0]) }
    func targets(_ row: TableRow, _ column: Int) -> [String] {
      let changes = older.filter { generation <= $0.generation && $0.attacking == row[0] }
      let same = row.words(column).filter { word in !changes.contains { $0.defending == word } }
      return (same + changes.filter { $0.column == column }.map(\.defending)).filter { !later.contains($0) }
    }
    return zip(1..., ["double", "half", "no"]).flatMap { column, word -> [(String, [String])] in
      [
        ("\(word)_damage_from", types.filter { targets($0, column).contains(type) }.map { $0[0] }),
        ("\(word)_damage_to", types.first { $0[0] == type }.map { targets($0, column) } ?? []),
      ]
    }
  }
}
