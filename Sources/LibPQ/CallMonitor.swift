import Dispatch
import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Cancels a connection's running call. One monitor belongs to one connection, which makes one call at a time.
///
/// The order of calls is: `nextCall`, `begin`, then for each statement `statementBegins` and `statementEnds`, and at
/// last `end`. `cancel` can be called at any time and on any thread. BEGIN, COMMIT and ROLLBACK are sent without
/// `statementBegins`, so that no cancel request interrupts them.
final class CallMonitor: Sendable {
  private struct CallState {
    var lastCall: UInt64 = 0
    var runningCall: UInt64?
    var isCancelled = false
    /// Whether a cancel request is allowed now. COMMIT and ROLLBACK must not be interrupted.
    var isInterruptible = false
    /// Whether the connection must be closed after this call, for example because a cancel request can still arrive.
    var isTainted = false
    /// Whether the connection was lost, although `PQstatus` can still report a good connection.
    var isLost = false
    /// The socket of the running call. It is shut down if cancel requests have no effect.
    var socket: Int32 = -1
    /// The longest silence of the server during the running call. `nil` means no limit.
    var answerLimit: Duration?
  }

  private let state = Mutex(CallState())
  let canceller = Canceller()
  private let requestsInFlight = DispatchGroup()
  /// Cancel requests have their own queue, because they block on the network.
  private let queue = DispatchQueue(label: "LibPQ.cancel")

  /// Returns the number of a new call, for `begin` and `cancel`.
  func nextCall() -> UInt64 {
    state.withLock {
      $0.lastCall += 1
      return $0.lastCall
    }
  }

  /// Makes the call the running call, which `cancel` can stop. The caller must then check the task's cancellation,
  /// because an earlier `cancel` had no effect.
  /// - Parameter answerLimit: The longest silence of the server. `nil` means no limit.
  func begin(_ call: UInt64, socket: Int32, answerLimit: Duration?) {
    state.withLock {
      $0.runningCall = call
      $0.isCancelled = false
      $0.socket = socket
      $0.answerLimit = answerLimit
    }
  }

  /// Ends the running call. A later `cancel` of this call has no effect.
  func end() { state.withLock { $0.runningCall = nil } }

  /// Whether the running call, or the last call if none is running, was cancelled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// Whether `taint` was called.
  var isTainted: Bool { state.withLock { $0.isTainted } }
  /// Whether `lose` was called.
  var isLost: Bool { state.withLock { $0.isLost } }
  /// The limit that the last `begin` received.
  var answerLimit: Duration? { state.withLock { $0.answerLimit } }

  /// Marks the connection as unusable for further calls, although it still answers. It must be closed after this call.
  func taint() { state.withLock { $0.isTainted = true } }
  /// Marks the connection as lost, so that `PGConnection.isBroken` is true. No further statement can succeed.
  func lose() { state.withLock { $0.isLost = true } }

  /// Allows cancel requests until `statementEnds`. Returns false if the call was cancelled, and the statement must then
  /// not be sent.
  func statementBegins() -> Bool {
    state.withLock {
      $0.isInterruptible = !$0.isCancelled
      return !$0.isCancelled
    }
  }

  /// Forbids cancel requests. If the call was cancelled, waits for the replies to sent requests, because a late request
  /// could stop the next statement. Taints the connection if a reply takes too long (`cancelInFlightSeconds`).
  func statementEnds() {
    let mayBeRequested = state.withLock {
      $0.isInterruptible = false
      return $0.isCancelled
    }
    guard mayBeRequested else { return }
    let limit = DispatchTime.now() + .seconds(PostgresLimits.cancelInFlightSeconds)
    if requestsInFlight.wait(timeout: limit) == .timedOut { taint() }
  }

  /// Cancels the call if it is running, and otherwise does nothing. Returns at once. Cancel requests are repeated until
  /// the call ends, and after `cancelGraceSeconds` the call's socket is shut down.
  func cancel(_ call: UInt64) {
    let isRunning = state.withLock {
      guard $0.runningCall == call, !$0.isCancelled else { return false }
      $0.isCancelled = true
      return true
    }
    guard isRunning else { return }
    queue.async { self.interrupt(call) }
    let grace = DispatchTime.now() + .seconds(PostgresLimits.cancelGraceSeconds)
    DispatchQueue.global().asyncAfter(deadline: grace) { self.shutDown(call) }
  }

  /// Repeats the cancel request until the call ends. The server ignores a request that arrives before the statement.
  private func interrupt(_ call: UInt64) {
    let action: (isRunning: Bool, send: Bool) = state.withLock {
      guard $0.runningCall == call else { return (false, false) }
      if $0.isInterruptible { requestsInFlight.enter() }
      return (true, $0.isInterruptible)
    }
    guard action.isRunning else { return }
    if action.send {
      canceller.request()
      requestsInFlight.leave()
    }
    let retry = DispatchTime.now() + .milliseconds(PostgresLimits.cancelRetryMilliseconds)
    queue.asyncAfter(deadline: retry) { self.interrupt(call) }
  }

  /// While the lock is held, the call cannot close the socket.
  private func shutDown(_ call: UInt64) {
    state.withLock {
      if $0.runningCall == call, $0.socket >= 0 { _ = shutdown($0.socket, Int32(SHUT_RDWR)) }
    }
  }
}
