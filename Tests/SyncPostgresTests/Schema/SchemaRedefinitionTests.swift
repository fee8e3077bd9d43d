import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

/// Functions and views that PostgreSQL cannot replace in place, without a migration that drops them.
@Suite(.timeLimit(.minutes(10)))
struct SchemaRedefinitionTests {
  /// A set with a renamed argument and a renamed column of dependent views (PostgreSQL refuses both), an additional
  /// argument (the old function stays beside the new one), and a report less.
  private static func redefined() throws -> FunctionSet {
    let efficacy = "sources/pokeapi/views/type_efficacy.sql"
    let later = try SchemaFunctionTests.later([
      SchemaFunctionTests.columns: [
        ("jikan.with_counters(raw jsonb, counters jsonb)", "jikan.with_counters(raw jsonb, today jsonb)"),
        ("jsonb_each(counters)", "jsonb_each(today)"),
        ("jikan.type_label(subtype text)", "jikan.type_label(subtype text, is_short boolean DEFAULT false)"),
      ],
      SchemaFunctionTests.animeManga: [("m.url, m.image_url, m.synopsis", "m.url AS page, m.image_url, m.synopsis")],
      efficacy: [
        (
          "matchup(defending text[], generation integer DEFAULT NULL)",
          "matchup(defending text[], generation integer DEFAULT NULL, is_strict boolean DEFAULT false)"
        ),
        ("pokeapi.matchup(text[], integer) IS", "pokeapi.matchup(text[], integer, boolean) IS"),
      ],
    ])
    return FunctionSet(number: later.number, files: later.files.filter { $0.path != "reports/run-costs.sql" })
  }

  private static func migrated(_ functions: FunctionSet) async throws -> [[String?]] {
    try await StoredMirror.with(.empty) { fresh in
      _ = try await SchemaFunctionTests.migrator(fresh, functions).migrate()
      return try await SchemaFunctionTests.catalogue(fresh)
    }
  }

  @Test(
    "a redefined object is dropped and created again, and a removed one is dropped", .ownersAlone("migrates"), .mirror)
  func redefined() async throws {
    let functions = try Self.redefined()
    #expect(try await SchemaFunctionTests.migrator(mirror, functions).migrate().map(\.name) == [FunctionSet.step])
    #expect(try await SchemaFunctionTests.catalogue(mirror) == Self.migrated(functions))
    #expect(try await SchemaFunctionTests.migrator(mirror, functions).migrate() == [])
    let recorded = try await mirror.rows("SELECT jsonb_object_keys(comments) FROM sync.function_set").compactMap {
      $0[0]
    }
    #expect(recorded.contains("jikan.type_label(text, boolean)"))
    #expect(!recorded.contains("jikan.type_label(text)") && !recorded.contains("report.run_costs"))
  }

  @Test("a function with other arguments keeps owner and rights", .ownersAlone("migrates"), .mirror)
  func rights() async throws {
    let (one, two) = ("one_\(mirror.test.name)", "two_\(mirror.test.name)")
    for statement in [
      "CREATE ROLE \(one)", "CREATE ROLE \(two)", "GRANT USAGE, CREATE ON SCHEMA jikan TO \(one)",
      "ALTER FUNCTION jikan.type_label OWNER TO \(one)", "REVOKE EXECUTE ON FUNCTION jikan.type_label FROM PUBLIC",
      "GRANT EXECUTE ON FUNCTION jikan.type_label TO \(two) WITH GRANT OPTION",
    ] { try await mirror.execute(statement) }
    _ = try await SchemaFunctionTests.migrator(mirror, try Self.redefined()).migrate()
    try await mirror.expect(
      """
      SELECT pg_get_userbyid(proowner), proacl FROM pg_proc WHERE oid = 'jikan.type_label'::regproc
      """, "\(one)|{\(one)=X/\(one),\(two)=X*/\(one)}")
    for role in [one, two] { try await mirror.execute("DROP OWNED BY \(role) CASCADE") }
  }

  @Test(
    "a user's object that depends on a redefined object is named, with 78; nothing has changed",
    .ownersAlone("migrates"), .mirror,
    arguments: [
      ("VIEW public.mine", "VIEW public.mine AS SELECT mal_id FROM jikan.manga", "view public.mine"),
      ("VIEW public.mine", "VIEW public.mine AS SELECT jikan.type_label('ona')", "view public.mine"),
      ("RULE mine ON jikan.anime", "RULE mine AS ON INSERT TO jikan.anime DO INSTEAD NOTHING", "rule mine"),
      ("INDEX jikan.mine", "INDEX mine ON jikan.media (jikan.type_label(type))", "index jikan.mine"),
    ])
  func inTheWay(_ object: String, _ definition: String, _ name: String) async throws {
    try await mirror.execute("CREATE \(definition)")
    let before = try await SchemaFunctionTests.catalogue(mirror)
    let migrator = try SchemaFunctionTests.migrator(mirror, try Self.redefined())
    let error = await expectError(.configuration, name) { _ = try await migrator.migrate() }
    #expect(error?.disposition == .stopRun)
    #expect(try await SchemaFunctionTests.catalogue(mirror) == before)
    try await mirror.execute("DROP \(object)")
    #expect(try await migrator.migrate().map(\.name) == [FunctionSet.step])
  }

  @Test(
    "a user's function with the name of ours is named, if a statement is ambiguous", .ownersAlone("migrates"), .mirror)
  func namesake() async throws {
    try await mirror.execute("CREATE FUNCTION jikan.slice(text) RETURNS text LANGUAGE sql AS 'SELECT $1'")
    let migrator = try SchemaFunctionTests.migrator(mirror, try SchemaFunctionTests.later([:]))
    await expectError(.configuration, "jikan.slice", hint: "rename") { _ = try await migrator.migrate() }
    #expect(try await mirror.value("SELECT jikan.slice('mine')") == "mine")
  }

  private static func file(_ name: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The functions and views of the last landed version, with empty bodies, and the number of its migrations.
  private static func landed(_ text: String) throws -> (functions: FunctionSet, migrations: Int) {
    let first = try #require(text.firstMatch(of: /-- number ([0-9]+), migrations ([0-9]+)\n/))
    let number = try #require(Int(first.output.1))
    let files = text.split(separator: "-- folder ").dropFirst().map { part in
      let lines = part.split(separator: "\n", maxSplits: 1)
      return FunctionSet.File(path: "\(lines[0])/functions/landed.sql", text: lines.count > 1 ? String(lines[1]) : "")
    }
    return (FunctionSet(number: number, files: files), try #require(Int(first.output.2)))
  }

  @Test("a database of the last landed version is migrated, and equals a new one", .ownersAlone("migrates"), .mirror)
  func landed() async throws {
    let text = try Self.file("landed-functions.sql")
    let signatures = SQL(trusted: try Self.file("signatures.sql"))
    let (functions, migrations) = try Self.landed(text)
    let present = try await SchemaFunctionTests.catalogue(mirror)
    let new = try await mirror.owner.rows(signatures).rows.compactMap { $0[0] }
    if functions.number == FunctionSet.current.number {
      #expect(new.joined(separator: "\n") + "\n" == text, "landed-functions.sql is not the output of signatures.sql")
    }
    try await StoredMirror.with(.empty) { database in
      let known = Array(Migration.all.prefix(migrations))
      let applied = try await Migrator(database.owner, known: known, functions: functions).migrate()
      #expect(applied.map(\.name) == known.map(\.name) + [FunctionSet.step])
      _ = try await Migrator(database.owner).migrate()
      #expect(try await Migrator(database.owner).status().allSatisfy(\.isApplied))
      #expect(try await SchemaFunctionTests.catalogue(database) == present)
      // The record shows that no object of the landed version is left.
      let recorded = try await database.owner.rows(signatures).rows.compactMap { $0[0] }
      #expect(recorded.sorted() == new.sorted())
    }
  }
}
