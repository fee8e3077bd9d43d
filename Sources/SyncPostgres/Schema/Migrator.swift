import LibPQ
import SyncCore

/// Applies all pending migrations and then replaces functions and views, in one transaction with an advisory lock.
package struct Migrator: Sendable {
  private let database: Database
  private let known: [Migration]
  private let functions: FunctionSet?

  /// Creates a migrator with this program's migrations, functions and views. Reads nothing yet.
  package init(_ database: Database) {
    self.init(database, known: Migration.all, functions: FunctionSet.current)
  }

  init(_ database: Database, known: [Migration], functions: FunctionSet? = nil) {
    self.database = database
    self.known = known
    self.functions = functions
  }

  /// A migration, or the set of functions and views, with the time when the database applied it.
  package struct Step: Sendable, Equatable {
    /// `nil` for the functions and views.
    package let version: Int?
    package let name: String
    /// ISO 8601, UTC; `nil` while pending.
    package let appliedAt: String?
    package var isApplied: Bool { appliedAt != nil }

    fileprivate var id: String { version.map { "\($0)" } ?? name }
  }

  /// Returns all steps of this program in their order, with the time when the database applied each. Changes nothing.
  /// - Parameter isForUse: Whether to throw `SyncError` `.configuration` if nothing is pending, but `sql/citus.sql`
  ///   must run before the mirror can be used.
  /// - Throws: `SyncError` `.configuration` if the database is newer than this program, if a migration was edited, or
  ///   if the database has the migrations that the baseline replaced.
  package func status(isForUse: Bool = false) async throws -> [Step] {
    try await database.read { [known, functions] connection in
      let applied = try Self.applied(connection)
      _ = try Self.plan(known, applied)
      var steps = known.map { step in
        Step(version: step.version, name: step.name, appliedAt: applied.first { $0.version == step.version }?.appliedAt)
      }
      if let functions {
        let installed = try FunctionSet.installed(connection)
        let appliedAt = functions.isPending(installed) ? nil : installed.values.map(\.appliedAt).max()
        steps.append(Step(version: nil, name: FunctionSet.step, appliedAt: appliedAt))
      }
      if isForUse, steps.allSatisfy(\.isApplied) { try Distribution.expectAdaptedFunctions(connection) }
      return steps
    }
  }

  /// Checks a mirror whose steps are all applied, as after `migrate`, which reads them.
  /// - Throws: `SyncError` `.configuration` if `sql/citus.sql` must run before the mirror can be used.
  package func expectUsable() async throws {
    try await database.read { connection in try Distribution.expectAdaptedFunctions(connection) }
  }

  /// Applies all pending steps, and returns the steps that this call applied. Usually none is pending.
  /// - Throws: `.tryLater` if another program still migrates after `Limits.migrationLockWait`. `.configuration` in the
  ///   cases of `status` and `expectNoForeignSchema`, and if a step would drop an object of a user.
  package func migrate() async throws -> [Step] {
    // The status is read without a lock first, because every run calls this method and usually nothing is pending.
    guard try await status().contains(where: { !$0.isApplied }) else { return [] }
    let end = ContinuousClock.now + Limits.migrationLockWait
    while true {
      if let applied = try await apply() {
        return applied.isEmpty ? [] : try await status().filter { applied.contains($0.id) }
      }
      guard ContinuousClock.now < end else {
        throw SyncError(
          .tryLater, "database \(database.place): another program is migrating the schema",
          hint: "run again when it is done")
      }
      try await Task.sleep(for: Limits.migrationLockPoll)
    }
  }

  /// Throws `.configuration` if another program has created a schema that a pending migration would create.
  ///
  /// A schema `sync` with tables is foreign if no migration was applied. Throws the errors of `status`, too. Changes
  /// nothing. `migrate` includes this check.
  package func expectNoForeignSchema() async throws {
    let known = known
    try await database.read { try Self.expectNoForeignSchema(known, $0) }
  }

  private static func expectNoForeignSchema(_ known: [Migration], _ connection: borrowing PGConnection) throws {
    let applied = try applied(connection)
    let made = try plan(known, applied).flatMap(\.schemas)
    let foreign = try connection.texts(
      """
      SELECT n.nspname FROM pg_namespace n
      WHERE n.nspname = ANY ($1)
         OR ($2 AND n.nspname = 'sync' AND EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid))
      ORDER BY 1
      """, [.texts(made), .bool(applied.isEmpty)])
    guard !foreign.isEmpty else { return }
    let names = foreign.joined(separator: " and ")
    let isOne = foreign.count == 1
    throw SyncError(
      .configuration,
      "database \(connection.address) has \(isOne ? "a schema" : "the schemas") \(names), which syncctl did not make",
      hint: "mirror into a database of its own (CREATE DATABASE mirror), named in SYNCCTL_DATABASE_URL",
      disposition: .stopRun)
  }

  private func apply() async throws -> Set<String>? {
    try await database.write(bounds: TransactionBounds(statement: Limits.migrationStatementTimeout)) {
      [known, functions] connection in
      guard try connection.isTrue("SELECT pg_try_advisory_xact_lock(7378697629483820646)") else { return nil }
      try Self.expectNoForeignSchema(known, connection)
      try connection.script(
        """
        -- With IF NOT EXISTS, Citus would distribute the existing schema.
        DO $$ BEGIN IF to_regnamespace('sync') IS NULL THEN CREATE SCHEMA sync; END IF; END $$;
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
      let steps = try Self.plan(known, Self.applied(connection))
      let before = try functions.map { try SchemaObject.read($0.files.flatMap(\.objects), connection) } ?? []
      let dependents = steps.isEmpty ? [] : try MirrorDependents.names(in: Migration.schemas, connection)
      let hasLZ4 = try Self.hasLZ4(connection)
      for step in steps {
        let script = hasLZ4 ? step.text : step.textWithoutLZ4
        try Self.explaining(step) { try connection.script(SQL(trusted: script)) }
        _ = try connection.query(
          "INSERT INTO sync.migration (version, name, checksum) VALUES ($1, $2, $3)",
          [.int(Int64(step.version)), .text(step.name), .bytes(step.checksum)])
      }
      if let step = steps.last, !dependents.isEmpty {
        // A DROP can remove users' objects without an error, for example a view's triggers.
        let lost = Set(dependents).subtracting(try MirrorDependents.names(in: Migration.schemas, connection))
        guard lost.isEmpty else { throw Self.inTheWay(lost.sorted().joined(separator: ", "), of: step.words) }
      }
      let applied = Set(steps.map { "\($0.version)" })
      guard let functions else { return applied }
      let installed = try FunctionSet.installed(connection)
      guard functions.isPending(installed) else {
        if !applied.isEmpty { try PsqlLogin.refresh(connection) }
        return applied
      }
      let missing = functions.missing(installed)
      guard missing.isEmpty else {
        throw SyncError(
          .configuration,
          "the functions in the database are from a newer syncctl, which has none for \(missing.joined(separator: ", "))",
          hint: "build this program from that version of syncctl", disposition: .stopRun)
      }
      try Self.naming(FunctionSet.step) {
        try functions.install(before: before, installed: installed, connection)
      }
      try PsqlLogin.refresh(connection)
      return applied.union([FunctionSet.step])
    }
  }

  /// Whether the server was built with LZ4. Without LZ4, the migrations' columns use the server's own compression.
  static func hasLZ4(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue("SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'")
  }

  private static func explaining(_ step: Migration, _ body: () throws -> Void) throws {
    do { try body() } catch let error as PostgresError {
      let duplicates: Set<SQLState> = [
        .duplicateSchema, .duplicateTable, .duplicateColumn, .duplicateObject, .duplicateFunction,
      ]
      guard error.sqlState != .dependentObjectsStillExist else {
        let detail = error.server?.detail ?? error.message
        throw inTheWay(detail.split(separator: "\n").joined(separator: "; "), of: step.words)
      }
      guard let state = error.sqlState, duplicates.contains(state) else {
        return try naming(step.words) { throw error }
      }
      throw SyncError(
        .configuration,
        "\(step.words): \(Excerpt.of(error.message)), but sync.migration does "
          + "not list it", hint: SyncError.schemaHint, disposition: .stopRun)
    }
  }

  /// Names the step whose statement the server refuses. Other errors keep their hints, because no step causes them.
  private static func naming(_ step: String, _ body: () throws -> Void) throws {
    do { try body() } catch let error as PostgresError {
      guard error.sqlState == .syntaxError || error.sqlState == .featureNotSupported else { throw error }
      throw SyncError(
        .configuration, "\(step): the server refuses a statement: \(Excerpt.of(error.message))",
        hint: "nothing was changed; PostgreSQL \(PostgresLimits.oldestServer) and newer are supported; "
          + "syncctl doctor names the server", disposition: .stopRun)
    }
  }

  static func inTheWay(_ dependents: String, of step: String) -> SyncError {
    SyncError(
      .configuration,
      "\(step) would drop what these objects, which syncctl did not make, depend on: "
        + Excerpt.of(dependents, scalars: 400),
      hint: "drop these, run syncctl migrate, and create them again", disposition: .stopRun)
  }

  /// Returns the migrations in this transaction's snapshot. `to_regclass` is not used, because it sees later commits.
  static func applied(_ connection: borrowing PGConnection) throws -> [AppliedMigration] {
    let found = try connection.query(
      """
      SELECT coalesce(bool_or(c.relname = 'migration'), false),
             coalesce(bool_or(c.relname = 'run'), false)
               OR (SELECT count(*) FROM pg_namespace WHERE nspname = ANY ($1)) = cardinality($1::text[])
      FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind = 'r'
      WHERE n.nspname = 'sync'
      """, [.texts(Migration.schemas.filter { !["sync", "app"].contains($0) })]
    ).first { row in (hasRecord: try row.bool(0) ?? false, hasMirror: try row.bool(1) ?? false) }
    let steps = found?.hasRecord == true ? try recorded(connection) : []
    if steps.isEmpty, found?.hasMirror == true {
      throw SyncError(
        .configuration, "the database holds a mirror, but no record of the migrations that made it (sync.migration)",
        hint:
          "restore the schema sync from a backup; or drop the schemas \(Migration.schemas.joined(separator: ", ")), with "
          + "the favorites, and mirror again from scratch", disposition: .stopRun)
    }
    return steps
  }

  private static func recorded(_ connection: borrowing PGConnection) throws -> [AppliedMigration] {
    try connection.query(
      "SELECT version, name, checksum, applied_at FROM sync.migration ORDER BY version"
    ).map { row in
      (
        version: Int(try row.int(0) ?? 0), name: try row.text(1) ?? "", checksum: try row.bytea(2) ?? [],
        appliedAt: try row.text(3).map(TimeText.instant) ?? ""
      )
    }
  }

  private static func plan(_ known: [Migration], _ applied: [AppliedMigration]) throws(SyncError) -> [Migration] {
    for step in applied {
      guard let mine = known.first(where: { $0.version == step.version }) else {
        throw SyncError(
          .configuration,
          "the database has schema version \(applied.map(\.version).max() ?? 0), this syncctl knows up to "
            + "\(known.last?.version ?? 0)", hint: "use a newer syncctl with this database", disposition: .stopRun)
      }
      guard mine.checksum == step.checksum else {
        // The first of the nine differs, so `mine` is the baseline.
        if ReplacedMigrations.areListed(in: applied) { throw ReplacedMigrations.refusal(for: mine) }
        throw SyncError(
          .configuration,
          "migration \(step.version) (\(step.name)) in the database differs from this syncctl's",
          hint: "use the syncctl that made this database, or another database", disposition: .stopRun)
      }
    }
    let done = Set(applied.map(\.version))
    return known.filter { !done.contains($0.version) }
  }
}

extension Migration {
  fileprivate var words: String { "migration \(version) (\(name))" }
}

extension [Migrator.Step] {
  package var version: Int { compactMap(\.version).last ?? 0 }

  package var summary: String {
    let migrations = count { $0.version != nil }
    let named = migrations == 0 ? [] : [migrations == 1 ? "1 migration" : "\(migrations) migrations"]
    return (named + filter { $0.version == nil }.map(\.name)).joined(separator: ", ")
  }
}
