import LibPQ
import SyncCore

extension Database {
  /// - Parameter isFirst: whether no connection has succeeded yet. If so, an unreachable server is reported at once.
  func connection(_ backoff: inout Backoff, isFirst: Bool = false) async throws -> PostgresConnection {
    while true {
      do {
        if let connection = try await link.connection(within: backoff.timeToConnect) { return connection }
        try await Task.sleep(for: Limits.reconnectPause)
      } catch let error as PostgresError {
        let wasConnected = !isFirst || backoff.outageStart != nil
        guard error.isServerBusy || wasConnected && error.isServerAway else {
          throw SyncError(error, place: place, link.settings)
        }
        try await pauseWhileAway(&backoff, error)
      }
    }
  }

  func pause(_ backoff: inout Backoff, after error: PostgresError, on connection: PostgresConnection) async throws {
    if error.isConnectionLost || error.isNodeAway {
      if error.isConnectionLost { await link.drop(connection) }
      guard backoff.mayRepeat(), error.isConnectionLost || options.waitsForMachines else {
        throw SyncError(error, place: place)
      }
      try await pauseWhileAway(&backoff, error)
    } else if error.isConflict, let pause = backoff.pauseAfterConflict() {
      try await Task.sleep(for: pause)
    } else if error.maySpeakOfStandby, await isStandby(connection) {
      // This server is a standby. Behind a pooler or proxy, the next connection may reach the primary.
      await link.drop(connection)
      try await pauseWhileAway(&backoff, error)
    } else {
      throw SyncError(error, place: place)
    }
  }

  private func pauseWhileAway(_ backoff: inout Backoff, _ error: PostgresError) async throws {
    let isNews = backoff.outageStart == nil
    guard let pause = backoff.pauseWhileAway() else { throw SyncError(error, place: place) }
    if isNews { options.onChange(.lost(SyncError(error, place: place))) }
    try await Task.sleep(for: pause)
  }

  func report(_ backoff: Backoff) {
    if let since = backoff.outageStart { options.onChange(.restored(after: ContinuousClock.now - since)) }
  }

  private func isStandby(_ connection: PostgresConnection) async -> Bool {
    let answer = try? await connection.withConnection(answerWithin: answerLimit) {
      try $0.isTrue("SELECT pg_is_in_recovery()")
    }
    return answer ?? false
  }

  func wasCommitted<R: Sendable>(
    _ number: String, _ result: R, _ confirm: (@Sendable (R, borrowing PGConnection) throws -> Bool)?,
    _ backoff: inout Backoff
  ) async throws -> Bool {
    while true {
      switch try await status(of: number, &backoff) {
      case "aborted": return false
      case "in progress":
        // The server has not noticed the lost client yet, so the transaction is still open.
        guard let pause = backoff.pauseWhileAway() else { throw undecided }
        try await Task.sleep(for: pause)
      case "committed" where confirm == nil: return true
      default:
        guard let confirm else { throw undecided }
        // A new transaction checks the result, because the snapshot of the earlier transaction can be from before the
        // commit.
        return try await read(&backoff) { connection in try confirm(result, connection) }
      }
    }
  }

  private func status(of number: String, _ backoff: inout Backoff) async throws -> String? {
    try await read(&backoff) { connection in
      do {
        return try connection.savepoint { connection in
          try connection.query("SELECT pg_xact_status($1::text::xid8)", [.text(number)]).text(row: 0, column: 0)
        }
      } catch let error as PostgresError where error.sqlState == .invalidParameterValue {
        // The server has not assigned this id, because a crash or failover has undone the transaction.
        return "aborted"
      }
    }
  }

  private var undecided: SyncError {
    SyncError(
      .database, "database \(place): the connection was lost during COMMIT and the outcome is unknown",
      hint: "run again: what was committed is kept, and nothing is written twice", disposition: .stopRun)
  }
}

extension PostgresError {
  fileprivate var isServerBusy: Bool { sqlState == .cannotConnectNow || sqlState == .tooManyConnections }

  fileprivate var isServerAway: Bool {
    // Class 57: shutting down. Class 53: out of resources. Class 08: a pooler cannot reach the server.
    if let sqlState { return ["57", "53", "08"].contains(sqlState.classCode) }
    return [.connection, .timeout].contains(code) && SyncError(self, place: "").code == .database
  }

  private static let citusBreaks = [
    "failed to COPY ", "failed to complete COPY ", "failed to prepare ", "cannot connect to ", "failure on connection ",
  ]

  /// Whether this session is alive, but another machine of the Citus cluster is down, starting up or unreachable.
  var isNodeAway: Bool {
    // A rollback to a savepoint fails too, because Citus sends it to the lost machine.
    !isConnectionLost && isSafeToRetry
      && [self, underlying, rollback].contains { ($0 as? PostgresError)?.isOfLostNode == true }
  }

  private var isOfLostNode: Bool {
    guard let sqlState else { return false }
    // If a machine stops during a command, libpq's error has no SQLSTATE, and Citus reports one of its own.
    let isBroken = [.internalError, .ioError].contains(sqlState) && Self.citusBreaks.contains { message.hasPrefix($0) }
    let wasBroken = sqlState == .internalError && server?.context?.contains("while executing command on ") == true
    let isUnreachable = sqlState.classCode == "08" && sqlState != .protocolViolation
    return isBroken || wasBroken || isUnreachable
      || [.adminShutdown, .crashShutdown, .cannotConnectNow].contains(sqlState)
  }

  fileprivate var isConflict: Bool {
    isSafeToRetry && [.tRSerializationFailure, .tRDeadlockDetected, .lockNotAvailable].contains(sqlState)
  }

  fileprivate var maySpeakOfStandby: Bool {
    sqlState == .readOnlySqlTransaction || sqlState == .featureNotSupported
  }
}
