import Synchronization

/// Simulates the iTunes search, lookups and charts with a handmade catalogue. A search returns the records that contain
/// the term, or else all records of the entity. A term with `zzzz` finds nothing.
package final class GeneratedITunes: SimulatedUpstream {
  private let state = Mutex(ITunesSettings())

  package init() {}

  package var settings: ITunesSettings {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    guard request.method == "GET" || request.method == "HEAD" else { return SimulatedAnswer(status: 405) }
    var answer = answer(request, settings)
    if request.method == "HEAD" { answer.body = [] }
    return answer
  }

  private func answer(_ request: SimulatedRequest, _ settings: ITunesSettings) -> SimulatedAnswer {
    guard let service = ITunesService(path: request.path) else { return SimulatedAnswer(status: 404) }
    let answers = ITunesAnswers(settings)
    if service == .charts { return SimulatedCharts(settings: settings, items: answers.items).answer(request.path) }
    switch settings.fault {
    case .forbidden: return .iTunesForbidden
    case .html: return .iTunesHTML
    case .errorMessage: return .iTunes(SimulatedITunesProblem.message("Service unavailable"))
    case nil: break
    }
    do throws(SimulatedITunesProblem) {
      let parameters = QueryParameters(request.query)
      return service == .search ? try answers.search(parameters) : try answers.lookup(parameters)
    } catch {
      return .iTunes(SimulatedITunesProblem.message("Invalid value(s) for key(s): [\(error.key)]"), status: 400)
    }
  }
}

private struct ITunesAnswers {
  private static let longestAnswer = 200

  let items: [ITunesItem]

  init(_ settings: ITunesSettings) { items = ITunesItem.all.filter { !settings.removed.contains($0.id) } }

  func search(_ parameters: QueryParameters) throws(SimulatedITunesProblem) -> SimulatedAnswer {
    let (store, limit) = try (store(parameters), limit(parameters))
    guard let standard = ITunesKind.entity(ofMedia: value("media", parameters) ?? "all") else {
      throw SimulatedITunesProblem("mediaType")
    }
    guard let kinds = ITunesKind.of(entity: value("entity", parameters) ?? standard) else {
      throw SimulatedITunesProblem("resultEntity")
    }
    let term = (parameters["term"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !term.isEmpty, !term.contains("zzzz") else { return .iTunes(results: []) }
    let requested = items.filter { kinds.contains($0.kind) }
    let named = requested.filter { $0.isFound(by: term) }
    let digest = Int(truncatingIfNeeded: ConditionalUpstream.digest(Array(term.utf8)))
    let order = Draws(seed: 1, stream: 1 << 45).of(digest)
    let found = (named.isEmpty ? requested : named).sorted {
      (order.draw($0.id, below: 1 << 40), $0.id) < (order.draw($1.id, below: 1 << 40), $1.id)
    }
    return .iTunes(results: found.prefix(limit).map { $0.record(in: store) })
  }

  func lookup(_ parameters: QueryParameters) throws(SimulatedITunesProblem) -> SimulatedAnswer {
    let (store, limit) = try (store(parameters), limit(parameters))
    let entity = value("entity", parameters)
    guard let kinds = entity.map({ ITunesKind.of(entity: $0) }) ?? [] else {
      throw SimulatedITunesProblem("resultEntity")
    }
    var records: [ITunesItem] = []
    for item in try requested(for: parameters) {
      records.append(item)
      let children = items.filter { child in
        kinds.contains(child.kind) && child.id != item.id
          && (child.collectionID == item.id || item.kind == .artist && child.artist == item.name
            || child.id == item.collectionID)
      }
      let isRecent = value("sort", parameters) == "recent"
      records += (isRecent ? children.sorted { $0.date > $1.date } : children).prefix(limit)
    }
    return .iTunes(results: records.map { $0.record(in: store) })
  }

  private func requested(for parameters: QueryParameters) throws(SimulatedITunesProblem) -> [ITunesItem] {
    func list(_ name: String) -> [String] { (parameters[name] ?? "").split(separator: ",").map { String($0.trimmed) } }
    let ids = list("id").map { Int($0) ?? -1 }
    guard ids.count <= Self.longestAnswer, ids.allSatisfy({ $0 >= 0 }) else { throw SimulatedITunesProblem("itunesId") }
    let names = Set(list("bundleId") + list("upc") + list("isbn"))
    var seen: Set<Int> = []
    let numbered = ids.filter { seen.insert($0).inserted }.compactMap { id in items.first { $0.id == id } }
    let named = items.filter { item in item.alias.map { names.contains($0) } ?? false }
    return numbered + named
  }

  private func value(_ name: String, _ parameters: QueryParameters) -> String? {
    parameters[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func store(_ parameters: QueryParameters) throws(SimulatedITunesProblem) -> ITunesStorefront {
    guard let store = ITunesStorefront(value("country", parameters) ?? "us") else {
      throw SimulatedITunesProblem("country")
    }
    return store
  }

  private func limit(_ parameters: QueryParameters) throws(SimulatedITunesProblem) -> Int {
    guard let text = value("limit", parameters) else { return 50 }
    guard let limit = Int(text), limit >= 1 else { throw SimulatedITunesProblem("limit") }
    return min(limit, Self.longestAnswer)
  }
}

extension SimulatedAnswer {
  static func iTunes(_ body: String, status: Int = 200) -> SimulatedAnswer {
    var headers = [
      HeaderField("Content-Type", "text/javascript; charset=utf-8"),
      HeaderField("Content-Disposition", "attachment; filename=1.txt"),
    ]
    if status == 200 { headers.append(HeaderField("Cache-Control", "max-age=86400")) }
    return SimulatedAnswer(status: status, headers: headers, body: Array("\n\n\n\(body)\n\n\n".utf8))
  }

  static func iTunes(results: [JSONTree]) -> SimulatedAnswer {
    let rows = results.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: ", \n")
    return iTunes("{\n \"resultCount\":\(results.count),\n \"results\": [\(rows.isEmpty ? "" : "\n")\(rows)]\n}")
  }

  fileprivate static let iTunesForbidden = SimulatedAnswer(
    status: 403,
    headers: [
      HeaderField("Cache-Control", "max-age=0, no-cache, no-store"), HeaderField("X-Apple-Lokamai-No-Cache", "true"),
    ])

  fileprivate static let iTunesHTML = SimulatedAnswer(
    headers: [HeaderField("Content-Type", "text/html")],
    body: Array(
      """
      <html><head><title>Error</title></head><body>Your request produced an error. <BR>[newNullResponse]</body></html>
      """.utf8))
}
