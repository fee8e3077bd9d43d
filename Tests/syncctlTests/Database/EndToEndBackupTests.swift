import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Backup {
    @Test func mirrorMovesByItsBackup() async throws {
      try await Cluster.with { fresh, _ in
        let configured = try await Mirror.make(.empty)
        try await SimulatorServer.withServer(GeneratedJikan.plain(60)) { server in
          let embedded = fresh.with(upstream: server.baseURL)
          #expect(try await embedded.syncctl("run", "--stream", "top-anime").end == .exit(0))
          let first = try JSONValue(
            try await embedded.syncctl("rankings", "jikan", "--limit", "1", "--format", "json").standardOutput)
          let id = "\(first.array?.first?["mal_id"]?.int ?? 0)"
          #expect(
            try await embedded.syncctl("favorites", "add", "jikan", "anime", id, "--note", "twice").end == .exit(0))
          let file = configured.home.path + "/mirror.dump"
          let written = try await embedded.syncctl("db", "backup", file)
          #expect(written.end == .exit(0) && written.standardOutput.isEmpty, "\(written.standardError)")
          try await embedded.syncctl("db", "backup", file).expectFailure(64, naming: file, "--force")

          let target = configured.asOwner.with(upstream: server.baseURL)
          try await target.succeed("db", "restore", file)
          try await target.syncctl("db", "restore", file).expectFailure(86, naming: "--replace")
          for question in ["favorites list", "rankings jikan", "rankings history anime \(id)", "runs"] {
            let question = question + " --format json"
            let asked = try await target.shell("\"$0\" \(question)")
            #expect(asked.end == .exit(0) && !asked.standardOutput.isEmpty, "\(question): \(asked.standardError)")
            let before = try await embedded.shell("\"$0\" \(question)")
            // `duration_seconds` of a current rank grows each second, so the test ignores it.
            let lasting = /"duration_seconds": ?[0-9]+(?![0-9.])/
            #expect(
              asked.standardOutput.replacing(lasting, with: "") == before.standardOutput.replacing(lasting, with: ""),
              "\(question)")
          }
          let again = try await target.syncctl("run", "--stream", "top-anime", "--format", "json")
          #expect(try target.runs(again)["top-anime"]?["inserted"]?.int == 0)
          #expect(try await embedded.syncctl("favorites", "remove", "jikan", "anime", id).end == .exit(0))
          _ = try await target.shell("\"$0\" db backup - > pipe.dump")
          try await embedded.succeed(["db", "restore", "--replace", target.home.path + "/pipe.dump"])
          #expect(try await embedded.syncctl("favorites", "list").standardOutput.contains("twice"))
        }
      }
    }

    @Test func standardInputIsRestored() async throws {
      let source = try await Mirror.make().asOwner
      let target = try await Mirror.make(.empty).asOwner
      let moved = try await target.shell(
        "SYNCCTL_DATABASE_URL='\(source.database.url)' \"$0\" db backup - | \"$0\" db restore -")
      #expect(moved.end == .exit(0), "\(moved.standardError)")
      #expect(try await target.sql("SELECT count(*) > 0 FROM sync.migration") == "t")
      // A backup contains no rights, so every role can call the restored functions until `roles.sql` is applied.
      try await target.server.grant(in: target.database)
      let callable = """
        SELECT count(*), count(*) FILTER (WHERE has_function_privilege('syncctl_reader', p.oid, 'EXECUTE'))
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname IN ('jikan', 'pokeapi', 'itunes') AND p.prosecdef
        """
      #expect(try await target.sql(callable) == "3|0")
    }

    @Test func whatCannotBeRestoredIsTold() async throws {
      let mirror = try await Mirror.make(.empty).asOwner
      try await mirror.syncctl("db", "restore", "nothing.dump").expectFailure(64, naming: "nothing.dump")
      try await mirror.syncctl("db", "backup", "new.dump").expectFailure(78, naming: "no mirror yet")
      let text = try mirror.home.write("SELECT 1;\n", to: "text.sql")
      try await mirror.syncctl("db", "restore", text).expectFailure(74, naming: "archive", "nothing was changed")
      try await mirror.syncctl("db", "upgrade").expectFailure(78, naming: "SYNCCTL_DATABASE_URL")
      #expect(try FileManager.default.contentsOfDirectory(atPath: mirror.home.path) == ["text.sql"])
    }
  }
}
