import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Upstreams that fail sometimes, for a while, at one page, or in unusual ways.
  @Suite struct FailingUpstreams {
    private static let items = DrillSize.number("SYNCCTL_TEST_ROWS", otherwise: 2000)
    private static let pages = items / 25
    private static let upstream = GeneratedJikan.plain(items)
    private static let undisturbed = Task { try await Undisturbed.walk(of: Self.upstream) }

    @Test func aFewServerErrorsAreTriedAgain() async throws {
      let expected = try await Self.undisturbed.value
      try await Mirror.with(Self.upstream, chaos: try Chaos("500=0.05", seed: 11)) { mirror, server in
        let result = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
        let run = try #require(try mirror.runs(result)["top-anime"])
        #expect(run["status"] == .string("complete"))
        let faults = server.history.records.count { $0.fault != nil }
        #expect(faults > 0)
        #expect(run["retries"]?.int == faults)
        #expect(server.history.count == expected.requests + faults)
        // Twice the 5 % leaves room for any seed.
        #expect(server.history.count <= Self.pages * 11 / 10 + 5)
        #expect(try await mirror.published() == expected.published)
        tell("5 % of 500: \(faults) faults, \(server.history.count) requests, \(result.duration.inSeconds)")
      }
    }

    @Test func thirtyPercentOfErrorsTakeSeveralRuns() async throws {
      let expected = try await Self.undisturbed.value
      try await Mirror.with(Self.upstream, chaos: try Chaos("503=0.3", seed: 11)) { mirror, server in
        var cursor = 0
        var runs: [String] = []
        while runs.count < Self.pages / 8 {
          let seen = server.history.count
          let result = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json")
          let run = try #require(try mirror.runs(result)["top-anime"])
          runs.append("\(result.end) with \(server.history.count - seen) requests in \(result.duration.inSeconds)")
          #expect(run["retries"]?.int ?? 99 <= 20)
          if result.end == .exit(0) { break }
          #expect(result.end == .exit(75), "\(result.standardError)")
          #expect(result.standardError.contains("fails too often"), "\(result.standardError)")
          let now = try #require(Int(try await mirror.sql("SELECT cursor FROM sync.stream_state")))
          #expect(now > cursor)
          cursor = now
        }
        tell("30 % of 503: \(runs.joined(separator: ", "))")
        #expect(runs.count > 1)
        #expect(try await mirror.published() == expected.published)
        #expect(try await mirror.totals() == expected.totals)
      }
    }

    @Test func aPageThatAlwaysFailsIsAHole() async throws {
      let upstream = GeneratedJikan.plain(500)
      try await Mirror.with(upstream, chaos: try Chaos("500@7")) { mirror, server in
        let result = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json")
        #expect(result.end == .exit(1), "\(result.standardError)")
        let run = try #require(try mirror.runs(result)["top-anime"])
        #expect(run["status"] == .string("partial"))
        #expect(run["certificate"]?["holes"] == .list([.number(7)]))
        #expect(result.standardError.contains("page 7"), "\(result.standardError)")
        #expect(try await mirror.sql("SELECT count(*), count(DISTINCT mal_id) FROM jikan.media") == "475|475")
        // A list with a hole is not published.
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "0")
        tell("page 7 always fails: \(server.history.count) requests, \(result.duration.inSeconds)")
      }
    }

    @Test func anOutageOfSecondsLeavesNoHole() async throws {
      let expected = try await Self.undisturbed.value
      try await Mirror.with(Self.upstream) { mirror, server in
        let result = try await mirror.syncctl("run", "--stream", "top-anime") { _ in
          try await server.waitForRequests(20, after: 0)
          await server.stop()
          // Longer than the shortest series of retries, so that pages fail for a while.
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
