/// Values that many requests in a short time share, so that they read the database once.
package actor WebCache<Value: Sendable> {
  private struct Key: Hashable {
    let name: String
    let rights: WebRights
  }

  private var entries: [Key: (value: Task<Value, any Error>, end: ContinuousClock.Instant)] = [:]

  package init() {}

  /// Returns the value of this name and these rights. Calls `make` if no such value exists, or if it is too old.
  /// Requests at the same time share one call. An error is thrown to them all, and is not kept.
  /// - Parameters:
  ///   - rights: Requests with other rights never get this value.
  ///   - life: The time after which the value is read again, counted from the call of `make`.
  ///   - make: Runs in a task of its own, so that it does not end with the first request.
  package func value(
    of name: String, for rights: WebRights, life: Duration, make: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let key = Key(name: name, rights: rights)
    if let entry = entries[key], ContinuousClock.now < entry.end { return try await entry.value.value }
    let task = Task { try await make() }
    entries[key] = (task, .now + life)
    do {
      return try await task.value
    } catch {
      entries[key] = nil
      throw error
    }
  }

  /// Forgets all values, so that the next request reads what an action has changed.
  func removeAll() { entries = [:] }
}
