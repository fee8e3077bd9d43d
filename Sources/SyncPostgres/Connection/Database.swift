package import LibPQ
package import SyncCore

/// A connection to the mirror's database. It limits the time of statements, keeps no session state, and reconnects.
package struct Database: Sendable {
  /// The time limits of a connection, and its reports to the user.
  package struct Options: Sendable {
    package var reconnectDeadline: Duration
    /// If no answer arrives within this time plus `Limits.answerMargin`, the connection counts as lost.
    package var statementTimeout: Duration
    package var onChange: @Sendable (Change) -> Void
    /// Whether a call waits for a lost machine of a Citus cluster until `reconnectDeadline`. Otherwise the call fails
    /// at once, because a user waits for the answer.
    package var waitsForMachines = false
    var role: String?

    /// Creates options that do not wait for lost machines.
    /// - Parameters:
    ///   - reconnectDeadline: The longest time for which a call tries to connect again after a lost connection.
    ///   - statementTimeout: The server's limit for each statement, unless a call has its own bounds.
    ///   - onChange: Gets the events of the connection, for messages to the user.
    package init(
      reconnectDeadline: Duration = Limits.reconnectDeadline, statementTimeout: Duration = Limits.statementTimeout,
      onChange: @escaping @Sendable (Change) -> Void = { _ in }
    ) {
      self.reconnectDeadline = reconnectDeadline
      self.statementTimeout = statementTimeout
      self.onChange = onChange
    }
  }

  /// An event of a connection for a message to the user. `restored` follows `lost`, with the time since the loss.
  /// `endedSessions` counts the server's sessions of lost connections that were ended.
  package enum Change: Sendable {
    case lost(SyncError)
    case restored(after: Duration)
    case endedSessions(Int)
  }

  let link: DatabaseLink
  let options: Options
  /// Host, port, database and user, for error messages. Never contains a password.
  package let place: String

  /// Connects without retries, except to a server that is starting up or has no free connection. The caller cannot
  /// close the connection; `with` closes it.
  /// - Parameter applicationName: The session's name, unless `settings` has an `application_name`.
  /// - Throws: `SyncError`, whose code depends on the cause, such as `.permission` for a wrong password.
  package static func connect(
    _ settings: ConnectionSettings, applicationName: String, options: Options = Options()
  ) async throws -> Database {
    var settings = settings
    if settings["application_name"] == nil { settings["application_name"] = applicationName }
    let database = Database(link: DatabaseLink(settings), options: options, place: settings.redactedDescription)
    var backoff = Backoff(options.reconnectDeadline)
    _ = try await database.connection(&backoff, isFirst: true)
    database.report(backoff)
    return database
  }

  /// Connects as `connect` does, and lends the connection to `body`. The connection is closed even if `body` throws.
  package static func with<R: Sendable>(
    _ settings: ConnectionSettings, applicationName: String, options: Options = Options(),
    _ body: (Database) async throws -> R
  ) async throws -> R {
    try await connect(settings, applicationName: applicationName, options: options).lend(to: body)
  }

  private func lend<R: Sendable>(to body: (Database) async throws -> R) async throws -> R {
    do {
      let result = try await body(self)
      await link.close()
      return result
    } catch {
      await link.close()
      throw error
    }
  }

  /// Lends a second connection, opened at first use, for work that must not wait for other transactions. It has this
  /// connection's options, except `statementTimeout`, and reports no events. It is closed when `body` ends.
  package func withAnother<R: Sendable>(
    statementTimeout: Duration, _ body: (Database) async throws -> R
  ) async throws -> R {
    var quiet = options
    quiet.statementTimeout = statementTimeout
    quiet.onChange = { _ in }
    return try await Database(link: DatabaseLink(link.settings), options: quiet, place: place).lend(to: body)
  }

  /// Lends a new connection for concurrent work, and closes it when `body` ends. Lends `self` instead if no connection
  /// can be opened, for example because the server permits no more.
  package func withOwn<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    let own = Database(link: DatabaseLink(link.settings), options: options, place: place)
    do {
      _ = try await own.link.connection(within: PostgresLimits.connectDeadline)
    } catch {
      return try await body(self)
    }
    return try await own.lend(to: body)
  }

  /// Runs a read-only transaction, which sees a single state of the database. After a lost connection, `body` runs
  /// again until `Options.reconnectDeadline`.
  /// - Parameter end: the time after which `body` is not repeated. With `end`, `body` is repeated only once, because a
  ///   user's query can end its own session every time.
  /// - Throws: A `SyncError` of `body` unchanged. A `PostgresError` becomes a `SyncError`.
  package func read<R: Sendable>(
    bounds: TransactionBounds = TransactionBounds(), until end: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    var backoff = Backoff(options.reconnectDeadline, until: end)
    let result = try await read(&backoff, bounds: bounds, body)
    report(backoff)
    return result
  }

  /// Returns the actual database, host, port and user for messages, without a password. Connects if necessary.
  package func address() async throws -> String { try await read { $0.address } }

  /// Whether the server is a standby, or the session's transactions are read-only by default.
  package func isReadOnly() async throws -> Bool {
    try await read {
      try $0.isTrue("SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean")
    }
  }

  /// Runs a read-write transaction. It takes effect exactly once, even if the connection is lost. `body` may run
  /// several times, so its effects outside the database must be repeatable.
  /// - Parameters:
  ///   - staged: lists that are stored as local settings when the transaction begins.
  ///   - confirm: called if the reply to COMMIT was lost. Checks in the tables whether this result was committed.
  ///     Without `confirm`, the status of the transaction's id decides. The status can be wrong after a failover,
  ///     because the new primary may use the id again.
  package func write<R: Sendable>(
    bounds: TransactionBounds = TransactionBounds(), staged: [TransactionOptions.LocalSetting] = [],
    confirm: (@Sendable (R, borrowing PGConnection) throws -> Bool)? = nil,
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    // Under READ COMMITTED, a statement that has waited for a lock sees the rows that the lock's holder wrote. The
    // server's default can be another isolation level.
    var transaction = transaction(bounds, isolation: .readCommitted)
    transaction.localSettings += staged
    if !staged.isEmpty { transaction.afterSettings = StagedList.sending(staged.map(\.name)) }
    var backoff = Backoff(options.reconnectDeadline)
    while true {
      let connection = try await connection(&backoff)
      let beforeCommit = BeforeCommit<R>()
      do {
        let result = try await attempt(connection, transaction) { connection in
          let result = try body(connection)
          // The id is read last, because a transaction has an id only after its first write.
          let number = try connection.query("SELECT pg_current_xact_id_if_assigned()::text").text(row: 0, column: 0)
          beforeCommit.set(result, number: number)
          return result
        }
        report(backoff)
        return result
      } catch let error as PostgresError where error.code == .commitOutcomeUnknown {
        try await pause(&backoff, after: error, on: connection)
        try await endSessions(of: bounds.runID, &backoff)
        guard let (result, number) = beforeCommit.value, let number else { continue }
        if try await wasCommitted(number, result, confirm, &backoff) {
          report(backoff)
          return result
        }
      } catch let error as PostgresError {
        try await pause(&backoff, after: error, on: connection)
        if error.isConnectionLost { try await endSessions(of: bounds.runID, &backoff) }
      }
    }
  }

  func read<R: Sendable>(
    _ backoff: inout Backoff, bounds: TransactionBounds = TransactionBounds(),
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    let transaction = transaction(bounds, isReadOnly: true, isolation: .repeatableRead)
    while true {
      let connection = try await connection(&backoff)
      do {
        return try await attempt(connection, transaction, body)
      } catch let error as PostgresError {
        try await pause(&backoff, after: error, on: connection)
      }
    }
  }

  private func attempt<R: Sendable>(
    _ connection: PostgresConnection, _ transaction: TransactionOptions,
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    do {
      return try await connection.withTransaction(transaction, body)
    } catch let error as PostgresError {
      throw (error.underlying as? SyncError) ?? error
    }
  }

  private func transaction(
    _ bounds: TransactionBounds, isReadOnly: Bool = false, isolation: TransactionOptions.Isolation
  ) -> TransactionOptions {
    let statement = bounds.statement ?? options.statementTimeout
    let role = options.role.map { TransactionOptions.LocalSetting(name: "role", value: $0) }
    return TransactionOptions(
      isReadOnly: isReadOnly, isolation: isolation,
      localSettings: bounds.settings(statement: statement) + [role].compactMap(\.self),
      answerWithin: statement + Limits.answerMargin)
  }

  var answerLimit: Duration { options.statementTimeout + Limits.answerMargin }
}

extension Database {
  /// Runs a statement outside a transaction block, so that no locks are kept while the server waits for this process.
  /// After a lost connection, the statement runs again and may take effect twice. `TransactionBounds` does not apply.
  package func statement<R: Sendable>(
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    var backoff = Backoff(options.reconnectDeadline)
    while true {
      let connection = try await connection(&backoff)
      do {
        let result = try await connection.withConnection(answerWithin: answerLimit, body)
        report(backoff)
        return result
      } catch let error as PostgresError where error.sqlState == .tRSerializationFailure {
        // `write` sets READ COMMITTED. With another isolation level, a wait for a lock can fail.
        return try await write(body)
      } catch let error as PostgresError {
        try await pause(&backoff, after: error, on: connection)
      }
    }
  }
}
