import SyncCore

extension SyncClock {
  /// Runs `body`, and cancels it when its time is over; then waits for its end.
  ///
  /// - Parameter timeout: nil for as long as it needs.
  /// - Returns: what `body` made, and whether the time was over first.
  func limiting<R: Sendable>(
    to timeout: Duration?, _ body: @escaping @Sendable () async -> R
  ) async -> (result: R?, isTimedOut: Bool) {
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
      for await event in group {
        group.cancelAll()
        if let event { return (event, isTimedOut) }
        isTimedOut = !Task.isCancelled
      }
      return (nil, isTimedOut)
    }
  }
}
