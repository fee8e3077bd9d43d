import LibPQ
import SyncCore

/// Brings a database's schema up to date: all pending steps in one transaction, under an advisory lock of that
/// transaction, so that two programs starting at once apply them once. (A lock of the session would not hold behind
/// a transaction pooler.)
package struct Migrator: Sendable {
  private let database: Database
  private let known: [Migration]

  package init(_ database: Database) {
    self.init(database, known: Migration.all)
  }

  init(_ database: Database, known: [Migration]) {
    self.database = database
    self.known = known
  }

  package struct Step: Sendable, Equatable {
    package let version: Int
    package let name: String
    /// ISO 8601, UTC; nil while pending.
    package let appliedAt: String?
  }

  /// Every known step, applied or pending.
  ///
  /// - Throws: `SyncError` `.configuration` when the database is newer than this program, or a step was edited.
  package func status() async throws -> [Step] {
    let known = known
    return try await database.read { connection in
      let applied = try Self.applied(connection)
      _ = try Self.plan(known, applied)
      return known.map { step in
        Step(
          version: step.version, name: step.name, appliedAt: applied.first { $0.version == step.version }?.appliedAt)
      }
    }
  }

  /// Applies what is pending.
  ///
  /// - Returns: the steps applied by this call.
  package func migrate() async throws -> [Step] {
    // The common case takes no lock: every run calls this.
    if try await status().allSatisfy({ $0.appliedAt != nil }) { return [] }
    let known = known
    return try await database.write { connection in
      _ = try connection.query("SELECT pg_advisory_xact_lock(7378697629483820646)")
      try connection.script(
        """
        CREATE SCHEMA IF NOT EXISTS sync;
        CREATE TABLE IF NOT EXISTS sync.migration (
          version    integer PRIMARY KEY,
          name       text NOT NULL,
          checksum   bytea NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
        );
        COMMENT ON TABLE  sync.migration IS 'Steps of the schema that were applied.';
        COMMENT ON COLUMN sync.migration.version IS 'Number of the step.';
        COMMENT ON COLUMN sync.migration.name IS 'Name of the step.';
        COMMENT ON COLUMN sync.migration.checksum IS 'SHA-256 of its text, so that an edited step is noticed.';
        COMMENT ON COLUMN sync.migration.applied_at IS 'When it was applied.';
        """)
      let pending = try Self.plan(known, Self.applied(connection))
      for step in pending {
        try connection.script(SQL(trusted: step.text))
        _ = try connection.query(
          "INSERT INTO sync.migration (version, name, checksum) VALUES ($1, $2, $3)",
          [.int(Int64(step.version)), .text(step.name), .bytes(step.checksum)])
      }
      let applied = try Self.applied(connection)
      return pending.map { step in
        Step(
          version: step.version, name: step.name, appliedAt: applied.first { $0.version == step.version }?.appliedAt)
      }
    }
  }

  private static func applied(_ connection: borrowing PGConnection) throws -> [AppliedMigration] {
    let exists = try connection.query("SELECT to_regclass('sync.migration') IS NOT NULL").bool(row: 0, column: 0)
    guard exists == true else { return [] }
    return try connection.query(
      """
      SELECT version, name, checksum, to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      FROM sync.migration ORDER BY version
      """
    ).map { row in
      AppliedMigration(
        version: Int(try row.int(0) ?? 0), name: try row.text(1) ?? "", checksum: try row.bytea(2) ?? [],
        appliedAt: try row.text(3) ?? "")
    }
  }

  private static func plan(_ known: [Migration], _ applied: [AppliedMigration]) throws(SyncError) -> [Migration] {
    do {
      return try MigrationPlan.pending(known: known, applied: applied)
    } catch {
      throw SyncError(error)
    }
  }
}

extension SyncError {
  fileprivate init(_ fault: SchemaFault) {
    switch fault {
    case .newer(let theirs, let ours):
      self.init(
        .configuration, "the database has schema version \(theirs), this syncctl knows up to \(ours)",
        hint: "use a newer syncctl with this database", disposition: .stopRun)
    case .edited(let version, let name):
      self.init(
        .configuration, "migration \(version) (\(name)) in the database is not the one this syncctl has",
        hint: "use the syncctl that made this database, or another database", disposition: .stopRun)
    }
  }
}
