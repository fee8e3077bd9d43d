import Foundation
import SyncPostgres

/// Listings of Pokémon: what of them a table shows, and how nested cells become flat ones.
extension Listing {
  static let statTitles = [
    "hp": "HP", "attack": "Atk", "defense": "Def", "special_attack": "SpA", "special_defense": "SpD", "speed": "Spe",
  ]

  /// Pokémon as JSON keeps them, or flat where cells hold no lists.
  ///
  /// - Parameters:
  ///   - width: of the terminal; a table that does not fit leaves the single stats out, then the types, then the
  ///     total. nil for any width.
  ///   - showsForms: tell forms apart in a table.
  static func pokemon(
    _ rows: RowSet, emptyMessage: String, as format: OutputFormat, width: Int?, showsForms: Bool
  ) -> Listing {
    var titles = statTitles
    titles["position"] = "#"
    titles["type_names"] = "types"
    titles["is_form"] = "form"
    let listing = Listing(rows, emptyMessage: emptyMessage, titles: titles, flexible: ["name", "type_names"])
    guard format == .table || format == .csv else { return listing }
    let flat = listing.withJoinedLists
    guard format == .table else { return flat }
    var hidden: Set<String> = ["language", "types", "generation", "is_baby", "is_legendary", "is_mythical"]
    if !showsForms { hidden.formUnion(["slug", "is_form"]) }
    return flat.shown(as: format, without: hidden).fitted(
      to: width, leavingOut: [Array(statTitles.keys), ["slug"], ["type_names"], ["total", "is_form"]])
  }

  /// Lists of texts as one text, for where there is no JSON.
  var withJoinedLists: Listing {
    Listing(
      columns: columns,
      rows: rows.map { row in
        row.map { cell in
          guard case .json(let text) = cell,
            let list = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
          else { return cell }
          return .text(list.joined(separator: ", "))
        }
      }, emptyMessage: emptyMessage, envelope: envelope)
  }

  /// Without as many of the groups of columns, the first one first, as it takes to fit a terminal.
  func fitted(to width: Int?, leavingOut groups: [[String]]) -> Listing {
    guard let width else { return self }
    var listing = self
    for group in groups where listing.narrowestWidth(flexible: 12) > width {
      listing = listing.shown(as: .table, without: Set(group))
    }
    return listing
  }
}
