import Synchronization

/// A place where work waits until a test releases it.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrived = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// How often anything has come here.
  package var arrivals: Int { state.withLock { $0.arrived } }

  /// Returns as soon as the gate is open.
  package func pass() async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        state.arrived += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if goesOn { continuation.resume() }
    }
  }

  /// Lets all through, those that come later too.
  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Waits for something that other processes bring about.
///
/// - Throws: `NeverHappened` after the deadline.
package func waitUntil(
  _ what: String, deadline: Duration = .seconds(120), _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + deadline
  while try await !condition() {
    guard ContinuousClock.now < end else { throw NeverHappened(what: what, deadline: deadline) }
    try await Task.sleep(for: .milliseconds(5))
  }
}

package struct NeverHappened: Error, CustomStringConvertible {
  let what: String
  let deadline: Duration

  package var description: String { "waited \(deadline) for \(what)" }
}

/// Lets time pass: for drills whose subject is an instant, or an outage of some length. Whatever can be waited for is
/// waited for by other means.
package func letPass(_ time: Duration) async throws {
  try await Task.sleep(for: time)
}
