internal import CLibPQ
import Dispatch
import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Knows which call a connection is serving, and interrupts only that one.
///
/// Calls are numbered. A cancellation carries the number of its call and acts only while that call runs: it does
/// nothing to a queued call, and after the end of the call the number differs. The end of a statement waits for a
/// running cancel request, so that none reaches the next statement.
final class CallMonitor: Sendable {
  private struct State {
    var lastCall: UInt64 = 0
    var runningCall: UInt64?
    var isCancelled = false
    /// A statement is with the server that may be interrupted. COMMIT and ROLLBACK may not.
    var isInterruptible = false
    /// The session is in a state that no later call may see, for example with a pending cancel request.
    var isTainted = false
    /// The connection is lost, though libpq does not report it yet.
    var isLost = false
    var socket: Int32 = -1
    /// How long the connection may be silent while the running call waits for it; nil for no limit.
    var answerLimit: Duration?
  }

  private let state = Mutex(State())
  let canceller = Canceller()
  private let requestsInFlight = DispatchGroup()
  /// Its own queue, since a cancel request blocks on the network.
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

  func taint() { state.withLock { $0.isTainted = true } }

  var answerLimit: Duration? { state.withLock { $0.answerLimit } }

  var isLost: Bool { state.withLock { $0.isLost } }

  func lose() { state.withLock { $0.isLost = true } }

  /// False when the call was cancelled, and the statement must not be sent.
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

  /// Asks the server until the call is over: a request that arrives before its statement is ignored there.
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

  /// The last resort against a server that no longer answers: libpq then sees a closed connection. The lock keeps the
  /// call from ending meanwhile, so the descriptor is still this connection's.
  private func shutDown(_ call: UInt64) {
    state.withLock {
      if $0.runningCall == call, $0.socket >= 0 { _ = shutdown($0.socket, Int32(SHUT_RDWR)) }
    }
  }
}

/// Owns a `PGcancel`, with which any thread may ask the server to stop the connection's statement.
struct Canceller: ~Copyable, Sendable {
  /// The mutex around it is the guard behind `@unchecked`; `PQcancel` may be called from any thread.
  struct Handle: @unchecked Sendable {
    let raw: OpaquePointer?
  }

  private let handle = Mutex(Handle(raw: nil))

  borrowing func prepare(_ new: Handle) { handle.withLock { $0 = new } }

  /// Blocks for a round trip on its own connection. A failure is not reported: the caller retries.
  borrowing func request() {
    handle.withLock { handle in
      guard let raw = handle.raw else { return }
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        _ = PQcancel(raw, buffer.baseAddress, Int32(buffer.count))
      }
    }
  }

  deinit { handle.withLock { PQfreeCancel($0.raw) } }
}
