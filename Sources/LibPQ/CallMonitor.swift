import Dispatch
import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Cancels a connection's running call. `statementEnds` waits for the reply to a cancel request, because a late request
/// could stop the next statement.
final class CallMonitor: Sendable {
  private struct CallState {
    var lastCall: UInt64 = 0
    var runningCall: UInt64?
    var isCancelled = false
    /// Whether a cancel request is allowed now. COMMIT and ROLLBACK must not be interrupted.
    var isInterruptible = false
    /// Whether the connection must be closed after this call, for example because a cancel request can still arrive.
    var isTainted = false
    var isLost = false
    var socket: Int32 = -1
    var answerLimit: Duration?
  }

  private let state = Mutex(CallState())
  let canceller = Canceller()
  private let requestsInFlight = DispatchGroup()
  /// Cancel requests have their own queue, because they block on the network.
  private let queue = DispatchQueue(label: "LibPQ.cancel")

  func nextCall() -> UInt64 {
    state.withLock {
      $0.lastCall += 1
      return $0.lastCall
    }
  }

  func begin(_ call: UInt64, socket: Int32, answerLimit: Duration?) {
    state.withLock {
      $0.runningCall = call
      $0.isCancelled = false
      $0.socket = socket
      $0.answerLimit = answerLimit
    }
  }

  func end() { state.withLock { $0.runningCall = nil } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  var isTainted: Bool { state.withLock { $0.isTainted } }
  var isLost: Bool { state.withLock { $0.isLost } }
  var answerLimit: Duration? { state.withLock { $0.answerLimit } }

  func taint() { state.withLock { $0.isTainted = true } }
  func lose() { state.withLock { $0.isLost = true } }

  /// Returns false if the call was cancelled. The statement must then not be sent.
  func statementBegins() -> Bool {
    state.withLock {
      $0.isInterruptible = !$0.isCancelled
      return !$0.isCancelled
    }
  }

  func statementEnds() {
    let mayBeRequested = state.withLock {
      $0.isInterruptible = false
      return $0.isCancelled
    }
    guard mayBeRequested else { return }
    let limit = DispatchTime.now() + .seconds(PostgresLimits.cancelInFlightSeconds)
    if requestsInFlight.wait(timeout: limit) == .timedOut { taint() }
  }

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
