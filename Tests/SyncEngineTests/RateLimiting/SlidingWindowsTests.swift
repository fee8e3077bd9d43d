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

  @Test("the checker finds what a token bucket would allow")
  func checker() {
    let window = RateWindow(requests: 3, interval: .seconds(1))
    // A token bucket would allow a burst of three requests, and then one request every 334 ms.
    let bucket: [Duration] = [0, 0, 0, 334, 667, 999].map { .milliseconds($0) }
    #expect(window.overfilled(by: bucket) != nil)
    #expect(window.overfilled(by: [0, 0, 0, 1000, 1000, 1000].map { .milliseconds($0) }) == nil)
  }

  @Test("no interval holds more than its limit, for requests at random times, in several windows at once")
  func neverOverfilled() throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    let sets = [
      Self.tenrai, [RateWindow(requests: 1, interval: .seconds(3))],
      [RateWindow(requests: 20, interval: .seconds(60)), RateWindow(requests: 5, interval: .seconds(2))],
      [RateWindow(requests: 7, interval: .milliseconds(100)), RateWindow(requests: 100, interval: .seconds(10))],
      [RateWindow(requests: 64, interval: .seconds(7)), RateWindow(requests: 65, interval: .seconds(8))],
    ]
    for windows in sets {
      var limiter = SlidingWindows(windows)
      var now: Duration = .zero
      var times: [Duration] = []
      for _ in 0..<2_000 * testFactor {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: now += .milliseconds(Int.random(in: 0...120_000, using: &generator))
        case 1...8: now += .milliseconds(Int.random(in: 0...700, using: &generator))
        default: break
        }
        let time = limiter.reserve(now: now)
        try #require(time >= now, "seed \(seed)")
        try #require(time >= times.last ?? .zero, "permits are given in the order of the calls, seed \(seed)")
        times.append(time)
        if Bool.random(using: &generator) { now = time }
      }
      for window in windows {
        let found = window.overfilled(by: times)
        #expect(found == nil, "\(window), permit \(found ?? 0), seed \(seed)")
      }
    }
  }

  @Test(
    "a window with enough work is used to at least 95 %, and never beyond its limit",
    arguments: [
      "3/1s", "60/60s", "20/60s", "64/10s", "65/10s", "100/1s", "40000/1d", "3/1s,60/60s", "20/1s,60/10s",
      "3/1s,60/60s,40000/1d", "100000/1d",
    ])
  func use(_ limits: String) throws {
    let windows = limits.split(separator: ",").compactMap { RateWindow($0) }
    var limiter = SlidingWindows(windows)
    var now: Duration = .zero
    // The loop takes one more permit than `count`, because the last permit's time ends the measured interval.
    let burst = windows.map(\.requests).max() ?? 0
    let count = burst * max(3, 1_000 / burst)
    for _ in 0...count { now = limiter.reserve(now: now) }
    let perSecond = windows.map { Double($0.requests) / ($0.interval / .seconds(1)) }.min() ?? 0
    let used = Double(count) / (now / .seconds(1)) / perSecond
    #expect(used >= 0.95 && used <= 1, "\(used)")
  }

  @Test(
    "permits that are given back are used by others: a long window to 95 %, and no window is exceeded",
    arguments: ["3/1s", "60/60s", "64/10s", "65/10s", "100/1s", "20/1s,60/10s", "3/1s,60/60s,40000/1d"])
  func givenBack(_ limits: String) throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    let windows = limits.split(separator: ",").compactMap { RateWindow($0) }
    var limiter = SlidingWindows(windows)
    var now: Duration = .zero
    // Four clients have permits for later, and give a third of them back when their time has come.
    var waiting: [Duration] = []
    var used: [Duration] = []
    let burst = windows.map(\.requests).filter { $0 <= 100 }.max() ?? 0
    // Of a second that has room for no more than the waiting clients, the place of a late permit is over.
    let isLong = burst > 20 && !windows.contains { $0.requests > 100 }
    while used.count <= burst * 20 {
      while waiting.count < 4 { waiting.append(limiter.reserve(now: now)) }
      now = waiting.removeFirst()
      if Int.random(in: 0..<3, using: &generator) == 0 { limiter.giveBack(now) } else { used.append(now) }
    }
    for window in windows { #expect(window.overfilled(by: used) == nil, "\(window), seed \(seed)") }
    let perSecond = windows.map { Double($0.requests) / ($0.interval / .seconds(1)) }.min() ?? 0
    let rate = Double(burst * 20) / (now / .seconds(1)) / perSecond
    #expect(!isLong || rate >= 0.95, "\(rate), seed \(seed)")
  }

  @Test("a burst up to the limit passes at once; the next request waits a whole interval and its padding")
  func burst() {
    var limiter = SlidingWindows([RateWindow(requests: 3, interval: .seconds(1))])
    for _ in 0..<3 { #expect(limiter.reserve(now: .seconds(5)) == .seconds(5)) }
    #expect(limiter.reserve(now: .seconds(5)) == .milliseconds(6_020))
    #expect(limiter.reserve(now: .milliseconds(5_500)) == .milliseconds(6_020))
  }

  @Test("a pause delays every request, a shorter one does not shorten it, and it ends", arguments: [true, false])
  func pause(hasWindows: Bool) {
    var limiter = SlidingWindows(hasWindows ? [RateWindow(requests: 3, interval: .seconds(1))] : [])
    limiter.pause(for: .seconds(60), now: .zero)
    limiter.pause(for: .seconds(30), now: .zero)
    #expect(limiter.reserve(now: .seconds(1)) == .seconds(60))
    #expect(limiter.reserve(now: .seconds(90)) == .seconds(90))
  }

  @Test("a clock that is set back delays nothing by the length of the jump, and makes no permit older")
  func clockGoesBack() throws {
    for window in [RateWindow(requests: 3, interval: .seconds(1)), RateWindow(requests: 100, interval: .seconds(33))] {
      let seed = testSeed
      var generator = SeededGenerator(seed: seed)
      var limiter = SlidingWindows([window])
      var clock: Duration = .zero
      var time: Duration = .zero
      var times: [Duration] = []
      for _ in 0..<3_000 {
        if Int.random(in: 0..<100, using: &generator) == 0 {
          clock -= .seconds(Int.random(in: 0...86_400, using: &generator))
        }
        let wait = limiter.reserve(now: clock) - clock
        try #require(wait >= .zero && wait <= window.interval * 4, "seed \(seed)")
        times.append(time + wait)
        time += wait
        clock += wait
      }
      #expect(window.overfilled(by: times) == nil, "\(window), seed \(seed)")
    }
  }

  @Test("a pause continues when the clock is set back, and ends in its time")
  func pauseAndClock() {
    var limiter = SlidingWindows([])
    _ = limiter.reserve(now: .seconds(1_000))
    limiter.pause(for: .seconds(60), now: .seconds(1_010))
    #expect(limiter.remainingPause(now: .seconds(1_030)) == .seconds(40))
    #expect(limiter.remainingPause(now: .seconds(30)) == .seconds(40))
    #expect(limiter.reserve(now: .seconds(40)) == .seconds(70))
    #expect(limiter.remainingPause(now: .seconds(70)) == .zero)
  }
}
