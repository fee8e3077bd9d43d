import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct History {
    typealias Day = [(id: Int, score: Double)]

    private static let days: [Day] = [
      [(1, 9.1), (2, 9.0), (3, 8.9), (4, 8.8), (5, 8.7)], [(2, 9.2), (1, 9.1), (3, 8.9), (4, 8.8), (5, 8.7)],
      [(2, 9.2), (1, 9.1), (3, 8.9), (5, 8.8), (4, 8.7), (6, 5)], [(2, 9.2), (3, 8.9), (5, 8.8), (4, 8.7), (6, 5)],
      [(6, 9.9), (2, 9.2), (3, 8.9), (5, 8.8), (4, 8.7)],
    ]

    private static func list(_ day: Day) throws -> HandmadeList {
      HandmadeList(
        items: try day.map { entry in
          try HandmadeList.item(entry.id, title: "題名 \(entry.id)")
            .replacing(#""score": 8.5"#, with: #""score": \#(entry.score)"#)
        })
    }

    private static func publish(
      _ mirror: Mirror, _ list: Changing<HandmadeList>
    ) async throws -> [(moment: String, shown: [JSONValue])] {
      var published: [(moment: String, shown: [JSONValue])] = []
      for day in days {
        list.value = try Self.list(day)
        try await mirror.succeed("run", "--stream", "top-anime")
        let moment = try await mirror.sql(
          """
          SELECT to_char(max(published_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')
          FROM jikan.ranking_publication
          """)
        let shown = try JSONValue(try await mirror.syncctl("rankings", "jikan", "--format", "json").standardOutput)
        published.append((moment, try #require(shown.array)))
      }
      return published
    }

    @Test func fiveRuns() async throws {
      let list = Changing(try Self.list([]))
      let upstream = ScriptedUpstream { list.value.answer($0) }
      try await Mirror.with(upstream) { fresh, _ in
        let mirror = fresh.with(["SYNCCTL_HISTORY_POSITIONS": "3"])
        let published = try await Self.publish(mirror, list)
        for (moment, shown) in published {
          let result = try await mirror.succeed("rankings", "jikan", "--as-of", moment, "--format", "json")
          #expect(try JSONValue(result.standardOutput).array == Array(shown.prefix(3)))
          #expect(result.standardError.contains("after position 3"))
        }
        try await Self.check(mirror, first: published[0].moment)
        let table = try await mirror.syncctl("rankings", "history", "anime", "2")
        let lines = table.standardOutput.split(separator: "\n")
        #expect(lines.count == 4 && lines.first?.hasSuffix("for") == true, "\(table.standardOutput)")
      }
    }

    private static func check(_ mirror: Mirror, first: String) async throws {
      let movers = try await mirror.syncctl("rankings", "movers", "--since", first, "--format", "csv")
      #expect(
        movers.standardOutput.split(whereSeparator: \.isNewline).map(String.init) == [
          "mal_id,title,title_japanese,type,position,previous_position,change,movement,score,previous_score,members,"
            + "kind,image_url,started_at,not_mirrored,section",
          "1,題名 1,題名 1,TV,,1,,left,,9.1,1001,anime,,,,left", "6,題名 6,題名 6,TV,1,,,entered,9.9,,1006,anime,,,,new",
        ])
      let table = try await mirror.syncctl("rankings", "movers", "--since", first, "--limit", "1")
      #expect(table.standardOutput.contains("\nnew (1)\nleft (1)\n"), "\(table.standardOutput)")
      #expect(table.standardError == "1 of 2; --limit 0 shows all\n")
      let rows = try await mirror.rows("rankings", "history", "anime", "2")
      #expect(rows.map { $0["position"]?.int } == [2, 1, 2])
      #expect(rows.map { $0["score"] } == [.number(9), .number(9.2), .number(9.2)])
      #expect(rows.last?["valid_to"] == .null)
      #expect(rows[0]["valid_to"] == rows[1]["valid_from"])
    }

    @Test func whatCannotBeAnswered() async throws {
      try await Mirror.with(try HandmadeList.numbered(1...3).upstream) { mirror, _ in
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
        for order in ["rank", "airing", "upcoming", "popularity", "favorites"] {
          try await mirror.syncctl("rankings", "jikan", "--as-of", "2026-01-01", "--sort", order)
            .expectFailure(64, naming: order)
        }
        for time in ["soon", "2026-02-30", "7", ""] {
          try await mirror.syncctl("rankings", "jikan", "--as-of", time).expectFailure(64, naming: "--as-of")
          try await mirror.syncctl("rankings", "movers", "--since", time).expectFailure(64, naming: "--since")
        }
        for question in ["jikan", "movers"] {
          let time = question == "jikan" ? "--as-of" : "--since"
          let early = try await mirror.succeed("rankings", question, time, "2001-01-01", "--format", "json")
          #expect(early.standardError.hasPrefix("the history begins at 20"), "\(early.standardError)")
          #expect(early.standardError.contains("; shown from there\n"))
          #expect(try JSONValue(early.standardOutput).array?.count == (question == "jikan" ? 3 : 0))
          let ofManga = question == "jikan" ? ["jikan", "--kind", "manga"] : ["movers", "manga"]
          try await mirror.syncctl(["rankings"] + ofManga + [time, "1d"])
            .expectFailure(1, naming: "the list top-manga has not been published")
        }
        try await mirror.syncctl("rankings", "history", "anime", "99").expectFailure(1, naming: "anime 99")
        try await mirror.syncctl("rankings", "history", "manga", "1").expectFailure(1, naming: "manga 1")
        try await mirror.syncctl("rankings", "history", "film", "1").expectFailure(64, naming: "film")
        try await mirror.syncctl("rankings", "history", "anime", "1", "--type", "novel")
          .expectFailure(64, naming: "novel")
        let shown = try await mirror.sql(
          "SELECT to_char(published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM sync.publication")
        try await mirror.succeed("rankings", "jikan", "--as-of", shown)
        let still = try await mirror.succeed("rankings", "movers", "--since", shown)
        #expect(still.standardError == "No entry has moved since then.\n")
      }
    }
  }
}
