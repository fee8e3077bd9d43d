import LibPQ
package import SyncCore

/// The rate limits of services, with the requests and pauses that all processes record in the database.
package enum RequestLimits {
  /// A service's rate limits: its source's name, its origin, and its windows, empty without a limit. An origin is the
  /// scheme, host and port, without the scheme's default port, as `Origin.server(of:)` returns them.
  package typealias Budget = (source: String, origin: String, windows: [RateWindow])

  /// Returns a row for each window, in the order of `budgets`. An origin without windows has a row without a limit.
  ///
  /// The columns are `source`, `origin`, `used` (requests in the window until now), `requests` and `window_seconds`
  /// (null without a limit), and `paused_until` (null without a pause). Takes no permit.
  package static func list(_ budgets: [Budget], in database: Database) async throws -> RowSet {
    let rows = budgets.flatMap { budget in
      (budget.windows.isEmpty ? [RateWindow(requests: 0, interval: .zero)] : budget.windows).map { (budget, $0) }
    }
    return try await database.rows(
      QuerySQL.text("request_limits"),
      [
        .texts(rows.map { $0.0.source }), .texts(rows.map { $0.0.origin }), .ints(rows.map { Int64($0.1.requests) }),
        .ints(rows.map { $0.1.interval.microseconds }),
      ])
  }

  /// Ends the pauses of these origins, in the form of `Budget.origin`. An origin in another form, such as
  /// `https://host:443`, has no effect. Requests that already wait continue to wait. Returns whether any of the origins
  /// was paused.
  package static func endPauses(of origins: [String], in database: Database) async throws -> Bool {
    try await database.write(confirm: { _, _ in false }) { connection in
      try connection.query(QuerySQL.text("end_pauses"), [.texts(origins)]).affectedRows > 0
    }
  }
}
