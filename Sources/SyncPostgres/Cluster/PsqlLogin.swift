import EmbeddedSQL
package import LibPQ
import SyncCore

/// The login role of `syncctl db psql` in the embedded cluster. It is only a member of `syncctl_user`. Unlike after
/// `SET ROLE`, no SQL statement gives its session the owner's rights.
package enum PsqlLogin {
  static let role = "syncctl_psql"

  /// Whether `create` has nothing to do: the role exists and has the rights of `sql/roles.sql`.
  package static func isReady(_ database: Database) async throws -> Bool {
    try await database.read { try isReady($0) }
  }

  private static func isReady(_ connection: borrowing PGConnection) throws -> Bool {
    guard try connection.isTrue(QuerySQL.text("may_act"), [.text("syncctl_user")]) else { return false }
    return try connection.isTrue(
      """
      SELECT EXISTS (SELECT FROM pg_auth_members
                     WHERE roleid = to_regrole('syncctl_user') AND member = to_regrole($1))
      """, [.text(role)])
  }

  /// Creates the role and grants its rights. Does nothing if `isReady`. The database must be an embedded cluster's,
  /// with a mirror that has all migrations.
  package static func create(in database: Database) async throws {
    try await database.write { connection in
      guard try !isReady(connection) else { return }
      try grantRights(connection)
      try connection.script(
        """
        DO $$ BEGIN IF to_regrole('syncctl_psql') IS NULL THEN CREATE ROLE syncctl_psql LOGIN; END IF; END $$;
        GRANT syncctl_user TO syncctl_psql;
        """)
    }
  }

  /// Grants the rights on the objects that a migration has created. Does nothing in other databases than the embedded
  /// one, because only there syncctl has created the role.
  static func refresh(_ connection: borrowing PGConnection) throws {
    let isOwn = try connection.isTrue("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    guard isOwn, try isReady(connection) else { return }
    try grantRights(connection)
  }

  private static func grantRights(_ connection: borrowing PGConnection) throws {
    try connection.script(SQL(trusted: EmbeddedSQL.text("roles.sql") ?? ""))
  }

  /// Returns the settings of the role's connection. If the running server was configured by an earlier version, which
  /// did not know the role, permits the role first. The role must exist, and `database` must be the cluster's.
  ///
  /// - Throws: `SyncError` `.permission` if the server still refuses the role after `Limits.loginReload`.
  package static func settings(for database: Database, in cluster: EmbeddedCluster) async throws -> ConnectionSettings {
    var settings = database.link.settings
    settings["user"] = role
    if try await refusal(of: settings) == nil { return settings }

    try await EmbeddedClusterError.asSyncError { try cluster.writeAccessFiles() }
    try await database.read { _ = try $0.query("SELECT pg_reload_conf()") }

    // The server reads its files some milliseconds after pg_reload_conf.
    let isAccepted = try await cluster.polling(Limits.loginReload).wait { [settings] in
      try await refusal(of: settings) == nil ? true : nil
    }
    if isAccepted == nil, let refusal = try await refusal(of: settings) { throw refusal }
    return settings
  }

  /// Connects once. Returns the server's error if the role is not permitted, and throws other errors.
  private static func refusal(of settings: ConnectionSettings) async throws -> SyncError? {
    do {
      try await Database.with(settings, applicationName: "syncctl") { _ = try await $0.address() }
      return nil
    } catch let error as SyncError where error.code == .permission {
      return error
    }
  }
}
