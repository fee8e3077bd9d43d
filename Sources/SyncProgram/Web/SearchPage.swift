import SyncCore
import SyncPostgres
import SyncWeb

/// The page `/search`: everything that is mirrored with a title that has the words of the parameter `q`. The parameter
/// `in` selects one kind of items as SOURCE/KIND.
struct SearchPage: Sendable {
  let configuration: @Sendable () -> Configuration

  /// The number of hits of each kind, and of a single kind.
  private static let (shown, shownAlone) = (12, 200)
  private static let longestText = 200

  var page: WebPage {
    WebPage("/search", template: "shared/search") { request, database in
      try await content(request, database)
    }
  }

  private func content(_ request: WebRequest, _ database: Database) async throws -> WebContent {
    let typed = request.typed["q"] ?? ""
    let words = String((request.query["q"] ?? "").prefix(Self.longestText))
    let only = request.query["in"]
    let limit = only == nil ? Self.shown : Self.shownAlone
    guard let search = SearchRequest(words, limit: limit, languages: request.languages) else {
      return WebContent(
        title: "Search",
        [
          "searchWords": .text(typed),
          "summary": .text(
            "Write words of a title in the box above: an anime, a manga, a Pokémon, a move, an item, an artist, a song or "
              + "a favorite, in any language."),
        ]
      ).printed(by: "syncctl search WORDS", parameters: Self.parameters)
    }

    let sources = configuration().sources
    let chosen = sources.filter { source in only.map { $0.hasPrefix("\(source.name)/") } ?? true }
    let found = try await MirrorSearch.run(
      search, chosen, readsNotes: request.rights.showsPersonalData, in: database)
    let parts = found.parts.filter { only == nil || only == $0.name }
    let itemPaths = Dictionary(sources.map { ($0.name, $0.web.itemPath) }, uniquingKeysWith: { first, _ in first })

    let total = parts.reduce(0) { $0 + $1.group.total }
    let summary =
      total == 0
      ? "Nothing in the mirror is called \(search.text). Give fewer words, or another spelling."
      : "\(HumanFormat.counted(total, "result")) for \(search.text)"
    return WebContent(
      title: "Search: \(search.text)",
      [
        "searchWords": .text(search.text), "summary": .text(summary), "hasJumps": .flag(parts.count > 1),
        "failures": .list(found.failures.map { .text(request.rights.showsPersonalData ? $0 : Self.plain($0)) }),
        "searchGroups": .list(parts.map { Self.value(of: $0, search, isAlone: only != nil, itemPaths, request) }),
      ]
    ).printed(by: "syncctl search \(search.text.shellWord)", parameters: Self.parameters)
  }

  private static let parameters = ["q", "in"]

  /// The beginning of a failure up to its reason, which can name the database.
  private static func plain(_ failure: String) -> String { String(failure.prefix { $0 != ":" }) }

  private static func value(
    of part: MirrorSearch.Part, _ search: SearchRequest, isAlone: Bool, _ itemPaths: [String: WebPart.ItemPath],
    _ request: WebRequest
  ) -> WebValue {
    let items = part.group.hits.map { hit -> WebValue in
      let (source, kind) = part.place(of: hit)
      var item = WebItem(hit.title, path: itemPaths[source]?(kind, hit.id), picture: hit.picture)
      item.subtitle = hit.subtitle
      item.anchor = WebRequest.anchor(of: hit.id, kind: hit.kind)
      item.details = [hit.match.map { "also: \($0)" }, hit.detail]
      if item.path == nil { item.details.append("syncctl \(hit.command)") }
      return item.value(request)
    }
    let hasPictures = part.group.hits.contains { $0.picture != nil }
    let isCut = part.group.total > part.group.hits.count
    return .object(of: [
      "groupTitle": .text(part.group.title), "groupTotal": .text(HumanFormat.count(part.group.total)),
      "groupAnchor": .text("found-\(part.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })"),
      "items": .list(items), "itemsStyle": .text(hasPictures ? part.group.style : "lines"),
      "groupMore": isCut && !isAlone
        ? .text(WebPath("/search").with("q", search.text).with("in", part.name).text) : nil,
    ])
  }
}

extension MirrorSearch.Part {
  /// The name in the parameter `in`: the source and the kind.
  fileprivate var name: String {
    guard let source else { return "favorites" }
    return "\(source)/\(group.hits.first?.kind ?? "")"
  }
}
