import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import JikanSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct QueriesLedgerTests {
  @Test("kinds of columns, and times as ISO 8601 in UTC", .emptyMirror)
  func rowSet() async throws {
    let rows = try await mirror.database.rows(
      """
      SELECT 'x'::text AS a, 1::int2 AS b, 2::int8 AS c, 1.50::numeric AS d, 0.1::float8 AS e, true AS f,
             '{"k":1}'::jsonb AS g, '2026-03-29 03:30:00.987+02'::timestamptz AS h, NULL::timestamptz AS i,
             'infinity'::timestamptz AS j, '2026-03-29 03:30:00'::timestamp AS k
      """)
    #expect(rows.columns.map(\.name) == "a b c d e f g h i j k".split(separator: " ").map(String.init))
    #expect(
      rows.columns.map(\.type) == [
        .text, .integer, .integer, .decimal, .decimal, .bool, .json, .time, .time, .time, .literal,
      ])
    #expect(
      rows.rows == [
        [
          "x", "1", "2", "1.50", "0.1", "t", #"{"k": 1}"#, "2026-03-29T01:30:00.987Z", nil, "infinity",
          "2026-03-29T03:30:00",
        ]
      ])
  }

  @Test("the status of every stream", .mirror)
  func status() async throws {
    #expect(try await Runs.status(mirror.database).rows == [])
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    var stopped = try await WalkedList(PostgresWalkStore(mirror.database), .list("top-manga", kind: "manga"))
    try await stopped.commit(1, [Media(1)])
    _ = try await stopped.finish(.partial, publishes: false, isResumable: true)
    let status = try await Runs.status(mirror.database)
    let names = ["stream", "entries", "consistent", "last_run", "rows_seen", "inserted", "resumes_after_page"]
    let places = names.compactMap { name in status.columns.firstIndex { $0.name == name } }
    #expect(
      status.rows.map { row in places.map { row[$0] } } == [
        ["top-anime", "2", "t", "complete", "2", "2", nil], ["top-manga", nil, nil, "partial", "1", "1", "1"],
      ])
    #expect(status.rows[0][2]?.hasSuffix("Z") == true && status.rows[1][2] == nil)
  }

  @Test("the latest runs come first, up to the limit", .mirror)
  func list() async throws {
    #expect(try await Runs.list(mirror.database, limit: 5).rows.rows == [])
    var ids: [String?] = []
    for _ in 1...3 { ids.insert(try await WalkedList.run(mirror, [[Media(1)]]).id, at: 0) }
    #expect(try await Runs.list(mirror.database, limit: 5).rows.rows.map { $0[0] } == ids)
    let page = try await Runs.list(mirror.database, limit: 2)
    #expect(page.rows.rows.map { $0[0] } == Array(ids.prefix(2)) && page.total == 3)
    let rest = try await Runs.list(mirror.database, limit: 2, after: .cursor(#require(page.next)))
    #expect(rest.rows.rows.map { $0[0] } == [ids[2]] && rest.next == nil)
    #expect(
      try await Runs.list(mirror.database, limit: 2, after: .offset(1)).rows.rows.map { $0[0] } == Array(ids[1...]))
  }

  @Test(
    "runs that failed, of a source, a stream, a job or since a time; a guard has stopped those that are held", .mirror)
  func filtered() async throws {
    try await mirror.execute(
      """
      INSERT INTO sync.run (source, stream, status, started_at, guarded, error, job, certificate) VALUES
        ('jikan', 'a', 'complete', '2026-01-01T00:00:00.5Z', false, NULL, NULL, '{"holes": []}'),
        ('jikan', 'b', 'failed', '2026-01-02', true, 'too many', 'daily', '{"complete": true, "holes": []}'),
        ('itunes', 'a', 'partial', '2026-01-03', false, NULL, NULL, '{"holes": [2], "unavailable": [7, 8]}'),
        ('itunes', 'c', 'partial', '2026-01-04', false, NULL, NULL, '{"holes": [], "ended_by": "max_pages"}'),
        ('jikan', 'a', 'interrupted', '2026-01-05', false, 'killed', 'daily', NULL)
      """)
    let database = mirror.database
    func days(_ page: ListPage) throws -> String {
      let rows = page.rows
      let place = try #require(rows.columns.firstIndex { $0.name == "started_at" })
      return rows.rows.map { String(($0[place] ?? "").prefix(10).suffix(1)) }.joined()
    }
    #expect(try await days(Runs.list(database, limit: nil)) == "54321")
    #expect(try await days(Runs.list(database, limit: nil, onlyFailed: true)) == "532")
    #expect(try await days(Runs.list(database, limit: nil, sources: ["itunes"])) == "43")
    #expect(try await days(Runs.list(database, limit: nil, streams: ["b", "c"])) == "42")
    #expect(try await days(Runs.list(database, limit: nil, job: "daily")) == "52")
    #expect(try await days(Runs.list(database, limit: nil, since: .at("2026-01-03"))) == "543")
    let shown = Moment.at("2026-01-01T00:00:00Z")
    #expect(try await days(Runs.list(database, limit: nil, since: shown)) == "54321", "a time as it is shown")
    #expect(
      try await days(Runs.list(database, limit: 1, onlyFailed: true, sources: ["jikan", "itunes"], job: "daily")) == "5"
    )
    let rows = try await Runs.list(database, limit: nil).rows
    #expect(try column("held", rows) == ["f", "f", "f", "t", "f"])
    #expect(try column("unavailable", rows) == [nil, "0", "3", "0", "0"])
    #expect(try column("status", rows)[3] == "failed")
  }

  @Test("an interrupted run hides no failure, of a stream or of an index; a run that ended well clears it", .mirror)
  func failures() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    for (status, isFailed) in [
      ("failed", true), ("interrupted", true), ("running", true), ("complete", false), ("interrupted", false),
    ] {
      for stream in ["top-anime", StoredIndex.stream] {
        try await mirror.execute(
          "INSERT INTO sync.run (source, stream, status, error) VALUES ('jikan', '\(stream)', '\(status)', '\(status)')"
        )
      }
      let streams = try await MirrorFigures.read(mirror.database).streams
      #expect(streams.count == 1 && (streams[0].lastRun?.status == .failed) == isFailed, "\(status): \(streams)")
      let indexes = try await MirrorFigures.failedIndexes(mirror.database, [])
      #expect(indexes.map { $0.lastRun?.error } == (isFailed ? ["failed"] : []), "\(status): \(indexes)")
    }
    // A run with missing pages is a failure. A later run that `--max-pages` ends does not clear the failure.
    for certificate in [#"{"holes": [2, 3], "unavailable": [7]}"#, #"{"holes": [], "ended_by": "max_pages"}"#] {
      try await mirror.execute(
        """
        INSERT INTO sync.run (source, stream, status, certificate)
        VALUES ('jikan', 'top-anime', 'partial', '\(certificate)')
        """
      )
      let last = try await MirrorFigures.read(mirror.database).streams.first?.lastRun
      #expect(last?.status == .partial && last?.error == "unavailable pages or documents: 3", "\(certificate)")
    }
    // The declaration expects an ignored answer, so it clears the failure.
    try await mirror.execute(
      """
      INSERT INTO sync.run (source, stream, status, certificate)
      VALUES ('jikan', 'top-anime', 'partial', '{"holes": [], "ended_by": "ignored"}')
      """)
    let last = try await MirrorFigures.read(mirror.database).streams.first?.lastRun
    #expect(last?.status == .partial && last?.error == nil)
  }

  @Test("a held run stays the last until another is held or reads the list to its end", .mirror)
  func holds() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    let end = #"{"ended_by": "404", "holes": [2]}"#
    let runs: [(status: String, guarded: Bool, certificate: String, error: String?)] = [
      ("failed", true, "{}", "first"), ("failed", false, "{}", "first"),
      ("partial", false, #"{"ended_by": "max_pages"}"#, "first"),
      ("partial", false, #"{"ended_by": "ignored"}"#, "first"), ("failed", true, "{}", "second"),
      ("partial", false, end, nil), ("failed", true, "{}", "third"), ("complete", false, "{}", nil),
    ]
    for (status, guarded, certificate, error) in runs {
      try await mirror.execute(
        """
        INSERT INTO sync.run (source, stream, status, guarded, certificate, error) VALUES
          ('jikan', 'top-anime', '\(status)', \(guarded), '\(certificate)',
           CASE '\(status)' WHEN 'failed' THEN '\(guarded ? error ?? "" : "paused")' END)
        """
      )
      let last = try #require(try await MirrorFigures.read(mirror.database).streams.first?.lastRun)
      #expect(last.isHeld == (error != nil) && (error == nil || last.error == error), "\(status): \(last)")
    }
    let held = "2 of 3 items of the index could not be used; look at them"
    for error in [held, "paused"] {
      try await mirror.execute(
        "INSERT INTO sync.run (source, stream, status, error) VALUES ('jikan', $1, 'failed', $2)",
        [.text(StoredIndex.stream), .text(error)])
      let budget = (source: "jikan", origin: "https://j.example", windows: [RateWindow]())
      try await mirror.execute("SELECT sync.pause_origin('https://j.example', 2000000000)")
      let indexes = try await MirrorFigures.failedIndexes(mirror.database, [budget])
      #expect(indexes.map { $0.lastRun?.error } == [held] && indexes.first?.pausedUntil != nil, "\(error)")
    }
  }

  @Test(
    "the cost of a stream is that of its last whole walk, or what it claims, less what a resumed walk has sent", .mirror
  )
  func costs() async throws {
    try await WalkedList.run(mirror, [[Media(1)], [Media(2)]])
    var stopped = try await WalkedList(PostgresWalkStore(mirror.database), .list("top-manga", kind: "manga"))
    try await stopped.commit(1, [Media(1)])
    _ = try await stopped.finish(.partial, publishes: false, isResumable: true)
    try await mirror.execute("UPDATE sync.run SET requests = CASE stream WHEN 'top-anime' THEN 41 ELSE 5 END")
    try await mirror.execute(
      "UPDATE sync.walk_page SET last_page = 30 WHERE walk_id = (SELECT walk_id FROM sync.run WHERE stream = 'top-manga')"
    )
    func costs(_ age: Duration) async throws -> [String: Int] {
      try await Runs.costs(
        of: ["top-anime", "top-manga", "genres"], of: .jikan, resumedWithin: age, in: mirror.database)
    }
    #expect(try await costs(.seconds(3600)) == ["top-anime": 41, "top-manga": 25])
    #expect(try await costs(.zero) == ["top-anime": 41, "top-manga": 30])
  }

  @Test("a run by a prefix of its id: found, missing, ambiguous, and the latest without one", .mirror)
  func show() async throws {
    await expectError(.missing) { _ = try await Runs.show(mirror.database, prefix: nil) }
    let ids = ["aaaa0000-0000-4000-8000-000000000001", "aaaa1111-0000-4000-8000-000000000002"]
    for id in ids {
      try await mirror.execute(
        "INSERT INTO sync.run (id, source, stream, status) VALUES ($1::text::uuid, 'jikan', 'x', 'complete')",
        [.text(id)])
    }
    #expect(try await Runs.show(mirror.database, prefix: "AAAA0").rows.map { $0[0] } == [ids[0]])
    #expect(try await Runs.show(mirror.database, prefix: ids[1]).rows.map { $0[0] } == [ids[1]])
    #expect(try await Runs.show(mirror.database, prefix: nil).rows.map { $0[0] } == [ids[1]])
    await expectError(.usage) { _ = try await Runs.show(mirror.database, prefix: "aaaa") }
    for prefix in ["b", "%", "a'--", String(repeating: "a", count: 500)] {
      await expectError(.missing) { _ = try await Runs.show(mirror.database, prefix: prefix) }
    }
  }

  @Test("the freshness of a list that was published just now", .mirror)
  func freshness() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    let freshness = try #require(Reports.all.first { $0.name == "freshness" })
    let rows = try await Reports.run(freshness, in: mirror.database)
    #expect(rows.rows.count == 1 && rows.rows[0][1] == "top-anime" && rows.rows[0][4] == "0.0")
    #expect(rows.rows[0][3]?.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/#) == true)
  }

  @Test("the queries of doctor", .emptyMirror)
  func facts() async throws {
    let facts = try await ServerFacts.read(mirror.database)
    #expect(facts.encoding == "UTF8" && facts.database == mirror.test.name)
    #expect(facts.user == ProductRole.login ?? mirror.test.user)
    #expect(facts.mayCreateSchemas == (ProductRole.name == nil))
    #expect(facts.version.first?.isNumber == true)
  }
}
