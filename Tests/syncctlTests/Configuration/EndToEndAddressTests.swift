import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Addresses {
    private static let schemas = """
      SELECT coalesce(string_agg(nspname, ' ' ORDER BY nspname), '') FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
      """
    private static let jobs = "jobs: [{ name: daily, source: jikan, streams: [top-anime], schedule: '@daily' }]\n"

    private static func shared(_ mirror: Mirror, _ name: String) throws -> [String: String] {
      let database = mirror.database
      let libpq = [
        "PGHOST": database.socketDirectory, "PGPORT": "\(database.port)", "PGUSER": database.user,
        "PGDATABASE": database.name,
      ]
      switch name {
      case "DATABASE_URL": return [name: database.url]
      case "PGHOST": return libpq
      default:
        let keywords = database.settingsKeywords.map { "\($0)=\($1)\n" }.joined()
        return ["PGSERVICE": "shop", "PGSERVICEFILE": try mirror.home.write("[shop]\n" + keywords, to: "services")]
      }
    }

    @Test(
      "only migrate creates a schema at an address that other programs read", .ownersAlone("migrates"),
      arguments: ["DATABASE_URL", "PGHOST", "PGSERVICE"])
    func sharedAddress(variable: String) async throws {
      try await Mirror.with(GeneratedJikan.plain(60), start: .empty) { fresh, server in
        _ = try fresh.home.write(Self.jobs, to: "syncctl.yaml")
        let mirror = fresh.with(["SYNCCTL_DATABASE_URL": ""]).with(try Self.shared(fresh, variable))
        for arguments in [
          ["run", "--stream", "top-anime"], ["run", "--dry-run", "--stream", "top-anime"], ["worker", "--once"],
          ["worker"], ["itunes", "search", "rain"], ["favorites", "list"],
        ] {
          let result = try await mirror.syncctl(arguments)
          #expect(result.end == .exit(78), "\(arguments): \(result.standardError)")
          for word in [fresh.database.name, "syncctl migrate", "SYNCCTL_DATABASE_URL"] {
            #expect(result.standardError.contains(word), "\(arguments): \(result.standardError)")
          }
        }
        let run = try await mirror.syncctl("run", "--stream", "top-anime")
        run.expectFailure(78, naming: variable, "syncctl migrate")
        #expect(try await mirror.sql(Self.schemas) == "")
        #expect(server.history.records.isEmpty)

        let migrated = try #require(try await mirror.follow(run, ["migrate": 0]).first)
        #expect(migrated.standardError.contains("database: \(fresh.database.name) at "))
        #expect(migrated.standardError.contains("(environment \(variable))"))
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
      }
    }

    @Test("a service file named in syncctl's own variable is an address for a mirror", .ownersAlone("migrates"))
    func serviceOfItsOwn() async throws {
      try await Mirror.with(GeneratedJikan.plain(60), start: .empty) { fresh, _ in
        let mirror = fresh.with(try Self.shared(fresh, "PGSERVICE"))
          .with(["PGSERVICE": "", "SYNCCTL_DATABASE_URL": "postgresql:///?service=shop"])
        let run = try await mirror.succeed("run", "--stream", "top-anime")
        #expect(run.standardError.contains("database: \(fresh.database.name) at "))
        #expect(run.standardError.contains("schema migrated to version "), "\(run.standardError)")
      }
    }

    @Test(
      "what fills the mirror or changes its schema names the database, and where its address comes from",
      .ownersAlone("has favorites"))
    func told() async throws {
      try await Mirror.with(GeneratedJikan.plain(60)) { mirror, _ in
        _ = try mirror.home.write(Self.jobs, to: "syncctl.yaml")
        let list = try mirror.home.write("collection,source,kind,id\nowned,jikan,anime,1\n", to: "list.csv")
        for arguments in [
          ["run", "--stream", "top-anime"], ["worker", "--once"], ["migrate"], ["verify", "--repair"],
        ] {
          let result = try await mirror.syncctl(arguments)
          let line =
            "database: \(mirror.database.name) at \(mirror.database.socketDirectory):\(mirror.database.port) as "
          let told = result.standardError.split(separator: "\n").filter { $0.contains(line) }
          #expect(told.count == 1, "\(arguments): \(result.standardError)")
          #expect(told.first?.hasSuffix("(environment SYNCCTL_DATABASE_URL)") == true, "\(arguments)")
        }
        for arguments in [
          ["status"], ["jobs", "trigger", "daily"], ["itunes", "search", "rain", "--offline"],
          ["itunes", "lookup", "1"],
          ["favorites", "import", list], ["favorites", "remove", "jikan", "anime", "1", "--collection", "owned"],
        ] {
          let result = try await mirror.syncctl(arguments)
          #expect(!result.standardError.contains("database:"), "\(arguments): \(result.standardError)")
        }
      }
    }

    @Test(
      "a schema of another owner is reported before anything is created", .ownersAlone("migrates"),
      arguments: ["app", "pokeapi", "sync"])
    func foreignSchema(name: String) async throws {
      let mirror = try await Mirror.make(.empty)
      _ = try await mirror.sql("CREATE SCHEMA \(name); CREATE TABLE \(name).customer (id integer)")
      for arguments in [["run", "--source", "jikan"], ["migrate"], ["migrate", "--dry-run"]] {
        let result = try await mirror.syncctl(arguments)
        result.expectFailure(
          78, naming: "schema \(name), which syncctl did not make", mirror.database.name,
          isQuiet: !arguments.contains("--dry-run"))
      }
      #expect(try await mirror.syncctl("doctor").standardOutput.contains("schema \(name), which syncctl did not make"))
      #expect(try await mirror.sql(Self.schemas) == name)
    }
  }
}
