import LibPQ
import SyncCore

/// The server's time limits for a transaction. They apply as local settings, so they end with the transaction.
package struct TransactionBounds: Sendable {
  /// `nil` means the limit in the connection's options.
  package var statement: Duration?
  package var lock = Limits.lockTimeout
  /// The longest pause between two statements. After this pause, the server ends the session and frees its locks.
  package var idle = Limits.idleInTransactionTimeout
  var runID: String?

  /// All settings end with the transaction, because a pooler may give the next transaction another session.
  func settings(statement: Duration) -> [TransactionOptions.LocalSetting] {
    let setting = TransactionOptions.LocalSetting.init(name:value:)
    return [
      setting("statement_timeout", "\(statement.microseconds / 1000)"),
      setting("lock_timeout", "\(lock.microseconds / 1000)"),
      setting("idle_in_transaction_session_timeout", "\(idle.microseconds / 1000)"),
    ] + Self.pinned + (runID.map { [setting("application_name", RunSession.name(of: $0))] } ?? [])
  }

  /// Overrides settings of the role or the database that could change a statement's meaning, result format or duration.
  private static let pinned: [TransactionOptions.LocalSetting] = [
    // With this path, an unqualified name cannot mean another user's object.
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
    // With `on`, an item that PostgreSQL refuses would end the session.
    .init(name: "exit_on_error", value: "off"),
    // The report `movers` over 5 million history rows took 7 s with JIT and 0.5 s without.
    .init(name: "jit", value: "off"),
  ]
}
