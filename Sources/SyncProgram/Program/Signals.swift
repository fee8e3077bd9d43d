import Foundation
import Synchronization
import UnixSignals

package enum Signals {
  /// The first signal cancels `body`, which then closes what it has open; the second ends the process at once.
  ///
  /// The two tasks are not children of a group because the listener has to outlive the cancellation of the work, for
  /// the second signal; both end with this call.
  ///
  /// - Parameters:
  ///   - deadline: the process ends as by the second signal if the work has not ended so long after the first; nil for
  ///     as long as it takes.
  ///   - cancels: false where `onFirst` ends the work in a way of its own.
  /// - Returns: the result, and the signal's exit status (130, 143) if there was one.
  /// - Throws: `ExitStatus` when the work had nothing to return because a signal stopped it.
  package static func stopping<R: Sendable>(
    within deadline: Duration? = nil, onFirst: @escaping @Sendable () -> Void, cancels: Bool = true,
    _ body: @escaping @Sendable () async throws -> R
  ) async throws -> (result: R, exitStatus: Int32?) {
    let received = Mutex<Int32?>(nil)
    // Caught before the work begins: as PID 1 a process without handlers would not be stopped at all.
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
      // Whatever the stopped work complains of, it was stopped.
      throw received.withLock { $0 }.map { ExitStatus(value: $0) } ?? error
    }
  }
}
