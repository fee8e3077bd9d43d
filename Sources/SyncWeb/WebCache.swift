import SyncCore

/// The contents of shared pages. Many requests in a short time read the database once.
actor WebCache {
  private var entries: [String: (content: Task<WebContent, any Error>, end: ContinuousClock.Instant)] = [:]

  /// - Parameter make: Runs in a task of its own, so that it does not end with the first request.
  func content(
    of path: String, make: @escaping @Sendable () async throws -> WebContent
  ) async throws -> WebContent {
    if let entry = entries[path], ContinuousClock.now < entry.end { return try await entry.content.value }
    let task = Task { try await make() }
    entries[path] = (task, .now + Limits.sharedPageLife)
    return try await task.value
  }
}
