package import SyncCore

/// Fetches pages of one origin: permit, request, reading, and another try when that can help.
package struct Fetcher: Sendable {
  private let transport: any Transport
  private let limiter: RateLimiter
  private let policy: RetryPolicy
  private let clock: any SyncClock
  private let chance: Chance

  package init(
    transport: any Transport, limiter: RateLimiter, policy: RetryPolicy = RetryPolicy(), clock: any SyncClock,
    chance: @escaping Chance
  ) {
    self.transport = transport
    self.limiter = limiter
    self.policy = policy
    self.clock = clock
    self.chance = chance
  }

  /// What a fetch cost, whether or not it succeeded.
  package struct Cost: Sendable, Equatable {
    package var requests = 0
    package var retries = 0
    package var bytes = 0
  }

  package struct Outcome: Sendable {
    package let result: Result<PageAnswer, any Error>
    package let cost: Cost
  }

  /// Never throws: the cost has to be counted for failures too.
  package func fetch(
    page: Int, of stream: any PagedStream, onRetry: @Sendable (SyncError, Duration) -> Void
  ) async -> Outcome {
    var cost = Cost()
    while true {
      do {
        try await limiter.permit()
        cost.requests += 1
        let request = stream.request(page: page)
        let response = try await transport.fetch(request)
        cost.bytes += response.body.count
        return Outcome(result: .success(try stream.read(response, to: request)), cost: cost)
      } catch let error as SyncError {
        do {
          try await waitToRetry(after: error, attempt: cost.requests, onRetry: onRetry)
          cost.retries += 1
        } catch {
          return Outcome(result: .failure(error), cost: cost)
        }
      } catch {
        return Outcome(result: .failure(error), cost: cost)
      }
    }
  }

  /// Waits as long as the policy says, or throws the error (with what was tried) when it says to give up.
  private func waitToRetry(
    after error: SyncError, attempt: Int, onRetry: @Sendable (SyncError, Duration) -> Void
  ) async throws {
    switch policy.decide(attempt: attempt, disposition: error.disposition, chance: chance()) {
    case .giveUp:
      throw error.afterGivingUp(attempts: attempt)
    case .retry(let delay):
      onRetry(error, delay)
      if case .retry(after: .some) = error.disposition {
        // The upstream's word is for everyone who talks to it, not for this request alone.
        await limiter.pause(for: delay)
      }
      try await clock.sleep(for: delay)
    }
  }
}

extension SyncError {
  /// The error as it leaves the fetcher: nobody above retries, and the reader learns what was tried.
  fileprivate func afterGivingUp(attempts: Int) -> SyncError {
    guard case .retry(let asked) = disposition else { return self }
    if let asked, asked > Limits.retryAfterCap {
      return SyncError(
        .tryLater, "\(message), asking for \(asked.components.seconds) s of silence",
        hint: "run again after that; the checkpoint is kept")
    }
    return SyncError(code, "\(message) (tried \(attempts) times)", hint: hint)
  }
}
