import SyncCore
import SyncEngine
import Testing

@Suite("The first request of a process", .timeLimit(.minutes(10)))
struct RateLimiterConnectionTests {
  @Test("its answer costs one permit more, since it arrived late; later answers cost none")
  func firstAnswer() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = RateLimiter(
      budget: LocalRateBudget(windows: [RateWindow(requests: 3, interval: .seconds(1))], clock: clock), clock: clock)
    for _ in 1...2 {
      try await limiter.permit()
      try await limiter.answered()
      #expect(clock.now() == .zero)
    }
    // The third of the window stands for the moment at which the first request arrived.
    try await limiter.permit()
    #expect(clock.now() == .milliseconds(1020))
    for _ in 1...2 {
      try await limiter.answered()
      try await limiter.permit()
    }
    #expect(clock.now() == .milliseconds(1020))
  }

  @Test("without a limit no permit is taken for it")
  func noLimit() async throws {
    let clock = ManualClock()
    let limiter = RateLimiter(budget: LocalRateBudget(windows: [], clock: clock), clock: clock)
    try await limiter.permit()
    try await limiter.answered()
    try await limiter.permit()
    #expect(clock.now() == .zero)
  }
}
