import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Every kind of stream: the published list equals the upstream's, in its order.
  @Suite struct Streams {
    /// Streams, the address that lists all their items on one page, and the query for the mirror's list.
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

    /// The upstream's ids without repeats.
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
        // The same documents from other addresses are unchanged.
        let second = try await mirror.syncctl("run", "--source", "jikan", "--format", "json")
        for (stream, run) in try mirror.runs(second) {
          #expect(run["unchanged"]?.int == 700, "\(stream)")
          #expect(run["inserted"]?.int == 0, "\(stream)")
        }
      }
    }

    @Test func allListsBelowANameAreRun() async throws {
      let fresh = try await Mirror.make()
      try await SimulatorServer.withServer(GeneratedJikan(Self.settings())) { server in
        let mirror = fresh.with(["SYNCCTL_JIKAN_BASE_URL": server.baseURL + "/v1"])
        let names = ["genres", "seasons", "seasons:2019..2020"].flatMap { ["--stream", $0] }
        let result = try await mirror.succeed(["run", "--format", "json"] + names)
        let runs = try mirror.runs(result)
        #expect(runs.count == 18)
        #expect(runs["seasons:upcoming"] != nil && runs["seasons:2020:fall"] != nil)
        let fresh = try await mirror.syncctl("health", "--stream", "seasons:2019..2020", "--format", "json")
        #expect(fresh.end == .exit(0))
        #expect(try JSONValue(fresh.standardOutput).array?.count == 8)
        try await mirror.syncctl("health", "--stream", "seasons:2021").expectFailure(1, naming: "seasons:2021:winter")
        let turned = try await mirror.syncctl("run", "--stream", "seasons:2021..2019")
        turned.expectFailure(64, naming: "seasons:2019..2021")
        #expect(try await mirror.sql("SELECT count(DISTINCT (kind, facet)) FROM jikan.genre") == "8")
      }
    }

    @Test func aConfirmationOfNoOneStreamIsRefusedBeforeAnythingIsAsked() async throws {
      let mirror = try await Mirror.make()
      for arguments in [["--confirm-vanish", "5f0c"], ["--stream", "genres", "--confirm-vanish", "5f0c"]] {
        let result = try await mirror.syncctl(["run", "--source", "jikan"] + arguments)
        result.expectFailure(64, naming: "--confirm-vanish")
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
  }
}
