import SyncCore
import SyncEngine
import Synchronization
import Testing

@Suite("When to try again")
struct RetryPolicyTests {
  private let policy = RetryPolicy(attempts: 4, base: .milliseconds(500), cap: .seconds(30))

  @Test("the backoff doubles up to its cap, and chance takes any part of it")
  func backoff() {
    let patient = RetryPolicy(attempts: 100, base: .milliseconds(500), cap: .seconds(30))
    for (attempt, ceiling) in [(1, 0.5), (2, 1), (3, 2), (6, 16), (7, 30), (8, 30), (40, 30), (99, 30)] {
      #expect(patient.decide(attempt: attempt, disposition: .retry(after: nil), chance: 0) == .retry(after: .zero))
      #expect(
        patient.decide(attempt: attempt, disposition: .retry(after: nil), chance: 0.5)
          == .retry(after: .seconds(ceiling / 2)), "attempt \(attempt)")
    }
  }

  @Test("the last attempt is the last")
  func attempts() {
    #expect(policy.decide(attempt: 3, disposition: .retry(after: .seconds(1)), chance: 0) != .giveUp)
    #expect(policy.decide(attempt: 4, disposition: .retry(after: .seconds(1)), chance: 0) == .giveUp)
    #expect(policy.decide(attempt: 4, disposition: .retry(after: nil), chance: 0) == .giveUp)
  }

  @Test("the upstream's word is taken exactly, up to the cap; at once is not taken at its word")
  func asked() {
    #expect(policy.decide(attempt: 3, disposition: .retry(after: .zero), chance: 0.5) == .retry(after: .seconds(1)))
    for asked in [Duration.seconds(7), Limits.retryAfterCap] {
      #expect(policy.decide(attempt: 1, disposition: .retry(after: asked), chance: 0.3) == .retry(after: asked))
    }
    let long = Limits.retryAfterCap + .seconds(1)
    #expect(policy.decide(attempt: 1, disposition: .retry(after: long), chance: 0.3) == .giveUp)
  }

  @Test("what cannot pass by itself is not tried again", arguments: [SyncError.Disposition.stopStream, .stopRun])
  func hopeless(disposition: SyncError.Disposition) {
    #expect(policy.decide(attempt: 1, disposition: disposition, chance: 0) == .giveUp)
  }
}

@Suite("The fetcher", .timeLimit(.minutes(10)))
struct FetcherTests {
  private static func error(_ disposition: SyncError.Disposition) -> SyncError {
    SyncError(.upstream, "http://test answered 500", hint: "wait", disposition: disposition)
  }

  /// Fetches page 1 of a list of one page in which every attempt up to `failures` fails.
  private func fetch(
    failures: Int, _ disposition: SyncError.Disposition, clock: ManualClock = ManualClock(isAutomatic: true)
  ) async -> (outcome: Fetcher.Outcome, upstream: ScriptedUpstream, retries: [Duration]) {
    let upstream = ScriptedUpstream(.honest(1)) { _, attempt in
      if attempt <= failures { throw Self.error(disposition) }
    }
    let retries = Mutex<[Duration]>([])
    let outcome = await Fetcher.forTests(upstream, clock: clock).fetch(page: 1, of: upstream) { _, delay in
      retries.withLock { $0.append(delay) }
    }
    return (outcome, upstream, retries.withLock { $0 })
  }

  private func failure(_ outcome: Fetcher.Outcome) throws -> SyncError {
    try #require(throws: SyncError.self) { try outcome.result.get() }
  }

  @Test("a fault that passes is tried again, and every try is counted")
  func passes() async throws {
    let clock = ManualClock(isAutomatic: true)
    let (outcome, upstream, retries) = await fetch(failures: 3, .retry(after: nil), clock: clock)
    #expect(throws: Never.self) { try outcome.result.get() }
    #expect(outcome.cost.requests == 4)
    #expect(outcome.cost.retries == 3)
    #expect(outcome.cost.bytes == 10)
    #expect(upstream.requests == [1, 1, 1, 1])
    #expect(retries == [.milliseconds(250), .milliseconds(500), .seconds(1)])
    #expect(clock.sleeps == retries)
  }

  @Test("a fault that stays is given up after the last attempt, with what was tried and what it cost")
  func stays() async throws {
    let (outcome, _, retries) = await fetch(failures: .max, .retry(after: nil))
    let error = try failure(outcome)
    #expect(outcome.cost.requests == Limits.requestAttempts)
    #expect(outcome.cost.retries == Limits.requestAttempts - 1)
    #expect(retries.count == Limits.requestAttempts - 1)
    #expect(error.message == "http://test answered 500 (tried 4 times)")
    #expect(error.hint == "wait")
    #expect(error.code == .upstream)
    #expect(error.disposition == .stopStream, "nobody above may retry again")
  }

  @Test("a Retry-After is kept to the millisecond, and by everyone who talks to the service", arguments: [1, 7, 900])
  func retryAfter(seconds: Int) async throws {
    let clock = ManualClock(isAutomatic: true)
    let (outcome, _, retries) = await fetch(failures: 1, .retry(after: .seconds(seconds)), clock: clock)
    #expect(throws: Never.self) { try outcome.result.get() }
    #expect(retries == [.seconds(seconds)])
    #expect(clock.now() == .seconds(seconds))
  }

  @Test("a Retry-After holds back another request of the same limiter")
  func retryAfterForAll() async throws {
    let clock = ManualClock()
    let windows = [RateWindow(requests: 100, interval: .seconds(1))]
    let upstream = ScriptedUpstream(.honest(2)) { page, attempt in
      if page == 1, attempt == 1 { throw Self.error(.retry(after: .seconds(30))) }
    }
    let fetcher = Fetcher.forTests(upstream, clock: clock, windows: windows)
    async let first = fetcher.fetch(page: 1, of: upstream) { _, _ in }
    await clock.sleepers(1)
    async let second = fetcher.fetch(page: 2, of: upstream) { _, _ in }
    await clock.sleepers(2)
    #expect(upstream.requests == [1], "page 2 waits too")
    clock.advanceToNextSleeper()
    clock.advanceToNextSleeper()
    #expect(await first.cost.requests == 2)
    #expect(await second.cost.requests == 1)
    #expect(clock.now() == .seconds(30))
  }

  @Test("a longer silence than the cap ends the run as 'try later' instead of sleeping through it")
  func longSilence() async throws {
    let clock = ManualClock(isAutomatic: true)
    let (outcome, upstream, retries) = await fetch(
      failures: 1, .retry(after: Limits.retryAfterCap + .seconds(1)), clock: clock)
    let error = try failure(outcome)
    #expect(error.code == .tryLater)
    #expect(error.message.contains("901 s"))
    #expect(error.disposition == .stopStream)
    #expect(upstream.requests == [1])
    #expect(retries.isEmpty)
    #expect(clock.sleeps.isEmpty)
  }

  @Test(
    "what cannot pass is asked once and comes out as it went in",
    arguments: [
      SyncError.Disposition.stopStream, .stopRun,
    ])
  func hopeless(disposition: SyncError.Disposition) async throws {
    let (outcome, upstream, retries) = await fetch(failures: 1, disposition)
    let error = try failure(outcome)
    #expect(error.disposition == disposition)
    #expect(error.message == "http://test answered 500")
    #expect(outcome.cost.requests == 1)
    #expect(outcome.cost.retries == 0)
    #expect(upstream.requests == [1])
    #expect(retries.isEmpty)
  }

  @Test("a cancelled wait for a permit costs no request")
  func cancelledPermit() async throws {
    let clock = ManualClock()
    let upstream = ScriptedUpstream(.honest(1))
    let fetcher = Fetcher.forTests(upstream, clock: clock, windows: [RateWindow(requests: 1, interval: .seconds(60))])
    _ = await fetcher.fetch(page: 1, of: upstream) { _, _ in }
    let task = Task { await fetcher.fetch(page: 1, of: upstream) { _, _ in } }
    await clock.sleepers(1)
    task.cancel()
    let outcome = await task.value
    #expect(throws: CancellationError.self) { try outcome.result.get() }
    #expect(outcome.cost.requests == 0)
    #expect(upstream.requests == [1])
  }

  @Test("a backoff that is cancelled ends as a cancellation, and what was tried before it is counted")
  func cancelledBackoff() async throws {
    let clock = ManualClock()
    let upstream = ScriptedUpstream(.honest(1)) { _, _ in throw Self.error(.retry(after: nil)) }
    let fetcher = Fetcher.forTests(upstream, clock: clock)
    let task = Task { await fetcher.fetch(page: 1, of: upstream) { _, _ in } }
    await clock.sleepers(1)
    task.cancel()
    let outcome = await task.value
    #expect(throws: CancellationError.self) { try outcome.result.get() }
    #expect(outcome.cost.requests == 1)
  }
}
