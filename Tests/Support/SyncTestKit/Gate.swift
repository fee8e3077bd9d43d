import Synchronization

package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrived = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var arrivals: Int { state.withLock { $0.arrived } }

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

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Waits for a condition that other processes make true. Throws `NeverHappened` after the deadline.
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

/// Sleeps. Use this only to choose the moment of an event or the length of an outage; otherwise wait for a condition.
package func letPass(_ time: Duration) async throws { try await Task.sleep(for: time) }
