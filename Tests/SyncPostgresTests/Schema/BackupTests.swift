import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10))) struct BackupTests {
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = try ThrowawayFolders.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private func withDatabase(favorite: Int?, _ body: (Database, TestDatabase) async throws -> Void) async throws {
    let server = try await ThrowawayPostgres.shared()
    let made = try await favorite == nil ? server.makeDatabase() : server.makeProductDatabase()
    try await Database.with(made.settings, applicationName: "backup") { database in
      if let favorite {
        try await server.sql(
          """
          INSERT INTO app.favorite (collection, source, kind, id, note)
          VALUES ('favorites', 'jikan', 'anime', \(favorite), E'line\\nline \\\\ 題名')
          """, database: made.name)
      }
      try await body(database, made)
    }
  }

  private func favorites(_ database: TestDatabase) async throws -> String {
    try await ThrowawayPostgres.shared().sql("SELECT id, note FROM app.favorite ORDER BY id", database: database.name)
      .trimmingCharacters(in: .newlines)
  }

  private func backup(_ database: Database) -> Backup { Backup(database, environment: ThrowawayFolders.environment) }

  @discardableResult
  private func restore(
    _ path: String, into database: Database, replacing: Bool = false, droppingDependents: Bool = false
  ) async throws -> [String] {
    let file = try BackupFile(reading: path)
    defer { file.close() }
    return try await backup(database).restore(from: file, replacing: replacing, droppingDependents: droppingDependents)
  }

  @Test func whatIsBackedUpComesBack() async throws {
    try await withFolder { folder in
      let path = folder + "/mirror.dump"
      try await withDatabase(favorite: 7) { database, made in
        let server = try await ThrowawayPostgres.shared()
        // A table in `public` is not part of the mirror, so the backup omits it unless `whole` is true.
        try await server.sql("CREATE TABLE public.theirs AS SELECT 1 AS n", database: made.name)
        try await backup(database).write(to: path, overwrites: false, whole: false)
        #expect(try FileOperations.status(path)?.permissions == 0o600)
        #expect(try FileOperations.names(in: folder) == ["mirror.dump"])
      }
      try await withDatabase(favorite: nil) { database, made in
        try await restore(path, into: database)
        #expect(try await favorites(made) == "7|line\nline \\ 題名")
        #expect(try await Migrator(database).status().allSatisfy { $0.appliedAt != nil })
        let others = """
          SELECT to_regclass('public.theirs') IS NULL, (SELECT count(*) > 0 FROM pg_stats WHERE schemaname = 'app')
          """
        #expect(try await ThrowawayPostgres.shared().sql(others, database: made.name) == "t|t\n")
        let server = try await ThrowawayPostgres.shared()
        try await server.sql("CREATE TABLE public.theirs AS SELECT 1 AS n", database: made.name)
        try await backup(database).write(to: path, overwrites: true, whole: true)
      }
      try await withDatabase(favorite: nil) { database, made in
        try await restore(path, into: database)
        #expect(try await ThrowawayPostgres.shared().sql("SELECT n FROM theirs", database: made.name) == "1\n")
      }
    }
  }

  @Test func overTheNetworkWithAPassword() async throws {
    try await withFolder { folder in
      try await withDatabase(favorite: 7) { _, made in
        let settings = made.tcpSettings(user: made.tcpUser, password: made.tcpPassword)
        try await Database.with(settings, applicationName: "backup") { database in
          try await backup(database).write(to: folder + "/a", overwrites: false, whole: false)
          try await restore(folder + "/a", into: database, replacing: true)
        }
        #expect(try await favorites(made) == "7|line\nline \\ 題名")
        var wrong = made.tcpSettings(user: made.tcpUser, password: made.tcpPassword)
        wrong["user"] = "nobody"
        #expect(!wrong.withoutSecrets.contains(made.tcpPassword))
      }
    }
  }

  @Test func fileThatIsThereIsKept() async throws {
    try await withFolder { folder in
      try await withDatabase(favorite: 7) { database, _ in
        let path = folder + "/mine"
        try write("mine", to: path)
        for (name, overwrites) in [("mine", false), ("", true)] {
          let error = await #expect(throws: SyncError.self) {
            try await backup(database).write(to: "\(folder)/\(name)", overwrites: overwrites, whole: false)
          }
          #expect(error?.code == .usage)
        }
        #expect(try FileOperations.read(path, limit: 99) == "mine")
        try await backup(database).write(to: path, overwrites: true, whole: false)
        #expect(try FileOperations.read(path, limit: 5) == "PGDMP")
      }
      try await withDatabase(favorite: nil) { database, _ in
        let error = await #expect(throws: SyncError.self) {
          try await backup(database).write(to: folder + "/none", overwrites: false, whole: false)
        }
        #expect(error?.code == .configuration)
      }
      #expect(try FileOperations.names(in: folder) == ["mine"])
    }
  }

  /// `--replace` would drop these objects.
  private static let ofUsers = [
    ("CREATE VIEW public.titles AS SELECT title FROM jikan.media", "view public.titles"),
    ("CREATE VIEW public.of_titles AS SELECT * FROM public.titles", "view public.of_titles"),
    ("CREATE MATERIALIZED VIEW public.kept AS SELECT mal_id FROM jikan.media", "materialized view public.kept"),
    (
      "CREATE FUNCTION public.count_media() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM jikan.media; END",
      "function public.count_media()"
    ),
    (
      "CREATE TABLE public.mine (c text, s text, n bigint CONSTRAINT mine_fk REFERENCES sync.walk)",
      "table constraint mine_fk on public.mine"
    ),
    ("ALTER TABLE public.mine ADD m jikan.media", "table column public.mine.m"),
    ("CREATE TABLE jikan.my_notes (id serial PRIMARY KEY)", "table jikan.my_notes"),
    ("CREATE FUNCTION jikan.derive() RETURNS int LANGUAGE sql AS 'SELECT 1'", "function jikan.derive()"),
    ("CREATE TYPE app.mood AS ENUM ('good')", "type app.mood"),
    ("CREATE INDEX my_index ON jikan.media (title)", "index jikan.my_index"),
    (
      """
      CREATE FUNCTION public.told() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER my_trigger AFTER INSERT ON jikan.media FOR EACH ROW EXECUTE FUNCTION public.told()
      """, "trigger my_trigger on jikan.media"
    ),
    ("CREATE PUBLICATION mine FOR TABLES IN SCHEMA app", "publication namespace app in publication mine"),
    ("CREATE POLICY my_policy ON app.favorite", "policy my_policy on app.favorite"),
    ("CREATE RULE my_rule AS ON DELETE TO app.favorite DO INSTEAD NOTHING", "rule my_rule on app.favorite"),
  ]

  @Test func objectsOfOthersAreNamed() async throws {
    try await withFolder { folder in
      let path = folder + "/mirror.dump"
      try await withDatabase(favorite: 7) { database, _ in
        try await backup(database).write(to: path, overwrites: false, whole: false)
      }
      try await withDatabase(favorite: 8) { database, made in
        let schemas = Migration.schemas
        let own = try await database.read { try MirrorDependents.names(in: schemas, $0) }
        #expect(own == [], "what the program makes is its own")
        // PostgreSQL 14 cannot publish all tables of a schema.
        let version = try await database.read { $0.serverVersion }
        let ofUsers = Self.ofUsers.filter { version >= 150_000 || !$0.0.contains("IN SCHEMA") }
        let statements = ofUsers.map(\.0).joined(separator: ";\n")
        _ = try await ThrowawayPostgres.shared().psql(statements, database: made.name)
        let expected = ofUsers.map(\.1).sorted()
        let unasked = await #expect(throws: SyncError.self) { try await restore(path, into: database) }
        #expect(unasked?.code == .guarded && unasked?.hint?.contains("--replace") == true)
        let error = await #expect(throws: SyncError.self) { try await restore(path, into: database, replacing: true) }
        #expect(error?.code == .configuration && error?.hint?.contains("--drop-dependents") == true)
        for name in expected { #expect(error?.message.contains(name) == true, "\(name)") }
        #expect(try await favorites(made).hasPrefix("8|"))
        let dropped = try await restore(path, into: database, replacing: true, droppingDependents: true)
        #expect(dropped.sorted() == expected)
        #expect(try await favorites(made).hasPrefix("7|"))
        let left = "SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = 'mine'::regclass AND attnum > 0 "
        let columns = try await ThrowawayPostgres.shared().sql(left + "AND NOT attisdropped", database: made.name)
        #expect(columns == "c,s,n\n")
        // A restore drops every table in the mirror's schemas, because a later migration can have created the table.
        let notes = "SELECT to_regclass('jikan.my_notes') IS NULL"
        #expect(try await ThrowawayPostgres.shared().sql(notes, database: made.name) == "t\n")
        let again = try await database.read { try MirrorDependents.names(in: schemas, $0) }
        #expect(again == [], "what a restore makes is the program's own")
      }
    }
  }

  @Test func backupOfAnotherSchemaChangesNothing() async throws {
    let edits = [
      (
        "INSERT INTO sync.migration (version, name, checksum) VALUES (4711, 'later', 'x')",
        "DELETE FROM sync.migration WHERE version = 4711", "version 4711"
      ), ("UPDATE sync.migration SET checksum = 'x' WHERE version = 1", "SELECT 1", "migration 1 ("),
    ]
    try await withFolder { folder in
      try await withDatabase(favorite: 7) { database, made in
        for (number, edit) in edits.enumerated() {
          try await ThrowawayPostgres.shared().sql(edit.0, database: made.name)
          try await backup(database).write(to: "\(folder)/\(number)", overwrites: false, whole: false)
          try await ThrowawayPostgres.shared().sql(edit.1, database: made.name)
        }
      }
      try await withDatabase(favorite: 8) { database, made in
        for (number, edit) in edits.enumerated() {
          let error = await #expect(throws: SyncError.self) {
            try await restore("\(folder)/\(number)", into: database, replacing: true)
          }
          #expect(error?.code == .configuration && error?.message.contains(edit.2) == true, "\(error as Any)")
          let (kept, steps) = (try await favorites(made), try await Migrator(database).status())
          #expect(kept == "8|line\nline \\ 題名" && steps.allSatisfy { $0.isApplied })
        }
      }
      try await withDatabase(favorite: nil) { database, made in
        for number in edits.indices {
          await #expect(throws: SyncError.self) { try await restore("\(folder)/\(number)", into: database) }
          let left = try await ThrowawayPostgres.shared().sql("SELECT to_regnamespace('sync')", database: made.name)
          #expect(left == "\n")
        }
      }
    }
  }

  @Test func badFileChangesNothing() async throws {
    try await withFolder { folder in
      try await withDatabase(favorite: 7) { database, made in
        try write("select 1;\n", to: folder + "/text")
        try write("", to: folder + "/empty")
        try await ThrowawayPostgres.shared().sql(
          """
          INSERT INTO app.favorite (collection, source, kind, id, note)
          SELECT 'owned', 'jikan', 'anime', n, md5(n::text) FROM generate_series(1, 40000) n
          """, database: made.name)
        try await backup(database).write(to: folder + "/cut", overwrites: false, whole: false)
        // Since version 16, pg_dump repeats the table of contents at the end. The cut is inside the rows.
        let whole = try Data(contentsOf: URL(filePath: folder + "/cut"))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: folder + "/cut"))
        try await ThrowawayPostgres.shared().sql("CREATE SCHEMA theirs", database: made.name)
        let target = ["--file=\(folder)/another", "--dbname=\(made.settings.withoutSecrets)"]
        let own = try await EmbeddedCluster(dataDirectory: "/nonexistent", options: quickOptions()).binaries(for: nil)
        let dump = try await ServerProgram.run(
          own.path("pg_dump"), ["--format=custom", "--schema=theirs"] + target, deadline: .seconds(60),
          in: ServerProgram.Context(environment: ["PATH": "/bin"], clock: ContinuousClock()))
        try #require(dump.succeeded, "\(dump.everything)")
      }
      let files = ["text", "empty", "cut", "another"]
      try await withDatabase(favorite: 8) { database, made in
        for file in files {
          let error = await #expect(throws: SyncError.self, "\(file)") {
            try await restore("\(folder)/\(file)", into: database, replacing: true)
          }
          #expect(error?.code == .database && error?.message.contains("failed: ") == true, "\(file)")
          if file == "another" { #expect(error?.message.contains("not a backup of syncctl") == true) }
          let kept = try await favorites(made)
          #expect(kept.hasPrefix("8|"), "\(file)")
        }
      }
      try await withDatabase(favorite: nil) { database, made in
        for file in files {
          await #expect(throws: SyncError.self) { try await restore("\(folder)/\(file)", into: database) }
          let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname IN ('app', 'sync', 'jikan', 'theirs')"
          let found = try await ThrowawayPostgres.shared().sql(schemas, database: made.name)
          #expect(found == "0\n", "\(file)")
        }
      }
    }
  }

  /// `pg_restore` writes all statements and then fails. So syncctl cannot know whether all statements arrived.
  @Test func readerThatFailsAtItsEndChangesNothing() async throws {
    try await withFolder { folder in
      let own = try await EmbeddedCluster(dataDirectory: "/nonexistent", options: quickOptions()).binaries(for: nil)
      let programs = folder + "/bin"
      try makeFolder(programs)
      try FileManager.default.createSymbolicLink(atPath: programs + "/psql", withDestinationPath: own.path("psql"))
      let script = "#!/bin/sh\n\(own.path("pg_restore")) \"$@\"\n[ \"$1\" = -V ] || { echo 'no memory' >&2; exit 1; }\n"
      try ProgramFile.write(script, to: programs + "/pg_restore")
      try await withDatabase(favorite: 7) { database, _ in
        try await backup(database).write(to: folder + "/mirror.dump", overwrites: false, whole: false)
      }
      try await withDatabase(favorite: 8) { database, made in
        let file = try BackupFile(reading: folder + "/mirror.dump")
        defer { file.close() }
        let error = await #expect(throws: SyncError.self) {
          try await Backup(database, environment: ["SYNCCTL_PG_BINDIR": programs]).restore(from: file, replacing: true)
        }
        #expect(error?.message.contains("no memory") == true)
        #expect(try await favorites(made).hasPrefix("8|"))
      }
    }
  }

  /// A newer pg_dump writes settings that the server does not know.
  @Test func settingsThatTheServerDoesNotKnowAreLeftOut() async throws {
    try await withFolder { folder in
      let own = try await EmbeddedCluster(dataDirectory: "/nonexistent", options: quickOptions()).binaries(for: nil)
      let programs = folder + "/bin"
      try makeFolder(programs)
      try FileManager.default.createSymbolicLink(atPath: programs + "/psql", withDestinationPath: own.path("psql"))
      let script = """
        #!/bin/sh
        '\(own.path("pg_restore"))' "$@" | sed 's/^SET lock_timeout = 0;$/&\\nSET no_such_setting = 0;/'

        """
      try ProgramFile.write(script, to: programs + "/pg_restore")
      let row = "SET no_such_setting = 0;"
      try await withDatabase(favorite: 7) { database, made in
        try await ThrowawayPostgres.shared().sql("CREATE TABLE public.t AS SELECT '\(row)' AS c", database: made.name)
        try await backup(database).write(to: folder + "/mirror.dump", overwrites: false, whole: true)
      }
      try await withDatabase(favorite: nil) { database, made in
        let file = try BackupFile(reading: folder + "/mirror.dump")
        defer { file.close() }
        let path = ThrowawayFolders.environment["PATH"] ?? ""
        try await Backup(database, environment: ["SYNCCTL_PG_BINDIR": programs, "PATH": path])
          .restore(from: file, replacing: false)
        #expect(try await favorites(made).hasPrefix("7|"))
        #expect(try await ThrowawayPostgres.shared().sql("SELECT c FROM t", database: made.name) == row + "\n")
      }
    }
  }

  @Test func programsThatCanReadTheFileAreNamed() async throws {
    try await withFolder { folder in
      // The format 1.99 does not exist yet.
      let head = Data("PGDMP".utf8) + [1, 99, 0, 4, 8, 1]
      try head.write(to: URL(filePath: folder + "/newer"))
      try #require(mkfifo(folder + "/pipe", 0o600) == 0)
      try await withDatabase(favorite: nil) { database, _ in
        let error = await #expect(throws: SyncError.self) { try await restore(folder + "/newer", into: database) }
        #expect(error?.message.contains("pg_restore of PostgreSQL 19 or newer is needed") == true, "\(error as Any)")
        Thread.detachNewThread { try? head.write(to: URL(filePath: folder + "/pipe")) }
        let piped = await #expect(throws: SyncError.self) { try await restore(folder + "/pipe", into: database) }
        #expect(piped?.hint?.contains("the client programs of PostgreSQL 19 or newer") == true, "\(piped as Any)")
      }
      for (minor, oldest) in [(14, 12), (15, 16), (16, 17)] {
        #expect(BackupFile.oldestReader(ofFormat: minor) == oldest)
      }
    }
  }

  @Test func runsAtWorkAreNamedAndKeepTheirRows() async throws {
    try await withFolder { folder in
      try await withDatabase(favorite: 7) { database, _ in
        try await backup(database).write(to: folder + "/mirror.dump", overwrites: false, whole: false)
      }
      try await withDatabase(favorite: 8) { database, made in
        let server = try await ThrowawayPostgres.shared()
        try await server.sql(
          """
          INSERT INTO sync.stream_state (source, stream, provider, origin, page_size, lease_owner, lease_expires_at)
          VALUES ('jikan', 'top-anime', 'p', 'o', 25, '{"pid": 4711, "host": "elsewhere"}', now() + interval '1 h')
          """, database: made.name)
        let error = await #expect(throws: SyncError.self) {
          try await restore(folder + "/mirror.dump", into: database, replacing: true)
        }
        #expect(error?.code == .tryLater, "\(error as Any)")
        #expect(error?.message.contains("jikan/top-anime by process 4711 on elsewhere") == true, "\(error as Any)")
        #expect(try await favorites(made).hasPrefix("8|"))
        try await server.sql("UPDATE sync.stream_state SET lease_expires_at = now()", database: made.name)
        try await restore(folder + "/mirror.dump", into: database, replacing: true)
        #expect(try await favorites(made).hasPrefix("7|"))
      }
    }
  }

  /// The restore waits for a session that waits for the restore. The session does not look for deadlocks itself.
  @Test func restoreYieldsInADeadlock() async throws {
    try await withFolder { folder in
      try await withDatabase(favorite: 7) { database, _ in
        try await backup(database).write(to: folder + "/mirror.dump", overwrites: false, whole: false)
      }
      try await withDatabase(favorite: 8) { database, made in
        let server = try await ThrowawayPostgres.shared()
        let first = try await PostgresConnection.connect(made.settings)
        let second = try await PostgresConnection.connect(made.settings)
        let (goesOn, reads) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // The restore locks sync.stream_state, then the other relations in the order of their ids.
        async let held = first.withTransaction(TransactionOptions()) { connection in
          try connection.script("LOCK TABLE sync.migration IN ACCESS SHARE MODE")
          goesOn.wait()
        }
        async let read = second.withTransaction(TransactionOptions()) { connection in
          try connection.script("SET LOCAL deadlock_timeout = '1h'; LOCK TABLE app.favorite IN ACCESS SHARE MODE")
          reads.wait()
          try connection.script("SELECT FROM sync.stream_state")
        }
        func wait(for count: Int, _ locks: String) async throws {
          try await waitUntil("a lock on \(locks)") {
            let found = "SELECT count(*) FROM pg_locks WHERE relation = \(locks)"
            return try await server.sql(found, database: made.name) == "\(count)\n"
          }
        }
        try await wait(for: 1, "'sync.migration'::regclass")
        try await wait(for: 1, "'app.favorite'::regclass")
        async let restored = restore(folder + "/mirror.dump", into: database, replacing: true)
        try await wait(for: 1, "'sync.migration'::regclass AND NOT granted")
        reads.signal()
        try await wait(for: 1, "'sync.stream_state'::regclass AND NOT granted")
        goesOn.signal()
        try await held
        try await read
        _ = try await restored
        #expect(try await favorites(made).hasPrefix("7|"))
        await first.close()
        await second.close()
      }
    }
  }

  @Test func programsFitTheServer() async throws {
    try await withFolder { folder in
      for version in [14, 16, 100] {
        try makeFolder("\(folder)/\(version)")
        let script = "#!/bin/sh\necho 'pg_dump (PostgreSQL) \(version).1'\n"
        try ProgramFile.write(script, to: "\(folder)/\(version)/pg_dump")
      }
      let folders = [14, 100, 16].map { "\(folder)/\($0)" }.joined(separator: ":")
      let search = BinarySearch(environment: ["SYNCCTL_PG_BINDIR": folders])
      let context = ServerProgram.Context(environment: [:], clock: ContinuousClock())
      for (server, expected) in [(14, 14), (15, 16), (16, 16), (17, 100)] {
        let found = try await ClientProgram.folder(of: ["pg_dump"], forServer: server, search: search, in: context)
        #expect(found == "\(folder)/\(expected)")
      }
      let older = try await clusterError {
        _ = try await ClientProgram.folder(of: ["pg_dump"], forServer: 101, search: search, in: context)
      }
      #expect(
        older.message.contains("pg_dump of PostgreSQL 101 or newer") && older.message.contains("only version 100"))
      // No folder of the variable has psql, so the usual folders are searched.
      let own = try await EmbeddedCluster(dataDirectory: "/nonexistent", options: quickOptions()).binaries(for: nil)
      var usual = search
      usual.patterns = [own.folder]
      #expect(
        try await ClientProgram.folder(of: ["psql"], forServer: own.majorVersion, search: usual, in: context)
          == own.folder)
      usual.patterns = []
      try await clusterError(.binariesMissing, "psql") {
        _ = try await ClientProgram.folder(of: ["psql"], forServer: 15, search: usual, in: context)
      }
    }
  }
}
