import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct WebOfJikan {
    @Test func pagesOfAMirrorShowWhatTheirCommandsPrint() async throws {
      try await Mirror.with(GeneratedJikan.plain(400)) { mirror, _ in
        try await mirror.succeed(
          "run", "--stream", "top-anime", "--stream", "top-manga", "--stream", "seasons:2023:spring", "--stream",
          "genres")
        try await mirror.browse { browser in
          try await Self.compare(mirror, browser)
          try await Self.checkGenres(mirror, browser)
          try await Self.checkParameters(browser)
          try await Self.followLinks(browser)
        }
      }
    }

    /// Returns the ids of the cards.
    private static func ids(_ body: String) -> [Int] {
      body.matches(of: #/<p class="name"[^>]*><a href="\/(?:anime|manga)\/(\d+)">/#).compactMap { Int($0.1) }
    }

    /// Returns the options of the command at the end of the page.
    private static func command(_ body: String) throws -> String {
      let code = try #require(body.firstMatch(of: #/In a terminal: <code>syncctl ([^<]*)<\/code>/#), "\(body)").1
      return String(code).replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    /// Runs the command of each page, and compares its titles with the page. A command without a limit can print fewer
    /// titles than the page, or more.
    private static func compare(_ mirror: Mirror, _ browser: Browser) async throws {
      for path in [
        "/rankings/anime?page=2", "/rankings/manga?genre=Drama&page=2",
        "/rankings/anime?genre=Action&genre=Romance", "/rankings/anime?season=spring&season=fall&type=tv",
        "/rankings/anime?year=2023&year=2022&status=complete&sort=members",
        "/rankings/anime?min-score=8&rating=pg-13&view=list", "/rankings/anime?studio=AC/Next&sort=score",
        "/seasons/2023/winter", "/seasons?season=2023-spring", "/airing?day=unknown", "/studios/marble%20%26%20co.",
      ] {
        let answer = try await browser.get(path)
        #expect(answer.status == 200 && answer.body.utf8.count < 100_000, "\(path): \(answer)")
        let command = try command(answer.body)
        let printed = try await mirror.shell("\"$0\" \(command) --format json")
        let rows = try #require(try JSONValue(printed.standardOutput).array, "\(command): \(printed)")
        let (shown, expected) = (ids(answer.body), rows.compactMap { $0["mal_id"]?.int })
        let shared = min(shown.count, expected.count)
        #expect(shared > 0 && shown.prefix(shared) == expected.prefix(shared), "\(path): \(command)")
        #expect(shown.count == min(50, expected.count) || expected.count == 20, "\(path): \(command)")
      }
    }

    /// An entry of two genres has both, and each genre has a chip and is kept by the form.
    private static func checkGenres(_ mirror: Mirror, _ browser: Browser) async throws {
      let body = try await browser.get("/rankings/anime?genre=Action&genre=Romance").body
      let both = try await mirror.rows(
        "rankings", "anime", "--limit", "0", "--genre", "Action", "--genre", "Romance")
      let first = try await mirror.rows("rankings", "anime", "--limit", "0", "--genre", "Action")
      #expect(ids(body) == both.prefix(50).compactMap { $0["mal_id"]?.int } && both.count < first.count)
      for words in [
        "aria-label=\"Remove the filter Genre: Action\"", "href=\"/rankings/anime?genre=Romance\"",
        "name=\"genre\" value=\"Action\"", ">any</option>", "\(both.count) entries",
      ] { #expect(body.contains(words), "\(words) is not in \(body)") }
    }

    private static func checkParameters(_ browser: Browser) async throws {
      let wrong = try await browser.get("/rankings/anime?genre=Action&genre=Actoin&season=spring&min-score=7")
      #expect(wrong.status == 400 && ids(wrong.body).isEmpty, "\(wrong)")
      for words in [
        "did you mean Action", "Remove the filter Genre: Actoin", "name=\"min-score\" type=\"number\" value=\"7\"",
        "<option value=\"spring\" selected>", "<details class=\"more\" open>",
      ] { #expect(wrong.body.contains(words), "\(words) is not in \(wrong.body)") }
      let behind = try await browser.get("/rankings/anime?page=99")
      #expect(behind.status == 200 && behind.body.contains("none of 400"), "\(behind)")
      let ignored = try await browser.get("/rankings/anime?colour=red").body
      #expect(ignored.contains("The parameter colour is ignored"), "\(ignored)")
      for path in ["/seasons/2024", "/seasons/2024/autumn", "/studios/Nobody", "/authors/x"] {
        #expect(try await browser.get(path).status == 404, "\(path)")
      }
      for path in ["/seasons?season=2024", "/airing?day=someday", "/genres?kind=films", "/studios?sort=colour"] {
        let answer = try await browser.get(path)
        #expect(answer.status == 400 && answer.body.contains("role=\"alert\""), "\(path)")
      }
    }

    /// Opens some links of each page, and of an entry's facts.
    private static func followLinks(_ browser: Browser) async throws {
      let id = try #require(ids(try await browser.get("/rankings/anime?type=tv&status=complete").body).first)
      let entry = try await browser.get("/anime/\(id)").body
      for words in [
        "<dl class=\"numbers\">", "/rankings/anime?type=tv", "MyAnimeList ↗", "lang=\"ja\"", "top-anime",
        "syncctl anime show \(id)", "<h2><a href=\"/s",
      ] { #expect(entry.contains(words), "\(words) is not in \(entry)") }

      var paths = Set(entry.matches(of: #/<dd><a href="(\/[^"#]*)/#).suffix(6).map { String($0.1) })
      for page in ["/seasons", "/airing", "/genres", "/genres?kind=manga", "/studios?sort=score", "/authors"] {
        let body = try await browser.get(page).body
        paths.formUnion(body.matches(of: #/<a href="(\/[^"]*)"/#).suffix(2).map { String($0.1) })
        #expect(body.contains("aria-current=\"true\""), "\(page): \(body)")
      }
      #expect(paths.count > 10)
      for path in paths.map({ $0.replacing("&amp;", with: "&") }) {
        #expect(try await browser.get(path).status == 200, "\(path)")
      }
    }
  }
}
