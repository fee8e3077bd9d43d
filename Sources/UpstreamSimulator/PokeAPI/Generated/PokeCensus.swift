/// How many there are of what, and under which numbers.
struct PokeCensus {
  let scale: Double

  init(scale: Double) { self.scale = scale }

  func ids(of kind: PokeKind) -> [Int] {
    switch kind {
    case .pokemonSpecies: with(PokeFacts.species.keys, 1...scaled(1025))
    case .pokemon: ids(of: .pokemonSpecies) + with(PokeFacts.forms.keys, 10_001...10_000 + scaled(326))
    case .ability: with(PokeFacts.abilities.keys, 1...scaled(313)) + Array(10_001...10_000 + scaled(60))
    case .move: with(PokeEvolutionFacts.moves.keys, 1...scaled(919, least: 60)) + Array(10_001...10_000 + scaled(18))
    case .item: items
    case .location:
      with(
        PokeEvolutionFacts.locations.keys, (1...scaled(1121, least: 20)).filter { !$0.isMultiple(of: 60) || $0 > 1020 })
    case .locationArea: (1...scaled(1659, least: 20)).filter { !$0.isMultiple(of: 13) || $0 > 1638 }
    case .machine: Array(1...scaled(2372))
    case .encounterConditionValue: Array(1...scaled(352, least: 60))
    case .characteristic: Array(1...30)
    case .contestEffect: Array(1...33)
    case .superContestEffect: [1, 2] + Array(4...23)
    case .moveAilment: Array(-1...9) + Array(12...15) + Array(17...21) + [24, 42]
    case .moveCategory: Array(0...13)
    case .itemCategory: Array(1...30) + Array(32...55)
    case .pokedex: Array(1...9) + Array(11...36)
    case .type: Array(1...19) + [10_001, 10_002]
    default: Array(1...max(PokeFacts.vocabulary[kind]?.count ?? 1, 1))
    }
  }

  private var items: [Int] {
    let gaps = Set((1...56).map { 200 + 37 * $0 })
    return with(
      PokeFacts.berryItems + PokeEvolutionFacts.items.keys, (1...scaled(2279, least: 60)).filter { !gaps.contains($0) })
  }

  private func scaled(_ count: Int, least: Int = 1) -> Int {
    max(least, Int((Double(count) * scale).rounded()))
  }

  private func with(_ known: some Sequence<Int>, _ others: some Sequence<Int>) -> [Int] {
    Set(known).union(others).sorted()
  }
}

/// The facts, read from their tables once.
enum PokeFacts {
  struct Species {
    var name: String
    var types: [String]
    var stats: [Int]
    var parent: Int?
    var genderRate: Int
    var captureRate: Int
    var height: Int
    var weight: Int
    var flags: String
    var color: String
    var abilities: [Pokemon.Ability]
    var japanese: String
    var traditional: String
    var simplified: String
    var korean: String
  }

  struct Form {
    var name: String
    var species: Int
    var types: [String]
    var stats: [Int]
    var abilities: [Pokemon.Ability]
  }

  /// The names of the kinds that do not scale.
  static let vocabulary: [PokeKind: [String]] = PokeVocabulary.names.mapValues { names in
    names.split(separator: " ").map { String($0) }
  }

  static let species: [Int: Species] = table(PokeSpeciesFacts.species, columns: 12) { columns in
    let measures = columns[5].split(separator: " ").map { String($0) }
    let numbers = measures.compactMap { Int($0) }
    guard numbers.count == 4, let flags = measures.last, let parent = Int(columns[4]) else { return nil }
    return Species(
      name: columns[1], types: words(columns[2]), stats: words(columns[3]).compactMap { Int($0) },
      parent: parent > 0 ? parent : nil, genderRate: numbers[0], captureRate: numbers[1], height: numbers[2],
      weight: numbers[3], flags: flags, color: columns[6], abilities: abilities(columns[7]), japanese: columns[8],
      traditional: columns[9], simplified: columns[10], korean: columns[11])
  }

  static let forms: [Int: Form] = table(PokeSpeciesFacts.forms, columns: 6) { columns in
    Int(columns[2]).map { species in
      Form(
        name: columns[1], species: species, types: words(columns[3]), stats: words(columns[4]).compactMap { Int($0) },
        abilities: abilities(columns[5]))
    }
  }

  static let abilities: [Int: String] = {
    let first = words(PokeSpeciesFacts.abilities)
    return PokeSpeciesFacts.furtherAbilities.merging(zip(1..., first)) { one, _ in one }
  }()

  /// The items that berries are, in their order.
  static let berryItems = Array(126...189) + [724, 725, 2278, 2279]

  /// By kind and name: English, Japanese, Chinese.
  static let translations: [PokeKind: [String: [String]]] = PokeTranslations.names.mapValues { lines in
    let rows = lines.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
    }
    return Dictionary(rows.map { ($0[0], Array($0.dropFirst())) }, uniquingKeysWith: { one, _ in one })
  }

  private static func table<Row>(
    _ text: String, columns: Int, _ row: ([String]) -> Row?
  ) -> [Int: Row] {
    let rows: [(Int, Row)] = text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
      guard parts.count == columns, let id = Int(parts[0]), let row = row(parts) else { return nil }
      return (id, row)
    }
    return Dictionary(rows, uniquingKeysWith: { one, _ in one })
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map { String($0) } }

  /// Hidden ones have the third slot, whether there is a second or not.
  private static func abilities(_ text: String) -> [Pokemon.Ability] {
    words(text).enumerated().compactMap { position, word in
      let isHidden = word.hasSuffix("h")
      return Int(isHidden ? String(word.dropLast()) : word).map { .init(id: $0, slot: isHidden ? 3 : position + 1) }
    }
  }
}
