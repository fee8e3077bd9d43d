import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Generated {
    private static let anime = DrillSize.number("SYNCCTL_TEST_ROWS", otherwise: 12_000)
    private static let manga = 2_000

    @Test func longListFitsIntoSmallMemory() async throws {
      var settings = JikanSettings(items: Self.anime)
      settings.mangaItems = Self.manga
      let fresh = try await Mirror.make()
      try await SimulatorServer.withServer(GeneratedJikan(settings)) { server in
        // Under /v1, the simulator answers like jikan-rest's successor, with larger pages.
        let mirror = fresh.with(["SYNCCTL_JIKAN_BASE_URL": server.baseURL + "/v1"])
        let peak = Changing(0)
        let first = try await mirror.syncctl("run", "--source", "jikan", "--format", "json") {
          peak.value = try await $0.peakOwnMemory()
        }
        #expect(first.end == .exit(0), "\(first.standardError)")
        #expect(peak.value < 32 << 20, "peak \(peak.value) bytes")
        #if os(Linux)
          #expect(peak.value > 0)
        #endif
        for (stream, run) in try mirror.runs(first) {
          let count = stream == "top-anime" ? Self.anime : Self.manga
          #expect(run["status"] == .string("complete"))
          #expect(run["inserted"]?.int == count)
          #expect(run["duplicates"]?.int ?? 0 > 0)
          #expect(run["certificate"]?["distinct_keys"]?.int == count)
        }
        let counts = try await mirror.sql(
          """
          SELECT (SELECT count(DISTINCT mal_id) FROM jikan.anime), (SELECT count(*) FROM jikan.manga),
                 (SELECT count(*) FROM jikan.ranking), (SELECT count(*) FROM jikan.media_counters)
          """)
        let all = Self.anime + Self.manga
        #expect(counts == "\(Self.anime)|\(Self.manga)|\(all)|\(all)")
      }
    }

    /// The real list of jikan-rest has repeated an item for years.
    @Test func aListWithAnItemTwiceIsFresh() async throws {
      let ids = Array(1...25) + Array(25...99)
      let list = HandmadeList(items: try ids.map { try HandmadeList.item($0, title: "Title \($0)") })
      let upstream = ScriptedUpstream { $0.path == "/beat" ? .json("{}") : list.answer($0) }
      try await Mirror.with(upstream) { fresh, server in
        let mirror = fresh.with(["SYNCCTL_HEARTBEAT_URL": server.baseURL + "/beat"])
        func asked(_ path: String) -> Int { server.history.records.count { $0.path == path } }
        let health = ["health", "--stream", "top-anime", "--format", "json"]
        for isFirst in [true, false] {
          let before = (asked("/v4/top/anime"), asked("/beat"))
          let result = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
          let run = try #require(try mirror.runs(result)["top-anime"])
          #expect(run["status"] == .string("inconsistent"))
          #expect(result.standardError.contains("1 item is listed twice by the upstream") == !isFirst)
          #expect(result.standardError.contains("the list moved") == isFirst)
          #expect((asked("/v4/top/anime") - before.0 == 4) == !isFirst, "\(result.standardError)")
          #expect(asked("/beat") == before.1 + 1)
          let probe = try await mirror.syncctl(health)
          #expect(probe.end == .exit(0), "\(probe.standardOutput)")
        }
        let state = try await mirror.objects("SELECT * FROM sync.stream_freshness")
        #expect(state.first?["consistent_at"] == .null && state.first?["whole_at"]?.text != nil)
      }
    }
  }
}
