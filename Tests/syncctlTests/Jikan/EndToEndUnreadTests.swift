import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Items without a readable id: positions count them, and entries that were not read are not news.
  @Suite struct Unread {
    private static func list(_ order: [Int], without ids: Set<Int> = []) throws -> HandmadeList {
      HandmadeList(
        items: try order.map { id in
          // Each second entry is a movie, so that a slice of the list has other places than the list.
          let item = try HandmadeList.item(id, title: "Title \(id)", extra: ", \"rank\": \(id)")
          let typed = id.isMultiple(of: 2) ? item.replacing("\"TV\"", with: "\"Movie\"") : item
          return ids.contains(id) ? typed.replacing("\"mal_id\": \(id)", with: "\"mal_id\": null") : typed
        })
    }

    private static func places(_ rows: [JSONValue]) -> [[Int]] {
      rows.map { [$0["mal_id"]?.int ?? 0, $0["position"]?.int ?? 0] }
    }

    private static func ids(_ rows: [JSONValue]) -> [Int] { rows.compactMap { $0["mal_id"]?.int } }

    @Test func itemsWithoutAReadableIDAreNoNews() async throws {
      let order = Array(1...60)
      let list = Changing(try Self.list(order))
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { fresh, _ in
        let mirror = fresh.asOwner
        try await mirror.succeed("run", "--stream", "top-anime")
        for id in ["20", "21", "54"] { try await mirror.succeed("favorites", "add", "jikan", "anime", id) }
        let top = ["rankings", "anime", "--limit", "0"]
        let whole = try await mirror.rows(top)
        #expect(Self.places(whole) == (1...60).map { [$0, $0] })
        let movies = Self.places(try await mirror.rows(top + ["--type", "movie"]))
        #expect(movies.count == 30 && movies[9] == [20, 10])

        // The service swaps 57 and 58, and three items have no readable id. Only the swap is news.
        var swapped = order
        swapped.swapAt(56, 57)
        list.value = try Self.list(swapped, without: [5, 20, 54])
        let run = try await mirror.succeed("run", "--stream", "top-anime", "--full")
        #expect(run.standardError.contains("3 items had no readable id"), "\(run.standardError)")
        let published = zip(swapped, order).map { [$0, $1] }
        for time in [[], ["--as-of", "2100-01-01"]] {
          let rows = try await mirror.rows(top + time)
          #expect(Self.places(rows) == published, "\(time)")
          #expect(Self.ids(rows.filter { $0["unread"] == .bool(true) }) == [5, 20, 54], "\(time)")
          #expect(Self.places(try await mirror.rows(top + time + ["--type", "movie"])) == movies, "\(time)")
        }
        let movers = ["rankings", "movers", "anime", "--since", "1d"]
        let moved = try await mirror.rows(movers)
        #expect(Self.ids(moved) == [58, 57, 5, 20, 54])
        #expect(moved.map { $0["change"]?.int } == [1, -1, nil, nil, nil])
        #expect(moved[2...].allSatisfy { $0["movement"]?.text == "unread" && $0["position"] == .null })
        #expect(moved[2...].map { $0["previous_position"]?.int } == [5, 20, 54])
        #expect(Self.ids(try await mirror.rows(movers + ["--type", "movie"])) == [20, 54])
        let table = try await mirror.succeed(movers)
        #expect(table.standardOutput.contains("not read (3)"), "\(table.standardOutput)")
        #expect(table.standardError.contains("list was incomplete: 3 titles unread"), "\(table.standardError)")
        let listed = try await mirror.succeed("rankings", "anime", "--limit", "6").standardOutput
        #expect(listed.split(separator: "\n").count { $0.contains("not read") } == 1, "\(listed)")
        for (direction, id) in [("up", 58), ("down", 57)] {
          let report = try await mirror.rows("report", "movers", "--direction", direction)
          #expect(Self.ids(report) == [id, 5, 20, 54])
          #expect(report.map { $0["movement"]?.text } == [direction, "unread", "unread", "unread"])
          #expect(report.allSatisfy { $0["consistent"] == .bool(false) })
        }
        #expect(try await mirror.sql("SELECT mal_id, movement, consistent FROM report.movers LIMIT 1") == "58|up|f")
        let changes = try await mirror.rows("favorites", "changes", "--since", "1d")
          .filter { $0["what"]?.text != "mirrored" }
        #expect(changes.map { $0["what"]?.text } == ["unread", "unread"], "\(changes)")
        #expect(Set(changes.compactMap { $0["id"]?.int }) == [20, 54])
        let history = ["rankings", "history", "anime", "54"]
        #expect(try await mirror.rows(history).map { $0["position"]?.int } == [54, 54])
        #expect(try await mirror.rows(history).map { $0["unread"] } == [.bool(false), .bool(true)])
        #expect(try await mirror.rows("rankings", "history", "anime", "55").count == 1)
        try await mirror.succeed("verify")
        try await mirror.browse { browser in
          let first = try await browser.get("/").body
          let week = first.split(separator: "<h2 id=\"news\">").last?.split(separator: "</ul>").first ?? ""
          let news = week.matches(of: #/<a href="/anime/(\d+)">/#).map { String($0.1) }
          #expect(news == ["58", "57"], "\(first)")
          #expect(first.contains("top anime: list was incomplete: 3 titles unread"), "\(first)")
          var path: String? = "/rankings/anime"
          for (moves, unread) in [(0, 2), (2, 1)] {
            let page = try await browser.get(try #require(path)).body
            #expect(page.matches(of: #/▲|▼/#).count == moves, "\(page)")
            #expect(page.matches(of: #/not read, last known position/#).count == unread, "\(page)")
            #expect(page.contains("list was incomplete: 3 titles unread"), "\(page)")
            path = page.firstMatch(of: #/rel="next" href="([^"]+)"/#).map { String($0.1) }
          }
          #expect(try await browser.get("/anime/54").body.contains("top-anime 54 (not read)"))
        }

        // Everything is readable again, and one entry has really moved: from 20 to 23.
        var moving = order
        moving.insert(moving.remove(at: 19), at: 22)
        list.value = try Self.list(moving)
        try await mirror.succeed("run", "--stream", "top-anime", "--full")
        let read = try await mirror.rows(top)
        #expect(Self.places(read) == zip(moving, order).map { [$0, $1] })
        #expect(read.allSatisfy { $0["unread"] == .bool(false) })
        let really = try await mirror.rows(movers)
        #expect(Self.places(really).sorted { $0[0] < $1[0] } == [[20, 23], [21, 20], [22, 21], [23, 22]])
        #expect(really.first?["change"]?.int == -3)
        #expect(try await mirror.rows(history).map { $0["unread"] } == [.bool(false), .bool(true), .bool(false)])
        let after = try await mirror.rows("favorites", "changes", "--since", "1d")
          .filter { $0["what"]?.text != "mirrored" }
        #expect(after.isEmpty, "\(after)")
      }
    }
  }
}
