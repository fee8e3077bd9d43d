import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Faults around syncctl, each with its error line and exit status.
  @Suite struct Faults {
    /// A distinctive text, so that a leak is found.
    private static let canary = "canary-pa55-url"

    // MARK: Database

    @Test func noServerBinaries() async throws {
      let fresh = try await Mirror.make()
      let mirror = fresh.with([
        "SYNCCTL_DATABASE_URL": "", "SYNCCTL_DATA_DIR": fresh.home.path + "/data", "SYNCCTL_PG_BINDIR": fresh.home.path,
      ])
      let result = try await mirror.syncctl("run", "--source", "jikan")
      result.expectFailure(74, naming: "PostgreSQL", "initdb", "install")
      let doctor = try await mirror.syncctl("doctor", "--format", "json")
      #expect(doctor.end == .exit(74))
      let first = try #require(try JSONValue(doctor.standardOutput).array?.first)
      #expect(first["check"]?.text == "PostgreSQL" && first["finding"]?.text?.contains("install") == true)
    }

    @Test(.enabled(if: ClosedFolder.exists, "root needs /sys for a folder that is closed to it"))
    func unwritableDataFolder() async throws {
      let mirror = try await Mirror.make()
      let folder = try ClosedFolder.path(in: mirror.home.path)
      let result = try await mirror.with([
        "SYNCCTL_DATABASE_URL": "", "SYNCCTL_DATA_DIR": folder, "SYNCCTL_JIKAN_BASE_URL": "http://127.0.0.1:9/v1",
      ]).syncctl("run", "--source", "jikan")
      result.expectFailure(77, naming: folder, "SYNCCTL_DATA_DIR")
    }

    @Test func fileInPlaceOfTheDataFolder() async throws {
      let mirror = try await Mirror.make()
      let file = try mirror.home.write("not a folder", to: "file")
      let result = try await mirror.with([
        "SYNCCTL_DATABASE_URL": "", "SYNCCTL_DATA_DIR": file, "SYNCCTL_JIKAN_BASE_URL": "http://127.0.0.1:9/v1",
      ]).syncctl("run", "--source", "jikan")
      result.expectFailure(78, naming: file, "SYNCCTL_DATA_DIR")
    }

    @Test(arguments: ["wrong-canary", ""]) func wrongPassword(password: String) async throws {
      let mirror = try await Mirror.make()
      let database = mirror.database
      let url = "postgresql://\(database.tcpUser)@127.0.0.1:\(database.tcpPort)/\(database.name)"
      let result = try await mirror.with(["SYNCCTL_DATABASE_URL": url, "PGPASSWORD": password])
        .syncctl("run", "--source", "jikan")
      #expect(!result.standardError.contains("wrong-canary"))
      result.expectFailure(77, naming: database.tcpUser, "password")
    }

    @Test func databaseDown() async throws {
      let mirror = try await Mirror.make()
      let port = try await SimulatorServer.withServer(HandmadeList(items: []).upstream) { $0.port }
      let url = "postgresql://reader:\(Self.canary)@127.0.0.1:\(port)/mirror"
      let result = try await mirror.with(["SYNCCTL_DATABASE_URL": url]).syncctl("status")
      #expect(!result.standardError.contains(Self.canary))
      result.expectFailure(74, naming: "127.0.0.1", "\(port)", "SYNCCTL_DATABASE_URL")
    }

    @Test func databaseThatDoesNotExist() async throws {
      let mirror = try await Mirror.make()
      let url = mirror.database.productURL.replacing(mirror.database.name, with: "nowhere")
      let result = try await mirror.with(["SYNCCTL_DATABASE_URL": url]).syncctl("run", "--source", "jikan")
      result.expectFailure(78, naming: "nowhere", "createdb")
    }

    @Test func databaseOfAnotherEncoding() async throws {
      let server = try await ThrowawayPostgres.shared()
      let mirror = try Mirror.on(server, try await server.makeDatabase(encoding: "LATIN1"))
      let result = try await mirror.syncctl("run", "--source", "jikan")
      result.expectFailure(78, naming: "LATIN1", "UTF8")
    }

    @Test func databaseWithoutAMirror() async throws {
      let result = try await Mirror.make(.empty).syncctl("rankings", "jikan")
      result.expectFailure(78, naming: "no mirror yet", "syncctl run")
    }

    @Test(arguments: [true, false]) func tableThatDropsRows(isRule: Bool) async throws {
      let mirror = try await Mirror.make()
      _ = try await mirror.sql(
        isRule
          ? "CREATE RULE ignores AS ON INSERT TO jikan.media DO INSTEAD NOTHING"
          : """
          CREATE FUNCTION drops() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
          CREATE TRIGGER drops BEFORE INSERT ON jikan.media FOR EACH ROW EXECUTE FUNCTION drops()
          """)
      try await SimulatorServer.withServer(GeneratedJikan.plain(225)) { server in
        let result = try await mirror.with(upstream: server.baseURL).syncctl("run", "--stream", "top-anime")
        result.expectFailure(
          78, naming: isRule ? "rule ignores on jikan.media" : "trigger drops on jikan.media", isQuiet: false)
        #expect(!result.standardOutput.contains("inserted"))
        let row = try await mirror.sql(
          "SELECT status, inserted, error IS NOT NULL, (SELECT count(*) FROM jikan.ranking) FROM sync.run")
        #expect(row == "failed|0|t|0")
      }
    }

    // MARK: Upstream

    @Test func upstreamDown() async throws {
      let mirror = try await Mirror.make()
      let down = try await SimulatorServer.withServer(HandmadeList(items: []).upstream) { $0.baseURL }
      let result = try await mirror.with(upstream: down).syncctl("run", "--stream", "top-anime")
      result.expectFailure(69, naming: down, "cannot connect", isQuiet: false)
      let row = try await mirror.sql("SELECT status, error IS NOT NULL, finished_at IS NOT NULL FROM sync.run")
      #expect(row == "failed|t|t")
    }

    /// Bad answers of an upstream, and words of their errors.
    static let badAnswers: [(answer: SimulatedAnswer, words: String)] = [
      (
        SimulatedAnswer(
          headers: [HeaderField("Content-Type", "text/html")], body: Array("<html>\u{1B}[2J down</html>".utf8)), "HTML"
      ),
      (.json(#"{"data": [{"mal_id": 1,"#), "no page"),
      (.json(#"{"status":404,"message":"gone"}"#, status: 404), "404"),
      (SimulatedAnswer(headers: [HeaderField("Content-Length", "10000000000")], body: [0x7B]), "10000000000"),
      (SimulatedAnswer(status: 301, headers: [HeaderField("Location", "https://elsewhere.example/v4")]), "redirects"),
      (.json(#"{"type":"BadResponse","message":"MyAnimeList is down"}"#, status: 503), "503"),
    ]

    @Test(arguments: badAnswers.indices) func badAnswer(index: Int) async throws {
      let (answer, words) = Self.badAnswers[index]
      try await Mirror.with(ScriptedUpstream { _ in answer }) { fresh, server in
        let result = try await fresh.syncctl("run", "--stream", "top-anime")
        result.expectFailure(69, naming: words, isQuiet: false)
        #expect(!result.standardError.contains("\u{1B}"))
        // At most four attempts, and never a body of 10 GB.
        #expect(server.history.count <= 4)
      }
    }

    // MARK: Command line and configuration

    @Test func usage() async throws {
      let mirror = try await Mirror.make()
      for (arguments, hint) in [
        (["run", "--source", "jikn"], "did you mean jikan?"),
        (["run", "--stream", "top-anme"], "did you mean top-anime?"), (["run", "--max-pages", "0"], "--max-pages"),
        (["rankings", "jikan", "--kind", "book"], "anime"), (["rankings", "jikan", "--sort", "size"], "popularity"),
        (["rankings", "jikan", "--limit", "100001"], "--limit"), (["favorites", "add", "jikan", "book", "1"], "manga"),
        (["report", "freshnes"], "did you mean freshness?"),
      ] { try await mirror.syncctl(arguments).expectFailure(64, naming: hint) }
    }

    @Test func parserUsage() async throws {
      let mirror = try await Mirror.make()
      for arguments in [["rnu"], ["run", "--no-such-flag"], ["run", "--max-pages", "many"]] {
        let result = try await mirror.syncctl(arguments)
        #expect(result.end == .exit(64) && result.standardOutput.isEmpty, "\(result.standardError)")
        #expect(result.standardError.lowercased().hasPrefix("error:"))
      }
    }

    @Test(arguments: [
      ("sources: [", "YAML"), ("database: { urll: x }\n", "did you mean url?"),
      ("sources:\n  jikan: { base_url: \"https://u:\(canary)@api.example/v1\" }\n", "password"),
    ]) func configurationFile(text: String, hint: String) async throws {
      let mirror = try await Mirror.make()
      _ = try mirror.home.write(text, to: "syncctl.yaml")
      let result = try await mirror.syncctl("run", "--source", "jikan")
      result.expectFailure(78, naming: hint)
      #expect(!result.standardError.contains(Self.canary))
    }

    @Test func passwordIsNeverShown() async throws {
      let fresh = try await Mirror.make()
      let database = fresh.database
      try await SimulatorServer.withServer(HandmadeList(items: []).upstream) { server in
        let password = database.tcpPassword
        let url = "postgresql://\(database.tcpUser):\(password)@127.0.0.1:\(database.tcpPort)/\(database.name)"
        let mirror = fresh.with(upstream: server.baseURL).with(["SYNCCTL_DATABASE_URL": url])
        for arguments in [
          ["config"], ["config", "--format", "json"], ["doctor"], ["doctor", "--format", "json"],
          ["run", "--source", "jikan"], ["status"], ["db", "status"],
        ] {
          let result = try await mirror.syncctl(arguments)
          #expect(!result.standardOutput.contains(password), "\(arguments)")
          #expect(!result.standardError.contains(password), "\(arguments)")
        }
        let broken = mirror.with(["SYNCCTL_DATABASE_URL": "postgresql://u:\(password)@[::1/x"])
        for arguments in [["config"], ["doctor"], ["run", "--source", "jikan"]] {
          let result = try await broken.syncctl(arguments)
          #expect(!(result.standardOutput + result.standardError).contains(password), "\(arguments)")
        }
      }
    }

    // MARK: Output

    @Test func outputThatNobodyTakes() async throws {
      try await Mirror.with(GeneratedJikan.plain(1000)) { mirror, _ in
        _ = try await mirror.syncctl("run", "--stream", "top-anime")
        let piped = try await mirror.shell(
          #"{ "$0" rankings jikan --limit 1000 --format csv; echo "status $?" >&2; } | head -n 1"#)
        #expect(piped.end == .exit(0))
        #expect(piped.standardError == "status 0\n")
        #expect(piped.standardOutput.hasPrefix("position,"))
        #expect(piped.standardOutput.split(separator: "\n").count == 1)
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        for format in ["table", "csv", "json", "ndjson"] {
          let full = try await mirror.shell(#""$0" rankings jikan --format \#(format) > /dev/full"#)
          #expect(full.end == .exit(74), "\(full.standardError)")
          #expect(full.errorLines.count == 1, "\(full.standardError)")
          #expect(full.standardError.contains("standard output"))
        }
      }
    }
  }
}
