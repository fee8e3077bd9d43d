import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Drills that take a minute because the tested limits are minutes long; run with `SYNCCTL_TEST_LONG=1`.
  @Suite(.enabled(if: DrillSize.isLong, "SYNCCTL_TEST_LONG=1 runs it"))
  struct LongOutages {
    @Test func aMinuteWithoutTheUpstream() async throws {
      try await expectComplete(chaos: "down@2s-62s", items: 6000) { run, _ in
        // Long enough for the breaker to open: after its pause one probe is sent, not four attempts for each page.
        #expect(run["retries"]?.int ?? 99 <= 20)
      }
    }

    @Test(arguments: ["drip@0s-30s:1s", "hang@0s-30s"])
    func answersThatDoNotComeInTimeAreGivenUp(chaos: String) async throws {
      try await expectComplete(chaos: chaos, items: 1000) { run, result in
        // The first request takes its full minute, the second is answered.
        #expect(run["retries"]?.int == 1)
        #expect(result.duration > .seconds(59))
        #expect(result.duration < .seconds(120))
      }
    }

    private func expectComplete(
      chaos: String, items: Int, _ check: (_ run: JSONValue, _ result: ProgramResult) throws -> Void
    ) async throws {
      let upstream = GeneratedJikan.plain(items)
      let expected = try await Undisturbed.walk(of: upstream)
      try await Mirror.with(upstream, chaos: try Chaos(chaos)) { mirror, server in
        let result = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json")
        tell("\(chaos): \(result.end), \(server.history.count) requests, \(result.duration.inSeconds)")
        #expect(result.end == .exit(0), "\(result.standardError)")
        let run = try #require(try mirror.runs(result)["top-anime"])
        #expect(run["status"] == .string("complete"))
        try check(run, result)
        #expect(try await mirror.published() == expected.published)
        #expect(try await mirror.totals() == expected.totals)
      }
    }
  }
}
