import SyncCore
import SyncEngine
import SyncTestKit
import Testing

@Suite("The first request of a process", .timeLimit(.minutes(10)))
struct RateLimiterConnectionTests {
  @Test("its answer costs one more permit, since it arrived late; later answers cost none")
  func firstAnswer() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = RateLimiter(
      budget: LocalRateBudget(windows: [RateWindow(requests: 3, interval: .seconds(1))], clock: clock), clock: clock)
    let connecting: Duration = .milliseconds(30)
    try await limiter.permit()
    try await clock.sleep(for: connecting)
    try await limiter.answered()
    try await limiter.permit()
    try await limiter.answered()
    #expect(clock.now() == connecting)
    // The late first answer cost a second permit, so the next permit must wait for a new window.
    try await limiter.permit()
    #expect(clock.now() == .milliseconds(1020))
    try await limiter.answered()
    try await limiter.permit()
    #expect(clock.now() == .milliseconds(1020) + connecting)
  }

  @Test("an answer within the padding costs none")
  func soon() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = RateLimiter(
      budget: LocalRateBudget(windows: [RateWindow(requests: 2, interval: .seconds(60))], clock: clock), clock: clock)
    try await limiter.permit()
    try await clock.sleep(for: .milliseconds(500))
    try await limiter.answered()
    try await limiter.permit()
    #expect(clock.now() == .milliseconds(500))
  }

  @Test("without a limit it costs no further permit")
  func noLimit() async throws {
    let clock = ManualClock()
    let limiter = RateLimiter(budget: LocalRateBudget(windows: [], clock: clock), clock: clock)
    try await limiter.permit()
    try await limiter.answered()
    try await limiter.permit()
    #expect(clock.now() == .zero)
  }
}
