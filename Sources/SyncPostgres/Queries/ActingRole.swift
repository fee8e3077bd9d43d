import LibPQ

extension Database {
  /// Returns this connection with transactions that have only the rights of `role`. Returns `nil` if the connected role
  /// is not a member of `role`, or if `role` cannot read the mirror.
  package func acting(as role: String) async throws -> Database? {
    let mayAct = try await read { connection in
      try connection.query(QuerySQL.text("may_act"), [.text(role)]).first { try $0.bool(0) ?? false }
    }
    guard mayAct == true else { return nil }
    var limited = options
    limited.role = role
    return Database(link: link, options: limited, place: place)
  }
}
