import LibPQ
import PostgresTestKit
import SyncCore
import Synchronization
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(5)), .mirror)
struct QueriesReportTests {
  private static func report(_ text: String) throws -> Report { try Report(name: "mine.sql", file: text) }

  private static func run(
    _ text: String, _ values: [String: String] = [:], within limit: Duration = .seconds(20), in mirror: StoredMirror
  ) async throws -> RowSet { try await Reports.run(try report(text), values, within: limit, in: mirror.owner) }

  private static func checkViews(_ mirror: StoredMirror) async throws {
    for report in Reports.all {
      let rows = try await Reports.run(report, in: mirror.owner)
      let view = try await mirror.owner.rows(SQL(trusted: "SELECT * FROM \(report.viewName)"))
      #expect(rows == view, "\(report.name)")
      #expect(rows.columns.map(\.name) == report.columns.map { $0.name }, "\(report.name)")
      #expect(Set(report.spare).isSubset(of: rows.columns.map(\.name)), "\(report.name)")
    }
  }

  @Test("every report equals its view and has the columns that its header names, on an empty and on a small mirror")
  func views() async throws {
    try await Self.checkViews(mirror)
    try await WalkedList.run(mirror, [[Media(1), Media(2), Media(3)]])
    try await mirror.storeSamples()
    try await Self.checkViews(mirror)
    let comments = try await mirror.rows(
      """
      SELECT c.relname, obj_description(c.oid), count(a.attnum) - count(col_description(c.oid, a.attnum))
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      WHERE c.relnamespace = 'report'::regnamespace GROUP BY c.oid, c.relname
      """)
    #expect(comments.count == Reports.all.count && comments.allSatisfy { $0[1] != nil && $0[2] == "0" })
  }

  @Test("a query that ends its own session is repeated once, and not after its time")
  func endsItsSession() async throws {
    let times = Mutex(0)
    let own = "SELECT pg_terminate_backend(pg_backend_pid())"
    let lost = await syncError {
      try await mirror.owner.read(until: .now + .seconds(60)) { connection in
        times.withLock { $0 += 1 }
        _ = try connection.query(SQL(trusted: own))
      }
    }
    #expect(lost?.code == .database && times.withLock { $0 } == 2)
    let late = await syncError {
      try await mirror.owner.read(until: .now) { connection in
        times.withLock { $0 += 1 }
        _ = try connection.query(SQL(trusted: own))
      }
    }
    #expect(late?.code == .database && times.withLock { $0 } == 3)
    await expectError(.database) { _ = try await Self.run(own, within: .seconds(3), in: mirror) }
  }

  @Test("the reader reads every view, and every report by its own rights, so that the views show no more than those")
  func roles() async throws {
    try await mirror.grant()
    for role in ["syncctl_reader", "syncctl_user", "syncctl_worker"] {
      try await mirror.asRole(role) { other in
        for report in Reports.all {
          _ = try await Reports.run(report, in: other.database)
          _ = try await other.rows("SELECT * FROM \(report.viewName)")
        }
      }
    }
  }

  @Test("values are bound by their types, and a text is never SQL")
  func binding() async throws {
    let rows = try await Self.run(
      """
      -- parameter: t text
      -- parameter: n integer
      -- parameter: d date
      -- parameter: b boolean
      -- parameter: x number
      -- parameter: s time
      -- parameter: o text = null
      SELECT :t AS t, :n + 1 AS n, :d AS d, NOT :b AS b, :x * 2 AS x, ':t' AS l, :s < now() AS s, :o IS NULL AS o
      """,
      [
        "t": "'; DROP TABLE sync.run; --", "n": "41", "d": "2026-11-21", "b": "false", "x": "0.5", "s": "1m",
      ], in: mirror)
    #expect(rows.rows == [["'; DROP TABLE sync.run; --", "42", "2026-11-21", "t", "1.0", ":t", "t", "t"]])
    #expect(rows.columns.map(\.type) == [.text, .integer, .literal, .bool, .decimal, .text, .bool, .bool])
  }

  @Test("a value is checked by its type and its bounds, also a default")
  func values() async throws {
    let rows: [(type: String, right: [String], wrong: [String])] = [
      ("integer", ["5", "-9223372036854775808"], ["1.5", "9223372036854775808", "", "1; SELECT 2"]),
      ("integer (1..5)", ["1", "5"], ["0", "6"]), ("number (0..1)", ["0.5"], ["-0.1", "nan", "x"]),
      ("date", ["2026-02-28"], ["2026-02-29", "7d"]), ("time", ["7d", "2026-11-21T04:00"], ["soon"]),
      ("boolean", ["YES", "false"], ["maybe"]), ("choice (a, b)", ["b"], ["c", "A"]), ("text", ["'; DROP"], []),
    ]
    for (type, right, wrong) in rows {
      let text = "-- parameter: some_thing \(type)\nSELECT :some_thing"
      for word in right {
        #expect(try await Self.run(text, ["some_thing": word], in: mirror).rows.count == 1, "\(type) \(word)")
      }
      for word in wrong {
        let error = await syncError { _ = try await Self.run(text, ["some_thing": word], in: mirror) }
        #expect(error?.code == .usage && error?.message.hasPrefix("--some-thing") == true, "\(type) \(word)")
      }
    }
    let text = "-- parameter: n integer = 7 (1..5)\nSELECT :n"
    let error = await syncError { _ = try await Self.run(text, in: mirror) }
    #expect(error?.message == "the default of --n: 7 is out of range" && error?.hint == "give 1 to 5")
  }

  @Test("a time that a report has moved to another time zone keeps its offset")
  func otherTimeZone() async throws {
    let text = """
      SELECT set_config('TimeZone', 'Asia/Tokyo', true), '2026-03-29 01:30:00.5Z'::timestamptz,
             '2026-03-29 01:30:00.5'::timestamp
      """
    let rows = try await Self.run(text, in: mirror)
    #expect(rows.rows == [["Asia/Tokyo", "2026-03-29 10:30:00.5+09", "2026-03-29T01:30:00.5"]])
  }

  @Test("an error of the query is one of usage, with its place")
  func errors() async throws {
    for (text, words) in [
      ("SELECT 1,\n  nonsense", "mine.sql, line 2, column 3: column \"nonsense\" does not exist"),
      ("-- parameter: n integer = 0\nSELECT :n, 1 / :n", "division by zero"),
      ("-- a\nSELECT 1 +", "mine.sql, line 2, column 11: syntax error"), ("", "mine.sql, line 1, column 1: syntax"),
      ("SELECT 1; SELECT 2", "mine.sql: cannot insert multiple commands"), ("-- a\nCOMMIT", "line 2, column 1: syntax"),
      ("DELETE FROM app.favorite", "syntax error at or near \"DELETE\""),
      ("SELECT sync.drop_old(1)", "read-only transaction"),
      ("SELECT nextval('sync.walk_id_seq')", "read-only transaction"),
      ("WITH d AS (DELETE FROM app.favorite RETURNING 1) SELECT * FROM d", "data-modifying"),
      ("SELECT 1 INTO TEMP t", "INTO"), ("SELECT * FROM sync.run FOR UPDATE", "read-only transaction"),
    ] { await expectError(.usage, words) { _ = try await Self.run(text, in: mirror) } }
  }

  @Test("what a read-only transaction permits is undone")
  func undone() async throws {
    _ = try await Self.run("SELECT set_config('work_mem', '77kB', false)", in: mirror)
    // PostgreSQL 16 and newer refuse it.
    _ = await syncError { _ = try await Self.run("SELECT lo_from_bytea(0, 'x')", in: mirror) }
    let left = "SELECT count(*), current_setting('work_mem') = '77kB' FROM pg_largeobject_metadata"
    #expect(try await mirror.owner.rows(SQL(trusted: left)).rows == [["0", "f"]])
  }

  @Test("a report of ours fails only if the schema is damaged")
  func damagedSchema() async throws {
    let report = try #require(Reports.all.first { $0.name == "run-costs" })
    try await ThrowawayPostgres.shared().sql("ALTER TABLE sync.run RENAME TO lost", database: mirror.test.name)
    await expectError(.configuration, "sync.run", hint: "schema differs") {
      _ = try await Reports.run(report, in: mirror.database)
    }
  }

  @Test("a report that takes too long is stopped, and one with too many rows or bytes is refused")
  func bounds() async throws {
    await expectError(.tryLater, hint: "--time-limit") {
      _ = try await Self.run("SELECT pg_sleep(30)", within: .seconds(1), in: mirror)
    }
    let inAll = "SELECT pg_sleep(0.0006) FROM generate_series(1, 20000)"
    #expect(await syncError { _ = try await Self.run(inAll, within: .seconds(2), in: mirror) }?.code == .tryLater)
    let many = "SELECT n FROM generate_series(1, 100001) n"
    #expect(await syncError { _ = try await Self.run(many, in: mirror) }?.message.contains("100000 rows") == true)
    let most = try await Self.run("SELECT n FROM generate_series(1, 100000) n", in: mirror)
    #expect(most.rows.count == 100_000 && most.rows.last == ["100000"])
    let long = "SELECT repeat('x', 1000000) FROM generate_series(1, 100)"
    #expect(await syncError { _ = try await Self.run(long, in: mirror) }?.message.contains("64 MiB") == true)
    // Reading stops at the limit, before all 1,000 rows have arrived.
    let longest = "SELECT repeat('x', 1000000), pg_sleep(0.01) FROM generate_series(1, 1000)"
    let error = await syncError { _ = try await Self.run(longest, within: .seconds(6), in: mirror) }
    #expect(error?.message.contains("64 MiB") == true)
    #expect(try await Self.run("SELECT", in: mirror).rows == [[]])
  }
}
