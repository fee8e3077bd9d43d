import EmbeddedSQL
import Foundation
import Hashing
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct SchemaFunctionTests {
  static let ours = "IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report')"
  static let columns = "sources/jikan/functions/columns.sql"
  static let animeManga = "sources/jikan/views/anime_manga.sql"

  static func later(_ changes: [String: [(String, String)]], by steps: Int = 1) throws -> FunctionSet {
    let current = FunctionSet.current
    let files = current.files.map { file in
      var text = file.text
      for (old, new) in changes[file.path] ?? [] {
        #expect(text.contains(old), "\(file.path)")
        text = text.replacing(old, with: new)
      }
      return FunctionSet.File(path: file.path, text: text)
    }
    return FunctionSet(number: current.number + steps, files: files)
  }

  static let changedLabel = [columns: [("WHEN 'ona' THEN 'ONA'", "WHEN 'ona' THEN 'Net'")]]

  static func migrator(_ mirror: StoredMirror, _ functions: FunctionSet, _ steps: String...) throws -> Migrator {
    let later = try steps.enumerated().map { number, text in
      try #require(Migration(path: "migrations/800\(number)_drop.sql", text: text))
    }
    return Migrator(mirror.owner, known: Migration.all + later, functions: functions)
  }

  static func catalogue(_ mirror: StoredMirror) async throws -> [[String?]] {
    try await mirror.rows(
      """
      SELECT p.oid::regprocedure::text AS object, pg_get_userbyid(proowner), proacl::text,
             CASE WHEN prokind = 'a' THEN '' ELSE pg_get_functiondef(p.oid) END, obj_description(p.oid, 'pg_proc')
      FROM pg_proc p WHERE pronamespace::regnamespace::text \(ours)
      UNION ALL
      SELECT c.oid::regclass::text, pg_get_userbyid(relowner), relacl::text, pg_get_viewdef(c.oid),
             obj_description(c.oid, 'pg_class')
      FROM pg_class c
      WHERE relkind = 'v'
        AND relnamespace::regnamespace::text \(ours)
      UNION ALL
      SELECT c.oid::regclass || '.' || attname, (row_number() OVER (PARTITION BY c.oid ORDER BY attnum))::text,
             attacl::text, format_type(atttypid, atttypmod), col_description(c.oid, attnum)
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      WHERE relkind IN ('r', 'p', 'v')
        AND relnamespace::regnamespace::text \(ours)
      ORDER BY object
      """)
  }

  private static func ofUsers(_ mirror: StoredMirror) async throws -> [String] {
    try await mirror.database.read { try MirrorDependents.names(in: Migration.schemas, $0) }
      .map { $0.replacing("pg_catalog.", with: "") }
  }

  @Test("a change raises the number of the set")
  func number() throws {
    let paths = ["shared", "sources", "reports"].flatMap { EmbeddedSQL.paths(in: $0) }.filter { path in
      let parts = path.split(separator: "/")
      let isUnion = parts[0] == "shared" && parts.count == 2
      return parts[0] == "reports" || isUnion || ["functions", "views"].contains(parts[parts.count - 2])
    }.filter { !$0.hasPrefix("sources/declared/") }.sorted()
    let text = paths.map { "\($0)\n\(EmbeddedSQL.text($0) ?? "")" }.joined()
    let checksum = SHA256.hash(data: Array(text.utf8)).prefix(8).hexadecimal
    let file = "functions-and-views.version"
    let recorded = (EmbeddedSQL.text(file) ?? "").split { $0.isWhitespace }.last.map { String($0) }
    let line = "\(FunctionSet.current.number + 1) \(checksum)"
    #expect(recorded == checksum, "functions or views have changed: the line of sql/\(file) is now \(line)")
  }

  @Test("the functions and views that a file creates are known")
  func objects() {
    let file = FunctionSet.File(
      path: "sources/a/views/b.sql",
      text: """
        CREATE OR REPLACE FUNCTION a.f(b text) RETURNS void
        LANGUAGE sql
        AS $$ SELECT 1 $$;
        CREATE OR REPLACE VIEW a.v AS
        SELECT 1;
        CREATE OR REPLACE TRIGGER t AFTER INSERT ON a.b EXECUTE FUNCTION a.f();
        """)
    #expect(file.folder == "sources/a" && file.objects == ["a.f", "a.v"])
    #expect(FunctionSet.current.files.flatMap(\.objects).count >= 85)
  }

  @Test("the files need nothing but tables", .ownersAlone("migrates"), .mirror)
  func onTablesAlone() async throws {
    let before = try await Self.catalogue(mirror)
    try await mirror.execute(
      """
      DO $$
      DECLARE name text;
      BEGIN
        FOREACH name IN ARRAY ARRAY(SELECT oid::regclass::text FROM pg_class
          WHERE relkind = 'v'
            AND relnamespace::regnamespace::text \(Self.ours))
        LOOP EXECUTE 'DROP VIEW IF EXISTS ' || name || ' CASCADE'; END LOOP;
        FOREACH name IN ARRAY ARRAY(SELECT oid::regprocedure::text FROM pg_proc
          WHERE pronamespace::regnamespace::text \(Self.ours))
        LOOP EXECUTE 'DROP ROUTINE IF EXISTS ' || name || ' CASCADE'; END LOOP;
      END $$
      """)
    #expect(try await Self.catalogue(mirror) != before)
    try await mirror.execute("TRUNCATE sync.function_set")
    #expect(try await Migrator(mirror.database).migrate().map(\.name) == [FunctionSet.step])
    #expect(try await Self.catalogue(mirror) == before)
  }

  @Test("a higher number is applied once; a program with a lower one leaves it", .ownersAlone("migrates"), .mirror)
  func twoVersions() async throws {
    let newer = try Self.migrator(mirror, try Self.later(Self.changedLabel))
    let pending = try await newer.status().filter { !$0.isApplied }
    #expect(pending.map(\.name) == [FunctionSet.step] && pending.summary == FunctionSet.step)
    #expect(try await newer.migrate().map(\.name) == [FunctionSet.step])
    let record = "SELECT folder, number, xmin::text FROM sync.function_set ORDER BY folder"
    let recorded = try await mirror.rows(record)
    #expect(recorded.allSatisfy { $0[1] == "\(FunctionSet.current.number + 1)" })
    for _ in 1...2 {
      #expect(try await mirror.value("SELECT jikan.type_label('ona')") == "Net")
      #expect(try await Migrator(mirror.database).status().allSatisfy(\.isApplied))
      #expect(try await Migrator(mirror.database).migrate() == [])
      #expect(try await newer.migrate() == [])
    }
    #expect(try await mirror.rows(record) == recorded)
  }

  @Test(
    "a user's function with the name of ours and other arguments stays the user's", .ownersAlone("migrates"), .mirror)
  func namesake() async throws {
    let own = "pokeapi.matchup(text, text, text)"
    try await mirror.execute("CREATE FUNCTION \(own) RETURNS text LANGUAGE sql AS 'SELECT $1'")
    try await mirror.execute("COMMENT ON FUNCTION \(own) IS 'mine'")
    #expect(try await Self.migrator(mirror, try Self.later([:])).migrate().count == 1)
    #expect(try await mirror.value("SELECT pokeapi.matchup('a', 'b', 'c')") == "a")
    #expect(try await mirror.value("SELECT obj_description('\(own)'::regprocedure, 'pg_proc')") == "mine")
    #expect(try await Self.ofUsers(mirror) == ["function pokeapi.matchup(text,text,text)"])
  }

  @Test("the options of a view stay when it is replaced", .ownersAlone("migrates"), .mirror)
  func options() async throws {
    try await mirror.execute("ALTER VIEW jikan.anime SET (security_barrier, security_invoker)")
    #expect(try await Self.migrator(mirror, try Self.later([:])).migrate().count == 1)
    let options = "SELECT reloptions::text FROM pg_class WHERE oid = 'jikan.anime'::regclass"
    #expect(try await mirror.value(options) == "{security_barrier=true,security_invoker=true}")
  }

  /// Returns the function `with_counters` with a new argument name, and the views that use this function with a new
  /// column name. PostgreSQL cannot apply these changes in place, so a migration must drop the function and the views.
  private static func redefined() throws -> FunctionSet {
    try later([
      columns: [
        ("jikan.with_counters(raw jsonb, counters jsonb)", "jikan.with_counters(raw jsonb, today jsonb)"),
        ("jsonb_each(counters)", "jsonb_each(today)"),
      ],
      animeManga: [("m.url, m.image_url, m.synopsis", "m.url AS page, m.image_url, m.synopsis")],
    ])
  }

  private static let dropsAll = "DROP FUNCTION jikan.with_counters CASCADE"

  @Test(
    "an object that a migration drops is created again; owner, rights and options stay",
    .ownersAlone("migrates"), .mirror)
  func createdAgain() async throws {
    let (one, two) = ("one_\(mirror.test.name)", "two_\(mirror.test.name)")
    for statement in [
      "CREATE ROLE \(one)", "CREATE ROLE \(two)", "GRANT USAGE, CREATE ON SCHEMA jikan TO \(one)",
      "GRANT SELECT ON jikan.media, jikan.media_counters, jikan.media_links TO \(one)",
      "ALTER VIEW jikan.anime OWNER TO \(one)",
      "ALTER FUNCTION jikan.with_counters OWNER TO \(one)", "GRANT SELECT ON jikan.anime TO \(two) WITH GRANT OPTION",
      "GRANT SELECT (title, synopsis, url) ON jikan.manga TO \(two)", "GRANT INSERT ON jikan.manga TO PUBLIC",
      "REVOKE EXECUTE ON FUNCTION jikan.with_counters FROM PUBLIC",
      "GRANT EXECUTE ON FUNCTION jikan.with_counters TO \(two)",
      "ALTER VIEW jikan.manga SET (security_barrier, security_invoker)",
    ] { try await mirror.execute(statement) }
    let names = ["jikan.anime", "jikan.manga", "jikan.with_counters"]
    let before = try await mirror.owner.write { try SchemaObject.read(names, $0) }
    let applied = try await Self.migrator(mirror, try Self.redefined(), Self.dropsAll).migrate().map(\.name)
    #expect(applied == ["drop", FunctionSet.step])
    let after = try await mirror.owner.write { try SchemaObject.read(names, $0) }
    #expect(before.count == names.count && after.count == before.count)
    for old in before {
      let new = try #require(after.first { $0.identity == old.identity })
      #expect(new.id != old.id && new.owner == old.owner && new.options == old.options, "\(old.identity)")
      let rights = old.rights.filter { $0.column != "url" }.map { "\($0.action) \($0.role)" }.sorted()
      #expect(new.rights.map { "\($0.action) \($0.role)" }.sorted() == rights, "\(old.identity)")
    }
    #expect(try await mirror.rows("SELECT page FROM jikan.anime") == [])
    for role in [one, two] { try await mirror.execute("DROP OWNED BY \(role) CASCADE") }
  }

  @Test(
    "an object of a user that a migration would drop is named, with 78; nothing has changed", .ownersAlone("migrates"),
    .mirror,
    arguments: [
      ("VIEW public.mine", "CREATE VIEW public.mine AS SELECT mal_id FROM jikan.manga", "view public.mine"),
      (
        "FUNCTION public.mine",
        "CREATE FUNCTION public.mine() RETURNS bigint BEGIN ATOMIC SELECT mal_id FROM jikan.anime; END",
        "function public.mine()"
      ),
      (
        "TABLE public.mine CASCADE", "CREATE TABLE public.mine (raw jsonb CHECK (jikan.with_counters(raw, raw) = raw))",
        "constraint"
      ),
      ("RULE mine ON jikan.anime", "CREATE RULE mine AS ON INSERT TO jikan.anime DO INSTEAD NOTHING", "rule mine"),
    ])
  func inTheWay(_ object: String, _ statement: String, _ name: String) async throws {
    try await mirror.execute(statement)
    let before = try await Self.catalogue(mirror)
    let migrator = try Self.migrator(mirror, try Self.redefined(), Self.dropsAll)
    let error = await expectError(.configuration, name) { _ = try await migrator.migrate() }
    #expect(error?.disposition == .stopRun)
    #expect(try await Self.catalogue(mirror) == before)
    #expect(try await Self.migrator(mirror, try Self.later(Self.changedLabel)).migrate().count == 1)
    try await mirror.execute("DROP \(object)")
    #expect(try await migrator.migrate().map(\.name).first == "drop")
  }

  @Test("a view of a user is named also where a migration drops without CASCADE", .ownersAlone("migrates"), .mirror)
  func inTheWayOfDrop() async throws {
    try await mirror.execute("CREATE VIEW public.mine AS SELECT list FROM jikan.schedule_entry")
    let migrator = try Self.migrator(mirror, try Self.later([:]), "DROP VIEW jikan.schedule_entry")
    await expectError(.configuration, "mine depends on") { _ = try await migrator.migrate() }
    #expect(try await mirror.rows("TABLE public.mine") == [])
  }

  @Test("a worker whose program has other functions does not migrate", .ownersAlone("migrates"), .mirror)
  func worker() async throws {
    try await mirror.grant()
    let functions = try Self.later(Self.changedLabel)
    try await mirror.asRole("syncctl_worker") { role in
      let worker = role.database
      let applied = try await Migrator(worker).migrate()
      #expect(applied == [])
      let migrator = Migrator(worker, known: Migration.all, functions: functions)
      let pending = try await migrator.status().filter { !$0.isApplied }
      #expect(pending.map(\.name) == [FunctionSet.step])
      await expectError(.permission) { _ = try await migrator.migrate() }
    }
  }

  @Test(
    "a source that is not built in has favorites too, and other programs leave them", .ownersAlone("migrates"), .mirror)
  func otherSource() async throws {
    // An older program's view lacks the column for the rank.
    let view = FunctionSet.File(
      path: "sources/mine/views/favorite_item.sql",
      text: """
        CREATE OR REPLACE VIEW mine.favorite_item AS
        SELECT 'thing'::text AS kind, id, title, NULL::text AS title_japanese, NULL::text AS type,
               NULL::numeric AS score, NULL::text AS url, 'mirrored' AS state
        FROM mine.thing;
        """)
    try await mirror.execute("CREATE SCHEMA mine")
    try await mirror.execute("CREATE TABLE mine.thing AS SELECT 1::bigint AS id, 'One'::text AS title")
    let current = FunctionSet.current
    let place = try #require(current.files.firstIndex { $0.path == "shared/favorite_item.sql" })
    let files = Array(current.files[..<place]) + [view] + current.files[place...]
    let other = try Self.migrator(mirror, FunctionSet(number: current.number, files: files))
    #expect(try await other.migrate().map(\.name) == [FunctionSet.step])
    try await mirror.execute("INSERT INTO app.favorite (collection, source, kind, id) VALUES ('x', 'mine', 'thing', 1)")
    for _ in 1...2 {
      #expect(try await Favorites.list("x", in: mirror.database).rows.rows.map { $0[4] } == ["One"])
      #expect(try await Migrator(mirror.database).migrate() == [])
      #expect(try await other.migrate() == [])
    }
    // A newer program without this source replaces the view that joins all sources.
    #expect(try await Self.migrator(mirror, try Self.later([:])).migrate().count == 1)
    #expect(try await Favorites.list("x", in: mirror.database).rows.rows.map { $0[4] } == ["One"])
    #expect(try await other.migrate() == [])
    try await mirror.execute("DELETE FROM sync.function_set WHERE folder = 'sources/mine'")
    #expect(try await other.status().last?.isApplied == false)
    await expectError(.configuration, "sources/mine") { _ = try await other.migrate() }
  }
}
