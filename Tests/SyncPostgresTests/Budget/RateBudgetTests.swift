import LibPQ
import PostgresTestKit
import SyncCore
import SyncEngine
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite("The shared budget", .timeLimit(.minutes(10)))
struct RateBudgetTests {
  private static let origin = "https://api.example/v1"

  /// Takes `count` permits over one connection. Returns the permits' times on the database's clock of the origin.
  private static func permits(
    _ count: Int, _ windows: [RateWindow], _ settings: ConnectionSettings
  ) async throws -> [Duration] {
    try await Database.with(settings, applicationName: "taker") { database in
      var permits: [Duration] = []
      for _ in 0..<count {
        permits.append(
          try await database.statement { connection in
            let result = try connection.query(
              "SELECT wait + reading FROM sync.take_permit($1, $2, $3, 900000000, NULL, NULL)",
              [.text(origin), .ints(windows.map { Int64($0.requests) }), .ints(windows.map(\.interval.microseconds))])
            return .microseconds(try result.int(row: 0, column: 0) ?? 0)
          })
      }
      return permits
    }
  }

  @Test(
    "connections that request permits at once never exceed a window, and no permit is lost",
    .mirror, arguments: ["read committed", "repeatable read"])
  func concurrently(_ isolation: String) async throws {
    let windows = ["3/1s", "70/30s"].compactMap { RateWindow($0) }
    try await mirror.execute("ALTER DATABASE \(mirror.test.name) SET default_transaction_isolation = '\(isolation)'")
    let settings = mirror.test.productSettings
    let taken = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for _ in 0..<6 { group.addTask { try await Self.permits(40, windows, settings) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for permits in taken { #expect(permits == permits.sorted()) }
    let permits = taken.flatMap(\.self).sorted()
    #expect(permits.count == 240)
    for window in windows { #expect(window.overfilled(by: permits) == nil, "\(window)") }
    let recorded = try await mirror.value(
      """
      SELECT (moments[given % 64 + 1:] || moments[:given % 64])::text
      FROM sync.rate_permit JOIN sync.rate_budget USING (origin)
      """)
    #expect(recorded == "{" + permits.suffix(64).map { "\($0.microseconds)" }.joined(separator: ",") + "}")
    let counted = try await mirror.value("SELECT sum(c) FROM sync.rate_window, unnest(counts) c")
    let inReach = permits.count { $0 > (permits.last ?? .zero) - .seconds(30) }
    #expect(try #require(counted.flatMap { Int($0) }) >= inReach)
  }

  @Test("a pause of one process delays the others, a shorter one does not end it, and other origins continue", .mirror)
  func pause() async throws {
    let windows = [RateWindow(requests: 3, interval: .seconds(1))]
    let mine = PostgresRateBudget(mirror.database, origin: Self.origin, windows: windows)
    try await mirror.other { database in
      let theirs = PostgresRateBudget(database, origin: Self.origin, windows: [])
      #expect(try await theirs.remainingPause() == .zero)
      try await mine.pause(for: .seconds(600))
      try await theirs.pause(for: .seconds(60))
      for budget in [mine, theirs] {
        #expect(try await budget.remainingPause() > .seconds(500))
        #expect(try await budget.remainingPause() <= .seconds(600))
        #expect(try await budget.take().wait > .seconds(500))
      }
      let elsewhere = PostgresRateBudget(database, origin: "https://other.example", windows: windows)
      #expect(try await elsewhere.remainingPause() == .zero)
      #expect(try await elsewhere.take().wait <= .zero)
    }
  }

  @Test("without a limit no permit is taken and nothing is written; the pause of another process counts", .mirror)
  func withoutLimit() async throws {
    let budget = PostgresRateBudget(mirror.database, origin: Self.origin, windows: [], pauseReading: .zero)
    let later = PostgresRateBudget(mirror.database, origin: Self.origin, windows: [], pauseReading: .seconds(3600))
    #expect(try await budget.take().wait == .zero)
    #expect(try await later.take().wait == .zero)
    let rows = "SELECT (SELECT count(*) FROM sync.rate_budget) + (SELECT count(*) FROM sync.rate_permit)"
    #expect(try await mirror.value(rows) == "0")
    try await mirror.other { database in
      let other = PostgresRateBudget(
        database, origin: Self.origin, windows: [RateWindow(requests: 3, interval: .seconds(1))])
      _ = try await other.take()
      #expect(try await budget.take().wait == .zero)
      try await other.pause(for: .seconds(600))
    }
    let versions = "SELECT xmin::text, xmax::text, ctid::text FROM sync.rate_budget"
    let before = try await mirror.rows(versions)
    #expect(try await budget.take().wait > .seconds(500))
    #expect(try await later.take().wait == .zero, "it has read that there is none, and does not read again yet")
    #expect(try await mirror.rows(versions) == before)
    #expect(try await mirror.value("SELECT cardinality(moments) FROM sync.rate_permit") == "1")
    let limiter = RateLimiter(budget: budget, clock: StillClock(), longestWait: .seconds(60))
    await expectError(.tryLater, "throttling") { try await limiter.permit() }
  }

  @Test("a permit writes less than 260 bytes of log", .ownServer)
  func log() async throws {
    let budget = PostgresRateBudget(
      mirror.database, origin: Self.origin, windows: ["3/1s", "60/60s"].compactMap { RateWindow($0) })
    let lsn = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"
    // The first 64 permits make PostgreSQL log whole database pages. Later permits log only their changes.
    for _ in 0..<64 { _ = try await budget.take() }
    let start = try #require(try await mirror.value(lsn).flatMap { Int($0) })
    for _ in 0..<500 { _ = try await budget.take() }
    let end = try #require(try await mirror.value(lsn).flatMap { Int($0) })
    print("a permit: \((end - start) / 500) bytes of WAL")
    #expect((end - start) / 500 < 260)
  }

  @Test("two processes' waits are counted from the same clock", .mirror)
  func waits() async throws {
    let windows = [RateWindow(requests: 1, interval: .seconds(100))]
    let mine = PostgresRateBudget(mirror.database, origin: Self.origin, windows: windows)
    try await mirror.other { database in
      let theirs = PostgresRateBudget(database, origin: Self.origin, windows: windows)
      let start = ContinuousClock.now
      #expect(try await mine.take().wait <= .zero)
      for turn in 1...4 {
        let wait = try await (turn.isMultiple(of: 2) ? mine : theirs).take().wait
        let due = start.duration(to: .now) + wait
        // The first call begins after `start`, so a permit can be late by the duration of that call.
        #expect(due >= .seconds(102 * turn) && due < .seconds(102 * turn + 60), "\(due)")
      }
    }
  }

  @Test("a permit that is given back is the next caller's, also if the first caller's connection was lost", .mirror)
  func givenBack() async throws {
    for limit in ["2/100s", "70/100s"] {
      let window = try #require(RateWindow(limit))
      let budget = PostgresRateBudget(mirror.database, origin: limit, windows: [window])
      for _ in 1..<window.requests { _ = try await budget.take() }
      let unused = try await budget.take()
      try await budget.giveBack(unused)
      #expect(try await budget.take().wait <= .zero)
      #expect(try await budget.take().wait > .seconds(90))
      // It is given back once, however often.
      try await budget.giveBack(unused)
      #expect(try await budget.take().wait > .seconds(90))
    }
  }

  @Test("a limit shows at most the requests that it allows, without permits that are reserved for later", .mirror)
  func used() async throws {
    let windows = ["3/100s", "70/100s"].compactMap { RateWindow($0) }
    let budget = PostgresRateBudget(mirror.database, origin: Self.origin, windows: windows)
    for _ in 0..<5 { _ = try await budget.take() }
    let shown = windows + ["2/100s", "5/100s"].compactMap { RateWindow($0) }
    let limits = try await RequestLimits.list([("a", Self.origin, shown)], in: mirror.database)
    #expect(limits.rows.map { $0[2] } == ["3", "3", "2", "3"])
  }

  @Test("a permit is one statement: no transaction stays open, and its row versions need no index entries", .mirror)
  func oneStatement() async throws {
    #expect(try await mirror.database.statement { $0.isIdle })
    let budget = PostgresRateBudget(
      mirror.database, origin: Self.origin, windows: ["3/1s", "70/30s"].compactMap { RateWindow($0) })
    for _ in 0..<64 { _ = try await budget.take() }
    let counts = """
      SELECT relname, n_tup_ins, n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname LIKE 'rate%'
      ORDER BY 1
      """
    try await mirror.database.statement { _ = try $0.query("SELECT pg_stat_force_next_flush()") }
    let before = try await mirror.rows(counts)
    for _ in 0..<40 { _ = try await budget.take() }
    try await mirror.database.statement { _ = try $0.query("SELECT pg_stat_force_next_flush()") }
    let changes = zip(before, try await mirror.rows(counts)).map { before, after in
      [after[0]]
        + zip(before.dropFirst(), after.dropFirst()).map { old, new in
          "\((new.flatMap { Int($0) } ?? 0) - (old.flatMap { Int($0) } ?? 0))"
        }
    }
    #expect(changes.map { Array($0[..<3]) } == ["budget", "permit", "window"].map { ["rate_\($0)", "0", "40"] })
    // A snapshot of another session can keep old row versions, so 4 of the 40 updates can add index entries.
    for change in changes { #expect(change[3].flatMap { Int($0) } ?? 0 >= 36, "\(change)") }
  }
}

private struct StillClock: SyncClock {
  func now() -> Duration { .zero }
  func sleep(for duration: Duration) async throws {}
}
