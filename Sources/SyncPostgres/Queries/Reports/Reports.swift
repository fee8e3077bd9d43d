import EmbeddedSQL
import LibPQ
import SyncCore

/// The reports of this program, and the execution of a report within limits for time, rows and bytes.
package enum Reports {
  package static let all: [Report] = EmbeddedSQL.paths(in: "reports").compactMap { path in
    let name = path.dropFirst("reports/".count).dropLast(".sql".count)
    return EmbeddedSQL.text(path).flatMap { try? Report(name: String(name), file: $0) }
  }

  /// Runs a report in a read-only transaction, and returns its rows. Effects such as NOTIFY are undone.
  /// - Parameters:
  ///   - values: The texts of parameters by their names. A parameter without a text has its default, or NULL.
  ///   - limit: The time limit of the whole report.
  /// - Throws: `SyncError` `.usage` for an error in the query or a value, or for a report with too many rows or bytes,
  ///   and `.tryLater` after the time limit.
  package static func run(
    _ report: Report, _ values: [String: String] = [:], within limit: Duration = Limits.statementTimeout,
    in database: Database
  ) async throws -> RowSet {
    let prefix = "DECLARE report NO SCROLL CURSOR FOR\n"
    let sql = SQL(trusted: prefix + report.sql)
    let end = ContinuousClock.now + limit
    return try await database.read(bounds: TransactionBounds(statement: limit), until: end) { connection in
      let parameters = try report.parameters.map { try $0.bound(values[$0.name], connection) }
      // With 1, the planner optimizes for all rows, not only for the first row. The savepoint undoes effects such as
      // NOTIFY.
      try connection.script("SET LOCAL cursor_tuple_fraction = 1; SAVEPOINT report")
      do {
        try bound(connection, until: end)
        try connection.query(sql, parameters)
        let rows = try rows(connection, until: end)
        try connection.script("ROLLBACK TO SAVEPOINT report")
        return rows
      } catch let error as PostgresError {
        throw fault(error, of: report, limit, after: prefix.utf8.count) ?? error
      }
    }
  }

  private static func bound(_ connection: borrowing PGConnection, until end: ContinuousClock.Instant) throws {
    let remaining = max(1, Int((end - .now) / .milliseconds(1)))
    _ = try connection.query("SELECT set_config('statement_timeout', $1, true)", [.text("\(remaining)")])
  }

  private static func rows(_ connection: borrowing PGConnection, until end: ContinuousClock.Instant) throws -> RowSet {
    var reader = RowSetReader(hasOnlyRows: true)
    var count = 10
    while true {
      let before = reader.count
      try bound(connection, until: end)
      try reader.add(try connection.query(SQL(trusted: "FETCH \(count) FROM report")))
      let (rows, bytes) = (reader.count, reader.bytes)
      guard rows <= Limits.reportRows, bytes <= Limits.reportBytes else {
        throw SyncError(
          .usage,
          "the report has more than \(rows > Limits.reportRows ? "\(Limits.reportRows) rows" : "64 MiB of text")",
          hint: "narrow it, or add a LIMIT; for whole tables, use \\copy in syncctl db psql")
      }
      if rows - before < count { return try reader.finish() }
      // A batch is in memory as a whole.
      count = min(1000, 1 + Limits.rowsInMemory / max(1, bytes / rows))
    }
  }

  private static func fault(
    _ error: PostgresError, of report: Report, _ limit: Duration, after prefix: Int
  ) -> SyncError? {
    guard let server = error.server, let state = error.sqlState, !error.isConnectionLost else { return nil }
    if state == .queryCanceled, server.message.contains("statement timeout") {
      return SyncError(
        .tryLater, "the report \(report.name) took longer than \(limit.configured) and was stopped",
        hint: "narrow it, or raise --time-limit")
    }
    guard ["0A", "21", "22", "25", "34", "3F", "42", "54", "P0"].contains(state.classCode),
      state != .insufficientPrivilege
    else { return nil }
    // A report of syncctl is correct, so the schema lacks what the report names.
    if state.classCode == "42", all.contains(where: { $0.sql == report.sql }) { return nil }
    let location = server.position.map { report.location(of: max(0, $0 - 1 - prefix)) }
    return SyncError(
      .usage, "\(Excerpt.of(report.name))\(location?.words ?? ""): \(Excerpt.of(server.message, scalars: 400))",
      hint: server.hint.map { Excerpt.of($0) } ?? "correct the query or its parameters",
      exhibit: location?.exhibit ?? [])
  }
}
