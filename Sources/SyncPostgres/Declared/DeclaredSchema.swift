import LibPQ
import SyncCore

/// The schemas, tables and views of declared sources. `migrate` creates and changes them.
package struct DeclaredSchema: Sendable {
  private let tables: [DeclaredTable]

  /// Takes the tables of all sources that the configuration declares.
  package init(_ tables: [DeclaredTable]) { self.tables = tables }

  /// The schemas that this database has of declared sources.
  static func schemas(_ connection: borrowing PGConnection) throws -> [String] {
    guard try isPrepared(connection) else { return [] }
    return try connection.query("SELECT DISTINCT source FROM sync.declared_resource ORDER BY 1").map {
      try $0.text(0) ?? ""
    }
  }

  /// Whether the database has the tables that record declared resources.
  static func isPrepared(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      "SELECT to_regclass('sync.declared_resource') IS NOT NULL AND to_regclass('sync.fingerprint_key') IS NOT NULL")
  }

  /// A change of a declared table in a migration, or a difference that the migration left.
  package struct Change: Sendable, Equatable {
    package let table: String
    package let text: String
    /// Whether something was changed. Otherwise, `text` says what was left.
    package var isDone = true
  }

  /// Returns what was created, changed or left. Everything happens in one transaction.
  /// - Parameters:
  ///   - dropsColumns: Whether columns that are no longer declared, or that have another type, are dropped.
  ///   - mergesKeys: Whether the older of two rows is deleted if their keys differ only in their spelling.
  package func migrate(
    in database: Database, dropsColumns: Bool, mergesKeys: Bool = false
  ) async throws -> [Change] {
    let bounds = TransactionBounds(statement: Limits.migrationStatementTimeout)
    return try await database.write(bounds: bounds) { connection in
      _ = try connection.query("SELECT pg_advisory_xact_lock(7378697629483820646)")
      var changes = try Self.forgetDropped(connection)
      for tables in tables.gathered(by: \.source) {
        changes += try Self.migrate(tables, dropsColumns: dropsColumns, mergesKeys: mergesKeys, connection)
      }
      return changes
    }
  }

  /// Returns what `migrate` would do, without a lock.
  package func pending(in database: Database, dropsColumns: Bool) async throws -> [Change] {
    try await database.read { connection in
      try tables.gathered(by: \.source).flatMap { tables in
        let recorded = try Self.recorded(of: tables[0].source, walked: [], connection)
        if recorded.isEmpty { try Self.refuseForeignSchema(tables[0].source, connection) }
        let changes = try tables.flatMap { table in
          try DeclaredTablePlan(for: table, recorded: recorded[table], dropsColumns: dropsColumns).changes
        }
        let hasOldViews =
          try !changes.contains(where: \.isDone) && Self.hasOldViews(tables, recorded: recorded, connection)
        return changes + (hasOldViews ? [Self.viewsChange(of: tables[0].source)] : [])
      }
    }
  }
}
