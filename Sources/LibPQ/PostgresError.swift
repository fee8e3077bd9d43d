/// Whatever can go wrong between us and a server.
///
/// It holds neither parameters nor connection settings, so it may be logged. Its message may quote a
/// value the server complained about, so it is not safe for a terminal without escaping.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
  package let code: Code
  package let sqlState: SQLState?
  package let server: ServerFields?
  /// One line, never empty.
  package let message: String
  /// The connection is lost, or never existed: only a new connection can help.
  package let isConnectionLost: Bool
  /// The failed statement, or the whole transaction, was certainly not applied. A retry need not help.
  package let isSafeToRetry: Bool
  /// Of a transaction that could not be rolled back: the error that made it necessary.
  package let underlying: (any Error)?
  /// Of a transaction that could not be rolled back: why not.
  package let rollback: (any Error)?

  init(
    _ code: Code, _ message: String, sqlState: SQLState? = nil, server: ServerFields? = nil,
    isConnectionLost: Bool = false, isSafeToRetry: Bool = true, underlying: (any Error)? = nil,
    rollback: (any Error)? = nil
  ) {
    self.code = code
    self.sqlState = sqlState ?? server?.sqlState
    (self.server, self.message, self.isConnectionLost) = (server, message, isConnectionLost)
    (self.isSafeToRetry, self.underlying, self.rollback) = (isSafeToRetry, underlying, rollback)
  }

  func with(isSafeToRetry: Bool) -> PostgresError {
    PostgresError(
      code, message, sqlState: sqlState, server: server, isConnectionLost: isConnectionLost,
      isSafeToRetry: isSafeToRetry, underlying: underlying, rollback: rollback)
  }

  package var description: String {
    var text = "\(code)"
    if let sqlState { text += " \(sqlState)" }
    text += ": \(message)"
    if let hint = server?.hint { text += " (hint: \(hint))" }
    if let underlying { text += "; it had failed with: \(underlying)" }
    if let rollback { text += "; the rollback failed with: \(rollback)" }
    return text
  }
}

extension PostgresError {
  package enum Code: Sendable {
    /// The task was cancelled. Leaves the connection's calls as `CancellationError`.
    case cancelled
    /// The connection was closed, or given up after an earlier failure.
    case closed
    /// The connection was lost after COMMIT was sent: the server alone knows (`pg_xact_status`).
    case commitOutcomeUnknown
    /// COMMIT was answered with ROLLBACK, because a statement had failed and its error was swallowed.
    case commitRolledBack
    /// The server could not be reached, refused the session, or went away.
    case connection
    /// Text from the server that is no UTF-8.
    case invalidUTF8
    /// A value that is not of the requested type.
    case invalidValue
    /// A NUL character, before which libpq would cut the text without an error.
    case nulInText
    /// The server rejected a statement.
    case server
    /// A database whose encoding is not UTF8.
    case serverEncoding
    /// Connection settings that do not make sense.
    case settings
    /// Connecting, or an answer, took longer than allowed.
    case timeout
    /// More parameters, or longer ones, than the protocol carries.
    case tooManyParameters
    /// A transaction could not be brought to an end; see `underlying` and `rollback`.
    case transaction
    /// A call that a correct program does not make.
    case usage
  }

  /// The fields of an error report or a notice, those without values of the user's rows first.
  package struct ServerFields: Sendable, Equatable {
    /// `ERROR`, `FATAL`, `PANIC`, not localized where the server is 9.6 or newer.
    package var severity = ""
    package var sqlState: SQLState?
    package var message = ""
    package var hint: String?
    /// Character in the statement, counted from 1.
    package var position: Int?
    package var schemaName: String?
    package var tableName: String?
    package var columnName: String?
    package var constraintName: String?
    /// May quote rows (`Key (id)=(7) already exists.`), so no description shows it.
    package var detail: String?
  }
}
