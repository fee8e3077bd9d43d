import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Upkeeps {
    @Test func aRunDeletesWhatIsOldAndAnalyzesItsFirstLoad() async throws {
      try await Mirror.with(GeneratedJikan.plain(50)) { mirror, _ in
        func run(_ variables: [String: String] = [:]) async throws -> ProgramResult {
          try await mirror.asOwner.with(variables).succeed("run", "--stream", "top-anime")
        }
        func oldRuns() async throws -> String {
          try await mirror.sql("SELECT count(*) FROM sync.run WHERE started_at < now() - interval '300 days'")
        }
        _ = try await run()
        #expect(
          try await mirror.sql("SELECT count(*) > 0 FROM pg_stats WHERE schemaname = 'jikan' AND tablename = 'media'")
            == "t")
        _ = try await mirror.sql(
          """
          INSERT INTO sync.run (source, stream, walk_id, status, started_at)
          SELECT source, stream, 0, 'failed', now() - interval '350 days' FROM sync.stream_state
          """)
        _ = try await run()
        #expect(try await oldRuns() == "1")
        let shorter = try await run(["SYNCCTL_RETENTION_RUNS": "340d"])
        #expect(shorter.standardError.contains("retention.runs is now 340 days, before: 400 days"))
        #expect(try await oldRuns() == "0")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.run") == "3")
      }
    }
  }
}
