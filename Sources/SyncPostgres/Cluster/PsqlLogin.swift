import EmbeddedSQL
package import LibPQ
import SyncCore

/// The login role of `syncctl db psql` in the embedded cluster. It is only a member of `syncctl_user`. Unlike after
/// `SET ROLE`, no SQL statement gives its session the owner's rights.
package enum PsqlLogin {
  static let role = "syncctl_psql"

  /// Whether the role exists and has the rights of `sql/roles.sql`.
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

  /// Creates the role and runs `sql/roles.sql`. The mirror must have all migrations.
  package static func create(in database: Database) async throws {
    try await database.write { connection in
      guard try !isReady(connection) else { return }
      try connection.script(SQL(trusted: EmbeddedSQL.text("roles.sql") ?? ""))
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
    try connection.script(SQL(trusted: EmbeddedSQL.text("roles.sql") ?? ""))
  }

  /// Returns the settings of the role's connection. If the running server was configured by an earlier version, which
  /// did not know the role, permits the role first.
  package static func settings(for database: Database, in cluster: EmbeddedCluster) async throws -> ConnectionSettings {
    var settings = database.link.settings
    settings["user"] = role
    let end = ContinuousClock.now + Limits.loginReload
    var isPermitted = false
    while true {
      do {
        try await Database.with(settings, applicationName: "syncctl") { _ = try await $0.address() }
        return settings
      } catch let error as SyncError where error.code == .permission && ContinuousClock.now < end {
        if !isPermitted {
          try await EmbeddedClusterError.asSyncError { try cluster.writeAccessFiles() }
          try await database.read { _ = try $0.query("SELECT pg_reload_conf()") }
          isPermitted = true
        }
        // The server reads its files some milliseconds after pg_reload_conf.
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }
}
