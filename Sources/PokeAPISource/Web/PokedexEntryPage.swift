import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// A Pokémon: pictures, types, stats, evolution, moves and forms. The path has a number or a name, as in
/// `syncctl pokedex show`.
enum PokedexEntryPage {
  static let page = WebPage("/pokedex/:name", template: "sources/pokeapi/entry") { request, database in
    let choice = try await PokedexPages.language(request, database)
    let languages = choice.preferences
    let match = try await PokedexChoice.pokemon(request.parameters["name"] ?? "", languages: languages, in: database)
    guard let row = try await Pokedex.entry(match, languages: languages, in: database).namedRows.first else {
      throw SyncError(.missing, "there is no Pokémon \(match.id)", hint: "the page Pokédex lists them")
    }
    let text = PokedexEntryText(row: row)
    let battleTypes = try await PokedexPages.battleTypes(choice, database)
    let more = try await Pokedex.surroundings(of: match.id, languages: languages, in: database)
    let trees = text.ways.isEmpty ? [] : text.tree.trees
    let others = trees.flatMap(\.ids) + text.forms.map(\.id)
    let pictures = try await Pokedex.pictures(of: others.distinct(), in: database)
    let moves = try await Pokedex.moves(of: match.id, languages: languages, in: database)

    var values = shown(row, text, more, request)
    values["language"] = .text(choice.language)
    values["remark"] = .text(orNil: PokedexEntryText.otherLanguages(row, wanted: choice.language))
    values["heart"] = try await request.heart(of: match.id, kind: "pokemon", source: PokeAPISource.name, in: database)
    values["owned"] = PokedexPages.owned(row, request)
    values["matchup"] = try await PokedexPages.matchup(
      defending: row.json("types") ?? [], among: battleTypes, request, database)
    values["evolution"] =
      trees.isEmpty
      ? nil : .object(["branches": .list(trees.map { branch($0, at: row, pictures, request) })])
    values["moveGroups"] = .list(moveGroups(moves.namedRows, request))
    values["games"] = .text(orNil: moves.namedRows.first?["games"])
    values["forms"] = forms(text.forms, pictures, request)
    values["groups"] = .list([
      PokedexPages.path(match.id, request).group(
        "Language", "lang", try await PokedexPages.languages(in: database), names: PokedexPages.languageNames,
        chosen: request.query["lang"])
    ])
    var content = WebContent(title: "#\(match.id) \(row["name"] ?? match.slug)", values).printed(
      by: WebCommandLine.text(
        ["syncctl", "pokedex", "show", match.slug],
        [(name: "lang", value: request.query["lang"].flatMap { $0 == "browser" ? nil : $0 })]),
      parameters: ["lang"])
    content.titleLanguage = row["language"]
    return content
  }

  /// Returns the values that need no query.
  private static func shown(
    _ row: NamedRow, _ text: PokedexEntryText, _ more: NamedRow?, _ request: WebRequest
  ) -> [String: WebValue?] {
    let bars = text.labelledStats.map { label, value in
      (
        label: label.prefix(1).uppercased() + label.dropFirst(), value: Double(value ?? 0),
        text: value.map(String.init) ?? "–"
      )
    }
    let slugs = row.json("types", as: [String].self) ?? []
    let labels = zip(slugs, PokedexPages.types(of: row)).map { slug, type in
      PokedexPages.label(slug, name: type.name, request)
    }
    let artwork = row["artwork_url"] ?? row["sprite_url"]
    return [
      "typeLabels": .object(["labels": .list(labels)]),
      "genus": .text(orNil: row["genus"]), "genusLanguage": .text(orNil: row["genus_language"]),
      "artwork": .picture(artwork, request), "initial": .text(String((row["name"] ?? "?").prefix(1))),
      "pictures": .list(pictures(row, more, request)),
      "numbers": .numbers([
        (label: "base stats", text: row["total"]), (label: "height", text: row["height_m"].map { "\($0) m" }),
        (label: "weight", text: row["weight_kg"].map { "\($0) kg" }),
      ]),
      "stats": WebPlot.bars(bars, caption: "Base stats", longest: Double(StatBars.highest)),
      "total": .text(orNil: row["total"]),
      "description": .text(orNil: text.description), "textLanguage": .text(orNil: row["description_language"]),
      "facts": .facts(facts(row, text, more, request)),
      "previous": neighbour("previous", more, request), "next": neighbour("next", more, request),
    ]
  }

  /// Returns the small pictures below the artwork: male, female and shiny.
  private static func pictures(_ row: NamedRow, _ more: NamedRow?, _ request: WebRequest) -> [WebValue] {
    let hasFemale = row["sprite_female_url"] != nil || row["artwork_female_url"] != nil
    let pictures = [
      (hasFemale ? "male" : "picture", row["sprite_url"]),
      ("female", row["sprite_female_url"] ?? row["artwork_female_url"]),
      ("shiny", more?["sprite_shiny_url"] ?? more?["artwork_shiny_url"]),
    ]
    return pictures.compactMap { label, address in
      WebValue.picture(address, request).map { .object(["picture": $0, "pictureText": .text(label)]) }
    }
  }

  private static func facts(
    _ row: NamedRow, _ text: PokedexEntryText, _ more: NamedRow?, _ request: WebRequest
  ) -> [(label: String, values: [WebFact])] {
    let list = PokedexPages.list.with("lang", request.query["lang"])
    let rarities = [("is_legendary", "legendary"), ("is_mythical", "mythical")].filter { row.isTrue($0.0) }
    // The rate is the share of females in eighths.
    let gender = more?.int("gender_rate").map { rate in
      rate < 0 ? "none" : "\((8 - rate) * 125 / 10)\(rate % 2 == 0 ? "" : ".5") % male"
    }
    let eggs = (more?.json("egg_groups", as: [String?].self) ?? []).compactMap(\.self)
    func plain(_ text: String?) -> [WebFact] { text.map { [WebFact($0)] } ?? [] }
    return [
      (label: "abilities", values: text.abilities.map { WebFact($0) }),
      (
        label: "generation",
        values: row["generation"].map { [WebFact($0, to: list.with("generation", $0).text)] } ?? []
      ),
      (
        label: "rarity",
        values: rarities.map { WebFact($0.1, to: list.with($0.1, "yes").text) }
          + (row.isTrue("is_baby") ? [WebFact("baby")] : [])
      ),
      (label: "gender", values: plain(gender)),
      (label: "egg groups", values: eggs.map { WebFact($0.replacing("-", with: " ")) }),
      (label: "catch rate", values: plain(more?["capture_rate"].map { "\($0) of 255" })),
      (label: "friendship", values: plain(more?["base_happiness"])),
      (label: "growth", values: plain(more?["growth_rate"]?.replacing("-", with: " "))),
      (label: "habitat", values: plain(more?["habitat"]?.replacing("-", with: " "))),
      (label: "experience", values: plain(more?["base_experience"])),
    ]
  }

  private static func neighbour(_ which: String, _ more: NamedRow?, _ request: WebRequest) -> WebValue? {
    guard let id = more?["\(which)_id"].flatMap({ Int64($0) }) else { return nil }
    let name = more?["\(which)_name"].map { "#\(id) \($0)" } ?? "#\(id)"
    return .object(["neighbourPath": .text(PokedexPages.path(id, request).text), "neighbourName": .text(name)])
  }

  /// Returns one element of `branches` for the partial `sources/pokeapi/branch`. It has every name that the partial
  /// reads, because a missing value would be that of the branch around it.
  private static func branch(
    _ branch: EvolutionTree.Branch, at row: NamedRow, _ pictures: [Int64: String], _ request: WebRequest
  ) -> WebValue {
    .object([
      "branchName": .text(branch.name), "branchPath": .text(PokedexPages.path(branch.id, request).text),
      "branchPicture": .picture(pictures[branch.id], request) ?? false,
      "isHere": .flag(row["species_id"] == "\(branch.id)"),
      "ways": .list(branch.ways.map { .text($0) }), "hasBranches": .flag(!branch.branches.isEmpty),
      "branches": .list(branch.branches.map { self.branch($0, at: row, pictures, request) }),
    ])
  }

  private static let methods = [
    "level-up": "Learned by level", "machine": "Taught by machines", "tutor": "Taught by tutors",
    "egg": "Learned by breeding",
  ]

  /// Returns a table for each way of learning. The first table is open.
  private static func moveGroups(_ rows: [NamedRow], _ request: WebRequest) -> [WebValue] {
    rows.gathered(by: { $0["method"] ?? "" }).map { rows in
      let method = rows[0]["method"] ?? ""
      let title = methods[method] ?? method.replacing("-", with: " ")
      return .object([
        "movesTitle": .text("\(title) (\(rows.count))"), "isOpen": .flag(method == "level-up"),
        "hasLevels": .flag(method == "level-up"),
        "moves": .list(
          rows.map { row in
            let level = row.int("level").map { $0 == 0 ? "evo." : "\($0)" } ?? "–"
            return .object([
              "level": .text(level), "moveName": .text(row["name"] ?? "?"),
              "moveType": row["type"].map { PokedexPages.label($0, name: row["type_name"] ?? $0, request) } ?? false,
              "moveClass": .text(row["damage_class_name"] ?? "–"), "power": .text(row["power"] ?? "–"),
              "accuracy": .text(row["accuracy"] ?? "–"),
            ])
          }),
      ])
    }
  }

  private static func forms(
    _ forms: [PokedexEntryText.Form], _ pictures: [Int64: String], _ request: WebRequest
  ) -> WebValue? {
    guard !forms.isEmpty else { return nil }
    let items = forms.map { form in
      let name = form.name ?? form.slug ?? "\(form.id)"
      return WebItem(name, path: PokedexPages.path(form.id, request).text, picture: pictures[form.id]).value(request)
    }
    return .object(["items": .list(items), "itemsStyle": "sprites small"])
  }
}

extension EvolutionTree.Branch {
  /// The ids of the species of this tree.
  fileprivate var ids: [Int64] { [id] + branches.flatMap(\.ids) }
}
