package import LibPQ
package import SyncCore

/// A connection to the mirror's database, which adds policy to LibPQ's mechanism: bounded statements, no session state
/// (so that it works with a transaction pooler), errors as `SyncError`, and a new connection after a loss.
package struct Database: Sendable {
  package struct Options: Sendable {
    /// How long a call keeps trying, from its first failure.
    package var reconnectDeadline: Duration
    /// What the server allows a statement, unless its transaction says otherwise. A connection that is silent for
    /// `Limits.answerMargin` longer is lost.
    package var statementTimeout: Duration
    /// Told when a call finds the connection lost, and when it has one again.
    package var onChange: @Sendable (Change) -> Void

    package init(
      reconnectDeadline: Duration = Limits.reconnectDeadline, statementTimeout: Duration = Limits.statementTimeout,
      onChange: @escaping @Sendable (Change) -> Void = { _ in }
    ) {
      self.reconnectDeadline = reconnectDeadline
      self.statementTimeout = statementTimeout
      self.onChange = onChange
    }
  }

  package enum Change: Sendable {
    case lost(SyncError)
    case restored(after: Duration)
    /// Sessions of runs that were left in the middle of a transaction were ended.
    case endedSessions(Int)
  }

  let link: DatabaseLink
  let options: Options
  /// Where it is, for errors: host, port, database and user, never a password.
  package let place: String

  /// Connects at once or not at all, except to a server that is starting up or full: that one is waited for.
  ///
  /// - Throws: `SyncError` `.database`, `.permission`, `.configuration` or `.tryLater`.
  package static func connect(
    _ settings: ConnectionSettings, applicationName: String, options: Options = Options()
  ) async throws -> Database {
    var settings = settings
    if settings["application_name"] == nil { settings["application_name"] = applicationName }
    let database = Database(
      link: DatabaseLink(settings), options: options, place: settings.redactedDescription)
    var backoff = Backoff(options.reconnectDeadline)
    _ = try await database.connection(&backoff, isFirst: true)
    database.report(backoff)
    return database
  }

  /// Lends a connection to `body` and closes it afterwards.
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

  /// Lends a second connection to the same database, opened at first use: for work that must not wait for the
  /// transactions of the first.
  package func withAnother<R: Sendable>(
    statementTimeout: Duration, _ body: (Database) async throws -> R
  ) async throws -> R {
    var quiet = options
    quiet.statementTimeout = statementTimeout
    // An outage hits both; it is reported once.
    quiet.onChange = { _ in }
    return try await Database(link: DatabaseLink(link.settings), options: quiet, place: place).lend(to: body)
  }

  /// Lends another connection to the same database, opened at once, to work that runs at the same time as other work.
  /// If none can be opened, because the server or the role has a limit, `body` shares this one.
  package func withOwn<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    let own = Database(link: DatabaseLink(link.settings), options: options, place: place)
    do {
      _ = try await own.link.connection(within: PostgresLimits.connectDeadline)
    } catch {
      return try await body(self)
    }
    return try await own.lend(to: body)
  }

  /// One read-only transaction: everything in it sees one state of the database. Retried when the connection is
  /// lost.
  ///
  /// - Parameters:
  ///   - bounds: the server's limits for the transaction.
  ///   - end: of what may itself end its session, a query of the user: it is repeated once, and not after this time.
  package func read<R: Sendable>(
    bounds: TransactionBounds = TransactionBounds(), until end: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    var backoff = Backoff(options.reconnectDeadline, until: end)
    let result = try await read(&backoff, bounds: bounds, body)
    report(backoff)
    return result
  }

  /// Which database this is, as the connection has it: `mirror at db.example.org:5432 as ann`.
  package func address() async throws -> String { try await read { $0.address } }

  /// Whether the server refuses writes: a standby, or one whose default is so.
  package func isReadOnly() async throws -> Bool {
    try await read {
      try $0.query("SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean")
        .bool(row: 0, column: 0) ?? false
    }
  }

  /// One read-write transaction, committed if `body` returns.
  ///
  /// Takes effect exactly once, however often the connection is lost. `body` may run several times, so its effects
  /// outside of the database must be repeatable.
  ///
  /// - Parameters:
  ///   - bounds: the server's limits for the transaction.
  ///   - staged: lists that are sent as the transaction begins.
  ///   - confirm: sees in the tables whether an earlier try with this result was committed. Asked when the answer to
  ///     COMMIT was lost and the server counts a transaction of that number as committed. Without it that alone
  ///     decides, which may be wrong after a crash or a failover: the number is given again if its first owner was
  ///     lost.
  package func write<R: Sendable>(
    bounds: TransactionBounds = TransactionBounds(), staged: [TransactionOptions.LocalSetting] = [],
    confirm: (@Sendable (R, borrowing PGConnection) throws -> Bool)? = nil,
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    // Said, since the server's default may be another: what waits for a lock must see what its holder wrote.
    var transaction = transaction(bounds, isolation: .readCommitted)
    transaction.localSettings += staged
    var backoff = Backoff(options.reconnectDeadline)
    while true {
      let connection = try await connection(&backoff)
      let beforeCommit = BeforeCommit<R>()
      do {
        let result = try await attempt(connection, transaction) { connection in
          let result = try body(connection)
          // Asked last: a transaction that has written nothing has no number, and needs none.
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
      // The body's own error is kept, even if the connection broke while it was undone.
      throw (error.underlying as? SyncError) ?? error
    }
  }

  /// The one rule for waiting: the server ends a statement that takes too long; of one that gets no answer in that time
  /// and a margin, the connection is lost.
  private func transaction(
    _ bounds: TransactionBounds, isReadOnly: Bool = false, isolation: TransactionOptions.Isolation
  ) -> TransactionOptions {
    let statement = bounds.statement ?? options.statementTimeout
    return TransactionOptions(
      isReadOnly: isReadOnly, isolation: isolation, localSettings: bounds.settings(statement: statement),
      answerWithin: statement + Limits.answerMargin)
  }

  var answerLimit: Duration { options.statementTimeout + Limits.answerMargin }
}

extension Database {
  /// One statement that the server commits by itself: its locks never wait for this process, which may be frozen or cut
  /// off before it could send COMMIT.
  ///
  /// Retried when the connection is lost, so it may take effect twice. It runs with the session's own settings: the
  /// functions it calls must bring theirs.
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
        // With the server's default isolation, a statement that has waited for a lock sees an older state; in our
        // transactions it does not.
        return try await write(body)
      } catch let error as PostgresError {
        try await pause(&backoff, after: error, on: connection)
      }
    }
  }
}
