import SyncCore

/// Runs `body` to its end even if the calling task is cancelled: a ledger row that is open must be closed. But not for
/// ever: a database that is away must not keep a program that was told to stop.
///
/// The tasks only look unstructured; the first is awaited at once, and the other lives no longer than the grace.
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
