import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing

@Suite("The rate limiter", .timeLimit(.minutes(10)))
struct RateLimiterTests {
  private func limiter(_ requests: Int, per interval: Duration, _ clock: ManualClock) -> RateLimiter {
    let windows = [RateWindow(requests: requests, interval: interval)]
    return RateLimiter(budget: LocalRateBudget(windows: windows, clock: clock), clock: clock)
  }

  @Test("permits are given in the order of requests, each at its time")
  func fifo() async throws {
    let clock = ManualClock()
    let limiter = limiter(1, per: .seconds(10), clock)
    try await limiter.permit()
    let (stream, continuation) = AsyncStream.makeStream(of: (caller: Int, at: Duration).self)
    var tasks: [Task<Void, any Error>] = []
    for caller in 1...5 {
      tasks.append(
        Task {
          try await limiter.permit()
          continuation.yield((caller, clock.now()))
        })
      // The next task starts only when this task sleeps, so that the order of the tasks is known.
      await clock.sleepers(caller)
    }
    var served = stream.makeAsyncIterator()
    for caller in 1...5 {
      clock.advanceToNextSleeper()
      let next = await served.next()
      #expect(next?.caller == caller)
      #expect(next?.at == .milliseconds(10_200 * caller))
    }
    for task in tasks { try await task.value }
  }

  @Test("a permit says how long the task waited for it, pauses included")
  func waited() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = limiter(1, per: .seconds(10), clock)
    #expect(try await limiter.permit() == .zero)
    let start = clock.now()
    let second = try await limiter.permit()
    #expect(second >= .seconds(10) && second == clock.now() - start)
    try await clock.sleep(for: .seconds(100))
    #expect(try await limiter.permit() == .zero)
    try await limiter.pause(for: .seconds(30))
    #expect(try await limiter.permit() >= .seconds(30))
  }

  @Test("before a wait of seconds, the limiter says how long it takes and why; shorter ones are not told")
  func tellsWaits() async throws {
    let clock = ManualClock(isAutomatic: true)
    let windows = [RateWindow(requests: 2, interval: .seconds(1)), RateWindow(requests: 3, interval: .seconds(60))]
    let limiter = RateLimiter(budget: LocalRateBudget(windows: windows, clock: clock), clock: clock)
    let told = Mutex<[(reason: String, duration: Duration)]>([])
    func permit() async throws {
      try await limiter.permit { wait in
        if case .permit(let reason, let duration) = wait { told.withLock { $0.append((reason, duration)) } }
      }
    }
    for _ in 0..<4 { try await permit() }
    let limit = try #require(told.withLock { $0 }.first)
    #expect(told.withLock { $0.count } == 1 && limit.reason.contains("request slot"))
    #expect(limit.duration > .seconds(50) && limit.duration <= .seconds(61))
    try await limiter.pause(for: .seconds(300))
    try await permit()
    let pause = try #require(told.withLock { $0 }.last)
    #expect(pause.reason.contains("paused") && pause.duration > .seconds(200))
  }

  @Test("a cancelled wait ends at once, costs its permit, and never lets another task through early")
  func cancellation() async throws {
    let clock = ManualClock()
    let limiter = limiter(1, per: .seconds(10), clock)
    try await limiter.permit()
    let waiting = Task { try await limiter.permit() }
    await clock.sleepers(1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let next = Task {
      try await limiter.permit()
      return clock.now()
    }
    await clock.sleepers(1)
    clock.advanceToNextSleeper()
    let time = try await next.value
    #expect(time >= .seconds(10))
    #expect(time == .milliseconds(20_400))
  }

  @Test("a pause delays the tasks that already wait, here and at other limiters; then they take new permits")
  func pauseOfSleepers() async throws {
    let clock = ManualClock()
    let budget = LocalRateBudget(windows: [RateWindow(requests: 1, interval: .seconds(10))], clock: clock)
    let limiters = [RateLimiter(budget: budget, clock: clock), RateLimiter(budget: budget, clock: clock)]
    try await limiters[0].permit()
    let (stream, continuation) = AsyncStream.makeStream(of: Duration.self)
    for (index, limiter) in limiters.enumerated() {
      Task {
        try await limiter.permit()
        continuation.yield(clock.now())
      }
      await clock.sleepers(index + 1)
    }
    try await limiters[0].pause(for: .seconds(60))
    for _ in limiters {
      clock.advanceToNextSleeper()
      await clock.sleepers(2)
    }
    #expect(clock.now() == .milliseconds(20_400))
    clock.advanceToNextSleeper()
    var served = stream.makeAsyncIterator()
    #expect(await served.next() == .seconds(60))
    clock.advanceToNextSleeper()
    await clock.sleepers(1)
    clock.advanceToNextSleeper()
    #expect(await served.next() == .milliseconds(70_200))
  }

  @Test("a pause delays this process's own tasks even when the budget cannot store it")
  func pauseThatFails() async throws {
    let clock = ManualClock()
    let budget = ScriptedBudget(waits: [.seconds(5), .zero])
    let limiter = RateLimiter(budget: budget, clock: clock)
    let waiting = Task {
      try await limiter.permit()
      return clock.now()
    }
    await clock.sleepers(1)
    await #expect(throws: SyncError.self) { try await limiter.pause(for: .seconds(60)) }
    clock.advanceToNextSleeper()
    await clock.sleepers(1)
    clock.advanceToNextSleeper()
    #expect(try await waiting.value == .seconds(60))
    #expect(await budget.takes == 2)
  }

  @Test("a permit that could not be used in time is given back, but not without limit")
  func stale() async throws {
    let slack = Duration.milliseconds(10)
    let clock = LateClock([.milliseconds(2), .milliseconds(12), .microseconds(12_001), .zero])
    let budget = ScriptedBudget(waits: Array(repeating: .seconds(1), count: 4), slack: slack)
    let limiter = RateLimiter(budget: budget, clock: clock)
    try await limiter.permit()
    try await limiter.permit()
    #expect(await budget.takes == 2)
    try await limiter.permit()
    #expect(await budget.takes == 4)
    #expect(await budget.returned == 1)

    let busy = LateClock([.zero] + Array(repeating: .seconds(1), count: 9))
    let other = ScriptedBudget(waits: Array(repeating: .seconds(1), count: 9), slack: slack)
    let tired = RateLimiter(budget: other, clock: busy)
    try await tired.permit()
    try await tired.permit()
    #expect(await other.takes == 2 + Limits.stalePermits)
    #expect(await other.returned == Limits.stalePermits)
    // Now the limiter knows the usual delay of this machine and gives no permit back.
    try await tired.permit()
    try await tired.permit()
    #expect(await other.takes == 4 + Limits.stalePermits)
  }

  @Test("a permit whose answer came too late counts as unused")
  func lateAnswer() async throws {
    let clock = ManualClock()
    let budget = ScriptedBudget(
      waits: [.zero, .milliseconds(-10), .milliseconds(-11), .zero], slack: .milliseconds(10))
    let limiter = RateLimiter(budget: budget, clock: clock)
    for takes in [1, 2, 4] {
      try await limiter.permit()
      #expect(await budget.takes == takes)
    }
  }

  @Test("a run that would wait too long for the budget ends with \"try later\", and costs no permit")
  func spent() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = RateLimiter(
      budget: LocalRateBudget(windows: [RateWindow(requests: 1, interval: .seconds(3_600))], clock: clock),
      clock: clock, moment: { $0 == .seconds(3_672) ? "at noon" : "\($0)" })
    try await limiter.permit()
    let error = await #expect(throws: SyncError.self) { try await limiter.permit() }
    #expect(error?.code == .tryLater)
    #expect(error?.message.hasSuffix("sent at noon") == true)
    #expect(clock.now() == .zero)
    clock.set(.seconds(3_000))
    try await limiter.permit()
    #expect(clock.now() == .seconds(3_672))
  }

  @Test("the permit of a process's first request is exchanged for a later one, since it arrived late; others are not")
  func firstAnswer() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = limiter(3, per: .seconds(1), clock)
    let connecting: Duration = .milliseconds(30)
    try await limiter.permit()
    try await clock.sleep(for: connecting)
    try await limiter.answered()
    for _ in 0..<2 {
      try await limiter.permit()
      try await limiter.answered()
    }
    #expect(clock.now() == connecting)
    // The three permits are of the time of the first answer, although the first request was sent earlier.
    try await limiter.permit()
    #expect(clock.now() == connecting + .milliseconds(1020))
    try await limiter.answered()
    try await limiter.permit()
    #expect(clock.now() == connecting + .milliseconds(1020))
  }

  @Test("a late first request keeps its permit if no other can be had")
  func noLaterPermit() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = limiter(1, per: .seconds(3_600), clock)
    try await limiter.permit()
    try await clock.sleep(for: .seconds(60))
    try await limiter.answered()
    let error = await #expect(throws: SyncError.self) { try await limiter.permit() }
    #expect(error?.code == .tryLater)
  }

  @Test("a first answer within the padding costs no permit")
  func soon() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = limiter(2, per: .seconds(60), clock)
    try await limiter.permit()
    try await clock.sleep(for: .milliseconds(500))
    try await limiter.answered()
    try await limiter.permit()
    #expect(clock.now() == .milliseconds(500))
  }

  @Test("without a limit a first answer costs no permit")
  func noLimit() async throws {
    let clock = ManualClock()
    let limiter = RateLimiter(budget: LocalRateBudget(windows: [], clock: clock), clock: clock)
    try await limiter.permit()
    try await limiter.answered()
    try await limiter.permit()
    #expect(clock.now() == .zero)
  }
}

private actor ScriptedBudget: RateBudget {
  private let waits: [Duration]
  private(set) var takes = 0
  private(set) var returned = 0
  nonisolated let slack: Duration?

  init(waits: [Duration], slack: Duration? = nil) {
    self.waits = waits
    self.slack = slack
  }

  func take() throws -> RatePermit {
    guard takes < waits.count else { throw SyncError(.database, "more permits were taken than the test knows of") }
    takes += 1
    return RatePermit(wait: waits[takes - 1], time: nil)
  }

  func giveBack(_ permit: RatePermit) { returned += 1 }

  func pause(for duration: Duration) throws { throw SyncError(.database, "the database is away") }
  func remainingPause() -> Duration { .zero }
}

/// `lateness` contains an additional delay for each of the first sleeps.
private final class LateClock: SyncClock {
  private let state: Mutex<(now: Duration, lateness: [Duration])>

  init(_ lateness: [Duration]) { state = Mutex((.zero, lateness)) }

  func now() -> Duration { state.withLock { $0.now } }

  func sleep(for duration: Duration) async throws {
    state.withLock { state in state.now += duration + (state.lateness.isEmpty ? .zero : state.lateness.removeFirst()) }
  }
}
