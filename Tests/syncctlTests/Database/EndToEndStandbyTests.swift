import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Standbys {
    private static let questions = [
      ["rankings", "jikan", "--limit", "3"], ["favorites", "list"], ["favorites", "export"], ["status"], ["runs"],
      ["report", "freshness"], ["itunes", "history"], ["migrate", "--status"], ["health", "--stream", "top-anime"],
      ["jobs", "list"],
    ]
    private static let changes = [
      ["favorites", "add", "jikan", "anime", "1"], ["run", "--stream", "top-anime"],
      ["run", "--stream", "top-anime", "--dry-run"], ["migrate"], ["jobs", "pause", "one"],
    ]

    @Test func questionsAreAnsweredByAStandby() async throws {
      let server = try await ThrowawayPostgres.start()
      let primary = try Mirror.on(server, try await server.makeProductDatabase())
      try await SimulatorServer.withServer(GeneratedJikan.plain(50)) { upstream in
        _ = try await primary.with(upstream: upstream.baseURL).succeed("run", "--stream", "top-anime")
      }
      let ids = try await primary.sql("SELECT mal_id FROM jikan.media ORDER BY mal_id LIMIT 2").split(separator: "\n")
      let (first, second) = (String(try #require(ids.first)), String(try #require(ids.last)))
      try await primary.asOwner.succeed("favorites", "add", "jikan", "anime", first)
      let standby = try await server.startStandby()
      func mirror(_ ports: Int...) -> Mirror {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        let database = primary.database
        return primary.with([
          "SYNCCTL_DATABASE_URL": "postgresql://\(database.tcpUser)@\(hosts)/\(database.name)",
          "PGPASSWORD": database.tcpPassword,
        ])
      }
      let alone = mirror(standby.port)
      for question in Self.questions {
        let answer = try await alone.succeed(question)
        let there = try await primary.asOwner.syncctl(question)
        // The stream's age in the output of `health` changes.
        if question.first != "health" { #expect(answer.standardOutput == there.standardOutput, "\(question)") }
      }
      for change in Self.changes {
        try await alone.syncctl(change).expectFailure(
          74, naming: "session is read-only", "this server is read-only", "the primary", isQuiet: false)
      }
      try await alone.succeed("db", "backup", "\(alone.home.path)/mirror.dump")
      let offline = try await alone.syncctl("itunes", "search", "nothing", "--offline")
      #expect(offline.end == .exit(1) && offline.standardError.contains("not recorded in the history"))
      let verified = try await alone.succeed("verify", "--source", "jikan")
      let unkept = "the result was not stored in sync.verification: the server is read-only"
      #expect(verified.standardError.contains(unkept), "\(verified.standardError)")
      try await alone.browse { browser in
        for path in ["/", "/favorites", "/reports/freshness"] {
          #expect(try await browser.get(path).status == 200, "\(path)")
        }
        let form = "source=jikan&kind=anime&id=\(second)"
        let refused = try await browser.submit("/favorites", form, from: "/")
        #expect(refused.status == 503, "\(refused)")
        #expect(try await browser.get("/favorites").status == 200, "it still answers")
      }
      let doctor = try await alone.syncctl("doctor")
      #expect(doctor.end == .exit(0) && doctor.standardOutput.contains("read-only"), "\(doctor.standardOutput)")
      let both = mirror(standby.port, primary.database.tcpPort)
      try await both.succeed("favorites", "add", "jikan", "anime", second)
      let listed = try await both.syncctl("doctor")
      #expect(!listed.standardOutput.contains("read-only"), "\(listed.standardOutput)")
      try await server.kill()
      try await both.succeed("favorites", "list")
      try await standby.stop()
    }
  }
}
