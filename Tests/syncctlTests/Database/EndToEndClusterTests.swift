import Foundation
import PostgresTestKit
import SyncPostgres
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Cluster {
    static func with(_ body: (Mirror, _ folder: String) async throws -> Void) async throws {
      let folder = try ThrowawayFolders.make()
      let mirror = try await Mirror.make().with(["SYNCCTL_DATABASE_URL": "", "SYNCCTL_DATA_DIR": folder])
      let result: Result<Void, any Error>
      do { result = .success(try await body(mirror, folder)) } catch { result = .failure(error) }
      _ = try await mirror.syncctl("db", "stop")
      try ThrowawayFolders.remove(folder)
      try result.get()
    }

    @Test func whatIsNotThereIsNotGivenOut() async throws {
      try await Self.with { mirror, folder in
        try await mirror.syncctl("db", "url").expectFailure(78, naming: "no mirror yet in \(folder)", "syncctl run")
        try await mirror.syncctl("rankings", "jikan").expectFailure(78, naming: "no mirror yet in \(folder)")
        let stopped = try await mirror.syncctl("db", "stop")
        #expect(stopped.end == .exit(0) && stopped.standardOutput.hasPrefix("not set up"))
        let status = try JSONValue(try await mirror.syncctl("db", "status", "--format", "json").standardOutput)
        #expect(status.array?.first?["state"]?.text == "not set up" && status.array?.first?["url"]?.text == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      }
    }

    @Test func aQuestionStartsTheServer() async throws {
      try await Self.with { fresh, _ in
        try await SimulatorServer.withServer(GeneratedJikan.plain(100)) { server in
          let mirror = fresh.with(upstream: server.baseURL)
          try await mirror.succeed("run", "--stream", "top-anime")
          #expect(try await mirror.rows("db", "status").first?["state"] == .string("running"))
          #expect(try await mirror.syncctl("db", "stop").standardOutput == "stopped\n")
          #expect(try await mirror.syncctl("db", "stop").standardOutput == "not running\n")
          #expect(try await mirror.rows("rankings", "jikan", "--limit", "3").count == 3)
          try await mirror.succeed("db", "stop")
          let asked = try await mirror.shell(#"psql -XAtc 'SELECT 7' "$("$0" db url)""#)
          #expect(asked.standardOutput == "7\n", "\(asked.standardError)")
        }
      }
    }

    /// Environment variables that libpq or PostgreSQL's programs read. Most of these values prevent a connection.
    private static let hostile = [
      "PGOPTIONS": "-c search_path=nowhere -c statement_timeout=never", "PGTZ": "No/Where", "PGDATESTYLE": "never",
      "PGGEQO": "perhaps", "PGCLIENTENCODING": "LATIN1", "PGTARGETSESSIONATTRS": "standby", "PGSSLMODE": "hostile",
      "PGSSLMINPROTOCOLVERSION": "TLSv9", "PGSSLROOTCERT": "/nowhere", "PGSSLCERT": "/nowhere", "PGSSLKEY": "/nowhere",
      "PGGSSENCMODE": "require", "PGCHANNELBINDING": "require", "PGREQUIREPEER": "hostile", "PGREQUIREAUTH": "md5",
      "PGCONNECT_TIMEOUT": "soon", "PGAPPNAME": "hostile", "PGPASSWORD": "hostile", "PGPASSFILE": "/nowhere",
      "PGSERVICEFILE": "/nowhere", "PGSYSCONFDIR": "/nowhere", "PGLOADBALANCEHOSTS": "hostile", "PGDATA": "/nowhere",
      "PGCTLTIMEOUT": "0",
      // The following variables are empty, because syncctl would connect to the database that they name.
      "PGHOST": "", "PGHOSTADDR": "", "PGPORT": "", "PGUSER": "", "PGDATABASE": "", "PGSERVICE": "",
    ]

    @Test func variablesOfPostgresAreForOtherServers() async throws {
      try await Self.with { usual, _ in
        let mirror = usual.with(Self.hostile)
        let dump = mirror.home.path + "/mirror.dump"
        for arguments in [
          ["db", "start"], ["migrate"], ["status"], ["runs"], ["db", "backup", dump],
          ["db", "restore", "--replace", dump],
        ] { try await mirror.succeed(arguments) }
        let settings = """
          SELECT concat_ws(' ', name, setting) FROM pg_settings WHERE name ~ '^(DateS|Tim|cl|se|sta)' ORDER BY 1
          """
        let asked = try await mirror.succeed("db", "psql", "-XAtc", settings)
        #expect(asked.standardOutput == (try await usual.syncctl("db", "psql", "-XAtc", settings).standardOutput))
        #expect(asked.standardOutput.contains("client_encoding UTF8"))

        let delete = "DELETE FROM sync.stream_state"
        let refused = try await mirror.syncctl("db", "psql", "-Xc", delete)
        #expect(refused.standardError.contains("read-only transaction"), "\(refused.standardError)")
        for flag in ["--owner", "--write"] {
          #expect(try await mirror.succeed("db", "psql", flag, "-Xc", delete).standardOutput.hasPrefix("DELETE "))
        }
      }
    }

    @Test("no statement gives db psql more rights than syncctl_user, also after migrations and an earlier syncctl")
    func psqlHasTheRightsOfAUser() async throws {
      try await Self.with { mirror, folder in
        try await mirror.succeed("db", "start")
        try await mirror.syncctl("db", "psql", "-Xc", "SELECT 1").expectFailure(78, naming: "holds no mirror yet")
        // An earlier syncctl wrote these files, and the server keeps running.
        for (name, line) in [("pg_hba.conf", "local all syncctl peer map=syncctl"), ("pg_ident.conf", "")] {
          let file = "\(folder)/postgres/\(name)"
          let text = try String(contentsOfFile: file, encoding: .utf8)
          let known = text.split(separator: "\n").filter { !$0.contains("syncctl_psql") && !$0.hasPrefix("local") }
          try (known + [line[...], ""]).joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
        }
        try await mirror.succeed("migrate")
        _ = try await mirror.succeed("db", "psql", "--owner", "-XAtc", "SELECT pg_reload_conf()")

        func psql(_ statements: String...) async throws -> ProgramResult {
          let texts = ["SET default_transaction_read_only = off"] + statements
          return try await mirror.syncctl(
            ["db", "psql", "-XAtq", "-v", "ON_ERROR_STOP=1"] + texts.flatMap { ["-c", $0] })
        }
        let roles = try await psql("SELECT session_user, current_user, (SELECT count(*) FROM jikan.anime)")
        #expect(roles.standardOutput == "syncctl_psql|syncctl_psql|0\n", "\(roles.standardError)")
        let delete = "DELETE FROM jikan.ranking"
        for lift in [
          "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", "RESET ROLE", "SET ROLE NONE", "SET ROLE syncctl",
          "SET SESSION AUTHORIZATION syncctl", "RESET SESSION AUTHORIZATION", "SET ROLE syncctl_worker",
          "GRANT syncctl_worker TO syncctl_psql", "ALTER ROLE syncctl_psql SUPERUSER",
          "COPY (SELECT 1) TO PROGRAM 'true'", "CREATE EXTENSION dblink",
        ] {
          let result = try await psql(lift, delete)
          #expect(result.end == .exit(1), "\(lift)")
          #expect(result.standardError.contains("ERROR:"), "\(lift): \(result.standardError)")
        }
        let favorite =
          "INSERT INTO app.favorite (collection, source, kind, id) VALUES ('favorites', 'jikan', 'anime', 1)"
        #expect(try await psql(favorite).end == .exit(0))
        let guarded = try await mirror.syncctl("db", "psql", "-Xc", "DELETE FROM app.favorite")
        #expect(guarded.standardError.contains("read-only transaction"), "\(guarded.standardError)")

        let stale =
          "REVOKE SELECT ON ALL TABLES IN SCHEMA report FROM syncctl_user; UPDATE sync.function_set SET number = 0"
        try await mirror.succeed("db", "psql", "--owner", "-Xc", stale)
        try await mirror.succeed("migrate")
        #expect(try await psql("SELECT count(*) FROM report.studios").standardOutput == "0\n")
      }
    }

    @Test func clusterOfSomebodyElseIsRefused() async throws {
      try await Self.with { mirror, folder in
        #expect(try await mirror.syncctl("db", "start").end == .exit(0))
        #expect(try await mirror.syncctl("db", "stop").end == .exit(0))
        let files = ["syncctl.cluster", "syncctl.conf"].map { "\(folder)/postgres/\($0)" }
        for file in files { try FileManager.default.removeItem(atPath: file) }
        for command in ["rankings jikan", "status", "db status", "db start", "db stop", "db url", "run --max-pages 1"] {
          let result = try await mirror.shell("\"$0\" \(command)")
          #expect(result.end == .exit(78), "\(command)")
          #expect(result.standardError.contains("did not make"), "\(result.standardError)")
        }
        #expect(files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
      }
    }
  }
}
