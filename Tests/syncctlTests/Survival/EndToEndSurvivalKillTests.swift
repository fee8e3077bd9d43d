import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Kills {
    @Test func killStormEndsLikeAnUndisturbedWalk() async throws {
      let kills = DrillSize.kills
      var settings = JikanSettings(items: DrillSize.rows)
      // With repeats, the test notices a page that is counted twice.
      settings.repeats = 0.01
      let upstream = GeneratedJikan(settings)
      let expected = try await Undisturbed.walk(of: upstream)
      // The program reads a few more pages before each kill takes effect. A third of the pages is a reserve for this.
      let longestLife = max(1, expected.requests * 2 / 3 / kills)
      var random = SeededGenerator(seed: testSeed)
      // The database is not migrated, so kills can hit the migrations too.
      let start = ContinuousClock.now
      try await Mirror.with(upstream, start: .unmigrated) { mirror, server in
        var killed = 0
        while killed < kills {
          let requests = Int.random(in: 0...longestLife, using: &random)
          let delay = Duration.microseconds(Int.random(in: 0...40_000, using: &random))
          let seen = server.history.count
          let result = try await mirror.syncctl("run", "--stream", "top-anime") { program in
            try await server.waitForRequests(requests, after: seen)
            try await letPass(delay)
            program.signal(SIGKILL)
          }
          guard result.end == .signal(SIGKILL) else {
            #expect(result.end == .exit(0), "seed \(testSeed), after \(killed) kills: \(result.standardError)")
            break
          }
          killed += 1
          try await mirror.expectWholePages("seed \(testSeed), kill \(killed)")
        }
        #expect(killed * 2 >= kills, "too few kills came in time to test anything")
        try await expectNoTrace(of: killed, in: mirror, expected, server, since: start)
      }
    }

    private func expectNoTrace(
      of killed: Int, in mirror: Mirror, _ expected: Undisturbed, _ server: SimulatorServer,
      since start: ContinuousClock.Instant
    ) async throws {
      if try await mirror.sql("SELECT count(*) FROM sync.run WHERE status = 'complete'") == "0" {
        let last = try await mirror.syncctl("run", "--stream", "top-anime")
        #expect(last.end == .exit(0), "seed \(testSeed): \(last.standardError)")
      }
      // A killed process can lose the 32 uncommitted pages in its queue. The next process requests these pages again.
      let bound = expected.requests + 32 * killed
      tell(
        "kills: seed \(testSeed), \(killed) kills, \(server.history.count) requests (\(expected.requests) undisturbed, "
          + "bound \(bound)), \((ContinuousClock.now - start).inSeconds)")
      #expect(server.history.count <= bound, "seed \(testSeed)")
      #expect(try await mirror.published() == expected.published, "seed \(testSeed)")
      #expect(try await mirror.totals() == expected.totals, "seed \(testSeed)")
      let runs = try await mirror.sql(
        """
        SELECT count(*) FILTER (WHERE status = 'interrupted') <= \(killed), count(*) FILTER (WHERE status = 'complete'),
          count(*) FILTER (WHERE status NOT IN ('interrupted', 'complete')),
          count(*) FILTER (WHERE finished_at < started_at OR (status = 'complete' AND finished_at IS NULL)),
          (SELECT status FROM sync.run ORDER BY started_at DESC LIMIT 1)
        FROM sync.run
        """)
      #expect(runs == "t|1|0|0|complete", "seed \(testSeed)")
    }
  }
}
