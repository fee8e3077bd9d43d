import LibPQ
import SyncCore

/// The sources' schemas that `sql/citus.sql` has moved to the machines of a Citus cluster.
package struct Distribution: Sendable {
  /// A distributed schema, and the machines that store its tables.
  package struct Schema: Sendable {
    package let name: String
    /// Each machine with tables of the schema, as `HOST:PORT`. Empty if the schema has no tables.
    package let machines: [String]

    /// Each machine is written as `HOST:PORT`.
    package init(_ name: String, on machines: [String]) {
      self.name = name
      self.machines = machines
    }
  }

  package let schemas: [Schema]
  /// Machines to which the coordinator cannot connect, as `HOST:PORT`.
  package let lostMachines: Set<String>

  /// Each lost machine is written as `HOST:PORT`, as in `Schema.machines`.
  package init(_ schemas: [Schema], lostMachines: Set<String> = []) {
    self.schemas = schemas
    self.lostMachines = lostMachines
  }

  package var lostSchemas: [Schema] {
    schemas.filter { !lostMachines.isDisjoint(with: $0.machines) }
  }

  /// Connects to each machine. A lost machine costs the setting `citus.node_connection_timeout`.
  /// - Returns: `nil` if the database does not have the extension Citus.
  static func read(_ connection: borrowing PGConnection) throws -> Distribution? {
    guard try hasCitus(connection) else { return nil }
    let rows = try connection.query(QuerySQL.text("distribution")).map { row in
      (schema: try row.text(0) ?? "", machine: try row.text(1), answers: try row.bool(2) ?? true)
    }
    let schemas = rows.gathered { $0.schema }.map { rows in Schema(rows[0].schema, on: rows.compactMap(\.machine)) }
    return Distribution(schemas, lostMachines: Set(rows.filter { !$0.answers }.compactMap(\.machine)))
  }

  /// Returns the distributed schemas without connecting to their machines.
  static func schemas(_ connection: borrowing PGConnection) throws -> [String] {
    guard try hasCitus(connection) else { return [] }
    return try connection.texts("SELECT schemaid::regnamespace::text FROM pg_catalog.pg_dist_schema ORDER BY 1")
  }

  private static func hasCitus(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue("SELECT to_regclass('pg_catalog.pg_dist_schema') IS NOT NULL")
  }

  /// Throws `SyncError` `.configuration` if `syncctl migrate` has restored functions that `sql/citus.sql` had replaced,
  /// because Citus refuses these functions.
  static func expectAdaptedFunctions(_ connection: borrowing PGConnection) throws {
    guard try connection.isTrue(QuerySQL.text("restored_functions")) else { return }
    throw SyncError(
      .configuration,
      "database \(connection.address) is distributed, but syncctl migrate has restored functions that Citus refuses",
      hint:
        "stop runs and workers; then the owner runs sql/roles.sql, sql/citus.sql and syncctl migrate (docs/growing.md)",
      disposition: .stopRun)
  }
}
