import LibPQ
import SyncCore

enum DroppedRows {
  static func error(_ table: String, _ connection: borrowing PGConnection) throws -> SyncError {
    let causes = try causes(on: table, connection)
    let found = causes.isEmpty ? "no trigger, rule or policy was found on it" : "it has \(Self.list(causes))"
    return error("\(table) does not contain the rows that were written to it; \(found)")
  }

  static func error(_ error: PostgresError, _ connection: borrowing PGConnection) throws -> SyncError? {
    let rules = try causes(on: nil, connection).filter { $0.kind == "rule" }
    guard let table = rules.first?.table else { return nil }
    return Self.error("\(table) has \(list(rules)): \(Excerpt.of(error.message, scalars: 400))")
  }

  private static func error(_ message: String) -> SyncError {
    SyncError(
      .configuration, message, hint: "drop or disable the objects that change syncctl's writes, then run again",
      disposition: .stopRun)
  }

  private typealias Cause = (table: String, kind: String, name: String)

  private static func list(_ causes: [Cause]) -> String {
    causes.map { "\($0.kind) \(Excerpt.of($0.name, scalars: 63)) on \($0.table)" }.joined(separator: ", ")
  }

  private static func causes(on table: String?, _ connection: borrowing PGConnection) throws -> [Cause] {
    try connection.query(
      """
      SELECT n.nspname || '.' || r.relname, kind, name
      FROM (
        SELECT tgrelid, 'trigger', tgname FROM pg_trigger
        WHERE NOT tgisinternal AND tgenabled <> 'D'
          AND tgfoid IS DISTINCT FROM to_regprocedure('sync.forget_published()')
        UNION ALL SELECT ev_class, 'rule', rulename FROM pg_rewrite WHERE rulename <> '_RETURN'
        UNION ALL SELECT polrelid, 'policy', polname FROM pg_policy
      ) AS cause (relation, kind, name)
      JOIN pg_class r ON r.oid = relation JOIN pg_namespace n ON n.oid = r.relnamespace
      WHERE n.nspname = ANY ($2) AND n.nspname || '.' || r.relname = coalesce($1::text, n.nspname || '.' || r.relname)
      ORDER BY 1, 2, 3 LIMIT 5
      """, [.text(table), .texts(Migration.schemas.filter { $0 != "app" })]
    ).map { row in (try row.text(0) ?? "", try row.text(1) ?? "", try row.text(2) ?? "") }
  }
}

extension PGResult {
  func refuseDropped(_ connection: borrowing PGConnection) throws {
    guard let column = columnNames.firstIndex(of: "dropped_by") else { return }
    let table = try first { try $0.text(column) } ?? nil
    if let table { throw try DroppedRows.error(table, connection) }
  }
}

extension PostgresError {
  /// PostgreSQL refuses RETURNING, ON CONFLICT and WITH on a table with a rule.
  var isAboutARule: Bool { sqlState == .featureNotSupported }
}

extension PGConnection {
  borrowing func writeRow(to table: String, _ sql: SQL, _ parameters: [PGParameter]) throws {
    guard try query(sql, parameters).affectedRows == 1 else { throw try DroppedRows.error(table, self) }
  }
}
