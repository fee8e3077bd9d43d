import SyncCore
import SyncPostgres

/// The answer of all sources to a search.
struct MirrorSearch: Sendable {
  /// A group with the source whose items it has. The favorites have no source.
  struct Part: Sendable {
    let source: String?
    let group: SearchGroup
  }

  /// The groups with hits: the group with the best match first, and groups with equal matches in the order of the
  /// sources.
  let parts: [Part]
  /// A sentence for each source whose search failed.
  let failures: [String]

  var total: Int { parts.reduce(0) { $0 + $1.group.total } }

  /// Searches all sources and the favorites. If no title matches, searches again for titles with typing errors.
  /// - Parameter readsNotes: Whether the notes of favorites are searched, too. The database's role must be allowed to
  ///   read them.
  /// - Throws: `CancellationError`, or the error of the last source if every search failed.
  static func run(
    _ request: SearchRequest, _ sources: [any Source], readsNotes: Bool, in database: Database
  ) async throws -> MirrorSearch {
    let found = try await once(request, sources, readsNotes: readsNotes, in: database)
    guard found.parts.isEmpty, !request.toleratesErrors else { return found }
    var tolerant = request
    tolerant.toleratesErrors = true
    return try await once(tolerant, sources, readsNotes: readsNotes, in: database)
  }

  /// Searches each source once.
  static func once(
    _ request: SearchRequest, _ sources: [any Source], readsNotes: Bool, in database: Database
  ) async throws -> MirrorSearch {
    var parts: [Part] = []
    var failures: [String] = []
    var lastError: (any Error)?
    for source in sources {
      do {
        parts += try await source.search(request, in: database).map { Part(source: source.name, group: $0) }
      } catch let error as SyncError {
        failures.append("\(source.name) was not searched: \(error.message)")
        lastError = error
      }
    }
    do {
      let rows = try await Favorites.search(request.text, limit: request.limit, readsNotes: readsNotes, in: database)
      if let group = favorites(rows) { parts.append(Part(source: nil, group: group)) }
    } catch let error as SyncError {
      failures.append("favorites were not searched: \(error.message)")
    }
    if let lastError, failures.count > sources.count { throw lastError }
    let ranked = parts.enumerated().sorted { one, other in
      (one.element.bestRank, one.offset) < (other.element.bestRank, other.offset)
    }
    return MirrorSearch(parts: ranked.map(\.element), failures: failures)
  }

  private static func favorites(_ rows: RowSet) -> SearchGroup? {
    let hits = rows.namedRows.compactMap { row -> SearchHit? in
      guard let source = row["source"], let kind = row["kind"] else { return nil }
      return SearchRows.hit(row, kind: "\(source)/\(kind)") { _ in
        "favorites list --collection \((row["collection"] ?? "favorites").shellWord)"
      }
    }
    guard !hits.isEmpty else { return nil }
    return SearchGroup("Favorites", hits, total: max(hits.count, rows.namedRows.first?.int("group_total") ?? 0))
  }
}

extension MirrorSearch.Part {
  fileprivate var bestRank: SearchRank { group.hits.map(\.rank).min() ?? .similar }
}
