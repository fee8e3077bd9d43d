/// An error that can be logged. Its text contains no value of a parameter or setting, unless the server quotes it.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
  /// The kind of the failure. Callers decide by `code`, `sqlState`, `isConnectionLost` and `isSafeToRetry`, not by the
  /// message.
  package let code: Code
  /// The server's SQLSTATE. `nil` if the error did not come from the server.
  package let sqlState: SQLState?
  /// The fields of the server's error. `nil` if the error did not come from the server.
  package let server: ServerFields?
  /// One line, never empty.
  package let message: String
  /// Whether the connection is lost or could not be opened, so that a retry needs a new connection. False for unusable
  /// settings.
  package let isConnectionLost: Bool
  /// Whether the statement or the whole transaction certainly had no effect. A retry can still fail.
  package let isSafeToRetry: Bool
  /// The error that caused the rollback, if the rollback failed too.
  package let underlying: (any Error)?
  /// The error of the rollback. `nil` unless the rollback failed.
  package let rollback: (any Error)?

  init(
    _ code: Code, _ message: String, sqlState: SQLState? = nil, server: ServerFields? = nil,
    isConnectionLost: Bool = false, isSafeToRetry: Bool = true, underlying: (any Error)? = nil,
    rollback: (any Error)? = nil
  ) {
    self.code = code
    self.sqlState = sqlState ?? server?.sqlState
    self.server = server
    self.message = message
    self.isConnectionLost = isConnectionLost
    self.isSafeToRetry = isSafeToRetry
    self.underlying = underlying
    self.rollback = rollback
  }

  func with(isSafeToRetry: Bool) -> PostgresError {
    PostgresError(
      code, message, sqlState: sqlState, server: server, isConnectionLost: isConnectionLost,
      isSafeToRetry: isSafeToRetry, underlying: underlying, rollback: rollback)
  }

  /// The code, the SQLSTATE, the message and the hint, in one line. Omits `ServerFields.detail`.
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
  /// The kind of a failure.
  package enum Code: Sendable {
    /// `PostgresConnection` throws `CancellationError` instead.
    case cancelled
    /// The connection was closed, or was given up after an earlier failure.
    case closed
    /// The connection was lost after COMMIT was sent. Only the server knows the outcome (`pg_xact_status`).
    case commitOutcomeUnknown
    /// The server answered COMMIT with ROLLBACK, because a statement had failed and its error was swallowed.
    case commitRolledBack
    /// A text contains a NUL character. libpq would cut the text there without an error.
    case nulInText
    /// A statement has more or larger parameters than `PostgresLimits` allow.
    case tooManyParameters
    /// A transaction failed, and its rollback failed too. `underlying` and `rollback` have the two errors.
    case transaction
    /// No connection could be opened, or the connection was lost during a statement other than COMMIT.
    case connection
    /// A column's text is not UTF-8.
    case invalidUTF8
    /// A column's text is not a value of the requested type.
    case invalidValue
    /// The server refused a statement. `sqlState` has the reason.
    case server
    /// The database or the session has an encoding other than UTF8.
    case serverEncoding
    /// The server is older than `PostgresLimits.oldestServer`.
    case serverVersion
    /// The connection settings cannot be used.
    case settings
    /// No connection was open within the deadline, or the server was silent for longer than the call's limit.
    case timeout
    /// The caller used the connection wrongly, for example with COPY or a nested transaction.
    case usage
  }

  /// The fields of an error that the server sent (`PG_DIAG_…` of libpq).
  package struct ServerFields: Sendable, Equatable {
    package var sqlState: SQLState?
    package var message = ""
    package var hint: String?
    /// The position of the error in the statement, in characters from 1.
    package var position: Int?
    /// `description` omits this text, because the text can quote a row (`Key (id)=(7) already exists.`).
    package var detail: String?
    /// The call stack of SQL functions in which the error arose.
    package var context: String?
    /// The name of the violated constraint, or the name that a function gave with `RAISE … USING CONSTRAINT`.
    package var constraint: String?
  }
}
