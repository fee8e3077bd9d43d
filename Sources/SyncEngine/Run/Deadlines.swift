import SyncCore

extension SyncClock {
  /// Runs `body`, and cancels it when `timeout` is over. `nil` means no limit.
  ///
  /// The call returns only after `body` has ended, also after a timeout. `body` must therefore react to its
  /// cancellation.
  /// - Returns: The result of `body`, and whether the time was over first. `isTimedOut` is false if the calling task
  ///   was cancelled before.
  func limiting<R: Sendable>(
    to timeout: Duration?, _ body: @escaping @Sendable () async -> R
  ) async -> (result: R, isTimedOut: Bool) {
    guard let timeout else { return (await body(), false) }

    let end = now() + timeout
    return await withTaskGroup(of: R?.self) { group in
      group.addTask { await body() }
      group.addTask {
        while now() < end {
          do { try await sleep(for: min(end - now(), Limits.timeoutStep)) } catch { return nil }
        }
        return nil
      }

      var isTimedOut = false
      // The loop ends, because `body` always returns a result. The other task returns `nil`.
      while true {
        let event = await group.next()
        group.cancelAll()
        if case .some(.some(let result)) = event { return (result, isTimedOut) }
        isTimedOut = !Task.isCancelled
      }
    }
  }
}

/// Runs `body` even if the calling task is cancelled, but then cancels `body` after `Limits.closingGrace`.
func finishing<R: Sendable>(
  _ clock: any SyncClock, _ body: @escaping @Sendable () async throws -> R
) async throws -> R {
  let task = Task { try await body() }
  return try await withTaskCancellationHandler {
    try await task.value
  } onCancel: {
    Task {
      try? await clock.sleep(for: Limits.closingGrace)
      task.cancel()
    }
  }
}
