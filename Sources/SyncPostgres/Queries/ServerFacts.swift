import LibPQ

/// The server's version and encoding, the connected database and role, and the machines of a Citus cluster.
package struct ServerFacts: Sendable {
  package let version: String
  package let encoding: String
  package let database: String
  package let user: String
  package let mayCreateSchemas: Bool
  /// `nil` without the extension Citus.
  package let distribution: Distribution?

  /// Reads the facts, also of a database without a mirror. In a Citus cluster, the server also connects to each
  /// machine, and waits for a lost machine until `citus.node_connection_timeout`.
  package static func read(_ database: Database) async throws -> ServerFacts {
    try await database.read { connection in
      let facts = try connection.query(QuerySQL.text("server")).first { row in
        ServerFacts(
          version: try row.text(0) ?? "", encoding: try row.text(1) ?? "", database: try row.text(2) ?? "",
          user: try row.text(3) ?? "", mayCreateSchemas: try row.bool(4) ?? false,
          distribution: try Distribution.read(connection))
      }
      return facts
        ?? ServerFacts(
          version: "", encoding: "", database: "", user: "", mayCreateSchemas: false, distribution: nil)
    }
  }
}
