import Dispatch

/// A connection that serves one call at a time on its own thread.
///
/// A call lends the connection to a closure that cannot suspend, so no other task can run a statement during the call.
/// If the task is cancelled, the transaction is rolled back and the call throws `CancellationError`.
///
/// A lost connection is not opened again. Later calls then throw `.closed`, and the caller connects anew.
package actor PostgresConnection {
  private let executor = ConnectionExecutor()
  private var handle: PGConnection?
  private nonisolated let monitor = CallMonitor()
  private var ending = "it was closed"

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private init() {}

  /// `PQfinish` can block, so it must run on the connection's thread.
  isolated deinit {}

  /// Connects to one of the hosts within `deadline`. Only libpq's name resolution can exceed `deadline`.
  ///
  /// Throws `.settings` or `.nulInText` for unusable settings, `.serverVersion` or `.serverEncoding` for an unusable
  /// server, `CancellationError`, and otherwise `.connection` or `.timeout`. If several hosts fail, the code is the
  /// last host's.
  package static func connect(
    _ settings: ConnectionSettings, deadline: Duration = PostgresLimits.connectDeadline
  ) async throws -> PostgresConnection {
    let connection = PostgresConnection()
    try await connection.open(settings, deadline: deadline)
    return connection
  }

  private func open(_ settings: ConnectionSettings, deadline: Duration) throws {
    handle = try PGConnection.open(settings, monitor: monitor, deadline: deadline)
  }

  /// Runs `body` outside of a transaction. If the server is silent for longer than `limit`, a statement throws
  /// `.timeout` and the connection is lost. `nil` means no limit.
  ///
  /// Throws the error of `body`, `.closed`, or `CancellationError`. If `body` leaves a transaction open, it is rolled
  /// back and the call throws `.usage`.
  package func withConnection<R: Sendable>(
    answerWithin limit: Duration? = nil, _ body: @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    try await perform(limit, body)
  }

  /// Runs `body` in a transaction and commits it. Cancellation has no effect after COMMIT was sent.
  ///
  /// Throws the error of `body` or BEGIN after a rollback, `.transaction` if the rollback failed too, `.closed`,
  /// `CancellationError`, or an error of COMMIT: `.commitOutcomeUnknown`, `.commitRolledBack` or `.server`. `body` must
  /// not end the transaction; otherwise the call throws `.usage`.
  package func withTransaction<R: Sendable>(
    _ options: TransactionOptions = .init(), _ body: @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    try await perform(options.answerLimit) { connection in try connection.transaction(options, body) }
  }

  /// Closes the session, after a running call has ended. Later calls throw `.closed`; closing again has no effect.
  package func close() { handle = nil }

  /// Whether the session was open and not lost after its last call. A server can have ended the session since then.
  package var isUsable: Bool { handle?.isBroken == false }

  private func perform<R: Sendable>(
    _ answerLimit: Duration?, _ body: (borrowing PGConnection) throws -> R
  ) async throws -> R {
    let call = monitor.nextCall()
    return try await withTaskCancellationHandler {
      try run(call, answerLimit, body)
    } onCancel: {
      monitor.cancel(call)
    }
  }

  private func run<R>(
    _ call: UInt64, _ answerLimit: Duration?, _ body: (borrowing PGConnection) throws -> R
  ) throws -> R {
    let outcome = handle?.serve(call, answerLimit, body)
    guard let outcome else {
      throw PostgresError(.closed, "the connection cannot be used: \(ending)", isConnectionLost: true)
    }
    if let reason = outcome.reasonToDiscard {
      ending = reason
      handle = nil
    }
    return try outcome.result.get()
  }
}

extension PGConnection {
  /// Runs `body` as the monitor's running call.
  /// - Returns: The result, and the reason why the connection must be closed now. `nil` if it can serve further calls.
  borrowing func serve<R>(
    _ call: UInt64, _ answerLimit: Duration?, _ body: (borrowing PGConnection) throws -> R
  ) -> (result: Result<R, any Error>, reasonToDiscard: String?) {
    monitor.begin(call, socket: socket, answerLimit: answerLimit)
    defer { monitor.end() }
    // The monitor ignores a cancellation before `begin`, so the task is checked here.
    guard !Task.isCancelled else { return (.failure(CancellationError()), nil) }

    var result: Result<R, any Error>
    do { result = .success(try body(self)) } catch { result = .failure(error) }

    if !isBroken, !isIdle, !monitor.isTainted {
      if case .success = result {
        let error = PostgresError(.usage, "a call left its transaction open; it was rolled back", isSafeToRetry: false)
        result = .failure(error)
      }
      // The checks below notice if ROLLBACK failed.
      do { try restoreIdle() } catch {}
    }
    if case .failure = result, monitor.isCancelled || Task.isCancelled { result = .failure(CancellationError()) }
    if isBroken { return (result, "the connection to the server was lost") }
    let isSpoiled = !isIdle || monitor.isTainted
    return (result, isSpoiled ? "it was given up after an earlier failure" : nil)
  }
}

/// Runs one connection's blocking calls on a queue of its own. On Swift's shared pool, which has one thread per core, a
/// few slow statements would block all other tasks.
final class ConnectionExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "LibPQ.connection")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The block keeps `self` and the queue alive, even if the job is the actor's own deinitialisation.
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
