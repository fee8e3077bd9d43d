package protocol SimulatedUpstream: Sendable {
  func answer(_ request: SimulatedRequest) async -> SimulatedAnswer
}

package struct SimulatedRequest: Sendable {
  package var method: String
  package var path: String
  package var query: String
  package var headers: [HeaderField]
  package var body: [UInt8]

  package init(
    method: String = "GET", path: String, query: String = "", headers: [HeaderField] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }

  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

package struct HeaderField: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

package struct SimulatedAnswer: Sendable, Equatable {
  package var status: Int
  package var headers: [HeaderField]
  package var body: [UInt8]

  package init(status: Int = 200, headers: [HeaderField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package static func json(_ body: [UInt8], status: Int = 200, headers: [HeaderField] = []) -> SimulatedAnswer {
    SimulatedAnswer(status: status, headers: [HeaderField("Content-Type", "application/json")] + headers, body: body)
  }

  package static func json(_ body: String, status: Int = 200, headers: [HeaderField] = []) -> SimulatedAnswer {
    json(Array(body.utf8), status: status, headers: headers)
  }
}

package struct ScriptedUpstream: SimulatedUpstream {
  private let script: @Sendable (SimulatedRequest) async -> SimulatedAnswer

  package init(_ script: @escaping @Sendable (SimulatedRequest) async -> SimulatedAnswer) {
    self.script = script
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer { await script(request) }
}
