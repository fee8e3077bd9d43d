import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Stops {
    private static let items = 200
    private static let pages = 8

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signalKeepsTheCheckpoint(signal: Int32, status: Int32) async throws {
      let gate = Gate()
      let upstream = GeneratedJikan.plain(Self.items)
      try await Mirror.with(upstream.waiting(from: 4, at: gate)) { mirror, _ in
        defer { gate.open() }
        let stopped = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json") { program in
          // The run requests page 4 while it writes page 3, so the test also waits for the commit of page 3.
          try await waitUntil("the request for page 4") { gate.arrivals > 0 }
          try await waitUntil("page 3") { try await mirror.sql("SELECT cursor FROM sync.stream_state") == "3" }
          program.signal(signal)
        }
        #expect(stopped.end == .exit(status), "\(stopped.standardError)")
        #expect(stopped.standardError.contains("stopping"))
        let rows = try await mirror.sql(
          """
          SELECT r.status, r.pages, r.finished_at IS NOT NULL, s.cursor, s.lease_owner IS NULL
          FROM sync.run r, sync.stream_state s
          """)
        #expect(rows == "interrupted|3|t|3|t")

        gate.open()
        #expect(try await mirror.onlyRun()["pages"]?.int == Self.pages - 3)
        let undisturbed = try await Undisturbed.walk(of: upstream)
        #expect(try await mirror.published() == undisturbed.published)
      }
    }

    @Test func aStreamThatIsHeldDoesNotStopTheOthers() async throws {
      try await Mirror.with(GeneratedJikan.plain(30)) { mirror, _ in
        #expect(try await mirror.syncctl("run", "--source", "jikan").end == .exit(0))
        _ = try await mirror.sql(
          """
          UPDATE sync.stream_state SET lease_owner = '{"worker": 7}', lease_expires_at = now() + interval '1 hour'
          WHERE stream = 'top-anime'
          """)
        let result = try await mirror.syncctl("run", "--source", "jikan", "--format", "json")
        #expect(result.end == .exit(1))
        #expect(try mirror.runs(result).keys.sorted() == ["top-manga"])
        #expect(try mirror.runs(result)["top-manga"]?["status"] == .string("complete"))
        #expect(result.errorLines.count == 1 && result.standardError.contains("top-anime is being run by"))

        _ = try await mirror.sql(
          """
          UPDATE sync.stream_state SET lease_owner = '{"worker": 7}',
            lease_expires_at = now() + interval '1 hour' * CASE stream WHEN 'top-anime' THEN 1 ELSE 2 END
          """)
        let held = try await mirror.syncctl("run", "--source", "jikan")
        held.expectFailure(75, naming: "2 streams of jikan: each is being run by", isQuiet: false)
      }
    }

    @Test func aPauseThatAServiceDemandsIsOneError() async throws {
      let throttled = ScriptedUpstream { _ in
        SimulatedAnswer(status: 429, headers: [HeaderField("Retry-After", "2000")])
      }
      try await Mirror.with(throttled) { mirror, server in
        let result = try await mirror.syncctl("run", "--source", "jikan")
        result.expectFailure(75, naming: "2 streams of jikan: ", "it allows the next request at ", isQuiet: false)
        #expect(server.history.records.count == 1)
      }
    }
  }
}
