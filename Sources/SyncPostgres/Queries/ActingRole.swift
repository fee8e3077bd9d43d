import LibPQ

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
}
