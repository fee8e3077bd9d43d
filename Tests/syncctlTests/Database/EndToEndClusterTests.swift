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
        #expect(try await mirror.succeed("db", "psql", "--write", "-Xc", delete).standardOutput.hasPrefix("DELETE "))
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
