extension PGConnection {
  /// Runs `body` between BEGIN and COMMIT. Rolls back if `body` throws or the task is cancelled. Throws the error of
  /// `body`, `.usage` if a transaction is already open, `.commitRolledBack`, `.commitOutcomeUnknown` or `.transaction`.
  borrowing func transaction<R>(
    _ options: TransactionOptions, _ body: (borrowing PGConnection) throws -> R
  ) throws -> R {
    guard isIdle else {
      throw PostgresError(.usage, "a transaction cannot begin inside another; use a savepoint")
    }
    do {
      _ = try uninterrupted(beginStatement(options))
      let result = try body(self)
      // `Task.isCancelled` is true earlier than `monitor.isCancelled`.
      if monitor.isCancelled || Task.isCancelled {
        throw PostgresError(.cancelled, "the task was cancelled before COMMIT")
      }
      guard !isIdle else {
        throw PostgresError(.usage, "the transaction's body ended the transaction", isSafeToRetry: false)
      }
      try commit()
      return result
    } catch {
      throw rollBack(after: error)
    }
  }

  /// Runs `body` in a savepoint and returns its result. If `body` throws, its changes are rolled back, the transaction
  /// continues, and the error is rethrown.
  ///
  /// Savepoints can be nested. Throws `.usage` outside of a transaction and in a failed transaction. Throws
  /// `.transaction` if the rollback fails. After a cancellation or a lost connection, only the whole transaction is
  /// rolled back.
  package borrowing func savepoint<R>(_ body: (borrowing PGConnection) throws -> R) throws -> R {
    guard isInTransaction else {
      throw PostgresError(.usage, "a savepoint needs a transaction that has not failed")
    }
    // All savepoints can have the same name, because an inner savepoint hides the outer savepoint until its release.
    try script("SAVEPOINT libpq")
    do {
      let result = try body(self)
      try script("RELEASE SAVEPOINT libpq")
      return result
    } catch {
      guard !isBroken, !monitor.isCancelled else { throw error }
      do { _ = try uninterrupted("ROLLBACK TO SAVEPOINT libpq; RELEASE SAVEPOINT libpq") } catch let rollback {
        throw unrolled(error, rollback)
      }
      throw error
    }
  }

  /// Rolls back if a transaction is open.
  borrowing func restoreIdle() throws(PostgresError) {
    if !isIdle { _ = try uninterrupted("ROLLBACK") }
  }

  /// Returns BEGIN and the settings as one message. SET LOCAL is not used, because it reads `'a, b'` as one name.
  private borrowing func beginStatement(_ options: TransactionOptions) throws(PostgresError) -> String {
    var sql = "BEGIN"
    if let isolation = options.isolation { sql += " ISOLATION LEVEL \(isolation.rawValue)" }
    sql += options.isReadOnly ? " READ ONLY" : " READ WRITE"
    var calls: [String] = []
    for setting in options.localSettings {
      let (name, value) = (try escapedLiteral(setting.name), try escapedLiteral(setting.value))
      // `IS NULL` keeps the server from returning the values.
      calls.append("pg_catalog.set_config(\(name), \(value), true) IS NULL")
    }
    if let call = options.afterSettings { calls.append(call) }
    return calls.isEmpty ? sql : "\(sql); SELECT \(calls.joined(separator: ", "))"
  }

  private borrowing func commit() throws(PostgresError) {
    let tag: String
    do { tag = try uninterrupted("COMMIT").commandTag } catch {
      guard error.isConnectionLost else { throw error }
      throw PostgresError(
        .commitOutcomeUnknown, "the connection was lost during COMMIT: \(error.message)", server: error.server,
        isConnectionLost: true, isSafeToRetry: false)
    }
    guard tag == "COMMIT" else {
      throw PostgresError(
        .commitRolledBack, "COMMIT was answered with \(tag): a statement had failed and the error was swallowed")
    }
  }

  private borrowing func rollBack(after error: any Error) -> any Error {
    let failure = error as? PostgresError
    if failure?.code == .commitOutcomeUnknown { return error }
    if let failure, isBroken { return failure.with(isSafeToRetry: true) }  // the server rolls back by itself
    do { try restoreIdle() } catch let rollback { return unrolled(error, rollback) }
    return failure.map { $0.with(isSafeToRetry: $0.code != .usage || $0.isSafeToRetry) } ?? error
  }

  private borrowing func unrolled(_ error: any Error, _ rollback: PostgresError) -> PostgresError {
    PostgresError(
      .transaction, "a transaction failed and could not be rolled back", sqlState: (error as? PostgresError)?.sqlState,
      isConnectionLost: isBroken, isSafeToRetry: isBroken, underlying: error, rollback: rollback)
  }
}
