import LibPQ

/// Which of the rights that syncctl's runs need the connected role has.
package struct WorkerRights: Sendable {
  /// A right on one object that is there.
  package struct Right: Sendable, Hashable {
    package let privilege: String
    /// As a GRANT names it: `sync.job_run`, `SCHEMA sync`, `FUNCTION sync.take_permit(text)`.
    package let object: String

    /// What a role needs for questions, too.
    package var isRead: Bool { ["SELECT", "USAGE"].contains(privilege) }
  }

  /// As a GRANT names it.
  package let user: String
  /// It is a member of the role that `sql/roles.sql` grants to.
  package let isWorker: Bool
  package let held: [Right]
  package let missing: [Right]

  /// The statement that gives the connected role a right.
  package func statement(_ right: Right) -> String { "GRANT \(right.privilege) ON \(right.object) TO \(user)" }

  /// The role may look at the mirror, and at no more than that or at everything, and change nothing.
  package var onlyReads: Bool {
    !missing.isEmpty && held.allSatisfy(\.isRead)
      && missing.allSatisfy { !$0.isRead || personal.contains($0.object) }
  }

  /// Tables of the user's own rows, which a reader does not see, or not whole.
  private let personal: Set<String>

  /// Asks the catalogue alone, which everybody may read. Of an object that is still to come there is nothing to say:
  /// that is a migration's matter.
  ///
  /// - Parameter personal: Tables of sources with the user's own rows.
  /// - Throws: `SyncError`.
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
        missing: rights.filter { !$0.isHeld }.map(\.right), personal: Set(personal + ["app.favorite"]))
    }
  }
}
