import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The pages of Pokémon. The parameter `lang` selects the language of names and texts. Without `lang`, the browser's
/// languages select it.
enum PokedexPages {
  /// The parameters have the names of the options of `syncctl pokedex list`.
  static let list = WebPage("/pokedex", template: "sources/pokeapi/pokedex") { request, database in
    let (query, choice) = (request.query, try await language(request, database))
    let battleTypes = try await battleTypes(choice, database)
    var question = try await question(query, choice, in: database)
    question.limit = Limits.itemsOnPage
    question.after = try request.start()
    let page = try await Pokedex.list(question, in: database)
    let rows = page.rows.namedRows
    let hearts = try await request.hearts(
      of: rows.map(\.pokemon), kind: "pokemon", source: PokeAPISource.name, in: database)
    let all = parameters.reduce(WebPath("/pokedex")) { $0.with($1, query[$1]) }
    let caption = page.total.map { "\(HumanFormat.count($0)) Pokémon" } ?? "Pokémon"
    var values: [String: WebValue?] = [
      "language": .text(choice.language), "noItems": "No Pokémon matches.",
      "groups": .list([
        all.group("View", "view", ["grid", "list"], chosen: query["view"]),
        all.group("Owned", "owned", ["all", "yes", "no"], chosen: query["owned"]),
        all.group(
          "Type", "type", [""] + battleTypes.map(\.slug),
          names: Dictionary([("", "all")] + battleTypes.map { ($0.slug, $0.name) }) { first, _ in first },
          chosen: query["type"]),
      ]),
      "form": all.form([
        .field("generation", label: "generation", value: query["generation"] ?? "", type: "number", step: "1"),
        .field("sort", label: "order", value: question.order.rawValue, options: Pokedex.Order.allCases.map(\.rawValue)),
      ]),
      "nextPath": page.next.map { .text(all.with("after", "\($0)").text) },
    ]
    if query["view"] == "list" {
      let listing = Listing.pokemon(
        page.rows, emptyMessage: "No Pokémon matches.", showsForms: question.includesForms)
      values["table"] = listing.webTable(
        caption, path: { key, row in key == "name" ? row["id"]?.integer.map { path($0, request).text } : nil },
        heart: { row in row["id"]?.integer.flatMap { hearts[$0] } })
    } else {
      let items = rows.map { row in
        var item = WebItem(row["name"] ?? "", path: path(row.pokemon, request).text, picture: row["artwork_url"])
        item.position = "#\(row.pokemon)"
        item.details = [(row.json("type_names", as: [String].self) ?? []).joined(separator: "/")]
        item.hearts = [hearts[row.pokemon], owned(row, request)]
        return item.value(request)
      }
      values["grid"] = .object(["items": .list(items), "caption": .text(caption)])
    }
    return WebContent(title: "Pokédex", values)
  }

  private static let parameters = ["view", "type", "owned", "generation", "forms", "sort", "lang"]

  private static func question(
    _ query: [String: String], _ choice: LanguageChoice, in database: Database
  ) async throws -> Pokedex.Question {
    let generation = try query["generation"].map { text in
      guard let number = Int(text) else {
        throw SyncError(
          .usage, "generation \(Excerpt.of(text, scalars: 40)) is not a number", hint: "write a number from 1")
      }
      return number
    }
    let words = PokemonFilterWords(
      type: query["type"]?.split(separator: ",").map(String.init) ?? [],
      generation: generation,
      forms: query["forms"] == "yes")
    let order = try Pokedex.Order.named(query["sort"] ?? Pokedex.Order.id.rawValue, "order")
    var question = try await words.question(order, languages: choice.preferences, in: database)
    switch query["owned"] {
    case nil, "all": break
    case "yes": question.isOwned = true
    case "no": question.isOwned = false
    case let word?: throw SyncError.unknown("value of owned", word, ["all", "yes", "no"])
    }
    return question
  }

  static let entry = WebPage("/pokedex/:name", template: "sources/pokeapi/entry") { request, database in
    let (name, choice) = (request.parameters["name"] ?? "", try await language(request, database))
    let match = try await PokedexChoice.pokemon(name, languages: choice.preferences, in: database)
    let rows = try await Pokedex.entry(match, languages: choice.preferences, in: database)
    guard let row = rows.namedRows.first else {
      throw SyncError(.missing, "there is no Pokémon \(match.id)", hint: "the page Pokédex lists them")
    }
    let text = PokedexEntryText(row: row)
    let bars = text.labelledStats.map { (label: $0, value: Double($1 ?? 0), text: $1.map(String.init) ?? "–") }
    let languages = ["browser", "en", "zh-Hant", "zh-Hans", "ja", "ko"]
    let total = row["total"].map { "Base stats, total \($0)" } ?? "Base stats"
    return WebContent(
      title: "#\(match.id) \(row["name"] ?? match.slug)",
      [
        "language": .text(choice.language), "words": .text(text.words.joined(separator: ", ")),
        "remark": .text(orNil: PokedexEntryText.otherLanguages(row, wanted: choice.language)),
        "groups": .list([path(match.id, request).group("Language", "lang", languages, chosen: request.query["lang"])]),
        "heart": try await request.heart(of: match.id, kind: "pokemon", source: PokeAPISource.name, in: database),
        "owned": owned(row, request),
        "pictures": .list(
          text.pictures.compactMap { label, address in
            WebValue.picture(address, request).map { .object(["picture": $0, "pictureText": .text(label)]) }
          }),
        "stats": WebPlot.bars(bars, caption: total, longest: Double(StatBars.highest)),
        "description": .text(orNil: text.description), "textLanguage": .text(orNil: row["description_language"]),
        "facts": .facts([("abilities", text.abilities.joined(separator: ", ")), ("size", text.size)]),
        "chain": try await chain(text.ways, request, database),
        "matchup": try await matchup(row.json("types") ?? [], try await battleTypes(choice, database), database),
        "forms": text.forms.isEmpty
          ? nil
          : .object([
            "choices": .list(
              text.forms.map { form in
                path(form.id, request).choice(form.name ?? form.slug ?? "\(form.id)", isChosen: false)
              })
          ]),
      ])
  }

  private static func path(_ id: Int64, _ request: WebRequest) -> WebPath {
    WebPath("/pokedex/\(id)").with("lang", request.query["lang"])
  }

  private static func chain(
    _ ways: [PokedexEntryText.Path], _ request: WebRequest, _ database: Database
  ) async throws -> WebValue? {
    guard !ways.isEmpty else { return nil }
    let species = ways.flatMap { way in
      [way.fromId.map { (id: $0, name: way.fromName) }, (id: way.toId, name: way.toName)].compactMap(\.self)
    }
    let ids = species.map(\.id).distinct()
    let pictures = try await Pokedex.pictures(of: ids, in: database)
    let items = ids.map { id in
      let name = species.first { $0.id == id }?.name
      var item = WebItem(name ?? "#\(id)", path: path(id, request).text, picture: pictures[id])
      item.details = ways.filter { $0.toId == id }.map(\.sentence)
      return item.value(request)
    }
    return .object(["items": .list(items)])
  }

  static let types = WebPage("/pokedex/types", template: "sources/pokeapi/types") { request, database in
    let choice = try await language(request, database)
    let battleTypes = try await Pokedex.types(languages: choice.preferences, in: database).filter(\.isBattle)
    let names = Dictionary(battleTypes.map { ($0.slug, $0.name) }) { first, _ in first }
    let words = ["type", "type2"].map { request.query[$0] }
    let chosen = try PokedexChoice.types(words.compactMap(\.self), among: battleTypes)
    guard let report = Reports.all.first(where: { $0.name == "type-chart" }) else {
      throw SyncError(.missing, "there is no report type-chart")
    }
    let chart = try await Reports.run(report, within: Limits.pageStatementTimeout, in: database)
    let fields = zip(["type", "type2"], words).map { name, word in
      WebValue.field(name, label: name, value: word ?? "", options: [""] + battleTypes.map(\.slug))
    }
    return WebContent(
      title: "Types",
      [
        "language": .text(choice.language),
        "form": WebPath("/pokedex/types").with("lang", request.query["lang"]).form(fields),
        "chosen": chosen.isEmpty ? nil : .text(chosen.map(\.name).joined(separator: ", ")),
        "matchup": try await matchup(chosen.map(\.slug), battleTypes, database),
        "heads": .list(chart.columns.dropFirst().map { .text(names[$0.name] ?? $0.name) }),
        "rows": .list(
          chart.rows.map { row in
            let name = row[0] ?? ""
            return .object(["rowName": .text(names[name] ?? name), "cells": .list(row.dropFirst().map(cell))])
          }),
      ])
  }

  private static func cell(_ multiplier: String?) -> WebValue {
    let number = multiplier.flatMap { Double($0) } ?? 1
    let label = multiplier.map { String(MatchupGroups.label($0, isUTF8: true).dropLast()) } ?? "–"
    return .object(["cell": .text(label), "isStrong": .flag(number > 1), "isWeak": .flag(number < 1)])
  }

  private static func matchup(
    _ types: [String], _ battleTypes: [PokedexType], _ database: Database
  ) async throws -> WebValue? {
    guard !types.isEmpty else { return nil }
    let rows = try await Pokedex.matchup(defending: types, generation: nil, in: database).rows
    let groups = MatchupGroups(
      rows.map { row in
        (multiplier: row[1] ?? "?", name: battleTypes.first { $0.slug == row[0] }?.name ?? row[0] ?? "?")
      }
    ).groups
    return .object([
      "facts": .facts(
        groups.map { (MatchupGroups.label($0.multiplier, isUTF8: true), $0.names.joined(separator: ", ")) })
    ])
  }

  private static func owned(_ row: NamedRow, _ request: WebRequest) -> WebValue? {
    guard request.rights.allowsWriting, let id = row["id"].flatMap({ Int64($0) }) else { return nil }
    return request.heart(
      of: id, kind: "pokemon", source: PokeAPISource.name, in: "owned", isSet: row.isTrue("owned"), label: "owned")
  }

  private static func language(_ request: WebRequest, _ database: Database) async throws -> LanguageChoice {
    let languages = try await Pokedex.languages(in: database)
    guard let word = request.query["lang"], word != "browser" else {
      return .accepted(request.languages, known: languages)
    }
    return try .named(word, known: languages)
  }

  private static func battleTypes(_ choice: LanguageChoice, _ database: Database) async throws -> [PokedexType] {
    do {
      return try await Pokedex.types(languages: choice.preferences, in: database).filter(\.isBattle)
    } catch let error as SyncError where error.code == .missing {
      return []
    }
  }
}

extension NamedRow {
  var pokemon: Int64 { self["id"].flatMap { Int64($0) } ?? 0 }
}
