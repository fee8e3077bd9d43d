import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexDocumentText {
  private struct Pokemon: Decodable {
    var id: Int64
    var slug: String?
    var name: String?
    var isHidden: Bool?
    var rarity: Int?
  }

  let kind: PokedexDocument
  let row: NamedRow

  private static let labelWidth = 13

  func lines(width: Int?) -> [String] {
    let games = row["description_version_group"].map { " (\($0))" } ?? ""
    let description = row["description"].map { TextLayout.wrap($0 + games, to: width) } ?? []
    let effect = (row["effect"] ?? "").split(separator: "\n").flatMap { TextLayout.wrap(String($0), to: width) }
    let sections = [heading(width), facts(width), effect, description, pokemon(width)]
    return TextLayout.sections(sections)
  }

  private func heading(_ width: Int?) -> [String] {
    let words = [
      row["type_name"], row["damage_class_name"], row["category_name"], row["generation"].map { "generation \($0)" },
    ]
    return PokedexEntryText.heading(row, words.compactMap(\.self), width)
  }

  private func facts(_ width: Int?) -> [String] {
    let facts: [(String, String?)] = [
      ("power", row["power"]), ("accuracy", row["accuracy"].map { "\($0) %" }), ("PP", row["pp"]),
      ("priority", row["priority"]), ("effect chance", row["effect_chance"].map { "\($0) %" }),
      ("target", row["target"]), ("price", price), ("fling power", row["fling_power"]),
      ("fling effect", row["fling_effect"]),
    ]
    let picture = row["sprite_url"].map { url in
      TextLayout.address("picture", url, labelWidth: Self.labelWidth, width: width)
    }
    return TextLayout.facts(facts, labelWidth: Self.labelWidth, width: width) + (picture ?? [])
  }

  private var price: String? {
    let currency = row["currency"].map { " \($0)" } ?? ""
    let games = row["price_version_group"].map { " (\($0))" } ?? ""
    return switch (row["cost"], row["sell_price"]) {
    case (nil, nil): nil
    case (let cost?, nil): "\(cost)\(currency)\(games)"
    case (nil, let sold?): "not for sale, sells for \(sold)\(currency)\(games)"
    case (let cost?, let sold?): "\(cost)\(currency), sells for \(sold)\(games)"
    }
  }

  private func pokemon(_ width: Int?) -> [String] {
    let all = pokemon
    guard !all.isEmpty else { return [] }
    let count = HumanFormat.count(all.count)
    let title =
      switch kind {
      case .move: "learned by \(count) Pokémon"
      case .ability: "of \(count) Pokémon"
      case .item: "held by \(count) Pokémon"
      }
    let names = all.map { pokemon in
      (pokemon.name ?? "?") + (pokemon.isHidden == true ? " (hidden)" : "")
        + (pokemon.rarity.map { " (\($0) %)" } ?? "")
    }
    return TextLayout.wrap(title, to: width) + TextLayout.list(names, to: width)
  }

  private var pokemon: [Pokemon] { row.json(column) ?? [] }

  private var column: String {
    switch kind {
    case .move: "learned_by"
    case .ability: "pokemon"
    case .item: "held_by"
    }
  }

  func flat(_ listing: Listing) -> Listing {
    let slugs = pokemon.map { ($0.slug ?? "\($0.id)") + ($0.isHidden == true ? " (hidden)" : "") }
    return listing.mapping(column) { _ in .text(slugs.joined(separator: ", ")) }
  }
}
