import Foundation
import LibPQ
import SyncCore

/// The steps of a migration. They run in the transaction of `migrate(in:)`.
extension DeclaredSchema {
  /// If a user has dropped a declared table, deletes what is stored about it, so that the next run walks everything.
  static func forgetDropped(_ connection: borrowing PGConnection) throws -> [Change] {
    let changes = try connection.query(QuerySQL.text("declared_dropped")).map { row in
      if let rest = try row.text(1) { try run(rest, connection) }
      return Change(table: try row.text(0) ?? "", text: "was dropped; what was stored about its walks is deleted")
    }
    guard !changes.isEmpty else { return [] }
    // PostgreSQL has dropped these views together with the table.
    try FunctionSet.current.installUnions(connection)
    if try hasRoles(connection) {
      try run(
        "GRANT SELECT ON app.favorite_item, app.favorite_history TO syncctl_worker, syncctl_user, syncctl_reader;",
        connection)
    }
    return changes
  }

  /// Creates and changes the tables and views of a source.
  /// - Parameter tables: All tables of the source, at least one.
  static func migrate(
    _ tables: [DeclaredTable], dropsColumns: Bool, mergesKeys: Bool, _ connection: borrowing PGConnection
  ) throws -> [Change] {
    let source = tables[0].source
    let recorded = try recorded(of: source, walked: [], connection)
    if recorded.isEmpty {
      try refuseForeignSchema(source, connection)
      try run("CREATE SCHEMA IF NOT EXISTS \(source);", connection)
    }

    var changes: [Change] = []
    for table in tables {
      let plan = try DeclaredTablePlan(for: table, recorded: recorded[table], dropsColumns: dropsColumns)
      try carryOut(plan, for: table, recorded: recorded[table], mergesKeys: mergesKeys, connection)
      changes += plan.changes
    }
    if try !changes.contains(where: \.isDone) && hasOldViews(tables, recorded: recorded, connection) {
      changes.append(viewsChange(of: source))
    }

    guard changes.contains(where: \.isDone) else { return changes }
    for table in tables {
      try installItemViews(of: table, connection)
      try record(table, over: recorded[table], dropsColumns: dropsColumns, connection)
    }
    try installViews(of: source, tables, connection)
    return changes
  }

  private static func carryOut(
    _ plan: DeclaredTablePlan, for table: DeclaredTable, recorded: Recorded?, mergesKeys: Bool,
    _ connection: borrowing PGConnection
  ) throws {
    // The table first: a run that is under way locks rows of the table before it checks its lease.
    if plan.forgetsWalk { try run("LOCK TABLE \(table.name) IN ACCESS EXCLUSIVE MODE;", connection) }
    if let recorded, table.mustBeRekeyed(recorded) {
      try DeclaredIdentity(table: table).migrate(mergesKeys: mergesKeys, connection)
    }
    if !plan.script.isEmpty { try run(plan.script, connection) }
    if plan.forgetsWalk {
      _ = try connection.query(
        QuerySQL.text("forget_walk"), [.text(table.source.rawValue), .text(table.resource)])
    }
  }

  /// - Throws: `SyncError` `.configuration` if the database has a schema of this name that syncctl did not create.
  static func refuseForeignSchema(_ source: SourceID, _ connection: borrowing PGConnection) throws {
    let isForeign: SQL = "SELECT to_regnamespace($1) IS NOT NULL AND to_regprocedure($1 || '.grant_rights()') IS NULL"
    guard try !connection.isTrue(isForeign, [.text(source.rawValue)]) else {
      throw SyncError(
        .configuration, "database \(connection.address) has a schema \(source), which syncctl did not make",
        hint: "give the source another name, or rename the schema: ALTER SCHEMA \(source) RENAME TO …")
    }
  }

  /// Runs the statements of a script.
  /// - Throws: `SyncError` `.configuration` if a table would have too many columns, or if objects of a user depend on a
  ///   dropped column or table. Otherwise, `PostgresError`.
  static func run(_ script: String, _ connection: borrowing PGConnection) throws {
    do throws(PostgresError) { try connection.script(SQL(trusted: script)) } catch {
      if error.sqlState == .tooManyColumns {
        throw SyncError(
          .configuration, "a declared table has more columns than PostgreSQL permits (1,600, dropped columns included)",
          hint: "declare fewer columns, or drop the table: syncctl migrate creates it again", disposition: .stopRun)
      }
      guard error.sqlState == .dependentObjectsStillExist else { throw error }
      throw SyncError(
        .configuration,
        "objects that syncctl did not make depend on a declared table or column: "
          + Excerpt.of(error.server?.detail ?? error.message, scalars: 400),
        hint: "drop these, run syncctl migrate, and create them again", disposition: .stopRun)
    }
  }

  /// Records the declaration of a table.
  /// - Parameters:
  ///   - recorded: The state before the migration; `nil` for a new table.
  ///   - dropsColumns: Whether columns that are no longer declared were dropped.
  private static func record(
    _ table: DeclaredTable, over recorded: Recorded?, dropsColumns: Bool, _ connection: borrowing PGConnection
  ) throws {
    var columns = dropsColumns ? [:] : recorded?.columns ?? [:]
    // A table of counters that was just created again has no column of an earlier counter.
    if recorded?.relations.hasCounters == false {
      columns = columns.filter { !$0.key.hasPrefix(DeclaredTable.counterPrefix) }
    }
    for column in table.columns + table.counters { columns[table.recordName(of: column)] = RecordedColumn(column) }

    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    _ = try connection.query(
      """
      INSERT INTO sync.declared_resource (source, resource, key, selector, columns, counters, has_list, identity, lists)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (source, resource) DO UPDATE SET columns = excluded.columns, counters = excluded.counters,
        identity = excluded.identity, lists = excluded.lists,
        has_list = sync.declared_resource.has_list OR excluded.has_list,
        declared_at = clock_timestamp()
      """,
      [
        .text(table.source.rawValue), .text(table.resource), .texts(table.key), .text(table.selector),
        .jsonb(Array(try encoder.encode(columns))), .texts(table.counters.map { $0.path[0] }), .bool(table.hasList),
        .int(Int64(DeclaredIdentity.current)), .text(table.lists?.nameType),
      ])
  }

  /// Whether the roles of sql/roles.sql exist. They get their rights at once, because they already use the mirror.
  static func hasRoles(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      """
      SELECT count(*) = 3 AND bool_or(rolname = 'syncctl_worker' AND has_table_privilege(oid, 'sync.run', 'INSERT'))
      FROM pg_roles WHERE rolname IN ('syncctl_worker', 'syncctl_user', 'syncctl_reader')
      """)
  }
}
