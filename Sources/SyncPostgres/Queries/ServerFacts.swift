import LibPQ

package struct ServerFacts: Sendable {
  package let version: String
  package let encoding: String
  package let database: String
  package let user: String
  package let mayCreateSchemas: Bool
  /// Each distributed schema with the machines of its tables; `nil` without the extension Citus.
  package let distribution: [String]?

  package static func read(_ database: Database) async throws -> ServerFacts {
    try await database.read { connection in
      let facts = try connection.query(QuerySQL.text("server")).first { row in
        let hasCitus = try row.bool(5) == true
        return ServerFacts(
          version: try row.text(0) ?? "", encoding: try row.text(1) ?? "", database: try row.text(2) ?? "",
          user: try row.text(3) ?? "", mayCreateSchemas: try row.bool(4) ?? false,
          distribution: hasCitus ? try distribution(connection) : nil)
      }
      return facts
        ?? ServerFacts(
          version: "", encoding: "", database: "", user: "", mayCreateSchemas: false, distribution: nil)
    }
  }

  private static func distribution(_ connection: borrowing PGConnection) throws -> [String] {
    try connection.query(QuerySQL.text("distribution")).map { row in
      "\(try row.text(0) ?? "") on \(try row.text(1) ?? "no machine")"
    }
  }
}
