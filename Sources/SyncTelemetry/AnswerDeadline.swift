package enum AnswerDeadline {
  package enum Refusal: Error {
    case late
    case cancelled
  }

  /// Cancels `work` after `limit`, or if the caller is cancelled. A task group would wait for work that hangs.
  package static func result<R: Sendable>(
    within limit: Duration, of work: @escaping @Sendable () async -> R
  ) async -> Result<R, Refusal> {
    let (results, result) = AsyncStream.makeStream(of: Result<R, Refusal>.self, bufferingPolicy: .bufferingOldest(1))
    let working = Task { result.yield(.success(await work())) }
    let waiting = Task {
      try await Task.sleep(for: limit)
      result.yield(.failure(.late))
    }
    defer {
      working.cancel()
      waiting.cancel()
    }
    for await first in results { return first }
    return .failure(.cancelled)
  }
}
