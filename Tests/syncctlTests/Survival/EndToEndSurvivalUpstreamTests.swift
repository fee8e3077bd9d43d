import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct FailingUpstreams {
    private static let items = DrillSize.number("SYNCCTL_TEST_ROWS", otherwise: 2000)
    private static let upstream = GeneratedJikan.plain(items)
    private static let undisturbed = Task { try await Undisturbed.walk(of: Self.upstream) }

    @Test func anOutageOfSecondsLeavesNoHole() async throws {
      let expected = try await Self.undisturbed.value
      try await Mirror.with(Self.upstream) { mirror, server in
        let result = try await mirror.syncctl("run", "--stream", "top-anime") { _ in
          try await server.waitForRequests(20, after: 0)
          await server.stop()
          // The outage is longer than the shortest series of retries, so some pages fail.
          try await letPass(.seconds(3))
          try await server.start()
        }
        tell("upstream down for 3 s: \(result.end), \(server.history.count) requests, \(result.duration.inSeconds)")
        #expect(result.end == .exit(0), "\(result.standardError)")
        #expect(try await mirror.published() == expected.published)
        #expect(try await mirror.totals() == expected.totals)
      }
    }

    @Test func brokenAnswersAreNeverTakenForPages() async throws {
      let expected = try await Self.undisturbed.value
      let faults = ["reset", "cut", "cut-chunked", "gzip-truncated", "gzip-crc", "gzip-plain", "html", "invalid-json"]
      let bursts = faults.map { "\($0)=0.015" }.joined(separator: ",")
      try await Mirror.with(Self.upstream, chaos: try Chaos(bursts, seed: 5)) { mirror, server in
        let result = try await mirror.syncctl("run", "--stream", "top-anime")
        let met = Set(server.history.records.compactMap(\.fault))
        tell("broken answers: \(met.sorted()), \(server.history.count) requests, \(result.duration.inSeconds)")
        #expect(result.end == .exit(0), "\(result.standardError)")
        #expect(try await mirror.published() == expected.published)
        #expect(try await mirror.totals() == expected.totals)
      }
    }
  }
}
