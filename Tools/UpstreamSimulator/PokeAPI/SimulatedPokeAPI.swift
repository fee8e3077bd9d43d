import Synchronization

package final class SimulatedPokeAPI: SimulatedUpstream {
  package typealias Row = (id: Int, name: String?)

  static let path = "/api/v2"

  private let documents: PokeAPIDocuments
  private let state = Mutex(PokeAPISettings())

  package init(documents: Int = 0) { self.documents = PokeWorld.shared.documents(count: documents) }

  /// - Parameter document: returns a document, or the list of a Pokémon's encounters. Links begin with `/api/v2/`.
  package init(
    build: String, lists: [String: [Row]], document: @escaping @Sendable (PokeAPIAddress) -> [UInt8]?
  ) {
    documents = PokeAPIDocuments(hash: build, lists: lists, find: document)
  }

  package var settings: PokeAPISettings {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    guard request.method == "GET" || request.method == "HEAD" else { return .pokeAPIText("Not Found", status: 404) }
    var answer = PokeAPIRequest(request, settings, documents).answer
    if request.method == "HEAD" { answer.body = [] }
    return answer
  }
}

extension SimulatedAnswer {
  fileprivate static func pokeAPIText(
    _ text: String, status: Int, headers: [HeaderField] = []
  ) -> SimulatedAnswer {
    let type = HeaderField("Content-Type", "text/plain; charset=utf-8")
    return SimulatedAnswer(status: status, headers: [type] + headers, body: Array(text.utf8))
  }

  fileprivate static func pokeAPICached(_ text: String, status: Int) -> SimulatedAnswer {
    .pokeAPIText(
      text, status: status, headers: [HeaderField("Cache-Control", "public, max-age=432000, s-maxage=432000")])
  }

  fileprivate static let pokeAPIBadRequest = pokeAPIText("Bad Request", status: 400)
  fileprivate static let pokeAPINotFound = pokeAPICached("Not Found", status: 404)
}

private struct PokeAPIRequest {
  let path: String
  let request: SimulatedRequest
  let settings: PokeAPISettings
  let documents: EditedDocuments
  let base: String

  init(_ request: SimulatedRequest, _ settings: PokeAPISettings, _ documents: PokeAPIDocuments) {
    path = request.path.lowercased()
    self.request = request
    self.settings = settings
    self.documents = EditedDocuments(original: documents, settings: settings)
    base = request.header("host").map { "http://\($0)" } ?? ""
  }

  var answer: SimulatedAnswer {
    guard path == SimulatedPokeAPI.path || path.hasPrefix("\(SimulatedPokeAPI.path)/") else { return .pokeAPINotFound }
    let segments = path.dropFirst(SimulatedPokeAPI.path.count).split(separator: "/").map { String($0) }
    guard let endpoint = segments.first else { return root }
    guard segments.count <= 3, segments.count < 3 || segments[2] == "encounters" else { return .pokeAPIBadRequest }
    if endpoint == "meta" { return segments.count == 1 ? meta : .pokeAPINotFound }
    guard let rows = documents.rows(of: endpoint) else { return .pokeAPIBadRequest }
    guard segments.count > 1 else { return list(rows, of: endpoint) }
    guard segments[1].utf8.allSatisfy(Self.isWord) else { return .pokeAPIBadRequest }
    guard let id = Self.id(segments[1], rows) else { return .pokeAPINotFound }
    guard segments.count < 3 || endpoint == "pokemon" else { return .pokeAPINotFound }
    let address = segments.count == 3 ? PokeAPIAddress(PokeAPIAddress.encounters, id) : PokeAPIAddress(endpoint, id)
    return document(address, isNamed: "\(id)" != segments[1])
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x2D
  }

  private static func id(_ segment: String, _ rows: [SimulatedPokeAPI.Row]) -> Int? {
    if let id = Int(segment), "\(id)" == segment { return id }
    return rows.first { $0.name == segment }?.id
  }

  private var root: SimulatedAnswer {
    let names = (documents.endpoints + ["meta"]).sorted()
    return json(
      .object(names.map { name -> (String, SimulatedJSON?) in (name, .string("\(SimulatedPokeAPI.path)/\(name)/")) }))
  }

  private var meta: SimulatedAnswer {
    json(#"{"deploy_date":\#(Self.deployDate),"hash":\#(hash),"tag":null}"#)
  }

  private func list(_ rows: [SimulatedPokeAPI.Row], of endpoint: String) -> SimulatedAnswer {
    let page = PokeAPIPage(QueryParameters(request.query))
    func link(_ page: PokeAPIPage?) -> String? { page.map { "\(base)\(path)\($0.query)" } }
    let results = rows[page.rows(of: rows.count)].map { row -> SimulatedJSON in
      .object([
        ("name", row.name.map { SimulatedJSON.string($0) }),
        ("url", .string("\(SimulatedPokeAPI.path)/\(endpoint)/\(row.id)/")),
      ])
    }
    // `json` makes only `url` absolute, because `link` returns absolute addresses.
    return json(
      #"""
      {"count":\#(rows.count),"next":\#(link(page.next(of: rows.count))),"previous":\#(link(page.previous)),\#
      "results":\#(.array(results))}
      """#)
  }

  private func document(_ address: PokeAPIAddress, isNamed: Bool) -> SimulatedAnswer {
    if !isNamed, let fault = documents.cachedFault(of: address, request) {
      switch fault {
      case .notFound: return .pokeAPINotFound
      case .forbidden: return .pokeAPICached("Forbidden", status: 403)
      case .ok: return .pokeAPICached("OK", status: 200)
      }
    }
    guard let document = documents.document(address) else { return .pokeAPINotFound }
    var answer = json(document)
    answer.body = documents.spelled(answer.body, of: address)
    return answer
  }

  private var hash: String { settings.hash ?? documents.original.hash }

  private static let deployDate = "1786004122"

  private func json(_ body: SimulatedJSON) -> SimulatedAnswer { json(body.bytes) }

  private func json(_ body: [UInt8]) -> SimulatedAnswer {
    let headers = [
      HeaderField("Content-Type", "application/json; charset=utf-8"),
      HeaderField("Cache-Control", "public, max-age=86400, s-maxage=86400"),
      HeaderField("X-PokeAPI-Hash", hash), HeaderField("X-PokeAPI-Deploy-Date", Self.deployDate),
    ]
    return SimulatedAnswer(headers: headers, body: base.isEmpty ? body : PokeAPILinks.absolute(body, base: base))
  }
}
