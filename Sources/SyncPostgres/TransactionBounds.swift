import LibPQ
import SyncCore

/// The server's limits for one transaction.
package struct TransactionBounds: Sendable {
  /// Nil for the value in the connection's options.
  package var statement: Duration?
  package var lock: Duration
  /// Between two statements; the server ends the session then. It frees the locks of a process that is suspended.
  package var idle: Duration
  /// The run that the transaction belongs to; nil if it writes nothing under a lease.
  var runID: String?

  package init(
    statement: Duration? = nil, lock: Duration = Limits.lockTimeout,
    idle: Duration = Limits.idleInTransactionTimeout
  ) {
    self.statement = statement
    self.lock = lock
    self.idle = idle
  }

  /// All end with the transaction: with a pooler, the next one may use another session.
  func settings(statement: Duration) -> [TransactionOptions.LocalSetting] {
    let setting = TransactionOptions.LocalSetting.init(name:value:)
    return [
      setting("statement_timeout", "\(statement.milliseconds)"),
      setting("lock_timeout", "\(lock.milliseconds)"),
      setting("idle_in_transaction_session_timeout", "\(idle.milliseconds)"),
    ] + Self.pinned + (runID.map { [setting("application_name", RunSession.name(of: $0))] } ?? [])
  }

  /// Settings of the role or the database that could change what a statement means, how its result is read, or how long
  /// it takes.
  private static let pinned: [TransactionOptions.LocalSetting] = [
    // Unqualified names must not find another user's objects first; times are read and shown in UTC.
    .init(name: "search_path", value: "pg_catalog"),
    .init(name: "timezone", value: "UTC"),
    .init(name: "datestyle", value: "ISO, MDY"),
    .init(name: "intervalstyle", value: "postgres"),
    .init(name: "bytea_output", value: "hex"),
    .init(name: "extra_float_digits", value: "1"),
    .init(name: "standard_conforming_strings", value: "on"),
    .init(name: "array_nulls", value: "on"),
    .init(name: "transform_null_equals", value: "off"),
    .init(name: "quote_all_identifiers", value: "off"),
    .init(name: "gin_fuzzy_search_limit", value: "0"),
    .init(name: "xmloption", value: "content"),
    .init(name: "xmlbinary", value: "base64"),
    // Or the first refused item would end the session.
    .init(name: "exit_on_error", value: "off"),
    // Compiling a statement takes longer than running it: movers in 5 million rows of history took 7 s, not 0.5 s.
    .init(name: "jit", value: "off"),
  ]
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
