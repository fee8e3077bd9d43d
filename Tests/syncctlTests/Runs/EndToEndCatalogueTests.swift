import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Catalogues that are longer than the service's accessible pages.
  @Suite struct Catalogues {
    /// From one end, 1000 pages of 50 do not reach all 85,000 manga; fewer items and fewer pages behave alike.
    private static var items: Int { max(850, DrillSize.number("SYNCCTL_TEST_CATALOGUE", otherwise: 3400)) }

    @Test func everythingBehindThePageCapIsMirrored() async throws {
      let fresh = try await Mirror.make()
      var settings = JikanSettings(items: 0)
      settings.mangaItems = Self.items
      settings.pageCap = Self.items >= 85_000 ? nil : Self.items * 10 / 17 / 50
      let jikan = GeneratedJikan(settings)
      try await SimulatorServer.withServer(jikan) { server in
        let mirror = fresh.with([
          "SYNCCTL_JIKAN_PROVIDER": "tenrai", "SYNCCTL_JIKAN_BASE_URL": server.baseURL + "/v1",
        ])
        let clock = ContinuousClock()
        let start = clock.now
        let result = try await mirror.syncctl("run", "--stream", "manga-catalog", "--format", "json")
        let duration = clock.now - start
        #expect(result.end == .exit(0), "\(result.standardError)")
        let run = try #require(try mirror.runs(result)["manga-catalog"])
        #expect(run["status"] == .string("complete"))
        #expect(run["inserted"]?.int == Self.items && run["vanished"]?.int == 0)
        #expect(run["certificate"]?["ended_by"] == .string("parts_met"))
        #expect(run["certificate"]?["distinct_keys"]?.int == Self.items)
        let mirrored = try await mirror.sql("SELECT mal_id FROM jikan.manga WHERE vanished_at IS NULL ORDER BY mal_id")
        #expect(mirrored.split(separator: "\n").compactMap { Int($0) } == jikan.ids(.manga).sorted())
        // The walk has read both ends, including the items that only the other end contains.
        let asked = server.history.records
        #expect(asked.contains { $0.query.contains("sort=asc") } && asked.contains { $0.query.contains("sort=desc") })
        let refused = asked.count { $0.status == 400 }
        // Requests for several pages find the unknown cap, so that no reachable page is lost.
        #expect(refused <= 10)
        tell(
          "\(Self.items) manga, pages up to \(settings.pageCap ?? JikanSettings.successorPageCap): \(asked.count) "
            + "requests (\(refused) refused), \(duration.inSeconds)")
      }
    }

    /// A self-hosted Jikan of which only the address is configured: pages have 25 items instead of the requested 50.
    @Test func fewerItemsPerPageThanRequested() async throws {
      let fresh = try await Mirror.make()
      let jikan = GeneratedJikan(JikanSettings(items: 300))
      try await SimulatorServer.withServer(PagesOf25(jikan: jikan)) { server in
        let mirror = fresh.with(["SYNCCTL_JIKAN_BASE_URL": server.baseURL + "/v4"])
        let result = try await mirror.syncctl("run", "--stream", "anime-catalog", "--format", "json")
        let run = try #require(try mirror.runs(result)["anime-catalog"])
        #expect(result.end == .exit(0) && run["status"] == .string("complete"), "\(result.standardError)")
        #expect(run["inserted"]?.int == 300 && run["certificate"]?["rewalked"]?.int == 0)
        #expect(server.history.records.count { $0.query.contains("&page=1&") } == 1)
      }
    }

    private struct PagesOf25: SimulatedUpstream {
      let jikan: GeneratedJikan

      func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
        var request = request
        request.query = request.query.replacing(#/limit=(\d+)/#) { "limit=\(min(Int($0.1) ?? 25, 25))" }
        return await jikan.answer(request)
      }
    }

    @Test func secondWalkWritesNothingAndLooksNothingUp() async throws {
      let jikan = GeneratedJikan(JikanSettings(items: 700))
      try await Mirror.with(jikan) { mirror, server in
        _ = try await mirror.syncctl("run", "--stream", "anime-catalog", "--stream", "top-anime")
        let before = try await mirror.contents()
        let asked = server.history.count
        let result = try await mirror.syncctl("run", "--stream", "anime-catalog", "--format", "json")
        let run = try #require(try mirror.runs(result)["anime-catalog"])
        #expect(result.end == .exit(0) && run["status"] == .string("complete"), "\(result.standardError)")
        #expect(run["inserted"]?.int == 0 && run["updated"]?.int == 0 && run["unchanged"]?.int == 700)
        #expect(try await mirror.contents() == before)
        #expect(server.history.records.dropFirst(asked).allSatisfy { $0.path == "/v4/anime" })
      }
    }
  }
}
