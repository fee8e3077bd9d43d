/// Runs `work`, and cancels `work` if `expiry` returns first. Waits for the end of `work` in both cases.
/// - Returns: The result of `work`. `nil` if `expiry` returned first, even if `work` then had a result.
/// - Throws: The error of the closure that ended first. The other closure is cancelled.
package func withExpiry<R: Sendable>(
  _ expiry: @escaping @Sendable () async throws -> Void, _ work: @escaping @Sendable () async throws -> R
) async throws -> R? {
  try await withThrowingTaskGroup(of: R?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await expiry()
      return nil
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}
