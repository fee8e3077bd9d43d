import Dispatch

/// A connection with its own thread that serves one call at a time. Calls lend it to a closure that cannot suspend, so
/// no other task can slip between two statements. A task that waits here blocks no thread of the cooperative pool. A
/// cancelled task gets `CancellationError`: its running statement is stopped at the server and its transaction rolled
/// back; a call still waiting for its turn leaves the one before it alone.
package actor PostgresConnection {
  private let executor = ConnectionExecutor()
  private var handle: PGConnection?
  private nonisolated let monitor = CallMonitor()
  /// Why there is no handle any more.
  private var ending = "it was closed"

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private init() {}

  /// `PQfinish` may block, so it too belongs on the connection's thread.
  isolated deinit {}

  /// Connects, over all hosts, within `deadline`, which cannot cut short libpq's blocking name resolution. `onNotice`
  /// is called on the connection's thread.
  package static func connect(
    _ settings: ConnectionSettings, deadline: Duration = PostgresLimits.connectDeadline,
    onNotice: (@Sendable (PostgresError.ServerFields) -> Void)? = nil
  ) async throws -> PostgresConnection {
    let connection = PostgresConnection()
    try await connection.open(settings, deadline: deadline, onNotice: onNotice)
    return connection
  }

  private func open(
    _ settings: ConnectionSettings, deadline: Duration, onNotice: (@Sendable (PostgresError.ServerFields) -> Void)?
  ) throws {
    handle = try PGConnection.open(settings, monitor: monitor, deadline: deadline, onNotice: onNotice)
  }

  /// Runs `body` outside of any transaction. If the connection is silent for longer than `limit` while a statement
  /// waits for it, it is lost (`.timeout`).
  package func withConnection<R: Sendable>(
    answerWithin limit: Duration? = nil, _ body: @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    try await perform(limit, body)
  }

  /// Runs `body` in a transaction, rolled back when it throws. A cancellation that comes after COMMIT was sent is too
  /// late: the call ends as the COMMIT did.
  package func withTransaction<R: Sendable>(
    _ options: TransactionOptions = .init(), _ body: @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    try await perform(options.answerLimit) { connection in try connection.transaction(options, body) }
  }

  /// Waits for the calls before it and ends the session. Closing twice is allowed.
  package func close() {
    handle = nil
  }

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

  /// Not `async`: from here to the end nothing suspends.
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
  borrowing func serve<R>(
    _ call: UInt64, _ answerLimit: Duration?, _ body: (borrowing PGConnection) throws -> R
  ) -> (result: Result<R, any Error>, reasonToDiscard: String?) {
    monitor.begin(call, socket: socket, answerLimit: answerLimit)
    defer { monitor.end() }
    // After `begin`: a cancellation before it shows here, one after it reaches the monitor.
    guard !Task.isCancelled else { return (.failure(CancellationError()), nil) }

    var result: Result<R, any Error>
    do { result = .success(try body(self)) } catch { result = .failure(error) }

    if !isBroken, transactionStatus != .idle, !monitor.isTainted {
      if case .success = result {
        let error = PostgresError(.usage, "a call left its transaction open; it was rolled back", isSafeToRetry: false)
        result = .failure(error)
      }
      // A failure shows in the status, on which the next lines decide.
      do { try restoreIdle() } catch {}
    }
    if case .failure = result, monitor.isCancelled || Task.isCancelled { result = .failure(CancellationError()) }
    if isBroken { return (result, "the connection to the server was lost") }
    let isSpoiled = transactionStatus != .idle || monitor.isTainted
    return (result, isSpoiled ? "it was given up after an earlier failure" : nil)
  }
}

/// The thread of one connection's blocking calls: a serial queue without an explicit target. A queue on top of a global
/// one, and the cooperative pool, have only as many threads as cores, so a few slow statements would stop the program.
final class ConnectionExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "LibPQ.connection")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The block keeps `self`, and so the queue, alive until the job is done, even when the job is the
    // actor's own deinitialisation.
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
