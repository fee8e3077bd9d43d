import EmbeddedSQL
import Foundation
import LibPQ
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

/// Files of functions and views: applied when they have changed, in place if possible, and without loss of what people
/// have added to the objects.
@Suite(.timeLimit(.minutes(10)))
struct SchemaRepeatableTests {
  private static let columns = "sources/jikan/functions/columns.sql"
  private static let animeManga = "sources/jikan/views/anime_manga.sql"
  private static let documents = "sources/pokeapi/functions/documents.sql"

  /// The files of a later program: some have another text.
  private static func later(_ changes: [String: (String, String)]) throws -> [Repeatable] {
    try Repeatable.all.map { file in
      guard let (old, new) = changes[file.path] else { return file }
      let text = file.text.replacing(old, with: new)
      #expect(text != file.text)
      let raised = text.replacing("-- revision: \(file.revision)\n", with: "-- revision: \(file.revision + 1)\n")
      return try #require(Optional(Repeatable(path: file.path, text: raised)))
    }
  }

  private static func migrator(_ mirror: Mirror, _ files: [Repeatable]) -> Migrator {
    Migrator(mirror.owner, known: Migration.all, files: files)
  }

  /// All our functions and views with their definitions, owners, rights and comments.
  private static func catalogue(_ mirror: Mirror) async throws -> [[String?]] {
    try await mirror.rows(
      """
      SELECT p.oid::regprocedure::text AS object, pg_get_userbyid(proowner), proacl::text,
             CASE WHEN prokind = 'a' THEN '' ELSE pg_get_functiondef(p.oid) END, obj_description(p.oid, 'pg_proc')
      FROM pg_proc p WHERE pronamespace::regnamespace::text IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report')
      UNION ALL
      SELECT c.oid::regclass::text, pg_get_userbyid(relowner), relacl::text, pg_get_viewdef(c.oid),
             obj_description(c.oid, 'pg_class')
      FROM pg_class c
      WHERE relkind = 'v'
        AND relnamespace::regnamespace::text IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report')
      UNION ALL
      SELECT c.oid::regclass || '.' || attname, attnum::text, attacl::text, format_type(atttypid, atttypmod),
             col_description(c.oid, attnum)
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0
      WHERE relkind = 'v'
        AND relnamespace::regnamespace::text IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report')
      ORDER BY object
      """)
  }

  /// The number of rows of each table, and a digest of them.
  private static func contents(_ mirror: Mirror) async throws -> [String: [String?]] {
    let tables = try await mirror.rows(
      """
      SELECT c.oid::regclass::text FROM pg_class c
      WHERE relkind IN ('r', 'p')
        AND relnamespace::regnamespace::text IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report')
      """)
    var contents: [String: [String?]] = [:]
    for table in tables.compactMap({ $0[0] }) {
      contents[table] = try await mirror.rows(
        // Without the columns that later versions have added.
        """
        SELECT count(*)::text, md5(string_agg(t::text, '|' ORDER BY t::text)) FROM (
          SELECT to_jsonb(t) - '{digest,identical,last_consistent_at,not_understood}'::text[] AS t FROM \(table) t
        ) t
        """)[0]
    }
    return contents
  }

  /// What a restore would not dare to drop.
  private static func ofOthers(_ mirror: Mirror) async throws -> [String] {
    try await mirror.database.read { try MirrorDependents.names(in: Migration.schemas, $0) }
  }

  private static func withDump<R: Sendable>(_ body: (Mirror) async throws -> R) async throws -> R {
    try await Mirror.withEmpty { mirror in
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "version-17.sql")
      let text = try String(contentsOf: file, encoding: .utf8)
      _ = try await ThrowawayPostgres.shared().psql(text, database: mirror.test.name)
      return try await body(mirror)
    }
  }

  // MARK: The files

  @Test("a changed file has the next revision, and repeatables.txt has its line")
  func revisions() throws {
    let list = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "repeatables.txt")
    let recorded = Set(try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init))
    for file in Repeatable.all {
      let digest = file.checksum.prefix(8).map { String(format: "%02x", $0) }.joined()
      let line = "\(file.path) \(file.revision) \(digest)"
      #expect(file.revision > 0, "\(file.path) begins with -- revision: N")
      let advice = "raise the revision in its first line, and put the new line into repeatables.txt"
      #expect(recorded.contains(line), "\(line): \(advice)")
    }
    #expect(recorded.count == Repeatable.all.count)
  }

  @Test("a file is split into its statements, and the objects that they create are known")
  func statements() {
    let file = Repeatable(
      path: "a.sql",
      text: """
        -- revision: 12
        -- What it is.

        CREATE OR REPLACE FUNCTION a.f(b text) RETURNS void
        LANGUAGE plpgsql
        AS $$
        BEGIN
          DELETE FROM c;
          DROP TABLE d;
        END $$;
        COMMENT ON FUNCTION a.f IS 'f';
        -- Of a.v.
        CREATE OR REPLACE VIEW a.v AS
        SELECT 1;
        DROP FUNCTION IF EXISTS a.g;
        """)
    #expect(file.revision == 12)
    #expect(
      file.statements.map { $0.text.split(separator: "\n").last } == [
        "END $$;", "COMMENT ON FUNCTION a.f IS 'f';", "SELECT 1;", "DROP FUNCTION IF EXISTS a.g;",
      ])
    #expect(file.statements.map(\.isDefinition) == [true, false, true, true])
    #expect(file.objects == [.init(kind: .routine, name: "a.f"), .init(kind: .view, name: "a.v")])
    #expect(Repeatable.all.flatMap(\.objects).count >= 85)
  }

  @Test("the files need nothing but tables", .ownersAlone("migrates"))
  func onTablesAlone() async throws {
    try await Mirror.with { mirror in
      let before = try await Self.catalogue(mirror)
      try await mirror.execute(
        """
        DO $$
        DECLARE name text;
        BEGIN
          FOREACH name IN ARRAY ARRAY(SELECT oid::regclass::text FROM pg_class
            WHERE relkind = 'v'
              AND relnamespace::regnamespace::text IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report'))
          LOOP EXECUTE 'DROP VIEW IF EXISTS ' || name || ' CASCADE'; END LOOP;
          FOREACH name IN ARRAY ARRAY(SELECT oid::regprocedure::text FROM pg_proc
            WHERE pronamespace::regnamespace::text IN ('jikan', 'pokeapi', 'itunes', 'sync', 'app', 'report'))
          LOOP EXECUTE 'DROP ROUTINE IF EXISTS ' || name || ' CASCADE'; END LOOP;
        END $$
        """)
      #expect(try await Self.catalogue(mirror) == [])
      try await mirror.execute("TRUNCATE sync.repeatable")
      #expect(try await Migrator(mirror.database).migrate().map(\.version).allSatisfy { $0 == nil })
      #expect(try await Self.catalogue(mirror) == before)
    }
  }

  // MARK: Existing databases

  @Test("a database of the previous version is migrated without loss, and equals a new one", .ownersAlone("migrates"))
  func versionBefore() async throws {
    let fresh = try await Mirror.with { mirror in try await Self.catalogue(mirror) }
    try await Self.withDump { mirror in
      let before = try await Self.contents(mirror)
      #expect(before["app.favorite"]?[0] == "6" && before["jikan.ranking_history"]?[0] == "5")
      #expect(before["sync.migration"]?[0] == "17" && before["pokeapi.name"]?[0] == "2")
      let titles = try await mirror.rows("SELECT title, score FROM jikan.anime ORDER BY mal_id")

      #expect(try await Self.ofOthers(mirror) == [])
      let applied = try await Migrator(mirror.database).migrate()
      #expect(applied.compactMap(\.version) == [18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34])
      #expect(applied.filter { $0.version == nil }.map(\.name) == Repeatable.all.map(\.path))
      var after = try await Self.contents(mirror)
      #expect(try await Self.ofOthers(mirror) == [])
      #expect(after.removeValue(forKey: "sync.repeatable")?[0] == "\(Repeatable.all.count)")
      #expect(after.removeValue(forKey: "sync.migration")?[0] == "34")
      #expect(after.removeValue(forKey: "sync.retention")?[0] == "\(Retention.allCases.count)")
      #expect(after.removeValue(forKey: "sync.published_list")?[0] == "0")
      // It has more columns.
      #expect(after.removeValue(forKey: "app.favorite")?[0] == "6")
      // A run or the program's migrate fills them from the documents.
      #expect(after.removeValue(forKey: "jikan.media_title")?[0] == "0")
      #expect(after.removeValue(forKey: "jikan.media_links")?[0] == before["jikan.media"]?[0])
      #expect(after.removeValue(forKey: "jikan.published_order")?[0] == "1")
      // Prices that change from now on.
      #expect(after.removeValue(forKey: "itunes.price_change")?[0] == "0")
      // They have more columns.
      let wider = [
        "sync.run", "sync.publication", "jikan.media", "jikan.media_counters", "jikan.genre", "pokeapi.resource",
        "itunes.item", "itunes.chart_item",
      ]
      for table in wider {
        #expect(after.removeValue(forKey: table)?[0] == before[table]?[0])
      }
      #expect(after.removeValue(forKey: "sync.verification")?[0] == "0")
      // Where permits are; RateBudgetRuleTests sees to it that they keep counting.
      for table in ["sync.rate_budget", "sync.rate_permit"] {
        #expect(after.removeValue(forKey: table)?[0] == before["sync.rate_budget"]?[0])
      }
      let changed = ["sync.migration", "sync.rate_budget", "app.favorite"] + wider
      #expect(after == before.filter { !changed.contains($0.key) })
      #expect(try await Self.catalogue(mirror) == fresh)
      #expect(try await mirror.rows("SELECT title, score FROM jikan.anime ORDER BY mal_id") == titles)
      #expect(try await Migrator(mirror.database).migrate() == [])

      let favorites = try await Favorites.list(nil, in: mirror.database).rows.rows.map { Array($0[1...8]) }
      #expect(
        favorites == [
          ["jikan", "anime", "1", "Frieren", "葬送のフリーレン", "TV", "8.5", "mine"],
          ["itunes", "track", "7", "ワン", "ワン", "song", nil, nil],
          ["itunes", "track", "70", "Chart song", nil, "track", nil, "chart"],
          ["jikan", "anime", "3", "Gone", nil, "TV", "6.5", nil],
          ["jikan", "anime", "4711", nil, nil, nil, nil, "not mirrored"],
          ["pokeapi", "pokemon", "25", "Pikachu", "ピカチュウ", "electric", nil, nil],
        ])
      let states = try await mirror.rows(
        """
        SELECT v.state, v.url FROM app.favorite f JOIN app.favorite_item v USING (source, kind, id)
        WHERE f.collection = 'favorites' ORDER BY f.added_at
        """)
      #expect(
        states == [
          ["mirrored", "https://mal.example/anime/1"], ["mirrored", nil], ["charted", nil],
          ["vanished", "https://mal.example/anime/3"],
        ])
    }
  }

  @Test("owners, rights and comments set on functions and views of the previous version stay", .ownersAlone("migrates"))
  func givenBefore() async throws {
    try await Self.withDump { mirror in
      let role = "giver_\(mirror.test.name)"
      try await mirror.execute("CREATE ROLE \(role)")
      for statement in [
        "CREATE VIEW public.mine AS SELECT title FROM jikan.anime",
        "COMMENT ON FUNCTION jikan.whole IS 'my words'", "COMMENT ON COLUMN jikan.anime.title IS 'my title'",
        "GRANT SELECT ON jikan.anime TO \(role)", "ALTER FUNCTION jikan.whole OWNER TO \(role)",
        "ALTER VIEW jikan.anime SET (security_barrier)",
      ] { try await mirror.execute(statement) }
      _ = try await Migrator(mirror.database).migrate()
      #expect(try await mirror.value("SELECT obj_description('jikan.whole'::regproc, 'pg_proc')") == "my words")
      #expect(
        try await mirror.value(
          "SELECT col_description('jikan.anime'::regclass, attnum) FROM pg_attribute "
            + "WHERE attrelid = 'jikan.anime'::regclass AND attname = 'title'") == "my title")
      #expect(try await mirror.value("SELECT has_table_privilege('\(role)', 'jikan.anime', 'SELECT')") == "t")
      #expect(
        try await mirror.value("SELECT pg_get_userbyid(proowner) FROM pg_proc WHERE oid = 'jikan.whole'::regproc")
          == role)
      #expect(try await mirror.value("SELECT count(*) FROM public.mine") == "3")
      #expect(
        try await mirror.value("SELECT reloptions::text FROM pg_class WHERE oid = 'jikan.anime'::regclass")
          == "{security_barrier=true}")
      try await mirror.execute("DROP OWNED BY \(role) CASCADE")
    }
  }

  @Test("a user's function with the name of ours and other arguments stays", .ownersAlone("migrates"))
  func namesake() async throws {
    try await Self.withDump { mirror in
      let own = "pokeapi.matchup(text, text, text)"
      try await mirror.execute("CREATE FUNCTION \(own) RETURNS text LANGUAGE sql AS 'SELECT $1'")
      try await mirror.execute("COMMENT ON FUNCTION \(own) IS 'mine'")
      _ = try await Migrator(mirror.database).migrate()
      #expect(try await mirror.value("SELECT pokeapi.matchup('a', 'b', 'c')") == "a")
      // The second time, the file's functions are recorded.
      let path = "sources/pokeapi/views/type_efficacy.sql"
      let files = Repeatable.all.map { file in
        guard file.path == path else { return file }
        return Repeatable(path: path, text: file.text.replacing("-- revision: 1", with: "-- revision: 2"))
      }
      #expect(try await Self.migrator(mirror, files).migrate().map(\.name) == [path])
      #expect(try await mirror.value("SELECT pokeapi.matchup('a', 'b', 'c')") == "a")
    }
  }

  @Test("the views of removed reports are dropped; a user's view that reads one is named", .ownersAlone("migrates"))
  func removedReports() async throws {
    try await Mirror.with { mirror in
      let path = "shared/views/removed.sql"
      try await mirror.execute("CREATE VIEW report.risers AS SELECT 1 AS mal_id")
      try await mirror.execute("CREATE VIEW public.mine AS SELECT mal_id FROM report.risers")
      try await mirror.execute("DELETE FROM sync.repeatable WHERE path = '\(path)'")
      let migrator = Self.migrator(mirror, Repeatable.all)
      let error = await syncError { _ = try await migrator.migrate() }
      #expect(error?.code == .configuration && error?.message.contains("view public.mine") == true)
      try await mirror.execute("DROP VIEW public.mine")
      #expect(try await migrator.migrate().map(\.name) == [path])
      #expect(try await mirror.value("SELECT to_regclass('report.risers')::text") == nil)
    }
  }

  // MARK: Changes

  @Test("a change is applied once, with its comment; an older program leaves it", .ownersAlone("migrates"))
  func change() async throws {
    try await Mirror.with { mirror in
      let files = try Self.later([Self.columns: ("WHEN 'ona' THEN 'ONA'", "WHEN 'ona' THEN 'Net'")])
      let pending = try await Self.migrator(mirror, files).status().filter { !$0.isApplied }
      #expect(pending.map(\.name) == [Self.columns] && pending.summary == "1 file of functions and views")

      #expect(try await Self.migrator(mirror, files).migrate().map(\.name) == [Self.columns])
      #expect(try await mirror.value("SELECT jikan.type_label('ona')") == "Net")
      let row = "SELECT revision, schema_version, xmin::text FROM sync.repeatable WHERE path = '\(Self.columns)'"
      let recorded = try await mirror.rows(row)
      let revision = try #require(files.first { $0.path == Self.columns }).revision
      #expect(recorded.first?.prefix(2) == ["\(revision)", "34"])
      #expect(try await Self.migrator(mirror, files).migrate() == [])

      // The older program.
      #expect(try await Migrator(mirror.database).status().allSatisfy(\.isApplied))
      #expect(try await Migrator(mirror.database).migrate() == [])
      #expect(try await mirror.value("SELECT jikan.type_label('ona')") == "Net")
      // Also when it has something else to do.
      let other = try Self.later([Self.documents: ("'{}' END", "'{ }' END")])
      #expect(try await Self.migrator(mirror, other).migrate().map(\.name) == [Self.documents])
      #expect(try await mirror.value("SELECT jikan.type_label('ona')") == "Net")
      #expect(try await mirror.rows(row) == recorded)
    }
  }

  @Test(
    "a comment that changed in the file is applied, one that a person changed is kept", .ownersAlone("migrates"))
  func comments() async throws {
    try await Mirror.with { mirror in
      try await mirror.execute("COMMENT ON FUNCTION jikan.whole IS 'mine'")
      let files = try Self.later([Self.columns: (" IS '", " IS 'New: ")])
      _ = try await Self.migrator(mirror, files).migrate()
      let texts = try await mirror.rows(
        "SELECT left(obj_description(f::regproc, 'pg_proc'), 5) FROM unnest('{jikan.whole,jikan.type_label}'::text[]) f"
      )
      #expect(texts == [["mine"], ["New: "]])
      // The next change keeps the person's comment too.
      let next = files.map {
        Repeatable(path: $0.path, text: $0.text.replacing("-- revision: 2", with: "-- revision: 3"))
      }
      _ = try await Self.migrator(mirror, next).migrate()
      #expect(try await mirror.value("SELECT obj_description('jikan.whole'::regproc, 'pg_proc')") == "mine")
    }
  }

  /// `with_counters`, on which both views depend, gets another argument name, and the views get another column name.
  private static let refused = [
    columns: ("jikan.with_counters(raw jsonb, counters jsonb)", "jikan.with_counters(raw jsonb, today jsonb)"),
    animeManga: ("m.url, m.image_url, m.synopsis", "m.url AS page, m.image_url, m.synopsis"),
  ]

  private static func refusedFiles() throws -> [Repeatable] {
    try later(refused).map { file in
      Repeatable(path: file.path, text: file.text.replacing("jsonb_each(counters)", with: "jsonb_each(today)"))
    }
  }

  @Test(
    "an object that cannot be replaced in place is created again with its dependents; owner, rights and comments stay",
    .ownersAlone("migrates"))
  func madeAgain() async throws {
    try await Mirror.with { mirror in
      let (one, two) = ("one_\(mirror.test.name)", "two_\(mirror.test.name)")
      for statement in [
        "CREATE ROLE \(one)", "CREATE ROLE \(two)", "GRANT USAGE, CREATE ON SCHEMA jikan TO \(one)",
        "GRANT SELECT ON jikan.media, jikan.media_counters TO \(one)",
        "ALTER VIEW jikan.anime OWNER TO \(one)", "ALTER FUNCTION jikan.with_counters OWNER TO \(one)",
        "GRANT SELECT ON jikan.anime TO \(two) WITH GRANT OPTION",
        "GRANT SELECT (title, synopsis) ON jikan.manga TO \(two)",
        "GRANT INSERT ON jikan.manga TO PUBLIC", "REVOKE EXECUTE ON FUNCTION jikan.with_counters FROM PUBLIC",
        "GRANT EXECUTE ON FUNCTION jikan.with_counters TO \(two)", "COMMENT ON FUNCTION jikan.with_counters IS 'mine'",
        "COMMENT ON COLUMN jikan.manga.title IS 'my title'", "COMMENT ON VIEW jikan.anime IS 'my anime'",
      ] { try await mirror.execute(statement) }
      let objects = Repeatable.all.filter { [Self.columns, Self.animeManga].contains($0.path) }.flatMap(\.objects)
      let before = try await mirror.owner.read { try SchemaObject.read(objects, $0) }

      let applied = try await Self.migrator(mirror, try Self.refusedFiles()).migrate().map(\.name)
      #expect(applied == [Self.columns, Self.animeManga])
      let after = try await mirror.owner.read { try SchemaObject.read(objects, $0) }
      #expect(after.count == before.count)
      for old in before {
        let new = try #require(after.first { $0.identity == old.identity })
        #expect(new.owner == old.owner && new.rights == old.rights, "\(old.identity): \(old.rights) \(new.rights)")
        var comments = old.comments
        if old.object.kind == .view { comments["page"] = comments.removeValue(forKey: "url") }
        #expect(new.comments.filter { $0.key != "page" } == comments.filter { $0.key != "page" }, "\(old.identity)")
        let isMadeAgain =
          ["jikan.anime", "jikan.manga"].contains(old.identity) || old.identity.contains("with_counters")
        #expect((new.id != old.id) == isMadeAgain, "\(old.identity)")
      }
      #expect(try await mirror.rows("SELECT page FROM jikan.anime") == [])
      for role in [one, two] { try await mirror.execute("DROP OWNED BY \(role) CASCADE") }
    }
  }

  @Test(
    "a function with other argument types replaces the one before, and gets its rights",
    .ownersAlone("migrates"))
  func otherArguments() async throws {
    try await Mirror.with { mirror in
      let role = "caller_\(mirror.test.name)"
      try await mirror.execute("CREATE ROLE \(role)")
      try await mirror.execute("REVOKE EXECUTE ON FUNCTION jikan.type_label FROM PUBLIC")
      try await mirror.execute("GRANT EXECUTE ON FUNCTION jikan.type_label TO \(role)")
      let files = try Self.later([Self.columns: ("type_label(subtype text)", "type_label(subtype varchar)")])
      _ = try await Self.migrator(mirror, files).migrate()
      let there = try await mirror.rows(
        """
        SELECT oid::regprocedure::text, has_function_privilege('public', oid, 'EXECUTE')::text,
               has_function_privilege('\(role)', oid, 'EXECUTE')::text
        FROM pg_proc WHERE proname = 'type_label'
        """)
      #expect(there == [["jikan.type_label(character varying)", "false", "true"]])
      try await mirror.execute("DROP OWNED BY \(role) CASCADE")
    }
  }

  @Test(
    "an object of a person that depends on a view or function to be dropped is named, with 78; nothing has changed",
    .ownersAlone("migrates"),
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
      (
        "RULE mine ON jikan.anime", "CREATE RULE mine AS ON INSERT TO jikan.anime DO INSTEAD NOTHING",
        "rule mine on view jikan.anime"
      ),
    ])
  func inTheWay(_ object: String, _ statement: String, _ name: String) async throws {
    try await Mirror.with { mirror in
      try await mirror.execute(statement)
      let before = try await Self.catalogue(mirror)
      let migrator = Self.migrator(mirror, try Self.refusedFiles())
      let error = await syncError { _ = try await migrator.migrate() }
      #expect(error?.code == .configuration && error?.message.contains(name) == true, "\(error as Any)")
      #expect(error?.disposition == .stopRun)
      #expect(try await Self.catalogue(mirror) == before)
      // A change in place does not disturb it.
      let small = try Self.later([Self.columns: ("WHEN 'ona' THEN 'ONA'", "WHEN 'ona' THEN 'Net'")])
      #expect(try await Self.migrator(mirror, small).migrate().map(\.name) == [Self.columns])
      try await mirror.execute("DROP \(object)")
      let again = try Self.refusedFiles().map { file in
        guard Self.refused[file.path] != nil else { return file }
        return Repeatable(path: file.path, text: file.text.replacing("-- revision: 2", with: "-- revision: 3"))
      }
      #expect(try await Self.migrator(mirror, again).migrate().map(\.name) == [Self.columns, Self.animeManga])
    }
  }

  @Test("one of several functions of a name is replaced, the others stay", .ownersAlone("migrates"))
  func oneOfSeveral() async throws {
    try await Mirror.with { mirror in
      let path = "sources/pokeapi/views/type_efficacy.sql"
      let files = try Self.later([path: ("type1 text, type2 text DEFAULT NULL", "first text, type2 text DEFAULT NULL")])
        .map { Repeatable(path: $0.path, text: $0.text.replacing("ARRAY[type1, type2]", with: "ARRAY[first, type2]")) }
      let ids = "SELECT oid::regprocedure::text, oid::text FROM pg_proc WHERE proname = 'matchup' ORDER BY 1"
      let before = try await mirror.rows(ids)
      _ = try await Self.migrator(mirror, files).migrate()
      let after = try await mirror.rows(ids)
      #expect(after.map { $0[0] } == before.map { $0[0] } && after.count == 2)
      #expect(after[0] != before[0] || after[1] != before[1])
      #expect(after.filter { before.contains($0) }.count == 1)
    }
  }

  @Test("a worker whose program has other functions does not migrate", .ownersAlone("migrates"))
  func worker() async throws {
    try await Mirror.with { mirror in
      try await ThrowawayPostgres.shared().grant(in: mirror.test)
      let files = try Self.later([Self.columns: ("WHEN 'ona' THEN 'ONA'", "WHEN 'ona' THEN 'Net'")])
      var settings = mirror.test.settings
      settings["options"] = "-c role=syncctl_worker"
      try await Database.with(settings, applicationName: "worker") { worker in
        #expect(try await Migrator(worker).migrate() == [])
        let migrator = Migrator(worker, known: Migration.all, files: files)
        let pending = try await migrator.status().filter { !$0.isApplied }
        #expect(pending.map(\.name) == [Self.columns])
        let error = await syncError { _ = try await migrator.migrate() }
        #expect(error?.code == .permission)
      }
    }
  }

  // MARK: Favorites

  @Test("a source that is not built in has favorites too, and other programs leave them", .ownersAlone("migrates"))
  func otherSource() async throws {
    try await Mirror.with { mirror in
      let view = Repeatable(
        path: "sources/mine/views/favorite_item.sql",
        text: """
          -- revision: 1
          CREATE OR REPLACE VIEW mine.favorite_item AS
          SELECT 'thing'::text AS kind, id, title, NULL::text AS title_japanese, NULL::text AS type,
                 NULL::numeric AS score, NULL::text AS url, 'mirrored' AS state
          FROM mine.thing;
          """)
      try await mirror.execute("CREATE SCHEMA mine")
      try await mirror.execute("CREATE TABLE mine.thing AS SELECT 1::bigint AS id, 'One'::text AS title")
      let all = Repeatable.all
      let place = try #require(all.firstIndex { $0.path == "shared/favorite_item.sql" })
      let composed = all[place]
      // The view is of an older program: it has no rank.
      let files = Array(all[..<place]) + [view] + all[place...]
      #expect(try await Self.migrator(mirror, files).migrate().map(\.name) == [view.path, composed.path])
      try await mirror.execute(
        "INSERT INTO app.favorite (collection, source, kind, id) VALUES ('x', 'mine', 'thing', 1)")
      for _ in 1...2 {
        #expect(try await Favorites.list("x", in: mirror.database).rows.rows.map { $0[4] } == ["One"])
        #expect(try await Migrator(mirror.database).migrate() == [])
        #expect(try await Self.migrator(mirror, files).migrate() == [])
      }
    }
  }
}
