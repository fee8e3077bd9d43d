import SyncCore
import SyncProgram
import SyncWeb

/// The form, the filters in use and the links of a ranking's page.
///
/// A wrong parameter keeps the form and the filters as they were sent, so that the user can correct it.
struct JikanRankingForm: Sendable {
  /// The forms of the list.
  enum View: String, CaseIterable { case grid, list }

  /// The filters, whose words the form and the chips show with these labels. Each can be repeated, except for `type`,
  /// `list` and `min-score`.
  private static let filters: [(name: String, label: String)] = [
    ("genre", "Genre"), ("type", "Type"), ("status", "Status"), ("season", "Season"), ("year", "Year"),
    ("studio", "Studio"), ("rating", "Rating"), ("min-score", "Least score"), ("list", "List"),
  ]

  /// The names of all parameters of the page.
  static let parameters = filters.map(\.name) + ["sort", "view", "page"]

  private static let orders: [JikanRankings.Order: String] = [
    .top: "Top list", .rank: "MyAnimeList's rank", .score: "Score", .popularity: "Popularity",
    .members: "Members", .favorites: "Favorites", .airing: "Ongoing, by members", .upcoming: "Upcoming, by members",
  ]

  private static let lists = [
    "airing": "Airing", "publishing": "Publishing", "upcoming": "Upcoming", "bypopularity": "By popularity",
    "favorite": "By favorites",
  ]

  private let kind: JikanKind
  private let request: WebRequest
  private let choices: JikanRankingChoices

  init(_ kind: JikanKind, _ request: WebRequest, _ choices: JikanRankingChoices) {
    self.kind = kind
    self.request = request
    self.choices = choices
  }

  /// Whether the page shows lines instead of posters.
  var isList: Bool { request.typed["view"] == View.list.rawValue }

  /// The path with the filters and the order, without the number of the page.
  var path: WebPath {
    let filtered = Self.filters.reduce(kind.rankingPath) { path, filter in
      sent(filter.name).reduce(path) { $0.adding(filter.name, $1) }
    }
    return filtered.with("sort", sentOrder).with("view", isList ? View.list.rawValue : nil)
  }

  /// The filters in use, for the partial `shared/chips`.
  var chips: [WebValue] {
    Self.filters.flatMap { name, label in
      sent(name).map { path.chip(name, $0, "\(label): \(text(of: $0, name))") }
    }
  }

  /// The links to the grid and the list.
  var views: WebValue {
    path.group(
      "View", "view", View.allCases.map(\.rawValue), names: ["grid": "Grid", "list": "List"],
      chosen: isList ? View.list.rawValue : nil)
  }

  /// The form. Its pick lists have the numbers of entries in the mirror.
  var value: WebValue {
    let isAnime = kind == .anime
    let fields = [select("genre"), order]
    let more = [
      isAnime ? select("season") : nil, select("year"), select("type"), select("status"),
      isAnime ? text("studio") : nil, isAnime ? select("rating") : nil,
      WebValue.field(
        "min-score", label: "Least score", value: request.typed["min-score"] ?? "", type: "number", step: "any"),
      .field(
        "list", label: "List", value: request.typed["list"] ?? "", options: [""] + kind.filters,
        names: Self.lists.merging(["": "top"]) { own, _ in own }),
    ]
    return path.form(
      fields, more: more.compactMap(\.self),
      keeping: Set(Self.filters.map(\.name).filter(adds)))
  }

  /// Returns the command that prints the page.
  /// - Parameter page: The number of the page. The command needs the page's number of entries only from page 2 on.
  func command(page: Int) -> String {
    let filters: [(name: String, value: String?)] = Self.filters.flatMap { name, _ in
      sent(name).map { (name: name, value: $0) }
    }
    let others: [(name: String, value: String?)] = [
      (name: "sort", value: sentOrder), (name: "limit", value: page > 1 ? "\(Limits.itemsOnPage)" : nil),
      (name: "page", value: page > 1 ? "\(page)" : nil),
    ]
    return WebCommandLine.text(["syncctl", "rankings", kind.rawValue], filters + others)
  }

  /// The words of a filter as they were sent, without the words that select everything.
  private func sent(_ name: String) -> [String] {
    let words = request.allTyped(name).distinct()
    switch name {
    case "type": return Array(words.prefix(1)).filter { $0 != "all" }
    case "status": return words.filter { $0 != "any" }
    case "list", "min-score": return Array(words.prefix(1))
    default: return words
    }
  }

  /// The word of the order as it was sent; `nil` for the default.
  private var sentOrder: String? { request.typed["sort"].flatMap { $0 == JikanRankings.Order.top.rawValue ? nil : $0 } }

  /// Whether the field of a filter adds a word to the words in use. An entry must have all genres, so this field always
  /// adds a word. Other fields replace a single word.
  private func adds(_ name: String) -> Bool { name == "genre" || sent(name).count > 1 }

  private func text(of word: String, _ name: String) -> String {
    switch name {
    case "type": JikanListChoice.typeLabels[word] ?? word
    case "list": Self.lists[word] ?? word
    default: word
    }
  }

  private func label(_ name: String) -> String { Self.filters.first { $0.name == name }?.label ?? name }

  private func text(_ name: String) -> WebValue {
    .field(name, label: label(name), value: adds(name) ? "" : sent(name).first ?? "")
  }

  private func select(_ name: String) -> WebValue {
    let known = choices.words[name] ?? []
    let used = sent(name)
    let word = adds(name) ? nil : used.first
    // The word can be written in another case, or can be unknown.
    let chosen = word.map { word in known.first { $0.word.lowercased() == word.lowercased() }?.word ?? word }
    let unknown = chosen.map { word in known.contains { $0.word == word } ? [] : [word] } ?? []
    let offered = known.filter { !adds(name) || !used.contains($0.word) }
    return .field(
      name, label: label(name), value: chosen ?? "", options: [""] + offered.map(\.word) + unknown,
      names: Dictionary(
        known.map { ($0.word, $0.text) } + [("", used.isEmpty || !adds(name) ? "any" : "one more")],
        uniquingKeysWith: { first, _ in first }))
  }

  private var order: WebValue {
    let orders = JikanRankings.Order.allCases
    return .field(
      "sort", label: "Order", value: request.typed["sort"] ?? JikanRankings.Order.top.rawValue,
      options: orders.map(\.rawValue),
      names: Dictionary(
        orders.map { ($0.rawValue, Self.orders[$0] ?? $0.rawValue) }, uniquingKeysWith: { first, _ in first }))
  }
}
