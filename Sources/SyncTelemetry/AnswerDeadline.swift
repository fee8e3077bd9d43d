/// Limits the time of work whose caller must answer, such as a health check.
package enum AnswerDeadline {
  /// The reason why there is no result: the limit was reached, or the caller was cancelled.
  package enum Refusal: Error {
    case late
    case cancelled
  }

  /// Returns the result of `work`, or a refusal after `limit` or as soon as the caller is cancelled.
  ///
  /// In all cases the work is cancelled, but the function does not wait for its end. A task group would wait for work
  /// that hangs.
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
