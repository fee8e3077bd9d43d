extension Context {
  /// Returns `nil` after the time limit. It does not wait for `body`, because libpq cannot interrupt a name lookup.
  static func answer<Answer: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () async -> Answer
  ) async -> Answer? {
    let (answers, answer) = AsyncStream.makeStream(of: Answer?.self)
    let tasks = [
      Task<Void, Never> { answer.yield(await body()) },
      Task<Void, Never> {
        try? await Task.sleep(for: limit)
        answer.yield(nil)
      },
    ]
    defer { tasks.forEach { $0.cancel() } }
    for await first in answers { return first }
    return nil
  }
}
