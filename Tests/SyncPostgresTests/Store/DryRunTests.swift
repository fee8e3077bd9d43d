import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct DryRunTests {
  typealias Walks = @Sendable (any WalkStore) async throws -> [RunReport]

  /// Runs `walks` as a dry run and then for real. Returns the changes in the order of the dry run's reports.
  @discardableResult
  static func expectEqual(
    _ mirror: StoredMirror, sourceLocation: SourceLocation = #_sourceLocation, _ walks: Walks
  ) async throws -> (changes: [PlannedChange], reports: [RunReport], notes: [String]) {
    let changes = Mutex<[PlannedChange]>([])
    let notes = Mutex<[String]>([])
    let before = try await contents(mirror)
    let planned = try await walks(
      DryRunStore(
        mirror.database, report: { more in changes.withLock { $0 += more } },
        note: { note in notes.withLock { $0.append(note) } }))
    #expect(try await contents(mirror) == before, "a dry run has written", sourceLocation: sourceLocation)
    try await mirror.execute("DROP TABLE IF EXISTS public.was")
    try await mirror.execute("CREATE TABLE public.was AS \(items)")
    let real = try await walks(PostgresWalkStore(mirror.database))
    #expect(planned.map(\.counters) == real.map(\.counters), sourceLocation: sourceLocation)
    #expect(planned.map(\.status) == real.map(\.status), sourceLocation: sourceLocation)
    #expect(planned.map(\.error?.code) == real.map(\.error?.code), sourceLocation: sourceLocation)
    #expect(planned.map(\.error?.message) == real.map(\.error?.message), sourceLocation: sourceLocation)
    let told = changes.withLock { $0 }
    let unequal = lines(told).symmetricDifference(try await differences(mirror))
    #expect(unequal.sorted() == [], sourceLocation: sourceLocation)
    return (told, planned, notes.withLock { $0 })
  }

  static func contents(_ mirror: StoredMirror) async throws -> [String] {
    let tables = try await mirror.rows(
      """
      SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
      WHERE schemaname IN ('sync', 'jikan', 'app') ORDER BY 1
      """)
    var contents: [String] = []
    for table in tables.compactMap(\.first).compactMap(\.self) {
      let rows = try await mirror.rows("SELECT concat_ws(' ', xmin, xmax, ctid, t) FROM \(table) t ORDER BY 1")
      contents.append("\(table): \(rows)")
    }
    return contents
  }

  private static let items = """
    SELECT kind AS space, mal_id, title, to_jsonb(m) || coalesce(to_jsonb(c), '{}') AS item
    FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
    UNION ALL SELECT concat(kind, facet), mal_id, name, to_jsonb(g) FROM jikan.genre g
    """

  private static func differences(_ mirror: StoredMirror) async throws -> Set<String> {
    let rows = try await mirror.rows(
      """
      WITH pair AS (
        SELECT coalesce(b.mal_id, a.mal_id) AS key, coalesce(b.title, a.title) AS title, a.item AS was, b.item AS now
        FROM public.was a FULL JOIN (\(items)) b USING (space, mal_id)
        WHERE a.item - '{changed_at,count_changed_at,requested_at}'::text[]
          IS DISTINCT FROM b.item - '{changed_at,count_changed_at,requested_at}'::text[]
      )
      SELECT key, title, CASE WHEN was IS NULL THEN 'insert' WHEN now IS NULL THEN 'delete'
          WHEN was->'vanished_at' = 'null' AND now->'vanished_at' <> 'null' THEN 'vanish' ELSE 'update' END,
        (SELECT string_agg(format('%s: %s → %s', name, was->name, value), ', ' ORDER BY name)
         FROM jsonb_each(now) AS n (name, value)
         WHERE value <> was->name AND name NOT IN ('raw', 'content_hash', 'counter_hash', 'changed_at',
           'count_changed_at', 'requested_at'))
      FROM pair
      """)
    // A dry run does not report removed genres, because only publication removes them.
    return Set(
      rows.filter { $0[2] != "delete" }.map { row in
        let columns = row[2] == "update" ? row[3] ?? "" : ""
        return "\(row[2] ?? "") \(row[0] ?? "") \(row[1] ?? "") \(columns)"
      })
  }

  private static func lines(_ changes: [PlannedChange]) -> Set<String> {
    var last: [Int64: String] = [:]
    for change in changes {
      let columns = change.columns.filter { $0.name != "raw" }.map { "\($0.name): \($0.from) → \($0.to)" }
      let isNothing = change.operation == .update && change.columns.isEmpty
      last[change.key] =
        isNothing
        ? nil : "\(change.operation.rawValue) \(change.key) \(change.title ?? "") \(columns.joined(separator: ", "))"
    }
    return Set(last.values)
  }

  private static func walks(_ pages: [[Media]], rejected: [RejectedItem] = []) -> Walks {
    { store in
      var walk = try await WalkedList(store, .topAnime)
      for (index, page) in pages.enumerated() {
        try await walk.commit(index + 1, page, rejected: index == 0 ? rejected : [])
      }
      return [try await walk.finish()]
    }
  }

  @Test("counters that moved, a changed document, an item that returns, and nothing else")
  func updates() async throws {
    try await WalkedList.run(mirror, [Media.items(1...6)])
    try await mirror.execute("UPDATE jikan.media SET vanished_at = now() - interval '1 d' WHERE mal_id IN (5, 6)")
    try await StoreVanishTests.makeOld(mirror)
    let (changes, reports, _) = try await Self.expectEqual(
      mirror,
      Self.walks(
        [
          [
            Media(1), Media(2, ["members": "9", "score": "null"]),
            Media(3, ["title": "\"New\"", "aired": #"{"from":"2010-01-01T00:00:00+00:00"}"#, "year": "2010.0"]),
          ],
          [Media(4, ["themes": "[1]", "scored": "8.5", "favorites": nil]), Media(5)],
        ], rejected: [RejectedItem(key: 6, reason: "wrong_type", detail: "score: a text", excerpt: "{}")]))
    try #require(changes.map(\.key) == [2, 3, 6, 4, 5])
    #expect(changes.allSatisfy { $0.operation == .update })
    #expect(
      changes[0].columns == [
        .init(name: "members", from: "5002", to: "9"), .init(name: "score", from: "8.5", to: "null"),
      ])
    try #require(changes[1].columns.map(\.name) == ["raw", "started_at", "title", "year"])
    #expect(changes[1].columns[0] == .init(name: "raw", from: #"["aired"]"#, to: #"["aired"]"#))
    #expect(changes[1].columns[2] == .init(name: "title", from: #""Title 3""#, to: #""New""#))
    #expect(changes[2].columns.map(\.name) == ["vanished_at"] && changes[2].title == "Title 6")
    try #require(changes[3].columns.map(\.name) == ["favorites", "raw"])
    #expect(changes[3].columns[1] == .init(name: "raw", from: "[]", to: #"["scored", "themes"]"#))
    #expect(changes[4].columns.map(\.name) == ["vanished_at"])
    #expect(reports[0].id == DryRunStore.runID && reports[0].walBytes == 0)
    #expect((reports[0].counters.updated, reports[0].counters.documentsUpdated) == (4, 2))
    #expect((reports[0].counters.unchanged, reports[0].counters.quarantined) == (1, 1))
    try await mirror.execute("UPDATE jikan.media SET vanished_at = NULL")
    let again = try await Self.expectEqual(
      mirror, Self.walks([[Media(1), Media(2, ["members": "9", "score": "null"])]]))
    #expect(again.changes.isEmpty && again.reports[0].counters.unchanged == 2)
  }

  @Test("an item that occurs again is reported again only if it has changed again; the last report counts")
  func repeats() async throws {
    try await WalkedList.run(mirror, [Media.items(1...4)])
    try await StoreVanishTests.makeOld(mirror)
    let changed = Media(2, ["title": "\"Second\""])
    let (changes, reports, _) = try await Self.expectEqual(
      mirror,
      Self.walks([
        [Media(1), changed, Media(3, ["members": "1"]), Media(4, ["year": #""\u0000""#]), Media(9)],
        [
          Media(1, ["members": "7"]), changed, Media(3), Media(4, ["year": #""\u0000""#]),
          Media(9, ["title": "\"Nine\""]),
        ],
        [Media(9, ["title": "\"Nine\""]), Media(9, ["title": "\"Ten\""])],
      ]))
    #expect(
      changes.map { "\($0.operation) \($0.key) \($0.title ?? "") \($0.columns.map(\.name))" } == [
        #"update 2 Second ["title"]"#, #"update 3 Title 3 ["members"]"#, "insert 9 Title 9 []",
        #"update 1 Title 1 ["members"]"#, "update 3 Title 3 []", "insert 9 Nine []", "insert 9 Ten []",
      ])
    let counters = reports[0].counters
    #expect((counters.inserted, counters.updated, counters.unchanged) == (1, 2, 1))
    #expect((counters.duplicates, counters.quarantined) == (6, 2))
  }

  @Test(
    "an item that PostgreSQL would refuse is the only one in quarantine",
    arguments: [["title": #""nul \u0000""#], ["members": #""\u0000""#]])
  func refused(_ change: [String: String]) async throws {
    let (changes, reports, notes) = try await Self.expectEqual(
      mirror, Self.walks([[Media(1), Media(2, change), Media(3)]]))
    #expect(changes.map(\.key) == [1, 3] && reports[0].counters.quarantined == 1)
    #expect(notes.count == 1 && notes.joined().contains("item 2 would go into quarantine: refused"))
  }

  @Test("streams with the same items: the later one sees what the earlier one would have written")
  func severalStreams() async throws {
    try await WalkedList.run(mirror, .catalogue(), [Media.items(1...4)])
    try await StoreVanishTests.makeOld(mirror)
    let (changes, reports, _) = try await Self.expectEqual(mirror) { store in
      var catalogue = try await WalkedList(store, .catalogue())
      try await catalogue.commit(1, [Media(1), Media(2, ["members": "1"]), Media(5)])
      #expect(try await store.missing(in: catalogue.open, stream: .catalogue()).map(\.key) == [3, 4])
      try await catalogue.lookUp(2, found: [Media(3, ["title": "\"Here\""])], gone: [4])
      let first = try await catalogue.finish()
      var list = try await WalkedList(store, .topAnime)
      try await list.commit(1, [Media(1), Media(2, ["members": "1"]), Media(3), Media(4), Media(5), Media(6)])
      let second = try await list.finish()
      var manga = try await WalkedList(store, .list("top-manga", kind: "manga"))
      try await manga.commit(1, [Media(1)])
      return [first, second, try await manga.finish()]
    }
    #expect(
      changes.map { "\($0.stream.name) \($0.operation) \($0.key)" } == [
        "anime-catalog update 2", "anime-catalog insert 5", "anime-catalog update 3", "anime-catalog vanish 4",
        "top-anime update 3", "top-anime update 4", "top-anime insert 6", "top-manga insert 1",
      ])
    #expect(reports[0].counters.vanished == 1)
    #expect((reports[1].counters.updated, reports[1].counters.documentsUpdated) == (2, 1))
    #expect((reports[1].counters.unchanged, reports[1].counters.inserted) == (3, 1))
  }

  @Test("the guards give their usual errors, and a confirmed run passes them", arguments: [true, false])
  func guarded(_ isCatalogue: Bool) async throws {
    let stream = isCatalogue ? StreamDescription.catalogue() : .topAnime
    try await WalkedList.run(mirror, stream, [Media.items(1...200)])
    try await StoreVanishTests.makeOld(mirror)
    let refusal: Walks = { store in
      var walk = try await WalkedList(store, stream)
      try await walk.commit(1, Media.items(101...210))
      guard isCatalogue else { return [try await walk.finish()] }
      let error = await expectError(.guarded) { _ = try await store.missing(in: walk.open, stream: stream) }
      return [try await walk.finish(.failed, publishes: false, error: error)]
    }
    let (_, reports, _) = try await Self.expectEqual(mirror, refusal)
    #expect(reports[0].error?.code.exitStatus == 86)
    #expect(reports[0].error?.message.contains(isCatalogue ? "100 of 210" : "100 of 200") == true)
    #expect(reports[0].error?.hint?.contains("dry-run") == false)
    let id = try #require(
      try await mirror.value("SELECT id FROM sync.run WHERE guarded ORDER BY started_at DESC LIMIT 1"))
    try await StoreVanishTests.makeOld(mirror)
    let confirmed = try await Self.expectEqual(mirror) { store in
      var walk = try await WalkedList(store, stream, confirming: id)
      #expect(walk.open.isConfirmed && walk.open.pages.count == 1)
      if isCatalogue {
        #expect(try await store.missing(in: walk.open, stream: stream).map(\.key) == Array(1...100))
        try await walk.lookUp(2, gone: Array(1...50))
      }
      return [try await walk.finish()]
    }
    #expect(confirmed.changes.map(\.operation) == Array(repeating: .vanish, count: isCatalogue ? 50 : 0))
  }

  @Test("a list that grew as much as it shrank passes the guard of the existing list")
  func guardCountsNewItems() async throws {
    let stream = StreamDescription.catalogue()
    try await WalkedList.run(mirror, stream, [Media.items(1...60)])
    try await StoreVanishTests.makeOld(mirror)
    try await Self.expectEqual(mirror) { store in
      var walk = try await WalkedList(store, stream)
      // 50 of the 60 items are missing. The walk adds 1,000 items, so less than 5 % of all items are missing.
      try await walk.commit(1, Media.items(51...1060), age: .seconds(1))
      #expect(try await store.missing(in: walk.open, stream: stream).map(\.key).count == 50)
      return [try await walk.finish()]
    }
  }

  @Test("too many bad items end it where they end a run")
  func quarantineLimit() async throws {
    let bad = (1...501).map { RejectedItem(key: $0, reason: "wrong_type", detail: "score", excerpt: "{}") }
    let (_, reports, notes) = try await Self.expectEqual(mirror) { store in
      var walk = try await WalkedList(store, .topAnime)
      try await walk.commit(1, [Media(1000)], rejected: bad, claim: PageClaim(total: 10_000))
      let error = await expectError(.guarded) { try await walk.commit(2, [Media(1001)]) }
      walk.counters = RunCounters()
      walk.counters.rowsSeen = 502
      walk.counters.quarantined = 501
      walk.counters.inserted = 1
      return [try await walk.finish(.failed, publishes: false, error: error)]
    }
    #expect(reports[0].error?.message.contains("501 of 502") == true)
    #expect(notes.count == 10)
  }

  @Test("genres: their counts, and an id in two lists")
  func genres() async throws {
    try await StoreGenresTests.walk(mirror, [.init(1, "Action"), .init(2, "Drama")])
    let walks: Walks = { store in
      var reports: [RunReport] = []
      for facet in ["themes", "genres"] {
        reports.append(
          try await StoreGenresTests.walk(
            mirror, [.init(1, "Action", 11), .init(2, "Tragedy"), .init(3, "Sport")],
            on: StoreGenresTests.description("anime", facet), in: store))
      }
      return reports
    }
    let reports = try await walks(DryRunStore(mirror.database, report: { _ in }))
    #expect(reports.map(\.counters.inserted) == [1, 3] && reports.map(\.counters.updated) == [2, 0])
    let real = try await walks(PostgresWalkStore(mirror.database))
    #expect(reports.map(\.counters) == real.map(\.counters))
  }

  @Test("it uses read-only transactions; a lease is not taken and does not stop it")
  func readOnly() async throws {
    try await WalkedList.run(mirror, [Media.items(1...3)])
    try await StoreVanishTests.makeOld(mirror)
    let running = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime, fresh: true)
    let notes = Mutex<[String]>([])
    let store = DryRunStore(mirror.database, report: { _ in }, note: { note in notes.withLock { $0.append(note) } })
    var walk = try await WalkedList(store, .topAnime)
    #expect(walk.open.leaseTTL == nil)
    try await walk.commit(1, [Media(1), Media(2, ["members": "1"])])
    #expect(try await walk.finish().counters.updated == 1)
    let told = notes.withLock { $0 }
    #expect(told.count == 1 && told.joined().contains("is being run by process"))
    try await running.store.renew(running.open, stream: .topAnime)
    let mode = try await mirror.database.read { try $0.query("SHOW transaction_read_only").text(row: 0, column: 0) }
    #expect(mode == "on")
  }

  @Test("rows of another origin are refused, and taken over on request")
  func otherOrigin() async throws {
    try await WalkedList.run(mirror, [Media.items(1...3)])
    let other = StreamDescription.list(origin: "https://other.example/v4")
    let store = DryRunStore(mirror.database, report: { _ in })
    #expect(await syncError { _ = try await store.open(other, fresh: false) }?.code == .configuration)
    let adopting = DryRunStore(mirror.database, options: .init(adoptsOrigin: true), report: { _ in })
    #expect(try await adopting.open(other, fresh: false).pages.isEmpty)
  }
}
