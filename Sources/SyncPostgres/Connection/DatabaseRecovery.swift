import LibPQ
import SyncCore
import Synchronization

struct Backoff {
  private let deadline: Duration
  private let end: ContinuousClock.Instant?
  private var repetitions: Int
  private var pause = Limits.reconnectPause
  private var conflicts = 0
  private(set) var outageStart: ContinuousClock.Instant?

  init(_ deadline: Duration, until end: ContinuousClock.Instant? = nil) {
    self.deadline = deadline
    self.end = end
    repetitions = end == nil ? .max : 1
  }

  /// At least a second, so that the last attempt can succeed.
  var timeToConnect: Duration {
    let remaining = outageStart.map { remainingTime(since: $0, at: .now) } ?? PostgresLimits.connectDeadline
    return min(max(remaining, .seconds(1)), PostgresLimits.connectDeadline)
  }

  private func remainingTime(since start: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Duration {
    min(deadline - (now - start), end.map { $0 - now } ?? deadline)
  }

  mutating func mayRepeat() -> Bool {
    repetitions -= 1
    return repetitions >= 0
  }

  mutating func pauseWhileAway() -> Duration? {
    let now = ContinuousClock.now
    let remaining = remainingTime(since: outageStart ?? now, at: now)
    outageStart = outageStart ?? now
    guard remaining > .zero else { return nil }
    defer { pause = min(pause * 2, Limits.reconnectPauseCap) }
    return min(pause, remaining)
  }

  mutating func pauseAfterConflict() -> Duration? {
    guard conflicts < Limits.conflictRetries else { return nil }
    conflicts += 1
    return Limits.reconnectPause * conflicts
  }
}

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

final class BeforeCommit<R: Sendable>: Sendable {
  private let state = Mutex<(R, number: String?)?>(nil)

  var value: (R, number: String?)? { state.withLock { $0 } }

  func set(_ result: R, number: String?) { state.withLock { $0 = (result, number) } }
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
    // 08P01 says that this program sent a wrong message.
    let isUnreachable = sqlState.classCode == "08" && sqlState.description != "08P01"
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
