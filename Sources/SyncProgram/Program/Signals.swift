import Foundation
import Synchronization
import UnixSignals

package enum Signals {
  /// The first signal cancels `body`; the second one ends the process. The two tasks are not children of a group,
  /// because the listener must outlive the cancellation. Both end with this call.
  ///
  /// - Parameters:
  ///   - deadline: The time from the first signal until the process ends.
  ///   - cancels: `false` if `onFirst` ends the work itself.
  /// - Returns: The result, and the exit status of a signal (130, 143).
  /// - Throws: `ExitStatus` if a signal stopped the work without a result.
  package static func stopping<R: Sendable>(
    within deadline: Duration? = nil, onFirst: @escaping @Sendable () -> Void, cancels: Bool = true,
    _ body: @escaping @Sendable () async throws -> R
  ) async throws -> (result: R, exitStatus: Int32?) {
    let received = Mutex<Int32?>(nil)
    // Created before the work, because PID 1 without handlers ignores signals.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let work = Task { try await body() }
    let listener = Task {
      for await signal in signals {
        let isFirst = received.withLock { known in
          defer { known = known ?? 128 + signal.rawValue }
          return known == nil
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
      // A stopped work's own error does not matter.
      throw received.withLock { $0 }.map { ExitStatus(value: $0) } ?? error
    }
  }
}
