import LibPQ
import PostgresTestKit
import SyncCore
import SyncEngine
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite("The shared budget's rule", .timeLimit(.minutes(10)), .mirror)
struct RateBudgetRuleTests {
  private static let second = Duration.seconds(1)

  @Test(
    "it gives the same permits as the rule of one process: bursts, silences, pauses, returns, a clock that is set back",
    arguments: [
      ["3/1s", "60/60s"], ["20/1s", "60/10s"], ["3/1s", "60/60s", "40000/1d"], ["64/10s", "65/10s", "66/11s"],
      ["100/2s", "1000/60s"], ["1/3s"], [],
    ])
  func equalsTheStruct(_ limits: [String]) async throws {
    let seed = testSeed
    try await mirror.database.write { connection in
      var generator = SeededGenerator(seed: seed)
      let windows = limits.compactMap { RateWindow($0) }
      var caller = PermitCaller(windows)
      caller.longestWait = .seconds(100)
      var rule = SlidingWindows(windows)
      var reserved: [Duration] = []
      var clock: Duration = .seconds(1_800_000_000)
      for step in 0..<500 {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0: clock -= .seconds(Int.random(in: 0...100_000, using: &generator))
        case 1: clock += .seconds(Int.random(in: 0...100, using: &generator))
        case 2 where step > 0:
          let pause = Duration.milliseconds(Int.random(in: 0...3_000, using: &generator))
          rule.pause(for: pause, now: clock)
          _ = try connection.query(
            """
            UPDATE sync.rate_budget SET paused_until =
              greatest(paused_until, greatest($1 + clock_offset, read_at) + $2)
            """, [.int(clock.microseconds), .int(pause.microseconds)])
        case 3...60: clock += .microseconds(Int.random(in: 0...300_000, using: &generator))
        default: break
        }
        let expected = rule.reserve(now: clock, longestWait: caller.longestWait) - clock
        let given = try caller.take(clock: clock, connection).wait
        guard given == expected else {
          Issue.record("step \(step) of \(limits): \(given), not \(expected); seed \(seed)")
          return
        }
        reserved.append(rule.reading + given)
        if Int.random(in: 0..<4, using: &generator) == 0 {
          let recent = max(0, reserved.count - 80)..<reserved.count
          let unused = reserved.remove(at: Int.random(in: recent, using: &generator))
          rule.giveBack(unused)
          _ = try connection.query(
            "SELECT sync.return_permit($1, $2)", [.text(caller.origin), .int(unused.microseconds)])
        }
      }
      let misshapen = try connection.query("SELECT FROM sync.rate_window WHERE cardinality(counts) <> 65").rowCount
      #expect(misshapen == 0)
    }
  }

  @Test("in real time four callers never exceed a window and are never blocked, however the database's clock is set")
  func clockJumps() async throws {
    let seed = testSeed
    let windows = [RateWindow(requests: 3, interval: Self.second), RateWindow(requests: 80, interval: .seconds(60))]
    let (times, jumps) = try await mirror.database.write { connection in
      var generator = SeededGenerator(seed: seed)
      var callers = Array(repeating: PermitCaller(windows), count: 4)
      var time: Duration = .zero
      var clock: Duration = .seconds(1_800_000_000)
      var times: [Duration] = []
      var jumps = 0
      for step in 0..<800 {
        // A caller notices a jump only if it has read the clock before the jump. All callers read the clock before the
        // first jump.
        if step > 10, Int.random(in: 0..<40, using: &generator) == 0 {
          clock += .seconds(Int.random(in: -86_400...86_400, using: &generator))
          jumps += 1
        }
        let wait = try callers[step % 4].take(clock: clock, time: time, connection).wait
        times.append(time + wait)
        if Int.random(in: 0..<3, using: &generator) > 0 {
          time += wait
          clock += wait
        }
      }
      return (times, jumps)
    }
    #expect(jumps > 0)
    for window in windows { #expect(window.overfilled(by: times) == nil, "\(window), seed \(seed)") }
    let used = Double(times.count - 80) / 80 * 60 / ((times.last ?? .zero) / Self.second)
    #expect(used > 0.9, "\(used), seed \(seed)")
  }

  @Test("slow answers and slow calls are not mistaken for a changed clock")
  func slowAnswers() async throws {
    let seed = testSeed
    let window = RateWindow(requests: 3, interval: Self.second)
    let times = try await mirror.database.write { connection in
      var generator = SeededGenerator(seed: seed)
      var callers = Array(repeating: PermitCaller([window]), count: 4)
      var time: Duration = .zero
      var times: [Duration] = []
      for step in 0..<600 {
        let isSlow = Int.random(in: 0..<10, using: &generator) == 0
        let delay: Duration = isSlow ? .milliseconds(Int.random(in: 100...2_000, using: &generator)) : .zero
        let wait = try callers[step % 4].take(
          clock: .seconds(1_800_000_000) + time, time: time, delay: delay, connection
        ).wait
        times.append(time + wait)
        if Int.random(in: 0..<3, using: &generator) > 0 { time += wait }
      }
      return times
    }
    #expect(times == times.sorted(), "seed \(seed)")
    #expect(window.overfilled(by: times) == nil, "seed \(seed)")
  }

  @Test("a larger window that is first declared when the budget is spent counts only permits that were given")
  func declaredWhenSpent() async throws {
    try await mirror.database.write { connection in
      let start: Duration = .seconds(1_800_000_000)
      var spent = PermitCaller([try #require(RateWindow("2/1h")), try #require(RateWindow("100/2h"))])
      spent.longestWait = .seconds(900)
      var plain = PermitCaller([try #require(RateWindow("2/1h"))])
      plain.longestWait = .seconds(900)
      for _ in 0..<2 { _ = try plain.take(clock: start, connection) }
      #expect(try spent.take(clock: start, connection).wait > .seconds(3_599))
      var free = PermitCaller([])
      free.longestWait = .seconds(900)
      #expect(try free.take(clock: start + .seconds(1), connection).wait == .zero)
    }
  }

  @Test("processes with different limits share one history; each keeps its own limit against all permits")
  func differentLimits() async throws {
    let seed = testSeed
    let limits = [["3/1s"], ["6/1s", "20/10s"], ["70/60s"], []].map { $0.compactMap { RateWindow($0) } }
    let given = try await mirror.database.write { connection in
      var generator = SeededGenerator(seed: seed)
      var callers = limits.map { PermitCaller($0) }
      var clock: Duration = .seconds(1_800_000_000)
      var given: [(caller: Int, at: Duration)] = []
      for _ in 0..<600 {
        let caller = Int.random(in: 0..<callers.count, using: &generator)
        let (wait, reading) = try callers[caller].take(clock: clock, connection)
        given.append((caller, reading + wait))
        clock += .milliseconds(Int.random(in: 0...200, using: &generator))
      }
      return given
    }
    let times = given.map(\.at)
    #expect(times == times.sorted())
    for (index, permit) in given.enumerated() {
      for window in limits[permit.caller] where index >= window.requests {
        let spread = permit.at - times[index - window.requests]
        #expect(spread >= window.interval, "permit \(index) of caller \(permit.caller), seed \(seed)")
      }
    }
  }

  private static func pause(_ origin: String, until: Duration, _ connection: borrowing PGConnection) throws {
    _ = try connection.query(
      "UPDATE sync.rate_budget SET paused_until = $2 WHERE origin = $1", [.text(origin), .int(until.microseconds)])
  }

  @Test("after a pause of the longest time one request asks first, and the others follow a minute later")
  func probe() async throws {
    try await mirror.database.write { connection in
      let start: Duration = .seconds(1_800_000_000)
      for limits in [["3/1s"], ["100/60s"], ["3/1s", "40000/1d"]] {
        var caller = PermitCaller(limits.compactMap { RateWindow($0) })
        caller.origin = "probe \(limits)"
        #expect(try caller.take(clock: start, connection).wait == .zero)
        // Other processes can have reserved permits for the time after the pause has begun.
        let reserved = start + Limits.longestPermitWait
        _ = try connection.query(
          "UPDATE sync.rate_permit SET moments[1] = $2 WHERE origin = $1",
          [.text(caller.origin), .int(reserved.microseconds)])
        let end = start + Limits.longestPause
        try Self.pause(caller.origin, until: end, connection)
        // The first permit can be reserved before the end of the pause. Requests of 100 processes wait for its answer.
        let first = try caller.take(clock: end - .seconds(100), connection)
        #expect(first.wait == .seconds(100), "\(limits)")
        for _ in 0..<100 {
          let next = try caller.take(clock: end - .seconds(50), connection)
          #expect(next.reading + next.wait >= end + Limits.probeTime, "\(limits)")
        }
        // The answer is a refusal: the next pause ends with one request, too.
        let again = end + .seconds(200) + Limits.longestPause
        try Self.pause(caller.origin, until: again, connection)
        #expect(try caller.take(clock: again + .seconds(10), connection).wait == .zero)
        #expect(try caller.take(clock: again + .seconds(11), connection).wait == Limits.probeTime - .seconds(1))
      }
    }
  }

  @Test("after a shorter pause nobody waits for the first request")
  func shortPause() async throws {
    try await mirror.database.write { connection in
      let start: Duration = .seconds(1_800_000_000)
      var caller = PermitCaller([try #require(RateWindow("3/1s"))])
      caller.origin = "short pause"
      _ = try caller.take(clock: start, connection)
      try Self.pause(caller.origin, until: start + Limits.retryAfterCap, connection)
      for _ in 0..<3 {
        #expect(try caller.take(clock: start + Limits.retryAfterCap, connection).wait == .zero)
      }
    }
  }

  @Test("a permit beyond the longest wait is reported and not reserved")
  func spent() async throws {
    try await mirror.database.write { connection in
      for limit in ["2/1h", "80/1d"] {
        var caller = PermitCaller([try #require(RateWindow(limit))])
        caller.origin = limit
        caller.longestWait = .seconds(900)
        let start: Duration = .seconds(1_800_000_000)
        for _ in 0..<caller.windows[0].requests { #expect(try caller.take(clock: start, connection).wait == .zero) }
        let wait = caller.windows[0].interval
        for second in 0..<3 {
          let told = try caller.take(clock: start + .seconds(second), connection).wait
          #expect(told >= wait && told <= wait * 1.04)
        }
        let kept = try connection.query(
          "SELECT cardinality(moments) FROM sync.rate_permit WHERE origin = $1", [.text(limit)]
        ).int(row: 0, column: 0)
        #expect(kept == min(64, Int64(caller.windows[0].requests)))
      }
    }
  }

  @Test("a larger window that is declared later starts with the known permits")
  func declaredLater() async throws {
    try await mirror.database.write { connection in
      let start: Duration = .seconds(1_800_000_000)
      var early = PermitCaller([try #require(RateWindow("60/60s"))])
      for _ in 0..<50 { _ = try early.take(clock: start, connection) }
      var late = PermitCaller([try #require(RateWindow("70/60s"))])
      let waits = try (0..<21).map { _ in try late.take(clock: start + .seconds(1), connection).wait }
      #expect(waits.filter { $0 == .zero }.count == 20)
      #expect(waits[20] >= .seconds(59))
    }
  }
}

struct PermitCaller {
  let windows: [RateWindow]
  var origin = "http://test"
  var longestWait: Duration = .seconds(86_400 * 365)
  private var known: (reading: Int64, at: Duration)?

  init(_ windows: [RateWindow]) { self.windows = windows }

  /// - Parameters:
  ///   - clock: the database's clock.
  ///   - time: the caller's own clock; nil if the caller does not send it.
  ///   - delay: the transfer time of the previous answer and of this call, which the caller cannot measure.
  mutating func take(
    clock: Duration, time: Duration? = nil, delay: Duration = .zero, _ connection: borrowing PGConnection
  ) throws -> (wait: Duration, reading: Duration) {
    _ = try connection.query(
      "INSERT INTO sync.rate_budget (origin) VALUES ($1) ON CONFLICT DO NOTHING", [.text(origin)])
    let elapsed = known.flatMap { known in time.map { max(.zero, $0 - known.at - delay).microseconds } }
    let result = try connection.query(
      "SELECT wait, reading FROM sync.take_permit_at($1, $2, $3, $4, $5, $6, $7)",
      [
        .int(clock.microseconds), .text(origin), .ints(windows.map { Int64($0.requests) }),
        .ints(windows.map(\.interval.microseconds)), .int(longestWait.microseconds),
        elapsed == nil ? .null : known.map { .int($0.reading) } ?? .null, elapsed.map { .int($0) } ?? .null,
      ])
    let reading = try result.int(row: 0, column: 1) ?? 0
    known = time.map { (reading, $0) }
    return (.microseconds(try result.int(row: 0, column: 0) ?? 0), .microseconds(reading))
  }
}
