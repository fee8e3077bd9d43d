import SyncCore
import SyncEngine
import SyncTestKit
import Testing

@Suite("Sliding windows")
struct SlidingWindowsTests {
  private static let tenrai = [
    RateWindow(requests: 3, interval: .seconds(1)), RateWindow(requests: 60, interval: .seconds(60)),
    RateWindow(requests: 40_000, interval: .seconds(86_400)),
  ]

  /// The first window that some interval of its length overfills, found without the code under test: in sorted times,
  /// `n + 1` requests lie in one interval only if the last of them is less than its length after the first.
  private func overfilled(_ windows: [RateWindow], by times: [Duration]) -> (RateWindow, Int)? {
    for window in windows where times.count > window.requests {
      for last in window.requests..<times.count where times[last] - times[last - window.requests] < window.interval {
        return (window, last)
      }
    }
    return nil
  }

  @Test("the checker finds what a token bucket would let through")
  func checker() {
    let window = RateWindow(requests: 3, interval: .seconds(1))
    // A full bucket's burst, and what was refilled meanwhile.
    let bucket: [Duration] = [0, 0, 0, 334, 667, 999].map { .milliseconds($0) }
    #expect(overfilled([window], by: bucket) != nil)
    #expect(overfilled([window], by: [0, 0, 0, 1000, 1000, 1000].map { .milliseconds($0) }) == nil)
  }

  @Test("no interval holds more than its number, for 20,000 requests that arrive at random, in several windows at once")
  func neverOverfilled() throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    let sets = [
      Self.tenrai, [RateWindow(requests: 1, interval: .seconds(3))],
      [RateWindow(requests: 20, interval: .seconds(60)), RateWindow(requests: 5, interval: .seconds(2))],
      [RateWindow(requests: 7, interval: .milliseconds(100)), RateWindow(requests: 100, interval: .seconds(10))],
    ]
    for windows in sets {
      var limiter = SlidingWindows(windows)
      var now: Duration = .zero
      var times: [Duration] = []
      for _ in 0..<20_000 {
        // Bursts, a trickle, and long silences.
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: now += .milliseconds(Int.random(in: 0...120_000, using: &generator))
        case 1...8: now += .milliseconds(Int.random(in: 0...700, using: &generator))
        default: break
        }
        let time = limiter.reserve(now: now)
        try #require(time >= now, "seed \(seed)")
        try #require(time >= times.last ?? .zero, "permits are given in the order of the calls, seed \(seed)")
        times.append(time)
        // Now and then the caller really waits; otherwise the next asks while this one still waits.
        if Bool.random(using: &generator) { now = time }
      }
      let found = overfilled(windows, by: times)
      #expect(found == nil, "\(String(describing: found)), seed \(seed)")
    }
  }

  @Test("a window that always has work is used to at least 95 %, once it is longer than a few seconds")
  func use() {
    let cases: [([RateWindow], Double)] = [
      ([RateWindow(requests: 60, interval: .seconds(60))], 0.95),
      ([RateWindow(requests: 3, interval: .seconds(1))], 0.95),
      (Array(Self.tenrai.prefix(2)), 0.95), ([RateWindow(requests: 20, interval: .seconds(60))], 0.95),
    ]
    for (windows, least) in cases {
      var limiter = SlidingWindows(windows)
      var now: Duration = .zero
      let count = 20_000
      for _ in 0..<count { now = limiter.reserve(now: now) }
      let perSecond = windows.map { Double($0.requests) / ($0.interval / .seconds(1)) }.min() ?? 0
      let used = Double(count) / (now / .seconds(1)) / perSecond
      #expect(used >= least, "\(windows): \(used)")
      #expect(used <= 1.001, "\(windows): \(used)")
    }
  }

  @Test("a burst up to the number goes at once; the next waits a whole interval and its padding")
  func burst() {
    var limiter = SlidingWindows([RateWindow(requests: 3, interval: .seconds(1))])
    for _ in 0..<3 { #expect(limiter.reserve(now: .seconds(5)) == .seconds(5)) }
    #expect(limiter.reserve(now: .seconds(5)) == .milliseconds(6_020))
    #expect(limiter.reserve(now: .milliseconds(5_500)) == .milliseconds(6_020))
  }

  @Test("a pause holds everyone back, a shorter one does not shorten it, and it ends", arguments: [true, false])
  func pause(hasWindows: Bool) {
    var limiter = SlidingWindows(hasWindows ? [RateWindow(requests: 3, interval: .seconds(1))] : [])
    limiter.pause(until: .seconds(60))
    limiter.pause(until: .seconds(30))
    #expect(limiter.reserve(now: .seconds(1)) == .seconds(60))
    #expect(limiter.reserve(now: .seconds(90)) == .seconds(90))
  }

  @Test("without windows nothing waits")
  func unlimited() {
    var limiter = SlidingWindows([])
    for _ in 0..<1_000 { #expect(limiter.reserve(now: .seconds(1)) == .seconds(1)) }
  }
}

@Suite("The rate limiter", .timeLimit(.minutes(10)))
struct RateLimiterTests {
  @Test("first come, first served, each at its time")
  func fifo() async throws {
    let clock = ManualClock()
    let limiter = RateLimiter(windows: [RateWindow(requests: 1, interval: .seconds(10))], clock: clock)
    try await limiter.permit()
    let (stream, continuation) = AsyncStream.makeStream(of: (caller: Int, at: Duration).self)
    var tasks: [Task<Void, any Error>] = []
    for caller in 1...5 {
      tasks.append(
        Task {
          try await limiter.permit()
          continuation.yield((caller, clock.now()))
        })
      // The next one asks when this one is known to wait.
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

  @Test("a cancelled wait ends at once, costs its permit, and never lets another one through early")
  func cancellation() async throws {
    let clock = ManualClock()
    let limiter = RateLimiter(windows: [RateWindow(requests: 1, interval: .seconds(10))], clock: clock)
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

  @Test("a pause holds back who asks after it")
  func pause() async throws {
    let clock = ManualClock(isAutomatic: true)
    let limiter = RateLimiter(windows: [RateWindow(requests: 3, interval: .seconds(1))], clock: clock)
    await limiter.pause(for: .seconds(7))
    try await limiter.permit()
    #expect(clock.now() == .seconds(7))
  }
}
