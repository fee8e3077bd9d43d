import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct WebOfJikan {
    /// Returns the ids of the cards.
    private static func ids(_ body: String) -> [Int] {
      body.matches(of: #/<p class="name"[^>]*><a href="\/(?:anime|manga)\/(\d+)">/#).compactMap { Int($0.1) }
    }

    /// Returns the command at the end of the page.
    private static func command(_ body: String) throws -> String {
      let code = try #require(body.firstMatch(of: #/In a terminal: <code>syncctl ([^<]*)<\/code>/#), "\(body)").1
      return String(code).replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    @Test func pagesShowWhatTheirCommandsPrint() async throws {
      try await Mirror.with(GeneratedJikan.plain(400)) { mirror, _ in
        try await mirror.succeed(
          "run", "--stream", "top-anime", "--stream", "top-manga", "--stream", "seasons:2023:spring", "--stream",
          "schedules", "--stream", "genres")
        let ids = { (options: [String]) in
          try await mirror.rows(["rankings", "anime", "--limit", "0"] + options).compactMap { $0["mal_id"]?.int }
        }
        let studio = try #require(try await mirror.rows("anime", "show", "\(ids([])[0])")[0]["studios"]?.array?.first)
        try await mirror.browse { browser in
          for path in [
            "/rankings/anime", "/rankings/anime?page=2", "/rankings/manga?genre=Drama&page=2",
            "/rankings/anime?genre=Action&genre=Romance", "/rankings/anime?season=spring&season=fall&type=tv",
            "/rankings/anime?year=2023&year=2022&status=complete&sort=members",
            "/rankings/anime?min-score=8&rating=pg-13&view=list", "/seasons/2023/spring", "/seasons/2019/fall",
            "/seasons?season=2023-spring", "/airing?day=friday",
            "/studios/\((studio.text ?? "").replacing(" ", with: "%20").replacing("/", with: "%2F"))",
          ] {
            let answer = try await browser.get(path)
            #expect(answer.status == 200 && answer.body.utf8.count < 100_000, "\(path): \(answer)")
            let command = try Self.command(answer.body)
            let printed = try await mirror.shell("\"$0\" \(command) --format json")
            let rows = try #require(try JSONValue(printed.standardOutput).array, "\(command): \(printed)")
            let shown = Self.ids(answer.body)
            let expected = rows.compactMap { $0["mal_id"]?.int }
            let shared = min(shown.count, expected.count)
            #expect(shared > 0 && Array(shown.prefix(shared)) == Array(expected.prefix(shared)), "\(path): \(command)")
            #expect(shown.count == min(50, expected.count) || expected.count == 20, "\(path): \(command)")
          }
          // An entry has both genres, not only the first.
          let both = try await browser.get("/rankings/anime?genre=Action&genre=Romance").body
          let expected = try await ids(["--genre", "Action", "--genre", "Romance"])
          let first = try await ids(["--genre", "Action"])
          #expect(Self.ids(both) == Array(expected.prefix(50)) && expected.count < first.count)
          for words in [
            "aria-label=\"Remove the filter Genre: Action\"", "href=\"/rankings/anime?genre=Romance\"",
            "name=\"genre\" value=\"Action\"", ">any</option>",
          ] { #expect(both.contains(words), "\(words) is not in \(both)") }
        }
      }
    }

    @Test func pagesOfAMirrorLinkToEachOther() async throws {
      try await Mirror.with(GeneratedJikan.plain(300)) { mirror, _ in
        try await mirror.succeed("run", "--stream", "top-anime", "--stream", "top-manga", "--stream", "genres")
        try await mirror.browse { browser in
          let wrong = try await browser.get("/rankings/anime?genre=Action&genre=Actoin&season=spring&min-score=7")
          #expect(wrong.status == 400 && Self.ids(wrong.body).isEmpty, "\(wrong)")
          for words in [
            "did you mean Action", "Remove the filter Genre: Actoin", "name=\"min-score\" type=\"number\" value=\"7\"",
            "<option value=\"spring\" selected>", "<details class=\"more\" open>",
          ] { #expect(wrong.body.contains(words), "\(words) is not in \(wrong.body)") }
          let behind = try await browser.get("/rankings/anime?page=99")
          #expect(behind.status == 200 && behind.body.contains("none of 300"), "\(behind)")
          let ignored = try await browser.get("/rankings/anime?colour=red").body
          #expect(ignored.contains("The parameter colour is ignored"), "\(ignored)")

          let id = try #require(Self.ids(try await browser.get("/rankings/anime?type=tv&status=complete").body).first)
          let entry = try await browser.get("/anime/\(id)").body
          for words in [
            "<dl class=\"numbers\">", "/rankings/anime?type=tv", "MyAnimeList ↗", "lang=\"ja\"", "top-anime",
            "syncctl anime show \(id)", "<h2><a href=\"/s",
          ] { #expect(entry.contains(words), "\(words) is not in \(entry)") }

          // Every link of these pages leads to a page.
          var paths: Set<String> = []
          for page in ["/seasons", "/airing", "/genres", "/genres?kind=manga", "/studios?sort=score", "/authors"] {
            let body = try await browser.get(page).body
            paths.formUnion(body.matches(of: #/<a href="(\/[^"]*)"/#).map { String($0.1) }.shuffled().prefix(6))
            #expect(body.contains("aria-current=\"true\""), "\(page): \(body)")
          }
          paths.formUnion(entry.matches(of: #/<dd><a href="(\/[^"#]*)/#).map { String($0.1) })
          #expect(paths.count > 15)
          for path in paths.map({ $0.replacing("&amp;", with: "&") }) {
            #expect(try await browser.get(path).status == 200, "\(path)")
          }
          for path in ["/seasons/2024", "/seasons/2024/autumn", "/studios/Nobody", "/authors/x"] {
            #expect(try await browser.get(path).status == 404, "\(path)")
          }
          for path in ["/seasons?season=2024", "/airing?day=someday", "/genres?kind=films", "/studios?sort=colour"] {
            let answer = try await browser.get(path)
            #expect(answer.status == 400 && answer.body.contains("role=\"alert\""), "\(path)")
          }
        }
      }
    }
  }
}
