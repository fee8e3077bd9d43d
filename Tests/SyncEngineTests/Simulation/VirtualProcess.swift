import SyncCore

/// A process of a world.
///
/// A process acts on the world only through calls (sleep, request, statement), and no time passes between two calls.
/// To freeze or kill a process, the world delays or drops the answers to its calls.
final class VirtualProcess: @unchecked Sendable {
  // `@unchecked Sendable`, because one thread runs all tasks of a world.

  /// The error that all calls of a dead process throw, so that the process's tasks end.
  struct Killed: Error {}

  enum State {
    case running, frozen, dead, ended
  }

  let id: Int
  let world: World
  private let clockOffset: Duration
  private(set) var state = State.running
  private(set) var wasFrozen = false
  var task: Task<Void, Never>?
  private(set) var isTerminated = false
  var run = 0
  /// The time when the database last executed a budget statement of this process.
  var heardAt: Duration = .zero
  private var pending: [Int: any PendingCall] = [:]
  private var held: [() -> Void] = []
  private var calls = 0

  init(id: Int, world: World) {
    self.id = id
    self.world = world
    clockOffset = world.pick(milliseconds: 0...1_000_000)
  }

  var clock: VirtualClock { VirtualClock(process: self, offset: clockOffset) }

  var isAlive: Bool { state == .running || state == .frozen }

  func end() {
    guard isAlive else { return }
    state = .ended
    dropCalls()
  }

  func freeze() {
    guard state == .running else { return }
    world.note(.freeze, id)
    world.cover(.freeze)
    state = .frozen
    wasFrozen = true
  }

  func thaw() {
    guard state == .frozen else { return }
    world.note(.thaw, id)
    state = .running
    let actions = held
    held = []
    for action in actions { whenRunning(action) }
  }

  func terminate() {
    whenRunning { [self] in
      guard state == .running else { return }
      world.note(.terminate, id)
      world.cover(.terminate)
      isTerminated = true
      task?.cancel()
    }
  }

  /// Sends SIGKILL. Only bytes that the process has sent still reach the world.
  func kill() {
    guard isAlive else { return }
    world.note(.kill, id)
    world.cover(.kill)
    state = .dead
    dropCalls()
    task?.cancel()
  }

  private func dropCalls() {
    held = []
    for (_, call) in pending.sorted(by: { $0.key < $1.key }) { call.drop() }
    pending = [:]
  }

  /// Runs `action` now, or when the process is thawed. If the process is dead, `action` never runs.
  func whenRunning(_ action: @escaping () -> Void) {
    switch state {
    case .running: action()
    case .frozen: held.append(action)
    case .dead, .ended: break
    }
  }

  /// Calls the world, which answers through a `Call`. A cancelled task ends its call unless the call has taken effect.
  func call<R: Sendable>(_ begin: (Call<R>) -> Void) async throws -> R {
    guard isAlive else { throw Killed() }
    try Task.checkCancellation()
    calls += 1
    let call = Call<R>(number: calls, process: self)
    pending[call.number] = call
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.continuation = continuation
        begin(call)
      }
    } onCancel: {
      call.cancel()
    }
  }

  fileprivate func forget(_ number: Int) { pending[number] = nil }
}

private protocol PendingCall { func drop() }

final class Call<R: Sendable>: PendingCall, @unchecked Sendable {
  // `@unchecked Sendable`, because one thread runs all tasks of a world.

  let process: VirtualProcess
  fileprivate let number: Int
  fileprivate var continuation: CheckedContinuation<R, any Error>?
  var isTooLateToCancel = false
  private(set) var isWithdrawn = false

  fileprivate init(number: Int, process: VirtualProcess) {
    self.number = number
    self.process = process
  }

  func answer(_ result: Result<R, any Error>) { process.whenRunning { [self] in finish(result) } }

  private func finish(_ result: Result<R, any Error>) {
    process.forget(number)
    continuation?.resume(with: result)
    continuation = nil
  }

  fileprivate func cancel() {
    guard process.isAlive, !isTooLateToCancel, continuation != nil else { return }
    isWithdrawn = true
    finish(.failure(CancellationError()))
  }

  fileprivate func drop() {
    // Sent bytes can arrive at the server even if the sender has died.
    isWithdrawn = process.world.happens(0.5)
    continuation?.resume(throwing: VirtualProcess.Killed())
    continuation = nil
  }
}

/// A process's clock. It has its own origin and continues while the process is frozen.
struct VirtualClock: SyncClock {
  let process: VirtualProcess
  let offset: Duration

  func now() -> Duration { process.world.now + offset }

  func sleep(for duration: Duration) async throws {
    let world = process.world
    world.note(.sleep, process.id, Int(duration.nanoseconds))
    if duration > VirtualClock.longestSleep {
      world.violate(.bounds, "process \(process.id) sleeps \(duration.inSeconds) s")
    }
    try await process.call { call in
      world.after(duration) { call.answer(.success(())) }
    }
  }

  private static let longestSleep = Limits.retryAfterCap + .seconds(90)
}
