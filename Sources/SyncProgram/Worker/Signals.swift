import Foundation
import Synchronization
import UnixSignals

/// The handling of SIGINT and SIGTERM.
package enum Signals {
  /// Calls `body`. The first signal cancels `body`, and the second signal ends the process. The listener for signals is
  /// not in a task group with `body`, because it must continue after the cancellation.
  ///
  /// - Parameters:
  ///   - deadline: The time from the first signal until the process ends; `nil` for no limit.
  ///   - onFirst: Called once, at the first signal, before `body` is cancelled.
  ///   - cancels: `false` if `onFirst` ends the work itself.
  /// - Returns: The result of `body`, and the exit status 130 or 143 after a signal, or `nil` without one.
  /// - Throws: The error of `body`, or `ExitStatus` instead if a signal was received.
  package static func stopping<R: Sendable>(
    within deadline: Duration? = nil, onFirst: @escaping @Sendable () -> Void, cancels: Bool = true,
    _ body: @escaping @Sendable () async throws -> R
  ) async throws -> (result: R, exitStatus: Int32?) {
    let received = Mutex<Int32?>(nil)
    // The handlers are installed before the work begins, because PID 1 ignores a signal that has no handler.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)

    let work = Task { try await body() }

    let listener = Task {
      for await signal in signals {
        let isFirst = received.withLock { status in
          defer { status = status ?? 128 + signal.rawValue }
          return status == nil
        }
        guard isFirst else { _exit(128 + signal.rawValue) }
        onFirst()
        if cancels { work.cancel() }

        guard let deadline else { continue }
        Task {
          try await Task.sleep(for: deadline)
          _exit(128 + signal.rawValue)
        }
      }
    }

    defer { listener.cancel() }
    do {
      let result = try await work.value
      return (result, received.withLock { $0 })
    } catch {
      throw received.withLock { $0 }.map { ExitStatus(value: $0) } ?? error
    }
  }
}
