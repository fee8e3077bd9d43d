import SyncCore
import SyncEngine
import Synchronization
import Testing

@Suite("When a request is retried")
struct RetryPolicyTests {
  private let policy = RetryPolicy(attempts: 4, base: .milliseconds(500), cap: .seconds(30))

  private func delay(_ attempt: Int, _ disposition: SyncError.Disposition, chance: Double = 0.5) -> RetryPolicy.Delay? {
    policy.delay(attempt: attempt, disposition: disposition, chance: chance)
  }

  @Test("the backoff doubles up to its cap, and chance takes any part of it")
  func backoff() {
    for (attempt, ceiling) in [(1, 0.5), (2, 1), (3, 2), (6, 16), (7, 30), (8, 30), (40, 30), (99, 30)] {
      #expect(delay(attempt, .retry(after: nil), chance: 0) == .init(.zero))
      #expect(delay(attempt, .retry(after: nil)) == .init(.seconds(ceiling / 2)), "attempt \(attempt)")
    }
  }

  @Test("a Retry-After is exact and holds for all; one of 0 is not taken literally")
  func asked() {
    for said in [SyncError.Disposition.retry, SyncError.Disposition.throttled] {
      #expect(delay(3, said(.zero)) == .init(.seconds(1), isForAll: true))
      for asked in [Duration.seconds(7), Limits.retryAfterCap, .seconds(86_400)] {
        #expect(delay(1, said(asked)) == .init(asked, isForAll: true))
      }
    }
  }

  @Test("too many requests without a Retry-After: seconds, not a part of half a second, and for all")
  func throttled() {
    #expect(delay(1, .throttled(after: nil), chance: 0) == .init(Limits.throttleBase, isForAll: true))
    #expect(delay(3, .throttled(after: nil)) == .init(.seconds(10), isForAll: true))
    #expect(delay(9, .throttled(after: nil), chance: 0.99).map { $0.duration <= .seconds(30) } == true)
  }
}

@Suite("The budget of retries")
struct RetryBudgetTests {
  @Test("at least twenty retries, then a tenth of the requests")
  func share() {
    let budget = RunRetries()
    while budget.spend() {}
    #expect(budget.spent.retries == 20)
    for _ in 0..<209 { budget.countRequest() }
    while budget.spend() {}
    #expect(budget.spent.retries == 20, "a tenth of 209 is 20")
    budget.countRequest()
    while budget.spend() {}
    #expect(budget.spent.retries == 21)
  }
}

@Suite("The breaker")
struct BreakerTests {
  private func failing(_ count: Int, at now: Duration = .zero) -> Breaker {
    var breaker = Breaker()
    for _ in 0..<count {
      _ = breaker.admit(now: now)
      breaker.failed(now: now)
    }
    return breaker
  }

  @Test("five failures in a row open it; an answer between them restarts the count")
  func opens() {
    var breaker = failing(4)
    #expect(breaker.admit(now: .zero) == .go(isProbe: false))
    breaker.answered()
    for _ in 0..<4 { breaker.failed(now: .zero) }
    #expect(breaker.isClosed)
    breaker.failed(now: .seconds(3))
    #expect(!breaker.isClosed)
    #expect(breaker.admit(now: .seconds(3)) == .wait(.seconds(60)))
    #expect(breaker.admit(now: .seconds(62)) == .wait(.seconds(1)))
  }

  @Test("after the pause one probe is sent, and the others wait for its result")
  func probes() {
    var breaker = failing(5)
    #expect(breaker.admit(now: .seconds(60)) == .go(isProbe: true))
    #expect(breaker.admit(now: .seconds(60)) == .wait(Limits.backoffBase))
    breaker.answered()
    #expect(breaker.admit(now: .seconds(60)) == .go(isProbe: false))
  }

  @Test("a probe that fails opens it again, and the third opening is the last")
  func givesUp() {
    var breaker = failing(5)
    for opening in 1...2 {
      #expect(breaker.admit(now: .seconds(60 * opening)) == .go(isProbe: true))
      #expect(!breaker.isGivenUp)
      breaker.failed(now: .seconds(60 * opening))
    }
    #expect(breaker.isGivenUp)
    #expect(breaker.admit(now: .seconds(10_000)) == .refused)
    breaker.answered()
    #expect(breaker.admit(now: .seconds(10_000)) == .refused, "a late answer does not undo it")
  }

  @Test("a cancelled probe lets the next request be the probe")
  func cancelled() {
    var breaker = failing(5)
    _ = breaker.admit(now: .seconds(60))
    breaker.cancelled(now: .seconds(61))
    #expect(breaker.admit(now: .seconds(61)) == .go(isProbe: true))
  }
}

@Suite("The fetcher", .timeLimit(.minutes(10)))
struct FetcherTests {
  private static func error(_ disposition: SyncError.Disposition) -> SyncError {
    SyncError(.upstream, "http://test answered 500", hint: "wait", disposition: disposition)
  }

  private func fetch(
    failures: Int, _ disposition: SyncError.Disposition, clock: ManualClock = ManualClock(isAutomatic: true),
    retries budget: RunRetries = RunRetries()
  ) async -> (outcome: Fetcher.Report<FetchedPage>, upstream: AnswerScript, retries: [Duration]) {
    let upstream = AnswerScript(.honest(1)) { _, attempt in
      if attempt <= failures { throw Self.error(disposition) }
    }
    let retries = Mutex<[Duration]>([])
    let outcome = await Fetcher.forTests(upstream, clock: clock).fetch(page: 1, of: upstream, retries: budget) {
      if case .retry(_, let delay) = $0 { retries.withLock { $0.append(delay) } }
    }
    return (outcome, upstream, retries.withLock { $0 })
  }

  private func exhausted(_ outcome: Fetcher.Report<FetchedPage>) throws -> SyncError {
    guard case .exhausted(let error) = outcome.result else { throw Unexpected(outcome: outcome) }
    return error
  }

  private func stopped(_ outcome: Fetcher.Report<FetchedPage>) throws -> SyncError {
    guard case .stopped(let error as SyncError) = outcome.result else { throw Unexpected(outcome: outcome) }
    return error
  }

  private func isAnswer(_ outcome: Fetcher.Report<FetchedPage>) -> Bool {
    if case .answer = outcome.result { true } else { false }
  }

  private func isCancelled(_ outcome: Fetcher.Report<FetchedPage>) -> Bool {
    if case .stopped(is CancellationError) = outcome.result { true } else { false }
  }

  private struct Unexpected: Error {
    let outcome: Fetcher.Report<FetchedPage>
  }

  @Test("a transient fault is retried, and every attempt is counted")
  func passes() async throws {
    let clock = ManualClock(isAutomatic: true)
    let (outcome, upstream, retries) = await fetch(failures: 3, .retry(after: nil), clock: clock)
    #expect(isAnswer(outcome))
    #expect(outcome.cost.requests == 4)
    #expect(outcome.cost.retries == 3)
    #expect(outcome.cost.bytes == 10)
    #expect(upstream.requests == [1, 1, 1, 1])
    #expect(retries == [.milliseconds(250), .milliseconds(500), .seconds(1)])
    #expect(clock.sleeps == retries)
  }

  @Test("a fault that stays ends after the last attempt, with the attempts and their cost")
  func stays() async throws {
    let (outcome, _, retries) = await fetch(failures: .max, .retry(after: nil))
    let error = try exhausted(outcome)
    #expect(outcome.cost.requests == Limits.requestAttempts)
    #expect(outcome.cost.retries == Limits.requestAttempts - 1)
    #expect(retries.count == Limits.requestAttempts - 1)
    #expect(error.message == "http://test answered 500 (tried 4 times)")
    #expect(error.hint == "wait")
    #expect(error.code == .upstream)
    #expect(error.disposition == .stopStream, "no caller retries again")
  }

  @Test("a Retry-After is exact to the millisecond, and holds for all requests to the service", arguments: [1, 7, 900])
  func retryAfter(seconds: Int) async throws {
    let clock = ManualClock(isAutomatic: true)
    let (outcome, _, retries) = await fetch(failures: 1, .retry(after: .seconds(seconds)), clock: clock)
    #expect(isAnswer(outcome))
    #expect(retries == [.seconds(seconds)])
    #expect(clock.now() == .seconds(seconds))
  }

  @Test("a Retry-After delays another request of the same limiter")
  func retryAfterForAll() async throws {
    let clock = ManualClock()
    let windows = [RateWindow(requests: 100, interval: .seconds(1))]
    let upstream = AnswerScript(.honest(2)) { page, attempt in
      if page == 1, attempt == 1 { throw Self.error(.retry(after: .seconds(30))) }
    }
    let fetcher = Fetcher.forTests(upstream, clock: clock, windows: windows)
    async let first = fetcher.fetch(page: 1, of: upstream, retries: RunRetries()) { _ in }
    await clock.sleepers(1)
    async let second = fetcher.fetch(page: 2, of: upstream, retries: RunRetries()) { _ in }
    await clock.sleepers(2)
    #expect(upstream.requests == [1], "page 2 waits too")
    clock.advanceToNextSleeper()
    clock.advanceToNextSleeper()
    #expect(await first.cost.requests == 2)
    #expect(await second.cost.requests == 1)
    #expect(clock.now() == .seconds(30))
  }

  @Test("a Retry-After above the cap ends the run as 'try later' without sleeping")
  func longSilence() async throws {
    let clock = ManualClock(isAutomatic: true)
    let (outcome, upstream, retries) = await fetch(
      failures: 1, .retry(after: Limits.retryAfterCap + .seconds(1)), clock: clock)
    let error = try stopped(outcome)
    #expect(error.code == .tryLater)
    #expect(error.message.contains("901 s"))
    #expect(error.disposition == .stopStream)
    #expect(upstream.requests == [1])
    #expect(retries.isEmpty)
    #expect(clock.sleeps.isEmpty)
  }

  @Test(
    "an error that does not pass is not retried, and is thrown unchanged",
    arguments: [SyncError.Disposition.stopStream, .restart, .stopRun])
  func hopeless(disposition: SyncError.Disposition) async throws {
    let (outcome, upstream, retries) = await fetch(failures: 1, disposition)
    let error = try stopped(outcome)
    #expect(error.disposition == disposition)
    #expect(error.message == "http://test answered 500")
    #expect(outcome.cost.requests == 1)
    #expect(outcome.cost.retries == 0)
    #expect(upstream.requests == [1])
    #expect(retries.isEmpty)
  }

  @Test(
    "a wait for the rate limit is told after a retry too, a pause only with its retry",
    arguments: [
      (SyncError.Disposition.retry(after: nil), ["retry", "permit"]), (.throttled(after: .seconds(30)), ["retry"]),
    ])
  func toldWaits(disposition: SyncError.Disposition, expected: [String]) async throws {
    let upstream = AnswerScript(.honest(1)) { _, attempt in
      if attempt == 1 { throw Self.error(disposition) }
    }
    let fetcher = Fetcher.forTests(upstream, windows: [RateWindow(requests: 1, interval: .seconds(10))])
    let told = Mutex<[String]>([])
    let outcome = await fetcher.fetch(page: 1, of: upstream, retries: RunRetries()) { wait in
      told.withLock {
        switch wait {
        case .retry: $0.append("retry")
        case .permit: $0.append("permit")
        }
      }
    }
    #expect(isAnswer(outcome))
    #expect(told.withLock { $0 } == expected)
  }

  @Test(
    "a cancelled wait, for a permit or before a retry, ends as a cancellation, and the attempts before it are counted",
    arguments: [false, true])
  func cancelledWait(isBackoff: Bool) async throws {
    let clock = ManualClock()
    let upstream = AnswerScript(.honest(1)) { _, _ in if isBackoff { throw Self.error(.retry(after: nil)) } }
    let windows = isBackoff ? [] : [RateWindow(requests: 1, interval: .seconds(60))]
    let fetcher = Fetcher.forTests(upstream, clock: clock, windows: windows)
    if !isBackoff { _ = await fetcher.fetch(page: 1, of: upstream, retries: RunRetries()) { _ in } }
    let task = Task { await fetcher.fetch(page: 1, of: upstream, retries: RunRetries()) { _ in } }
    await clock.sleepers(1)
    task.cancel()
    let outcome = await task.value
    #expect(isCancelled(outcome))
    #expect(outcome.cost.requests == (isBackoff ? 1 : 0))
    #expect(upstream.requests == [1])
  }
}
