import LibPQ

/// A connection with the rights of a worker, or the statement that grants these rights to the connected role.
package enum WorkerConnection: Sendable {
  case granted(Database)
  case missing(remedy: String)
}

extension Database {
  /// Returns this connection, which both values share, with transactions that have only the rights of `role`. Returns
  /// `nil` if the connected role is not a member of `role`, or if `role` does not exist or cannot read the mirror. The
  /// database must have a mirror.
  package func acting(as role: String) async throws -> Database? {
    guard try await read({ try $0.isTrue(QuerySQL.text("may_act"), [.text(role)]) }) else { return nil }
    var limited = options
    limited.role = role
    return Database(link: link, options: limited, place: place)
  }

  /// Returns this connection with the rights of `syncctl_worker`, like `acting(as:)`. If the role does not exist or has
  /// no rights in this mirror, returns this connection itself if the connected role can write jobs, because commands
  /// use it as it is, too.
  package func actingAsWorker() async throws -> WorkerConnection {
    if let worker = try await acting(as: "syncctl_worker") { return .granted(worker) }
    return try await read { connection in
      let role = try connection.query(QuerySQL.text("worker_role"))
      let grant = "GRANT syncctl_worker TO \(try role.text(row: 0, column: 0) ?? "USER")"
      if try role.bool(row: 0, column: 1) ?? true { return .missing(remedy: grant) }
      let writesJobs = try role.bool(row: 0, column: 2) ?? false
      return writesJobs ? .granted(self) : .missing(remedy: "psql -1 -f sql/roles.sql, then \(grant)")
    }
  }
}
