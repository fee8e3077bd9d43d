import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct UpkeepTests {
  private static func run(
    _ mirror: StoredMirror, _ label: String, stream: String, daysAgo: Int, walk: Int? = 900, status: String = "partial"
  ) async throws {
    try await mirror.execute(
      """
      INSERT INTO sync.run (source, stream, walk_id, status, error, started_at)
      VALUES ('jikan', $1, $2::bigint, $3, $4, clock_timestamp() - make_interval(days => $5::integer))
      """,
      [.text(stream), walk.map { .int(Int64($0)) } ?? .null, .text(status), .text(label), .int(Int64(daysAgo))])
  }

  private static func state(_ mirror: StoredMirror, _ stream: String, source: String = "jikan") async throws {
    try await mirror.execute(
      """
      INSERT INTO sync.stream_state (source, stream, provider, origin, page_size) VALUES ($1, $2, 'p', 'o', 25)
      """, [.text(source), .text(stream)])
  }

  @Test("old runs go with what they met in quarantine; those that something needs stay, however old")
  func runs() async throws {
    for stream in ["much", "once"] { try await Self.state(mirror, stream) }
    try await Self.run(mirror, "old", stream: "much", daysAgo: 401)
    try await Self.run(mirror, "complete", stream: "much", daysAgo: 402, walk: 800)
    try await Self.run(mirror, "of its walk", stream: "much", daysAgo: 406, walk: 800)
    try await Self.run(mirror, "published", stream: "much", daysAgo: 403)
    try await Self.run(mirror, "running", stream: "much", daysAgo: 404, status: "running")
    try await Self.run(mirror, "young", stream: "much", daysAgo: 399)
    try await Self.run(mirror, "last", stream: "much", daysAgo: 1)
    try await Self.run(mirror, "last of its stream", stream: "once", daysAgo: 800)
    try await Self.run(mirror, "old look", stream: "index", daysAgo: 450, walk: nil)
    try await Self.run(mirror, "last look", stream: "index", daysAgo: 440, walk: nil)
    try await Self.run(mirror, "of a removed stream", stream: "removed", daysAgo: 500)
    try await mirror.execute(
      """
      INSERT INTO sync.walk (id, source, stream, provider, origin, page_size)
      OVERRIDING SYSTEM VALUE VALUES (901, 'jikan', 'much', 'p', 'o', 25)
      """)
    try await Self.run(mirror, "of a walk that is there", stream: "much", daysAgo: 405, walk: 901)
    try await mirror.execute(
      """
      UPDATE sync.stream_state SET last_complete_run_id = (SELECT id FROM sync.run WHERE error = 'complete')
      WHERE stream = 'much'
      """)
    try await mirror.execute(
      """
      INSERT INTO sync.publication (source, list, run_id, consistent, entries)
      SELECT source, stream, id, true, 1 FROM sync.run WHERE error = 'published'
      """)
    try await mirror.execute(
      """
      INSERT INTO sync.run_quarantine (run_id, item, reason)
      SELECT id, '1', 'x' FROM sync.run WHERE error IN ('old', 'young')
      """)
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 3)
    try await mirror.expect(
      "SELECT error FROM sync.run ORDER BY error", "complete", "last", "last look", "last of its stream",
      "of a walk that is there", "of its walk", "published", "running", "young")
    #expect(try await mirror.value("SELECT count(*) FROM sync.run_quarantine") == "1")
    try await Self.run(mirror, "old", stream: "much", daysAgo: 401)
    _ = try await Retention.set([(.runs, days: nil)], in: mirror.owner)
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 0)
    _ = try await Retention.set([(.runs, days: 399)], in: mirror.owner)
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 2)
  }

  @Test("rows are deleted in slices, of which a run makes a few")
  func slices() async throws {
    try await Self.state(mirror, "much")
    for day in 401...410 { try await Self.run(mirror, "old", stream: "much", daysAgo: day) }
    try await Self.run(mirror, "last", stream: "much", daysAgo: 1)
    #expect(try await Upkeep.dropOldRows(in: mirror.database, slices: 2, slice: 3) == 6)
    #expect(try await mirror.value("SELECT min(started_at) > now() - interval '405 days' FROM sync.run") == "t")
    #expect(try await Upkeep.dropOldRows(in: mirror.database, slices: 9, slice: 3) == 4)
    #expect(try await mirror.value("SELECT count(*) FROM sync.run") == "1")
  }

  @Test("an item leaves the quarantine once a complete walk that began later has not met it")
  func quarantine() async throws {
    for stream in ["well", "again", "stopped"] { try await Self.state(mirror, stream) }
    try await Self.run(mirror, "well", stream: "well", daysAgo: 1, walk: 1, status: "complete")
    // Walk 2 began 420 days ago, before item `met` was last found. So walk 2 does not show that the item is gone.
    try await Self.run(mirror, "again first", stream: "again", daysAgo: 420, walk: 2, status: "interrupted")
    try await Self.run(mirror, "again", stream: "again", daysAgo: 405, walk: 2, status: "complete")
    try await mirror.execute(
      "UPDATE sync.stream_state s SET last_complete_run_id = r.id FROM sync.run r WHERE r.error = s.stream")
    for (stream, item, days) in [
      ("well", "old", 401), ("well", "young", 399), ("again", "met", 410), ("stopped", "open", 500),
    ] {
      try await mirror.execute(
        """
        INSERT INTO sync.quarantine (source, stream, item, reason, detail, raw, first_run_id, last_run_id, last_at)
        SELECT 'jikan', $1, $2, 'x', '', '', gen_random_uuid(), gen_random_uuid(),
               clock_timestamp() - make_interval(days => $3::integer)
        """, [.text(stream), .text(item), .int(Int64(days))])
    }
    try await Upkeep.dropOldRows(in: mirror.database)
    try await mirror.expect("SELECT item FROM sync.quarantine ORDER BY item", "met", "open", "young")
  }

  @Test("walks of streams that are not run any more go; not the published one, nor one that can be resumed")
  func walks() async throws {
    func walk(_ name: String, pageAge: Int?, endedAgo: Int? = nil, lease: String? = nil) async throws {
      try await mirror.execute(
        """
        WITH walk AS (
          INSERT INTO sync.walk (source, stream, provider, origin, page_size, started_at, finished_at)
          VALUES ('jikan', $1, 'p', 'o', 25, now() - interval '90 days', now() - make_interval(days => $3::integer))
          RETURNING id), page AS (
          INSERT INTO sync.walk_page (walk_id, page, keys, fetched_at)
          SELECT id, 1, '{1}', now() - make_interval(days => $2::integer) FROM walk WHERE $2::integer IS NOT NULL)
        INSERT INTO sync.stream_state (source, stream, provider, origin, page_size, walk_id, cursor, lease_expires_at)
        SELECT 'jikan', $1, 'p', 'o', 25, CASE WHEN $3::integer IS NULL THEN id END, 1, now() + $4::interval FROM walk
        """,
        [
          .text(name), pageAge.map { .int(Int64($0)) } ?? .null, endedAgo.map { .int(Int64($0)) } ?? .null,
          lease.map { .text($0) } ?? .null,
        ])
    }
    try await walk("idle", pageAge: 15)
    try await walk("idle without a page", pageAge: nil, lease: "-1 day")
    try await walk("at work", pageAge: 15, lease: "1 minute")
    try await walk("resumable", pageAge: 13)
    try await walk("ended", pageAge: 80, endedAgo: 8)
    try await walk("just ended", pageAge: 80, endedAgo: 6)
    try await walk("published", pageAge: 80, endedAgo: 80)
    try await mirror.execute(
      """
      WITH run AS (
        INSERT INTO sync.run (source, stream, walk_id, status)
        SELECT source, stream, id, 'complete' FROM sync.walk WHERE stream = 'published' RETURNING *)
      INSERT INTO sync.publication (source, list, run_id, consistent, entries)
      SELECT source, stream, id, true, 1 FROM run
      """)
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 3)
    try await mirror.expect(
      "SELECT stream FROM sync.walk ORDER BY stream", "at work", "just ended", "published", "resumable")
    #expect(try await mirror.value("SELECT count(*) FROM sync.walk_page") == "4")
    try await mirror.expect(
      "SELECT stream FROM sync.stream_state WHERE walk_id IS NOT NULL ORDER BY stream", "at work", "resumable")
  }

  @Test("searches of the command line go with their results, configured ones stay, and so do all items")
  func searches() async throws {
    for (search, days) in [("@old-1", 91), ("@young-1", 89), ("kept", 800)] {
      try await Self.state(mirror, "search:\(search)", source: "itunes")
      try await mirror.execute(
        """
        WITH run AS (
          INSERT INTO sync.run (source, stream, walk_id, status, started_at)
          VALUES ('itunes', 'search:' || $1, 900, 'complete', now() - make_interval(days => $2::integer)) RETURNING id
        ), publication AS (
          INSERT INTO sync.publication (source, list, run_id, consistent, entries)
          SELECT 'itunes', 'search:' || $1, id, true, 1 FROM run
        ), search AS (
          INSERT INTO itunes.search (name, country, term) VALUES ($1, 'us', 'x')
        ), result AS (
          INSERT INTO itunes.search_result (search, country, class, id, position) VALUES ($1, 'us', 'track', 1, 1)
        ), history AS (
          INSERT INTO itunes.search_history (search, country, class, id, valid_from, position)
          VALUES ($1, 'us', 'track', 1, now() - make_interval(days => $2::integer), 1)
        )
        INSERT INTO itunes.search_publication (search, published_at, run_id, entries, consistent)
        SELECT $1, now() - make_interval(days => $2::integer), id, 1, true FROM run
        """, [.text(search), .int(Int64(days))])
    }
    try await mirror.execute(
      """
      INSERT INTO itunes.item (country, class, id, raw, content_hash)
      VALUES ('us', 'track', 1, '{}', decode(repeat('00', 33), 'hex'))
      """)
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 1)
    for (table, column) in [
      ("itunes.search", "name"), ("itunes.search_result", "search"), ("itunes.search_history", "search"),
      ("itunes.search_publication", "search"),
    ] { try await mirror.expect("SELECT \(column) FROM \(table) ORDER BY 1", "@young-1", "kept") }
    let streams = [["search:@young-1"], ["search:kept"]]
    #expect(try await mirror.rows("SELECT stream FROM sync.stream_state ORDER BY 1") == streams)
    #expect(try await mirror.rows("SELECT list FROM sync.publication ORDER BY 1") == streams)
    #expect(try await mirror.value("SELECT count(*) FROM itunes.item") == "1")
    #expect(try await mirror.value("SELECT count(*) FROM sync.run") == "3")
    try await mirror.execute("UPDATE sync.run SET started_at = now() - interval '401 days'")
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 3)
    #expect(try await mirror.rows("SELECT stream FROM sync.run") == [["search:kept"]])
  }

  @Test("earlier charts, results and lookups are kept forever unless something else is set; what is left stays exact")
  func results() async throws {
    try await mirror.execute(
      """
      INSERT INTO itunes.lookup_history (at, action, country, results)
      SELECT now() - make_interval(days => d), 'search', 'us', d FROM unnest('{500,99,1}'::integer[]) d
      """)
    try await mirror.execute(
      """
      INSERT INTO itunes.chart_history (country, media, feed, type, id, valid_from, valid_to, position)
      SELECT 'us', 'music', 'top', 'songs', n, now() - make_interval(days => 630 - 30 * n),
             CASE WHEN n < 20 THEN now() - make_interval(days => 600 - 30 * n) END, 1
      FROM generate_series(1, 20) n
      """)
    try await mirror.execute(
      """
      INSERT INTO itunes.chart_publication (country, media, feed, type, published_at, run_id, entries, consistent)
      SELECT country, media, feed, type, valid_from, gen_random_uuid(), 1, true FROM itunes.chart_history
      """)
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 0)
    let changes: [(Retention, days: Int?)] = [(.lookups, days: 100), (.results, days: 100)]
    _ = try await Retention.set(changes, in: mirror.owner)
    try await Upkeep.dropOldRows(in: mirror.database)
    #expect(try await mirror.rows("SELECT results FROM itunes.lookup_history ORDER BY 1") == [["1"], ["99"]])
    let wrong = try await mirror.rows(
      """
      WITH month AS (SELECT date_trunc('month', now() - interval '100 days', 'UTC') AS start)
      SELECT m FROM month, generate_series(start, now(), '1 day') m
      WHERE ARRAY(SELECT id FROM itunes.chart_as_of('us', 'music', 'top', 'songs', m))
        <> ARRAY[least(20, 1 + floor(extract(epoch FROM m - (now() - interval '600 days')) / 86400 / 30))::bigint]
      """)
    #expect(wrong.isEmpty)
    try await mirror.expect(
      """
      SELECT min(published_at) = date_trunc('month', now() - interval '100 days', 'UTC'), min(published_at) >= (
        SELECT min(valid_from) FROM itunes.chart_history) FROM itunes.chart_publication
      """, "t|t")
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 0)
  }

  @Test("the table has the defaults that the configuration shows")
  func defaults() async throws {
    let rows = try await mirror.rows("SELECT name, kept_days FROM sync.retention ORDER BY name")
    let standard = Retention.allCases.sorted { $0.rawValue < $1.rawValue }.map { kept in
      [kept.rawValue, kept.standard.map { "\($0.components.seconds / 86_400)" }]
    }
    #expect(rows == standard)
  }

  @Test("the upkeep has a time limit, for a statement and for all")
  func timeLimit() async throws {
    try await Self.state(mirror, "much")
    try await Self.run(mirror, "old", stream: "much", daysAgo: 500)
    try await Self.run(mirror, "last", stream: "much", daysAgo: 1)
    #expect(try await Upkeep.dropOldRows(in: mirror.database, within: .zero) == 0)
    try await ThrowawayPostgres.shared().sql(
      """
      CREATE FUNCTION public.stuck() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_sleep(30); RETURN OLD; END';
      CREATE TRIGGER stuck BEFORE DELETE ON sync.run FOR EACH ROW EXECUTE FUNCTION public.stuck()
      """, database: mirror.test.name)
    let error = await syncError { try await Upkeep.dropOldRows(in: mirror.database, within: .milliseconds(300)) }
    #expect(error?.message.contains("statement timeout") == true, "\(String(describing: error))")
    try await ThrowawayPostgres.shared().sql("DROP FUNCTION public.stuck CASCADE", database: mirror.test.name)
    #expect(try await Upkeep.dropOldRows(in: mirror.database) == 1)
  }

  private static let size = "SELECT reltuples FROM pg_class WHERE oid = 'jikan.media'::regclass"
  private static let analyzed = "SELECT count(*) > 0 FROM pg_stats WHERE schemaname = 'jikan' AND tablename = 'media'"

  @Test("a table that has the number of its rows from the building of an index is analyzed, too")
  func analyzedAfterRestore() async throws {
    try await mirror.execute("ALTER TABLE jikan.media SET (autovacuum_enabled = off)")
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    try await ThrowawayPostgres.shared().sql("REINDEX TABLE jikan.media", database: mirror.test.name)
    // PostgreSQL 18 does not count the rows of a table without autovacuum.
    let size = try await mirror.value(Self.size)
    #expect(size == "2" || size == "-1")
    try await Upkeep.analyzeNewTables(in: mirror.owner)
    #expect(try await mirror.value(Self.analyzed) == "t")
  }

  @Test("a first load is analyzed, once")
  func analyzed() async throws {
    // Autovacuum is off, because it could analyze the tables first.
    for table in ["jikan.media", "jikan.genre"] {
      try await mirror.execute("ALTER TABLE \(table) SET (autovacuum_enabled = off)")
    }
    try await Upkeep.analyzeNewTables(in: mirror.owner)
    #expect(try await mirror.value(Self.analyzed) == "f")
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    try await Upkeep.analyzeNewTables(in: mirror.owner)
    #expect(try await mirror.value(Self.analyzed) == "t")
    #expect(try await mirror.value(Self.size) == "2")
    try await WalkedList.run(mirror, [[Media(1), Media(2), Media(3)]])
    try await Upkeep.analyzeNewTables(in: mirror.owner)
    #expect(try await mirror.value(Self.size) == "2")
    try await mirror.expect("SELECT reltuples FROM pg_class WHERE oid = 'jikan.genre'::regclass", "-1")
  }
}
