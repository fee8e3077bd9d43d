/// An API played by the simulator: one implementation per API and mode.
///
/// It answers every request, unknown ones included, so that a wrong address gets the API's own 404.
package protocol SimulatedUpstream: Sendable {
  /// Answers one request; called from several connections at once.
  func answer(_ request: SimulatedRequest) async -> SimulatedAnswer
}

/// One request as the simulated API sees it, free of any server library's types.
package struct SimulatedRequest: Sendable {
  package var method: String
  /// The path as it was sent: still percent-encoded, without the query.
  package var path: String
  /// The query as it was sent, without the question mark; empty when there is none.
  package var query: String
  package var headers: [HeaderField]

  package init(method: String = "GET", path: String, query: String = "", headers: [HeaderField] = []) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
  }

  /// Path and query in one piece, as in a request line.
  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }

  /// The first header of that name, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// A header's name and value.
package struct HeaderField: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One complete answer.
package struct SimulatedAnswer: Sendable, Equatable {
  package var status: Int
  package var headers: [HeaderField]
  package var body: [UInt8]

  package init(status: Int = 200, headers: [HeaderField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer with a JSON body, served as `application/json`.
  package static func json(_ body: [UInt8], status: Int = 200, headers: [HeaderField] = []) -> SimulatedAnswer {
    SimulatedAnswer(status: status, headers: [HeaderField("Content-Type", "application/json")] + headers, body: body)
  }

  /// An answer with a JSON body given as text.
  package static func json(_ body: String, status: Int = 200, headers: [HeaderField] = []) -> SimulatedAnswer {
    json(Array(body.utf8), status: status, headers: headers)
  }
}

/// An upstream made of a closure, for tests that need an answer no real API mode gives.
package struct ScriptedUpstream: SimulatedUpstream {
  private let script: @Sendable (SimulatedRequest) async -> SimulatedAnswer

  package init(_ script: @escaping @Sendable (SimulatedRequest) async -> SimulatedAnswer) {
    self.script = script
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    await script(request)
  }
}
