import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Streams {
    private static let lists: [(stream: String, target: String, query: String)] = [
      ("seasons:now", "/v1/seasons/now", "SELECT mal_id FROM jikan.season_entry WHERE list = 'now' ORDER BY position"),
      (
        "seasons:2020:spring", "/v1/seasons/2020/spring",
        "SELECT mal_id FROM jikan.season_entry WHERE list = '2020-spring' ORDER BY position"
      ),
      ("schedules", "/v1/schedules", "SELECT mal_id FROM jikan.schedule_entry WHERE list = 'all' ORDER BY position"),
      (
        "schedules:saturday", "/v1/schedules?filter=saturday",
        "SELECT mal_id FROM jikan.schedule_entry WHERE list = 'saturday' ORDER BY position"
      ),
      (
        "genres:manga:themes", "/v1/genres/manga?filter=themes",
        "SELECT mal_id FROM jikan.genre WHERE kind = 'manga' AND facet = 'themes' ORDER BY mal_id"
      ),
      (
        "genres:anime:genres", "/v1/genres/anime?filter=genres",
        "SELECT mal_id FROM jikan.genre WHERE kind = 'anime' AND facet = 'genres' ORDER BY mal_id"
      ),
    ]

    private static func settings() -> JikanSettings {
      var settings = JikanSettings(items: 700)
      settings.repeats = 0
      return settings
    }

    private static func ids(_ target: String, sorted: Bool) async throws -> [Int] {
      let parts = target.split(separator: "?").map(String.init)
      let query = (parts.dropFirst() + ["limit=50"]).joined(separator: "&")
      let answer = await GeneratedJikan(settings()).answer(SimulatedRequest(path: parts[0], query: query))
      let body = try JSONValue(String(decoding: answer.body, as: UTF8.self))
      let ids = try #require(body["data"]?.array).compactMap { $0["mal_id"]?.int }
      return sorted ? ids.sorted() : ids
    }

    @Test func listsArePublishedAsTheUpstreamHasThem() async throws {
      let fresh = try await Mirror.make()
      try await SimulatorServer.withServer(GeneratedJikan(Self.settings())) { server in
        let mirror = fresh.with(["SYNCCTL_JIKAN_BASE_URL": server.baseURL + "/v1"])
        let names = Self.lists.flatMap { ["--stream", $0.stream] }
        let result = try await mirror.succeed(["run", "--source", "jikan", "--format", "json"] + names)
        for (stream, run) in try mirror.runs(result) { #expect(run["status"] == .string("complete"), "\(stream)") }
        for list in Self.lists {
          let expected = try await Self.ids(list.target, sorted: list.stream.hasPrefix("genres"))
          try #require((1..<50).contains(expected.count), "\(list.stream) has \(expected.count) entries")
          let found = try await mirror.sql(list.query).split(separator: "\n").compactMap { Int($0) }
          #expect(found == expected, "\(list.stream)")
        }
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking_history") == "0")
      }
    }

    @Test func cataloguesAreReadWholeAndAgreeWithTheTopLists() async throws {
      let fresh = try await Mirror.make()
      try await SimulatorServer.withServer(GeneratedJikan(Self.settings())) { server in
        let mirror = fresh.with(["SYNCCTL_JIKAN_BASE_URL": server.baseURL + "/v1"])
        let first = try await mirror.succeed(
          "run", "--stream", "anime-catalog", "--stream", "manga-catalog", "--format", "json")
        for (stream, run) in try mirror.runs(first) {
          #expect(run["status"] == .string("complete"), "\(stream)")
          #expect(run["inserted"]?.int == 700, "\(stream)")
        }
        let second = try await mirror.syncctl("run", "--source", "jikan", "--format", "json")
        for (stream, run) in try mirror.runs(second) {
          #expect(run["unchanged"]?.int == 700, "\(stream)")
          #expect(run["inserted"]?.int == 0, "\(stream)")
        }
      }
    }

    @Test func argumentsAreCheckedBeforeTheFileIsRead() async throws {
      let mirror = try await Mirror.make()
      let file = try mirror.home.write("jobs: none", to: "broken.yaml")
      for (arguments, word) in [
        (["--confirm-vanish", "5f0c"], "none is named"),
        (["--stream", "top-anime", "--full", "--confirm-vanish", "5f0c"], "omit --full"), (["--refresh"], "--refresh"),
      ] {
        let result = try await mirror.syncctl(["run", "--config", file, "--source", "jikan"] + arguments)
        result.expectFailure(64, naming: word)
      }
    }

    /// Tenrai has 85,000 manga, but returns at most 1,000 pages of 50 items. A shorter list with a lower page cap is
    /// tested by default.
    private static var items: Int { max(850, DrillSize.number("SYNCCTL_TEST_CATALOGUE", otherwise: 3400)) }

    @Test func everythingBehindThePageCapIsMirrored() async throws {
      let fresh = try await Mirror.make()
      var settings = JikanSettings(items: 0)
      settings.mangaItems = Self.items
      settings.pageCap = Self.items >= 85_000 ? nil : Self.items * 10 / 17 / 50
      let jikan = GeneratedJikan(settings)
      try await SimulatorServer.withServer(jikan) { server in
        let mirror = fresh.with(["SYNCCTL_JIKAN_PROVIDER": "tenrai", "SYNCCTL_JIKAN_BASE_URL": server.baseURL + "/v1"])
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
        let asked = server.history.records
        #expect(asked.contains { $0.query.contains("sort=asc") } && asked.contains { $0.query.contains("sort=desc") })
        let refused = asked.count { $0.status == 400 }
        #expect(refused <= 10)
        tell(
          "\(Self.items) manga, pages up to \(settings.pageCap ?? JikanSettings.successorPageCap): \(asked.count) "
            + "requests (\(refused) refused), \(duration.inSeconds)")
      }
    }

    @Test(arguments: [JikanSettings.PastTheEnd.notFound, .empty])
    func anEmptyNarrowedListIsCompleteAndWaitsForASecondAnswer(_ pastTheEnd: JikanSettings.PastTheEnd) async throws {
      var settings = JikanSettings(items: 400)
      settings.repeats = 0
      settings.pastTheEnd = pastTheEnd
      let jikan = GeneratedJikan(settings, edits: JikanEdits(empty: ["cm"]))
      try await Mirror.with(jikan) { mirror, _ in
        let count = "SELECT count(*) FROM jikan.ranking WHERE subtype = 'cm'"
        func expectEmpty(_ entries: String, warns: Bool, isDry: Bool = false) async throws {
          let result = try await mirror.succeed(
            ["run", "--stream", "top-anime:cm", "--format", "json"] + (isDry ? ["--dry-run"] : []))
          let run = try #require(try mirror.runs(result)["top-anime:cm"])
          #expect(run["status"] == .string("complete"))
          #expect(run["certificate"]?["complete"] == .bool(true) && run["certificate"]?["distinct_keys"]?.int == 0)
          #expect((run["warning"]?.text?.contains("the list is empty") ?? false) == warns)
          #expect(result.standardError.contains("warning: top-anime:cm: the list is empty") == warns)
          #expect(try await mirror.sql(count) == entries)
        }
        try await expectEmpty("0", warns: false, isDry: true)
        try await expectEmpty("0", warns: false)
        #expect(try await mirror.sql("SELECT entries FROM sync.publication WHERE list = 'top-anime:cm'") == "0")

        jikan.edits = JikanEdits()
        #expect(try await mirror.syncctl("run", "--stream", "top-anime:cm").end == .exit(0))
        let entries = try await mirror.sql(count)
        try #require((1..<25).contains(Int(entries) ?? 0))
        jikan.edits = JikanEdits(empty: ["cm"])
        try await expectEmpty(entries, warns: true, isDry: true)
        #expect(try await mirror.sql("SELECT count(empty_since) FROM sync.stream_state") == "0")
        try await expectEmpty(entries, warns: true)
        try await expectEmpty(entries, warns: true)
        _ = try await mirror.sql("UPDATE sync.stream_state SET empty_since = empty_since - interval '20 hours'")
        try await expectEmpty(entries, warns: false, isDry: true)
        try await expectEmpty("0", warns: false)
        try await expectEmpty("0", warns: false)
      }
    }
  }
}
