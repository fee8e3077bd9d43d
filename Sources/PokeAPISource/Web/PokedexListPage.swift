import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The National Pokédex as cards or as a table. The parameters have the names of the options of
/// `syncctl pokedex list`. `type` can occur twice.
enum PokedexListPage {
  static let page = WebPage("/pokedex", template: "sources/pokeapi/pokedex") { request, database in
    let choice = try await PokedexPages.language(request, database)
    let battleTypes = try await PokedexPages.battleTypes(choice, database)
    var question = try await question(request, choice, in: database)
    let offset = try request.offset(limit: Limits.itemsOnPage)
    question.limit = Limits.itemsOnPage
    question.after = .offset(offset)
    let page = try await Pokedex.list(question, in: database)
    let path = path(request, question)

    var values = try await rows(page, question, request, choice, in: database)
    values["language"] = .text(choice.language)
    values["groups"] = .list(groups(path, request.query))
    values["typeChoices"] = .list(battleTypes.map { typeChoice($0, chosen: question.types, path) })
    values["form"] = path.form(try await fields(request, question, in: database))
    values["caption"] = .text(page.total.map { "\(HumanFormat.count($0)) Pokémon" } ?? "")
    values["pager"] = path.pager(
      page: try request.page(), shown: page.rows.rows.count, limit: Limits.itemsOnPage,
      total: page.total ?? (page.rows.rows.isEmpty ? offset : offset + page.rows.rows.count))
    return WebContent(title: "Pokédex", values)
      .printed(by: command(question, request), parameters: parameters + ["type", "page"])
  }

  private static let parameters = [
    "view", "name", "owned", "legendary", "mythical", "generation", "forms", "sort", "lang",
  ]

  /// Returns the path of the list with the parameters of the request, without the page.
  private static func path(_ request: WebRequest, _ question: Pokedex.Question) -> WebPath {
    let path = parameters.reduce(PokedexPages.list) { $0.with($1, request.query[$1]) }
    return question.types.reduce(path) { $0.adding("type", $1) }
  }

  private static func question(
    _ request: WebRequest, _ choice: LanguageChoice, in database: Database
  ) async throws -> Pokedex.Question {
    let query = request.query
    let generation = try query["generation"].map { text in
      guard let number = Int(text) else {
        throw SyncError(
          .usage, "generation \(Excerpt.of(text, scalars: 40)) is not a number", hint: "write a number from 1")
      }
      return number
    }
    let words = PokemonFilterWords(
      type: request.all("type").flatMap { $0.split(separator: ",").map(String.init) },
      generation: generation,
      forms: try flag("forms", query) ?? false)
    let order = try Pokedex.Order.named(query["sort"] ?? Pokedex.Order.id.rawValue, "order")
    var question = try await words.question(order, languages: choice.preferences, in: database)
    question.name = query["name"]
    question.isOwned = try flag("owned", query)
    question.isLegendary = try flag("legendary", query) ?? false
    question.isMythical = try flag("mythical", query) ?? false
    return question
  }

  /// Returns `nil` without the parameter, or if it is `all`.
  private static func flag(_ name: String, _ query: [String: String]) throws(SyncError) -> Bool? {
    switch query[name] {
    case nil, "all": return nil
    case "yes": return true
    case "no": return false
    case let word?: throw SyncError.unknown("value of \(name)", word, ["all", "yes", "no"])
    }
  }

  private static func groups(_ path: WebPath, _ query: [String: String]) -> [WebValue] {
    let all = path.with("legendary", nil).with("mythical", nil)
    let (isLegendary, isMythical) = (query["legendary"] == "yes", query["mythical"] == "yes")
    return [
      path.group("View", "view", ["grid", "list"], chosen: query["view"]),
      path.group("Owned", "owned", ["all", "yes", "no"], chosen: query["owned"]),
      .object([
        "groupTitle": "Rarity",
        "choices": .list([
          all.choice("all", isChosen: !isLegendary && !isMythical),
          all.with("legendary", "yes").choice("legendary", isChosen: isLegendary),
          all.with("mythical", "yes").choice("mythical", isChosen: isMythical),
        ]),
      ]),
      path.group(
        "Forms", "forms", ["no", "yes"], names: ["no": "only species", "yes": "also other forms"],
        chosen: query["forms"]),
    ]
  }

  /// Returns the coloured link that adds a type, or removes it if it is chosen. A third type replaces the second one,
  /// because Pokémon have at most two.
  private static func typeChoice(_ type: PokedexType, chosen: [String], _ path: WebPath) -> WebValue {
    let isChosen = chosen.contains(type.slug)
    let kept = isChosen ? chosen.filter { $0 != type.slug } : chosen.prefix(1) + [type.slug]
    let target = kept.reduce(path.with("type", nil)) { $0.adding("type", $1) }
    return .object([
      "typeName": .text(type.name), "typeClass": .text(WebType(type.name, colour: type.slug).className),
      "typePath": .text(target.text), "isChosen": .flag(isChosen),
    ])
  }

  private static func fields(
    _ request: WebRequest, _ question: Pokedex.Question, in database: Database
  ) async throws -> [WebValue] {
    let typed = request.typed
    let generations = try await Pokedex.generations(in: database).map(String.init)
    return [
      .field("name", label: "name or number", value: typed["name"] ?? "", type: "search"),
      .field(
        "generation", label: "generation", value: typed["generation"] ?? "", options: [""] + generations,
        names: ["": "all"]),
      .field(
        "sort", label: "order", value: typed["sort"] ?? question.order.rawValue,
        options: Pokedex.Order.allCases.map(\.rawValue)),
      .field(
        "lang", label: "language", value: typed["lang"] ?? "browser",
        options: try await PokedexPages.languages(in: database),
        names: PokedexPages.languageNames),
    ]
  }

  /// Returns the values `table` or `grid`.
  private static func rows(
    _ page: ListPage, _ question: Pokedex.Question, _ request: WebRequest, _ choice: LanguageChoice,
    in database: Database
  ) async throws -> [String: WebValue?] {
    let rows = page.rows.namedRows
    let hearts = try await request.hearts(
      of: rows.map(\.pokemon), kind: "pokemon", source: PokeAPISource.name, in: database)
    let none = question.after?.offset == 0 ? "No Pokémon matches." : "There are no further Pokémon."
    guard request.query["view"] != "list" else {
      let listing = Listing.pokemon(page.rows, emptyMessage: none, showsForms: question.includesForms)
      return [
        "table": listing.webTable(
          "Pokémon",
          path: { key, row in
            key == "name" ? row["id"]?.integer.map { PokedexPages.path($0, request).text } : nil
          },
          heart: { row in row["id"]?.integer.flatMap { hearts[$0] } })
      ]
    }
    let items = rows.map { row in
      var item = WebItem(
        row["name"] ?? "", path: PokedexPages.path(row.pokemon, request).text, picture: row["artwork_url"])
      item.language = row["language"] == choice.language ? nil : row["language"]
      item.position = "#\(row.pokemon)"
      item.types = PokedexPages.types(of: row)
      item.anchor = WebRequest.anchor(of: row.pokemon, kind: "pokemon")
      item.hearts = [hearts[row.pokemon], PokedexPages.owned(row, request)]
      if Pokedex.Order.values.contains(question.order) {
        let order = question.order.rawValue
        item.badge = row[order.replacing("-", with: "_")].map { (text: $0, label: order) }
      }
      return item.value(request)
    }
    return ["grid": .object(["items": .list(items), "itemsStyle": "sprites", "noItems": .text(none)])]
  }

  private static func command(_ question: Pokedex.Question, _ request: WebRequest) -> String {
    let isOwned = question.isOwned
    let options: [(name: String, value: String?)] =
      question.types.map { (name: "type", value: $0) } + [
        (name: "name", value: question.name), (name: "generation", value: question.generation.map(String.init)),
        (name: "owned", value: isOwned == true ? "" : nil), (name: "unowned", value: isOwned == false ? "" : nil),
        (name: "legendary", value: question.isLegendary ? "" : nil),
        (name: "mythical", value: question.isMythical ? "" : nil),
        (name: "forms", value: question.includesForms ? "" : nil),
        (name: "sort", value: question.order == .id ? nil : question.order.rawValue),
        (name: "lang", value: request.query["lang"].flatMap { $0 == "browser" ? nil : $0 }),
      ]
    return WebCommandLine.text(["syncctl", "pokedex", "list"], options)
  }
}
