import SyncCore
import SyncPostgres
import SyncProgram

struct PokedexEntryText {
  private struct Ability: Decodable {
    var name: String?
    var isHidden: Bool
  }

  struct Form: Decodable {
    var id: Int64
    var slug: String?
    var name: String?
  }

  private struct Stats: Decodable {
    var hp, attack, defense, specialAttack, specialDefense, speed: Int?
  }

  struct Path: Decodable {
    var fromId: Int64?
    var fromName: String?
    var toId: Int64
    var toName: String?
    var sentence: String?
  }

  let row: NamedRow

  func lines(width: Int?) -> [String] {
    let bars = StatBars.lines(labelledStats, total: row.int("total"), width: width)
    let description = description.map { TextLayout.wrap($0, to: width) } ?? []
    let sections = [
      heading(width), bars, facts(width), description, titled("evolution", tree.lines(width: width)),
      titled("other forms", forms(width)),
    ]
    return TextLayout.sections(sections)
  }

  var labelledStats: [(label: String, value: Int?)] {
    stats.map { (label: $0 == "hp" ? "HP" : $0.replacing("_", with: " "), value: $1) }
  }

  var description: String? { row["description"].map { $0 + (row["description_version"].map { " (\($0))" } ?? "") } }

  var words: [String] {
    let types = row.json("type_names", as: [String].self) ?? []
    var words = [row["genus"], types.isEmpty ? nil : types.joined(separator: "/")].compactMap(\.self)
    if let generation = row["generation"] { words.append("generation \(generation)") }
    for (column, word) in [
      ("is_form", "form"), ("is_baby", "baby"), ("is_legendary", "legendary"), ("is_mythical", "mythical"),
      ("owned", "owned"),
    ] where row.isTrue(column) {
      words.append(word)
    }
    return words
  }

  private func heading(_ width: Int?) -> [String] { Self.heading(row, words, width) }

  static func heading(_ row: NamedRow, _ words: [String], _ width: Int?) -> [String] {
    let name = row["name"] ?? ""
    let slug = row["slug"] ?? ""
    let title = ["#\(row["id"] ?? "")", name, slug == name.lowercased() ? "" : "(\(slug))"]
    return TextLayout.wrap(title.filter { !$0.isEmpty }.joined(separator: " "), to: width)
      + (words.isEmpty ? [] : TextLayout.wrap(words.joined(separator: ", "), to: width))
  }

  private func facts(_ width: Int?) -> [String] {
    var lines: [String] = []
    if !abilities.isEmpty { lines += labelled("abilities", width) { TextLayout.list(abilities, to: $0) } }
    if let size { lines += labelled("size", width) { TextLayout.wrap(size, to: $0) } }
    for (label, url) in pictures { lines += TextLayout.address(label, url, labelWidth: Self.labelWidth, width: width) }
    return lines
  }

  var size: String? {
    guard let height = row["height_m"], let weight = row["weight_kg"] else { return nil }
    return "\(height) m, \(weight) kg"
  }

  var pictures: [(label: String, address: String)] {
    [
      ("picture", "sprite_url"), ("female", "sprite_female_url"), ("artwork", "artwork_url"),
      ("female artwork", "artwork_female_url"),
    ].compactMap { label, column in row[column].map { (label, $0) } }
  }

  var ways: [Path] { row.json("evolution") ?? [] }
  var forms: [Form] { row.json("forms") ?? [] }

  var tree: EvolutionTree {
    let ways = ways
    let alone = row.int("species_id").map { (id: Int64($0), name: row["name"] ?? "") }
    return EvolutionTree(
      root: ways.isEmpty ? alone : nil,
      ways: ways.map { way in
        EvolutionTree.Path(
          from: way.fromId, to: way.toId, name: way.toName ?? "\(way.toId)", sentence: way.sentence ?? "")
      },
      fromNames: ways.reduce(into: [:]) { names, way in
        if let id = way.fromId { names[id] = way.fromName }
      })
  }

  private func forms(_ width: Int?) -> [String] {
    let forms = forms
    let idWidth = forms.map { "\($0.id)".utf8.count }.max() ?? 0
    return forms.flatMap { form in
      let slug = form.slug ?? ""
      let name = form.name ?? slug
      let text = name == slug ? slug : "\(name) (\(slug))"
      let id = TerminalText.pad("\(form.id)", to: idWidth, trailing: true)
      return TextLayout.labelled(id, labelWidth: idWidth, width: width) { TextLayout.wrap(text, to: $0) }
    }
  }

  private func titled(_ title: String, _ lines: [String]) -> [String] { lines.isEmpty ? [] : [title] + lines }

  private func labelled(_ label: String, _ width: Int?, lines: (Int?) -> [String]) -> [String] {
    TextLayout.labelled(label, labelWidth: Self.labelWidth, width: width, lines: lines)
  }

  private static let labelWidth = 14

  func flat(_ listing: Listing) -> Listing {
    var columns: [Column] = []
    var cells: [Cell] = []
    for (column, cell) in zip(listing.columns, listing.rows.first ?? []) {
      switch column.key {
      case "stats":
        for (key, value) in stats {
          columns.append(Column(key))
          cells.append(value.map { .int(Int64($0)) } ?? .null)
        }
        continue
      case "abilities": cells.append(.text(abilities.joined(separator: ", ")))
      case "evolution":
        let ways = ways.map { way in
          "\(way.fromName ?? "") > \(way.toName ?? ""): \(way.sentence ?? "")"
        }
        cells.append(.text(ways.joined(separator: "; ")))
      case "forms":
        cells.append(.text(forms.compactMap(\.slug).joined(separator: ", ")))
      default: cells.append(cell)
      }
      columns.append(column)
    }
    return Listing(columns: columns, rows: [cells]).withJoinedLists
  }

  private var stats: [(key: String, value: Int?)] {
    let stats: Stats? = row.json("stats")
    return [
      ("hp", stats?.hp), ("attack", stats?.attack), ("defense", stats?.defense),
      ("special_attack", stats?.specialAttack), ("special_defense", stats?.specialDefense), ("speed", stats?.speed),
    ]
  }

  var abilities: [String] {
    (row.json("abilities", as: [Ability].self) ?? []).map { ability in
      (ability.name ?? "?") + (ability.isHidden ? " (hidden)" : "")
    }
  }

  static func otherLanguages(_ row: NamedRow, wanted: String) -> String? {
    let parts = [
      ("language", "the name"), ("genus_language", "the genus"), ("effect_language", "the effect"),
      ("description_language", "the description"),
    ]
    .compactMap { column, what in
      row[column].flatMap { $0 == wanted ? nil : "\(what) in \($0)" }
    }
    return parts.isEmpty ? nil : "missing in \(wanted), so shown: \(parts.joined(separator: ", "))"
  }
}
