import EmbeddedSQL
import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct SchemaTests {
  @Test(
    "a fresh database gets every step in one transaction; the second time nothing happens", .ownersAlone("migrates"),
    .emptyMirror)
  func freshThenNothing() async throws {
    let pending = try await Migrator(mirror.database).status()
    #expect(pending.compactMap(\.version).count == Migration.all.count && pending.allSatisfy { $0.appliedAt == nil })
    let applied = try await Migrator(mirror.database).migrate()
    #expect(applied.compactMap(\.version) == Migration.all.map(\.version))
    #expect(try await mirror.value("SELECT count(DISTINCT xmin::text) FROM sync.migration") == "1")
    let before = try await mirror.rows("SELECT version, xmin::text, ctid::text FROM sync.migration ORDER BY 1")
    #expect(try await Migrator(mirror.database).migrate() == [])
    #expect(try await Migrator(mirror.database).status() == applied)
    let after = try await mirror.rows("SELECT version, xmin::text, ctid::text FROM sync.migration ORDER BY 1")
    #expect(before == after)
  }

  @Test(
    "eight programs that start at once apply the steps once, also with an old snapshot from the server's default",
    .ownersAlone("migrates"), .emptyMirror, arguments: ["read committed", "repeatable read"])
  func concurrent(_ isolation: String) async throws {
    let name = mirror.test.name
    try await mirror.execute("ALTER DATABASE \(name) SET default_transaction_isolation = '\(isolation)'")
    let settings = mirror.test.settings
    let applied = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...8 {
        group.addTask {
          try await Database.with(settings, applicationName: "migrator \(number)") {
            try await Migrator($0).migrate().compactMap(\.version).count
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(applied.sorted() == [0, 0, 0, 0, 0, 0, 0, Migration.all.count])
  }

  @Test(
    "a program that has begun to look sees none of the steps, not half of them", .ownersAlone("migrates"), .emptyMirror)
  func migratedMeanwhile() async throws {
    try await mirror.other { other in
      let isMigrated = DispatchSemaphore(value: 0)
      let seen = try await mirror.database.read { connection in
        _ = try connection.query("SELECT 1")
        Task {
          defer { isMigrated.signal() }
          _ = try await Migrator(other).migrate()
        }
        isMigrated.wait()
        return try Migrator.applied(connection).count
      }
      #expect(seen == 0)
      #expect(try await Migrator(mirror.database).migrate() == [])
    }
  }

  @Test(
    "a step that was edited after it was applied is refused, and so is a database of a newer program", .mirror,
    arguments: [
      ("UPDATE sync.migration SET checksum = '\\x00' WHERE version = 1", "migration 1 (baseline)"),
      ("INSERT INTO sync.migration (version, name, checksum) VALUES (99, 'later', '\\x00')", "99"),
    ])
  func edited(_ edit: String, naming words: String) async throws {
    try await mirror.execute(edit)
    for attempt in [Migrator.migrate, { migrator in { try await migrator.status() } }] {
      let error = await expectError(.configuration, words) { _ = try await attempt(Migrator(mirror.database))() }
      #expect(error?.disposition == .stopRun)
    }
  }

  @Test("each step may take as long as a large index needs", .ownersAlone("migrates"), .emptyMirror)
  func bounds() async throws {
    let text = "CREATE TABLE sync.seen AS SELECT current_setting('statement_timeout') AS value"
    let step = try #require(Migration(path: "migrations/0001_seen.sql", text: text))
    _ = try await Migrator(mirror.database, known: [step]).migrate()
    #expect(try await mirror.value("SELECT value::interval = interval '2 h' FROM sync.seen") == "t")
  }

  @Test("a step that fails undoes the steps before it", .ownersAlone("migrates"), .emptyMirror)
  func failing() async throws {
    let good = try #require(Migration(path: "migrations/0001_good.sql", text: "CREATE TABLE sync.good ();"))
    let bad = try #require(Migration(path: "migrations/0002_bad.sql", text: "CREATE TABLE sync.bad (); SELECT 1 / 0;"))
    await expectError(.database) { _ = try await Migrator(mirror.database, known: [good, bad]).migrate() }
    #expect(try await mirror.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'sync'") == "0")
    #expect(try await Migrator(mirror.database, known: [good]).migrate().map(\.name) == ["good"])
  }

  @Test("what every row satisfies is a constraint", .mirror)
  func constraints() async throws {
    for row in [
      "INSERT INTO jikan.media (kind, mal_id, title, raw, content_hash) VALUES ('anime', 1, '', '{}', '')",
      "INSERT INTO jikan.genre (kind, facet, mal_id, name, raw, content_hash, counter_hash) "
        + "VALUES ('anime', 'genres', 1, '', '{}', decode(repeat('00', 32), 'hex'), 0)",
      "INSERT INTO pokeapi.resource (endpoint, id, raw, content_hash) VALUES ('berry', 1, '{}', '')",
      "INSERT INTO itunes.item (country, class, id, raw, content_hash) VALUES ('us', 'track', 1, '{}', '')",
      "INSERT INTO itunes.chart_item (country, type, id, raw, content_hash) VALUES ('us', 'songs', 1, '{}', '')",
      "INSERT INTO jikan.ranking (kind, subtype, filter, mal_id, position) VALUES ('book', 'all', 'none', 1, 1)",
      "INSERT INTO jikan.media_counters (kind, mal_id, counter_hash) VALUES ('book', 1, 0)",
      "INSERT INTO jikan.ranking_publication (kind, subtype, filter, published_at, run_id, entries, positions, "
        + "consistent) VALUES ('book', 'all', 'none', now(), gen_random_uuid(), 1, 1, true)",
      "INSERT INTO sync.retention (name, kept_days) VALUES ('x', 0)",
    ] {
      let error = await syncError { try await mirror.execute(row) }
      #expect(error?.message.contains("violates check constraint") == true, "\(row): \(error as Any)")
    }
  }

  @Test("each of our schemas, relations, columns and functions has a comment", .mirror)
  func comments() async throws {
    try await mirror.expect(
      """
      WITH ours AS (
        SELECT oid, nspname FROM pg_namespace
        WHERE nspname IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report'))
      SELECT 'schema ' || nspname FROM ours WHERE obj_description(oid, 'pg_namespace') IS NULL
      UNION ALL
      SELECT 'relation ' || c.oid::regclass FROM pg_class c JOIN ours o ON o.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND obj_description(c.oid, 'pg_class') IS NULL
      UNION ALL
      SELECT 'column ' || c.oid::regclass || '.' || a.attname
      FROM pg_class c JOIN ours o ON o.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped
        AND coalesce(col_description(c.oid, a.attnum), '') = ''
      UNION ALL
      SELECT 'function ' || p.oid::regprocedure FROM pg_proc p JOIN ours o ON o.oid = p.pronamespace
      WHERE obj_description(p.oid, 'pg_proc') IS NULL
      """)
    // The queries above would pass if they found no objects at all.
    #expect(try await mirror.value("SELECT count(*) >= 12 FROM pg_description WHERE objsubid = 0") == "t")
  }

  @Test("the comment of a function says that it is internal, except for the stable functions", .mirror)
  func internalFunctions() async throws {
    let stable = try await mirror.rows(
      """
      SELECT DISTINCT pronamespace::regnamespace || '.' || proname FROM pg_proc
      WHERE pronamespace::regnamespace::text IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report')
        AND obj_description(oid, 'pg_proc') NOT LIKE 'Internal. %'
      """)
    #expect(
      Set(stable.compactMap { $0[0] }) == [
        "itunes.chart_as_of", "itunes.search_as_of", "pokeapi.matchup", "sync.drop_old", "sync.forget_stream",
      ])
  }

  @Test("documents are jsonb, compressed by lz4 if the server has it", .mirror)
  func documents() async throws {
    try await mirror.expect(
      """
      SELECT a.attrelid::regclass::text, format_type(a.atttypid, a.atttypmod),
             CASE (a.attcompression = 'l') WHEN
               (SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression')
               THEN 'l' ELSE 'wrong' END
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
      WHERE a.attname = 'raw' AND c.relnamespace::regnamespace::text IN ('itunes', 'jikan', 'pokeapi')
      ORDER BY 1
      """, "itunes.chart_item|jsonb|l", "itunes.item|jsonb|l", "jikan.genre|jsonb|l", "jikan.media|jsonb|l",
      "pokeapi.resource|jsonb|l")
  }

  @Test("documents have no statistics, unless the owner has set a target", .ownersAlone("migrates"), .mirror)
  func statistics() async throws {
    let withStatistics = """
      SELECT attrelid::regclass || '.' || attname, coalesce(attstattarget, -1) FROM pg_attribute
      WHERE attname IN ('raw', 'synopsis') AND coalesce(attstattarget, -1) <> 0
        AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r'
                         AND relnamespace::regnamespace::text IN ('itunes', 'jikan', 'pokeapi'))
      ORDER BY 1
      """
    try await mirror.expect(withStatistics)
    for (column, target) in [("raw", 500), ("synopsis", -1)] {
      try await mirror.execute("ALTER TABLE jikan.media ALTER COLUMN \(column) SET STATISTICS \(target)")
    }
    try await mirror.expect(withStatistics, "jikan.media.raw|500", "jikan.media.synopsis|-1")
    let step = try #require(Migration.all.first { $0.name == "statistics" })
    try await mirror.execute(step.text)
    try await mirror.expect(withStatistics, "jikan.media.raw|500")
  }

  /// Only servers without LZ4 run these texts, and the tests' server usually has LZ4.
  @Test("no migration needs a server with lz4")
  func withoutLZ4() {
    let changed = Migration.all.filter { $0.textWithoutLZ4 != $0.text }
    #expect(!changed.isEmpty)
    for step in Migration.all { #expect(!step.textWithoutLZ4.lowercased().contains("lz4"), "\(step.name)") }
  }

  @Test("a statement that the server refuses names its migration", .ownersAlone("migrates"), .emptyMirror)
  func refusedStatement() async throws {
    for text in ["CREATE TABL sync.misspelt ();", "SELECT count(*) FROM pg_class FOR UPDATE;"] {
      let step = try #require(Migration(path: "migrations/0001_newer.sql", text: text))
      let error = await expectError(.configuration, "migration 1 (newer)") {
        _ = try await Migrator(mirror.database, known: [step]).migrate()
      }
      #expect(error?.hint?.contains("backup") == false && error?.hint?.contains("PostgreSQL 15") == true)
    }
  }

  /// Users' reports and tests depend on these names.
  private static let promised = """
    jikan.anime: mal_id title title_english title_japanese type source episodes status airing aired_from rating \
      score scored_by rank popularity members favorites season year url image_url synopsis raw content_hash \
      first_seen_at changed_at vanished_at approved
    jikan.manga: mal_id title title_english title_japanese type chapters volumes status publishing published_from \
      score scored_by rank popularity members favorites url image_url synopsis raw content_hash first_seen_at \
      changed_at vanished_at approved
    jikan.ranking: kind subtype filter mal_id position
    jikan.ranking_history: kind subtype filter mal_id valid_from valid_to position rank score members favorites
    jikan.ranking_publication: kind subtype filter published_at run_id entries positions consistent
    jikan.genre: kind facet mal_id name url count raw content_hash first_seen_at changed_at
    jikan.season_entry: list position mal_id title title_english title_japanese type status airing episodes \
      aired_from season year score scored_by rank popularity members favorites url image_url vanished_at
    jikan.schedule_entry: list position mal_id title title_english title_japanese type status airing episodes \
      aired_from broadcast_day broadcast_time broadcast_timezone score scored_by rank popularity members favorites \
      url image_url vanished_at
    app.favorite: collection source kind id note added_at
    pokeapi.pokedex: id species_id name species is_form generation_id types hp attack defense special_attack \
      special_defense speed total is_legendary is_mythical is_baby owned
    pokeapi.type_efficacy: attacking_type defending_type generation_id multiplier
    sync.run: id source stream status started_at finished_at pages requests retries not_modified identical rows_seen \
      inserted updated documents_updated unchanged duplicates quarantined vanished bytes wal_bytes certificate error \
      guarded
    sync.walk_page: walk_id page list_page keys etag digest fetched_at
    sync.stream_state: source stream cursor provider origin lease_owner lease_generation lease_expires_at \
      last_complete_run_id last_complete_at
    sync.publication: source list run_id published_at consistent entries
    """

  @Test("the promised columns exist", .mirror)
  func promisedColumns() async throws {
    for line in Self.promised.split(separator: "\n") {
      let parts = line.split(separator: ":")
      let (relation, names) = (String(parts[0]), parts[1])
      let there = try await mirror.rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0", [.text(relation)])
      let missing = Set(names.split(separator: " ").map(String.init)).subtracting(there.compactMap { $0[0] })
      #expect(missing == [], "\(relation)")
    }
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "sql").resolvingSymlinksInPath()

  @Test(
    "the built-in files equal the files on disk, none missing and none extra",
    arguments: ["migrations", "shared", "sources", "reports"])
  func equalsTheFiles(_ part: String) throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.appending(path: part).path)
      .filter { $0.hasSuffix(".sql") }.map { "\(part)/\($0)" }.sorted()
    #expect(!files.isEmpty)
    // Other tests add the statements of declared tables.
    #expect(EmbeddedSQL.paths(in: part).filter { !$0.hasPrefix("sources/declared/") } == files)
    for file in files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      #expect(EmbeddedSQL.text(file) == text, "\(file)")
    }
  }

  @Test("the number of the functions and views is built in")
  func number() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "functions-and-views.version"), encoding: .utf8)
    #expect(EmbeddedSQL.text("functions-and-views.version") == text && FunctionSet.current.number > 0)
  }

  @Test("every file of a step is one, and no number is given twice")
  func numbers() {
    #expect(Migration.all.count == Migration.paths.count)
    #expect(Set(Migration.all.map(\.version)).count == Migration.all.count)
  }

  @Test("files of sources that are not built in are found like built-in ones, and replace none of them")
  func added() {
    let paths = ["sources/added/migrations/9000_tables.sql", "sources/added/write.sql", "sources/added/views/one.sql"]
    let own = EmbeddedSQL.text("roles.sql")
    #expect(!EmbeddedSQL.paths(in: "sources/unheard-of").contains { _ in true })
    // The files are not under sources/, because every migrator of this process would find them there.
    EmbeddedSQL.add(Dictionary(uniqueKeysWithValues: paths.map { ("elsewhere/\($0)", "-- \($0)") }))
    EmbeddedSQL.add(["roles.sql": ""])
    #expect(EmbeddedSQL.paths(in: "elsewhere") == paths.map { "elsewhere/\($0)" }.sorted())
    #expect(EmbeddedSQL.text("elsewhere/\(paths[1])") == "-- \(paths[1])")
    #expect(EmbeddedSQL.text("roles.sql") == own && own?.isEmpty == false)
  }
}
