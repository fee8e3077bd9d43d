import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The chart of types, and the attacks against one or two types.
enum PokedexTypesPage {
  static let page = WebPage("/pokedex/types", template: "sources/pokeapi/types") { request, database in
    let choice = try await PokedexPages.language(request, database)
    let all = try await Pokedex.types(languages: choice.preferences, in: database)
    let battleTypes = try await PokedexPages.battleTypes(choice, database)
    let words = ["type", "type2"].compactMap { request.query[$0] }
    let chosen = try PokedexChoice.types(words, among: battleTypes)
    let names = Dictionary(all.map { ($0.slug, $0.name) }) { first, _ in first }
    guard let report = Reports.all.first(where: { $0.name == "type-chart" }) else {
      throw SyncError(.missing, "there is no report type-chart")
    }
    let chart = try await Reports.run(report, within: Limits.pageStatementTimeout, in: database)

    let fields = ["type", "type2"].map { name in
      WebValue.field(
        name, label: name == "type" ? "first type" : "second type", value: request.typed[name] ?? "",
        options: [""] + battleTypes.map(\.slug), names: names.merging(["": "none"]) { first, _ in first })
    }
    let command =
      chosen.isEmpty ? ["syncctl", "report", "type-chart"] : ["syncctl", "pokedex", "matchup"] + chosen.map(\.slug)
    var values: [String: WebValue?] = [
      "language": .text(choice.language),
      "form": WebPath("/pokedex/types").with("lang", request.query["lang"]).form(fields),
      "chosen": chosen.isEmpty ? nil : .list(chosen.map { PokedexPages.label($0.slug, name: $0.name, request) }),
      "matchup": try await PokedexPages.matchup(
        defending: chosen.map(\.slug), among: battleTypes, request, database),
    ]
    for (name, value) in table(chart, names, request) { values[name] = value }
    return WebContent(title: "Types", values)
      .printed(by: WebCommandLine.text(command), parameters: ["type", "type2", "lang"])
  }

  /// Returns `heads` and `rows`, both in the games' order.
  private static func table(
    _ chart: RowSet, _ names: [String: String], _ request: WebRequest
  ) -> [String: WebValue] {
    func place(_ slug: String) -> (Int, String) { (PokedexType.place(of: slug), slug) }
    func label(_ slug: String) -> WebValue { PokedexPages.label(slug, name: names[slug] ?? slug, request) }
    let columns = chart.columns.indices.dropFirst().sorted {
      place(chart.columns[$0].name) < place(chart.columns[$1].name)
    }
    let rows = chart.rows.map { row in (0..<chart.columns.count).map { row[$0] } }
      .sorted { place($0[0] ?? "") < place($1[0] ?? "") }
    return [
      "heads": .list(columns.map { label(chart.columns[$0].name) }),
      "rows": .list(
        rows.map { row in
          .object(["rowLabel": label(row[0] ?? ""), "cells": .list(columns.map { cell(row[$0]) })])
        }),
    ]
  }

  private static func cell(_ multiplier: String?) -> WebValue {
    let label = multiplier.map { String(MatchupGroups.label($0, isUTF8: true).dropLast()) } ?? "–"
    let effect =
      switch multiplier.flatMap({ Double($0) }) ?? 1 {
      case 0: "none"
      case ..<1: "weak"
      case 1: "usual"
      default: "strong"
      }
    return .object(["cell": .text(label), "effect": .text(effect)])
  }
}
