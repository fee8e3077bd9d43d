import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Faults {
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
      }
    }

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
