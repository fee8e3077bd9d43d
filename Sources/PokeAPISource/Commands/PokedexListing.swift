import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

extension Listing {
  static let statTitles = [
    "hp": "HP", "attack": "Atk", "defense": "Def", "special_attack": "SpA", "special_defense": "SpD", "speed": "Spe",
  ]

  static func pokemon(
    _ rows: RowSet, emptyMessage: String, as format: OutputFormat, showsForms: Bool
  ) -> Listing {
    var titles = statTitles
    titles["position"] = "#"
    titles["type_names"] = "types"
    titles["is_form"] = "form"
    let listing = Listing(rows, emptyMessage: emptyMessage, titles: titles, cut: ["name", "type_names"])
    guard format == .table || format == .csv else { return listing }
    let flat = listing.withJoinedLists
    guard format == .table else { return flat }
    var hidden: Set = [
      "language", "types", "generation", "is_baby", "is_legendary", "is_mythical", "artwork_url",
    ]
    if !showsForms { hidden.formUnion(["slug", "is_form"]) }
    return flat.laidOut(
      hiding: hidden, leaving: Array(statTitles.keys), ["slug"], ["type_names"], ["total", "is_form"])
  }
}
