import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import SyncPostgres

extension EndToEnd {
  /// Mirrors of the nine migrations that the baseline replaced.
  @Suite(.ownersAlone("migrates")) struct Baseline {
    /// Creates a database with the nine migrations and a copy of their record in `public.nine`.
    private static func makeNine() async throws -> TestDatabase {
      let server = try await ThrowawayPostgres.shared()
      let made = try await server.makeDatabase()
      let nine = try NineMigrations.all(Migration.init(path:text:))
      try await Database.with(made.settings, applicationName: "owner") { database in
        let current = FunctionSet.current
        let files = try current.files.map { file in
          FunctionSet.File(path: file.path, text: try NineMigrations.earlier(file.text))
        }
        let functions = FunctionSet(number: current.number - 1, files: files)
        _ = try await Migrator(database, known: nine, functions: functions).migrate()
      }
      try await server.sql("CREATE TABLE public.nine AS TABLE sync.migration", database: made.name)
      return made
    }

    private static func recordNine(in mirror: Mirror) async throws {
      _ = try await mirror.sql(
        """
        DROP TABLE sync.walk_list, sync.list_state;
        ALTER TABLE sync.walk DROP COLUMN lists, DROP COLUMN superseded CASCADE;
        ALTER TABLE sync.walk_page DROP COLUMN list CASCADE;
        ALTER TABLE sync.declared_resource DROP COLUMN lists;
        UPDATE sync.function_set SET number = number - 1;
        DELETE FROM sync.migration; INSERT INTO sync.migration TABLE public.nine
        """)
      #expect(try await mirror.sql("SELECT count(*) FROM sync.migration") == "9")
    }

    /// Expects that the command is refused, and returns the statement that it prints.
    private static func statement(of result: ProgramResult) throws -> String {
      result.expectFailure(78, naming: "nine migrations", isQuiet: false)
      return try statement(in: result.standardError)
    }

    private static func statement(in text: String) throws -> String {
      try #require(text.firstMatch(of: /WITH [^\n]*;/).map { String($0.output) }, "\(text)")
    }

    private static func expectNoDifference(_ source: String, in mirror: Mirror) async throws {
      let result = try await mirror.succeed("verify", "--source", source, "--format", "json")
      let output = try JSONValue(result.standardOutput)
      #expect(output["differences"]?.array == [] && output["checked"]?["documents"]?.int ?? 0 > 0, "\(output)")
    }

    /// Runs `body` with a mirror of the nine migrations that contains a list of Jikan and a declared source.
    private static func withFilledMirror(_ body: (Mirror) async throws -> Void) async throws {
      try await SimulatorServer.withServer(GeneratedJikan.plain(60)) { jikan in
        try await SimulatorServer.withServer(PagedAPI(.products(1...7))) { shop in
          let server = try await ThrowawayPostgres.shared()
          let mirror = try Mirror.on(server, try await makeNine()).asOwner.with(upstream: jikan.baseURL)
          try mirror.declare(Shop(), at: shop.baseURL)
          // The program fills the tables of the nine migrations after they are carried over.
          _ = try await mirror.sql(try statement(of: try await mirror.syncctl("migrate")))
          try await mirror.succeed("migrate")
          try await mirror.succeed("run", "--stream", "top-anime")
          try await mirror.succeed("run", "--source", "shop")
          try await mirror.succeed("favorites", "add", "shop", "products", "3")
          try await recordNine(in: mirror)
          try await body(mirror)
          try await server.drop(mirror.database)
        }
      }
    }

    @Test("every command that needs the schema prints one statement; after it, verify finds no difference")
    func carriedOver() async throws {
      try await Self.withFilledMirror { mirror in
        let before = try await mirror.contents() + mirror.goods()
        var statements: Set<String> = []
        for command in [
          "run --stream top-anime", "run --source shop", "run --dry-run --stream top-anime", "migrate",
          "migrate --status", "migrate --dry-run", "verify", "status", "runs", "rankings jikan", "favorites list",
          "favorites add shop products 4", "report freshness",
        ] {
          statements.insert(
            try Self.statement(of: try await mirror.syncctl(command.split(separator: " ").map(String.init))))
        }
        // The worker logs the error, and doctor prints it as a finding.
        for command in ["worker", "doctor"] {
          let result = try await mirror.syncctl(command)
          #expect(result.end == .exit(78), "\(result.standardError)")
          statements.insert(try Self.statement(in: result.standardOutput + result.standardError))
        }
        #expect(statements.count == 1)
        #expect(try await mirror.sql("SELECT count(*) FROM sync.migration") == "9")
        #expect(try await mirror.contents() + mirror.goods() == before)

        let statement = try #require(statements.first)
        _ = try await mirror.server.psql(statement, database: mirror.database.name)
        try await mirror.succeed("migrate")
        #expect(
          try await mirror.sql("SELECT version, name FROM sync.migration ORDER BY version")
            == "1|baseline\n2|lists\n3|statistics")
        #expect(try await mirror.contents() + mirror.goods() == before)
        for source in ["jikan", "shop"] { try await Self.expectNoDifference(source, in: mirror) }
        let again = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
        let run = try #require(try mirror.runs(again)["top-anime"])
        #expect(run["inserted"]?.int == 0 && run["updated"]?.int == 0, "\(run)")
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 7])
      }
    }

    @Test("a backup of such a mirror is restored and then refused with the statement")
    func backup() async throws {
      try await Self.withFilledMirror { mirror in
        try await mirror.succeed("db", "backup", "mirror.dump")
        let dump = mirror.home.path + "/mirror.dump"
        let target = try await Mirror.make(.empty).asOwner.with(mirror.environment.filter { $0.key.contains("JIKAN") })
        let restored = try await target.syncctl("db", "restore", dump)
        let statement = try Self.statement(of: restored)
        #expect(restored.standardError.contains("restored into "))
        #expect(try await target.goods() == mirror.goods())
        _ = try await target.server.psql(statement, database: target.database.name)
        try await target.succeed("migrate")
        try await Self.expectNoDifference("jikan", in: target)
        #expect(try await target.contents() == mirror.contents())
        // The mirror that a restore replaces can be such a mirror, too.
        try await target.succeed("db", "backup", "new.dump")
        try await mirror.succeed("db", "restore", "--replace", target.home.path + "/new.dump")
        #expect(
          try await mirror.sql("SELECT version, name FROM sync.migration ORDER BY version")
            == "1|baseline\n2|lists\n3|statistics")
        try await target.server.drop(target.database)
      }
    }

    @Test("a backup with another record is refused, and nothing is restored")
    func otherBackup() async throws {
      let mirror = try Mirror.on(try await ThrowawayPostgres.shared(), try await Self.makeNine()).asOwner
      _ = try await mirror.sql("DELETE FROM sync.migration WHERE version = 6")
      try await mirror.succeed("db", "backup", "mirror.dump")
      let target = try await Mirror.make(.empty).asOwner
      let refused = try await target.syncctl("db", "restore", mirror.home.path + "/mirror.dump")
      refused.expectFailure(78, naming: "schema version 9", "nothing was changed", isQuiet: false)
      #expect(!refused.standardError.contains("WITH "))
      #expect(try await target.sql("SELECT to_regnamespace('sync') IS NULL") == "t")
    }
  }
}
