import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

/// Databases of the nine migrations that the baseline replaced.
@Suite(.timeLimit(.minutes(10)), .ownersAlone("migrates"))
struct SchemaBaselineTests {
  private static func nine() throws -> [Migration] { try NineMigrations.all(Migration.init(path:text:)) }

  /// Migrates a database to the nine migrations, with a function of a previous version.
  private static func makeNine(_ mirror: StoredMirror) async throws {
    let later = try SchemaFunctionTests.later(SchemaFunctionTests.changedLabel, by: -1)
    let functions = FunctionSet(
      number: later.number,
      files: try later.files.map { .init(path: $0.path, text: try NineMigrations.earlier($0.text)) })
    let applied = try await Migrator(mirror.owner, known: nine(), functions: functions).migrate()
    #expect(applied.compactMap(\.version) == Array(1...9))
  }

  /// Replaces the record of a new database, whose schema is the same, by the record of the nine migrations.
  private static func recordNine(_ mirror: StoredMirror) async throws {
    let rows = try nine().map { "(\($0.version), '\($0.name)', '\\x\($0.checksum.hexadecimal)')" }
    try await mirror.execute("DELETE FROM sync.migration")
    try await mirror.execute(
      "INSERT INTO sync.migration (version, name, checksum) VALUES \(rows.joined(separator: ", "))")
  }

  /// Returns the statement that the error prints for a database of the nine migrations.
  private static func statement(for database: Database) async throws -> String {
    let error = await expectError(.configuration, "nine migrations", hint: "syncctl migrate after") {
      _ = try await Migrator(database).status()
    }
    #expect(error?.disposition == .stopRun)
    let hint = try #require(error?.hint)
    return String(hint[try #require(hint.firstRange(of: "WITH ")).lowerBound...])
  }

  private static let rows = [
    """
    INSERT INTO jikan.media (kind, mal_id, title, raw, content_hash)
    VALUES ('anime', 1, 'One', '{}', decode(repeat('00', 33), 'hex'))
    """,
    """
    INSERT INTO pokeapi.resource (endpoint, id, name, raw, content_hash)
    VALUES ('berry', 1, 'cheri', '{}', decode(repeat('00', 33), 'hex'))
    """,
    """
    INSERT INTO itunes.item (country, class, id, title, raw, content_hash)
    VALUES ('us', 'track', 7, 'Song', '{}', decode(repeat('00', 33), 'hex'))
    """,
    "INSERT INTO jikan.ranking (kind, subtype, filter, mal_id, position) VALUES ('anime', 'all', 'none', 1, 1)",
    "CREATE TABLE jikan.ranking_history_rest PARTITION OF jikan.ranking_history DEFAULT",
    """
    INSERT INTO jikan.ranking_history (kind, subtype, filter, mal_id, valid_from, position)
    VALUES ('anime', 'all', 'none', 1, '2026-01-01', 1)
    """,
    """
    INSERT INTO app.favorite (collection, source, kind, id, note)
    VALUES ('favorites', 'jikan', 'anime', 1, 'mine'), ('favorites', 'itunes', 'track', 7, NULL)
    """,
    "INSERT INTO sync.run (source, stream, status) VALUES ('jikan', 'top-anime', 'unproven')",
    "UPDATE sync.retention SET kept_days = 500 WHERE name = 'runs'",
  ]

  /// Returns the number and a digest of the rows of each table, and its first and last row version.
  private static func contents(_ mirror: StoredMirror) async throws -> [[String?]] {
    let tables = try await mirror.rows(
      """
      SELECT c.oid::regclass::text FROM pg_class c
      WHERE relkind = 'r' AND relnamespace::regnamespace::text \(SchemaFunctionTests.ours)
        AND c.oid::regclass::text NOT IN ('sync.migration', 'sync.function_set')
      ORDER BY 1
      """)
    var contents: [[String?]] = []
    for table in tables.compactMap({ $0[0] }) {
      contents += try await mirror.rows(
        """
        SELECT '\(table)', count(*)::text, md5(string_agg(t::text, '|' ORDER BY t::text)), min(xmin::text),
               max(xmin::text)
        FROM \(table) t
        """)
    }
    return contents
  }

  /// Returns the output of `pg_dump -s` without the random words that newer versions write.
  private static func schema(_ mirror: StoredMirror) async throws -> [String] {
    try await ThrowawayPostgres.shared().schema(of: mirror.test).split(separator: "\n")
      .filter { !$0.hasPrefix("\\restrict ") && !$0.hasPrefix("\\unrestrict ") }.map { String($0) }
  }

  /// Returns the schema of a new database with these rows and the rights of the roles.
  private static func newSchema(_ rows: [String]) async throws -> [String] {
    try await StoredMirror.with(.empty) { fresh in
      _ = try await Migrator(fresh.owner).migrate()
      for row in rows { try await fresh.execute(row) }
      try await fresh.grant()
      return try await schema(fresh)
    }
  }

  @Test(
    "the printed statement carries over a database with its rows, and its schema equals that of a new one",
    .emptyMirror, arguments: [true, false])
  func carriedOver(_ hasRows: Bool) async throws {
    try await Self.makeNine(mirror)
    let rows = hasRows ? Self.rows : []
    for row in rows { try await mirror.execute(row) }
    let before = try await Self.contents(mirror)
    let last = try await mirror.value("SELECT max(applied_at) FROM sync.migration")

    let statement = try await Self.statement(for: mirror.database)
    // A narrow terminal breaks long words.
    let broken = statement.replacing(/[0-9a-f]{40}/) { "\($0.output)\n" }
    _ = try await ThrowawayPostgres.shared().psql(hasRows ? statement : broken, database: mirror.test.name)

    try await mirror.expect("SELECT version, name FROM sync.migration", "1|baseline")
    #expect(try await mirror.value("SELECT applied_at FROM sync.migration") == last)
    let later = Migration.all.map(\.name).filter { $0 != "baseline" }
    #expect(try await Migrator(mirror.database).migrate().map(\.name) == later + [FunctionSet.step])
    #expect(try await Migrator(mirror.database).migrate() == [])
    let tables = Set(before.map { $0[0] })
    #expect(try await Self.contents(mirror).filter { tables.contains($0[0]) } == before)
    #expect(before.contains { $0[0] == "app.favorite" && $0[1] == (hasRows ? "2" : "0") })

    // The statements of roles.sql name tables of later migrations.
    try await mirror.grant()
    let carriedOver = try await Self.schema(mirror)
    let new = try await Self.newSchema(rows)
    let difference = carriedOver.difference(from: new)
    #expect(carriedOver == new, "\(difference.map { "\($0)" }.prefix(20))")
    #expect(new.count > 5000 && new.contains { $0.hasPrefix("GRANT SELECT ON TABLE sync.worker TO ") })
  }

  @Test("the other data of a new database equals that of the nine migrations", .emptyMirror)
  func data() async throws {
    // The migrations insert times and a random key.
    let digests = """
      SELECT (SELECT string_agg(concat_ws(' ', name, kept_days), ',' ORDER BY name) FROM sync.retention),
             (SELECT string_agg((to_jsonb(r) - 'set_at')::text, ',') FROM jikan.ranking_retention r),
             (SELECT count(*) FROM sync.fingerprint_key)
      """
    try await Self.makeNine(mirror)
    let old = try await mirror.rows(digests)
    let new = try await StoredMirror.with { try await $0.rows(digests) }
    #expect(old == new)
    let isFilled = { (mirror: StoredMirror) in
      try await Self.contents(mirror).filter { $0[1] != "0" }.map { $0[0] }
    }
    #expect(try await isFilled(mirror) == StoredMirror.with { try await isFilled($0) })
  }

  @Test("until the statement runs, nothing is changed", .emptyMirror)
  func refused() async throws {
    try await Self.makeNine(mirror)
    let record = "SELECT version, name, checksum, applied_at, xmin::text FROM sync.migration ORDER BY version"
    let before = try await mirror.rows(record)
    let catalogue = try await SchemaFunctionTests.catalogue(mirror)
    let migrator = Migrator(mirror.database)
    for isForUse in [false, true] {
      await expectError(.configuration, "nine migrations", hint: "WITH ") {
        _ = try await migrator.status(isForUse: isForUse)
      }
    }
    await expectError(.configuration, "nine migrations", hint: "WITH ") { _ = try await migrator.migrate() }
    await expectError(.configuration, "nine migrations", hint: "WITH ") { try await migrator.expectNoForeignSchema() }
    #expect(try await mirror.rows(record) == before && before.count == 9)
    #expect(try await SchemaFunctionTests.catalogue(mirror) == catalogue)
  }

  @Test("the statement changes nothing when it runs again, or in a new database", .mirror)
  func again() async throws {
    try await Self.recordNine(mirror)
    let statement = try await Self.statement(for: mirror.database)
    let record = "SELECT version, name, checksum, applied_at, xmin::text FROM sync.migration"
    try await mirror.execute(statement)
    let before = try await mirror.rows(record)
    try await mirror.execute(statement)
    #expect(try await mirror.rows(record) == before && before.count == 1)
    try await StoredMirror.with { fresh in
      let before = try await fresh.rows(record)
      try await fresh.execute(statement)
      #expect(try await fresh.rows(record) == before && before.count == Migration.all.count)
    }
  }

  @Test(
    "a database with other migrations is refused as before, and neither migrate nor the statement changes it", .mirror,
    arguments: [
      "DELETE FROM sync.migration WHERE version = 9", "DELETE FROM sync.migration WHERE version = 4",
      "INSERT INTO sync.migration (version, name, checksum) VALUES (10, 'next', '\\x00')",
      "UPDATE sync.migration SET checksum = '\\x00' WHERE version = 5",
      "UPDATE sync.migration SET name = 'other' WHERE version = 7",
      "UPDATE sync.migration SET version = 10 WHERE version = 9",
    ])
  func others(_ edit: String) async throws {
    try await Self.recordNine(mirror)
    let statement = try await Self.statement(for: mirror.database)
    try await mirror.execute(edit)
    let record = "SELECT version, name, checksum, applied_at, xmin::text FROM sync.migration ORDER BY version"
    let before = try await mirror.rows(record)
    let catalogue = try await SchemaFunctionTests.catalogue(mirror)
    for attempt in [Migrator.migrate, { migrator in { try await migrator.status() } }] {
      let error = await expectError(.configuration, "migration 1 (baseline) in the database differs") {
        _ = try await attempt(Migrator(mirror.database))()
      }
      #expect(error?.hint?.contains("WITH ") == false && error?.disposition == .stopRun)
    }
    try await mirror.execute(statement)
    #expect(try await mirror.rows(record) == before)
    #expect(try await SchemaFunctionTests.catalogue(mirror) == catalogue)
  }
}
