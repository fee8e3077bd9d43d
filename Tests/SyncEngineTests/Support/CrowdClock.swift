import SyncCore
import SyncTestKit
import Synchronization

/// A clock for a known number of tasks: when all of them sleep, it advances to the first wake-up. As on a real machine,
/// tasks wake a little late, sometimes very late, and the machine is sometimes suspended.
final class CrowdClock: SyncClock {
  private struct Sleeper {
    let until: Duration
    let id: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: Duration = .zero
    var awake: Int
    var sleepers: [Sleeper] = []
    var lastID = 0
    var generator: SeededGenerator
    var suspended: Duration = .zero
  }

  private let state: Mutex<State>
  private let isPunctual: Bool

  /// - Parameter isPunctual: whether every task wakes on time and the machine is never suspended.
  init(tasks: Int, seed: UInt64, isPunctual: Bool = false) {
    state = Mutex(State(awake: tasks, generator: SeededGenerator(seed: seed)))
    self.isPunctual = isPunctual
  }

  /// The total time of suspensions.
  var suspended: Duration { state.withLock { $0.suspended } }

  func now() -> Duration { state.withLock { $0.now } }

  func sleep(for duration: Duration) async throws {
    await withCheckedContinuation { continuation in
      state.withLock { state -> Sleeper? in
        state.lastID += 1
        let until = state.now + duration + lateness(&state.generator)
        state.sleepers.append(Sleeper(until: until, id: state.lastID, continuation: continuation))
        return next(&state)
      }?.continuation.resume()
    }
  }

  /// Removes a task that never sleeps again.
  func leave() { state.withLock { next(&$0) }?.continuation.resume() }

  /// Advances the clock when a task starts to sleep or leaves.
  private func next(_ state: inout State) -> Sleeper? {
    state.awake -= 1
    guard state.awake == 0, let first = state.sleepers.min(by: { ($0.until, $0.id) < ($1.until, $1.id) }) else {
      return nil
    }
    state.sleepers.removeAll { $0.id == first.id }
    state.awake = 1
    state.now = max(state.now, first.until)
    if !isPunctual, Int.random(in: 0..<5_000, using: &state.generator) == 0 {
      let length = Duration.seconds(Int.random(in: 1...86_400, using: &state.generator))
      state.suspended += length
      state.now += length
    }
    return first
  }

  private func lateness(_ generator: inout SeededGenerator) -> Duration {
    if isPunctual { return .zero }
    // Uses the network's share of the padding too.
    let isStalled = Int.random(in: 0..<1_000, using: &generator) == 0
    return .microseconds(Int.random(in: 0...(isStalled ? 3_000_000 : 9_000), using: &generator))
  }
}
