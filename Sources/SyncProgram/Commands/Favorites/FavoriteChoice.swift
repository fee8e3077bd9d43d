import SyncCore
import SyncPostgres

/// The choice of an item for a collection by words of its title.
struct FavoriteChoice {
  let words: [String]
  /// The subcommand `add` or `remove`, for the commands of an error.
  let verb: String
  /// The collection that the item must be in; `nil` for any item of the mirror.
  let collection: String?

  /// Returns the only item with the title, or the only item whose title contains the words.
  /// - Throws: `SyncError` `.usage` with the commands if several items match, `.missing` if no item matches.
  func item(_ sources: [any Source], in database: Database) async throws -> Favorites.Item {
    guard let request = SearchRequest(words.joined(separator: " "), limit: Self.shown) else {
      throw SyncError(.usage, "there is nothing to search for", hint: "give words of a title")
    }
    let found = try await MirrorSearch.run(request, sources, readsNotes: false, in: database)
    for failure in found.failures { StandardStreams().warn(failure) }
    var candidates = found.parts.flatMap { part in part.group.hits.map { Candidate(part.source, $0) } }.compactMap(
      \.self)
    if let collection {
      var stored: [Candidate] = []
      for same in candidates.gathered(by: { "\($0.source)/\($0.hit.kind)" }) {
        let ids = try await Favorites.ids(
          same.map(\.hit.id), of: same[0].source, kind: same[0].hit.kind, in: collection, database)
        stored += same.filter { ids.contains($0.hit.id) }
      }
      candidates = stored
    }

    let exact = candidates.filter { $0.hit.rank == .exact }
    if let chosen = exact.count == 1 ? exact[0] : candidates.count == 1 ? candidates[0] : nil,
      chosen.hit.rank != .similar
    {
      return try chosen.item
    }
    let shown = Excerpt.of(request.text, scalars: 60)
    guard !candidates.isEmpty else {
      throw SyncError(
        .missing, collection.map { "\($0) has no item called \(shown)" } ?? "nothing in the mirror is called \(shown)",
        hint: collection == nil
          ? "give fewer words, or the source, the kind and the id" : "syncctl favorites list shows the collections")
    }
    let total = collection == nil ? found.parts.filter { $0.source != nil }.reduce(0) { $0 + $1.group.total } : 0
    let listed = candidates.prefix(Self.shown)
    let more = total > listed.count ? ", and \(HumanFormat.count(total - listed.count)) more" : ""
    throw SyncError(
      .usage, "\(shown) may be \(candidates.count == 1 ? "this item" : "one of these items\(more)")",
      hint: "run one of these commands",
      exhibit: listed.map { "syncctl favorites \(verb) \($0.arguments)\(collectionOption)  \($0.text)" })
  }

  private var collectionOption: String {
    collection.map { $0 == "favorites" ? "" : " --collection \($0.shellWord)" } ?? ""
  }

  private static let shown = 10

  private struct Candidate {
    let source: String
    let hit: SearchHit

    /// Returns `nil` for a favorite, and for items that cannot be favorites.
    init?(_ source: String?, _ hit: SearchHit) {
      guard let source, (try? FavoriteWords.item(source: source, kind: hit.kind, id: hit.id)) != nil else { return nil }
      self.source = source
      self.hit = hit
    }

    var item: Favorites.Item {
      get throws(SyncError) { try FavoriteWords.item(source: source, kind: hit.kind, id: hit.id) }
    }

    var arguments: String { "\(source) \(hit.kind) \(hit.id)" }
    var text: String { hit.detail.map { $0.isEmpty ? hit.title : "\(hit.title) (\($0))" } ?? hit.title }
  }
}
