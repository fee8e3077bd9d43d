import LibPQ

/// The rights that a worker needs, and whether the connected role holds them.
package struct WorkerRights: Sendable {
  /// A privilege on an object. Both are written as in a GRANT.
  package struct Right: Sendable, Hashable {
    package let privilege: String
    package let object: String

    package var isRead: Bool { ["SELECT", "USAGE"].contains(privilege) }
  }

  /// The quoted role name, as in a GRANT.
  package let user: String
  package let isWorker: Bool
  package let held: [Right]
  package let missing: [Right]

  /// Returns the statement that grants the right to `user`.
  package func statement(_ right: Right) -> String { "GRANT \(right.privilege) ON \(right.object) TO \(user)" }

  package var onlyReads: Bool {
    !missing.isEmpty && held.allSatisfy(\.isRead) && missing.allSatisfy { !$0.isRead || personal.contains($0.object) }
  }

  /// Tables that roles which only read cannot read: notes, searches, and the key of fingerprints.
  private let personal: Set<String>

  /// Compares the connected role's rights with a worker's. Reads only the system catalog, which every role can read.
  /// Skips objects that the database does not have.
  /// - Parameter personal: Tables as `schema.table` that a role for reading is not allowed to read
  ///   (`SourceDefinition.personalTables`). `onlyReads` does not require the right to read them.
  package static func read(_ database: Database, personal: [String]) async throws -> WorkerRights {
    let needed = Grant.worker
    let columns = [needed.map(\.privilege), needed.map(\.kind.rawValue), needed.map(\.schema), needed.map(\.name)]
    return try await database.read { connection in
      let role = try connection.query(QuerySQL.text("role"))
      let user = try role.text(row: 0, column: 0) ?? ""
      let isWorker = try role.bool(row: 0, column: 1) ?? false
      let rights = try connection.query(QuerySQL.text("rights"), columns.map { .texts($0) }).map { row in
        (right: Right(privilege: try row.text(0) ?? "", object: try row.text(1) ?? ""), isHeld: try row.bool(2) == true)
      }
      return WorkerRights(
        user: user, isWorker: isWorker, held: rights.filter(\.isHeld).map(\.right),
        missing: rights.filter { !$0.isHeld }.map(\.right),
        personal: Set(personal + ["app.favorite", "sync.fingerprint_key"]))
    }
  }
}
