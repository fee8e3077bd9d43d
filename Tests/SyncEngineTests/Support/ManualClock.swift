import SyncCore
import Synchronization

final class ManualClock: SyncClock {
  private struct Sleeper {
    let id: Int
    let until: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: Duration = .zero
    var sleeps: [Duration] = []
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    var lastID = 0
    /// Sleeps that were cancelled before they began.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())
  private let isAutomatic: Bool

  init(isAutomatic: Bool = false) { self.isAutomatic = isAutomatic }

  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func now() -> Duration { state.withLock { $0.now } }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    if isAutomatic {
      state.withLock {
        $0.sleeps.append(duration)
        $0.now += max(.zero, duration)
      }
      // The yield lets other tasks run if this task sleeps in a loop.
      await Task.yield()
      return
    }
    let id = state.withLock {
      $0.lastID += 1
      return $0.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { begin(id, duration, $0) }
    } onCancel: {
      state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: place)
      }?.continuation.resume(throwing: CancellationError())
    }
  }

  private func begin(_ id: Int, _ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
    let watchers = state.withLock { state -> [Watcher]? in
      if state.cancelled.remove(id) != nil { return nil }
      state.sleeps.append(duration)
      state.sleepers.append(Sleeper(id: id, until: state.now + duration, continuation: continuation))
      let count = state.sleepers.count
      let satisfied = state.watchers.filter { $0.count <= count }
      state.watchers.removeAll { $0.count <= count }
      return satisfied
    }
    guard let watchers else { return continuation.resume(throwing: CancellationError()) }
    watchers.forEach { $0.continuation.resume() }
  }

  func sleepers(_ count: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSatisfied = state.withLock { state in
          if state.sleepers.count >= count || Task.isCancelled { return true }
          state.watchers.append(Watcher(count: count, continuation: continuation))
          return false
        }
        if isSatisfied { continuation.resume() }
      }
    } onCancel: {
      let watchers = state.withLock { state in
        defer { state.watchers = [] }
        return state.watchers
      }
      watchers.forEach { $0.continuation.resume() }
    }
  }

  var nextWake: Duration? { state.withLock { $0.sleepers.map(\.until).min() } }

  func advanceToNextSleeper() {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let next = state.sleepers.min(by: { ($0.until, $0.id) < ($1.until, $1.id) }) else { return nil }
      state.sleepers.removeAll { $0.id == next.id }
      state.now = max(state.now, next.until)
      return next
    }
    sleeper?.continuation.resume()
  }

  /// Sets the clock without waking sleepers, for code that reads the time between sleeps.
  func set(_ time: Duration) { state.withLock { $0.now = time } }
}
