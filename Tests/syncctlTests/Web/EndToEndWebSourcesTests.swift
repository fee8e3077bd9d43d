import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct WebOfSources {
    private static func anime(_ ids: [Int]) throws -> HandmadeList {
      HandmadeList(
        items: try ids.map { id in
          let genre = id.isMultiple(of: 2) ? #"{"mal_id": 8, "name": "Drama"}"# : #"{"mal_id": 1, "name": "Action"}"#
          return try HandmadeList.item(
            id, title: id == 1 ? "<script>題\u{202E}名" : "Title \(id)",
            extra: """
              , "genres": [\(genre)], "studios": [{"mal_id": \(id % 3), "name": "Studio \(id % 3)"}], \
              "season": "spring", "year": \(2000 + id % 2), "status": "Finished Airing", "rank": \(id), \
              "rating": "PG-13 - Teens 13 or older", "synopsis": "First.\\nSecond.", "url": "https://example/\(id)", \
              "images": {"jpg": {"image_url": "https://pictures.example/\(id).jpg"}}
              """)
        })
    }

    private static func ids(_ answer: RawClient.Answer, _ path: String) throws -> [Int] {
      let links = try Regex(#"<a href="\#(path)/(\d+)[^"]*">"#)
      return answer.body.matches(of: links).compactMap { $0.output[1].substring.flatMap { Int($0) } }
    }

    /// Follows the links to the next pages.
    private static func walk(_ browser: Browser, _ path: String, _ items: String) async throws -> [Int] {
      var (ids, next): ([Int], String?) = ([], path)
      while let path = next, ids.count < 500 {
        let answer = try await browser.get(path)
        #expect(answer.status == 200, "\(path): \(answer.body)")
        ids += try Self.ids(answer, items)
        next = answer.body.firstMatch(of: #/rel="next" href="([^"]+)"/#).map {
          String($0.1).replacing("&amp;", with: "&")
        }
      }
      return ids
    }

    private static func checkErrors(_ browser: Browser, _ status: Int, _ paths: [String]) async throws {
      for path in paths {
        let answer = try await browser.get(path)
        #expect(answer.status == status && answer.body.contains("<h1>"), "\(path): \(answer)")
      }
    }

    @Test func rankingsAnswerAsTheCommandDoes() async throws {
      let list = Changing(try Self.anime(Array(1...30)))
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { fresh, _ in
        let mirror = fresh.asOwner
        try await mirror.succeed("run", "--stream", "top-anime")
        list.value = try Self.anime([30] + Array(1...29))
        try await mirror.succeed("run", "--stream", "top-anime")
        try await mirror.browse { browser in
          for (query, options) in [
            ("", []), ("type=tv", ["--type", "tv"]), ("sort=favorites", ["--sort", "favorites"]), ("status=any", []),
            ("genre=action", ["--genre", "action"]),
            ("season=spring&year=2001", ["--season", "spring", "--year", "2001"]),
            ("status=complete", ["--status", "complete"]), ("studio=Studio+1", ["--studio", "Studio 1"]),
            ("rating=pg-13&min-score=8.5", ["--rating", "pg-13", "--min-score", "8.5"]),
            ("list=airing", ["--list", "airing"]),
            ("genre=Drama&sort=score", ["--genre", "Drama", "--sort", "score"]),
          ] as [(String, [String])] {
            let answer = try await browser.get("/rankings/anime?\(query)")
            #expect(answer.status == 200, "\(query): \(answer.body)")
            let rows = try await mirror.rows(["rankings", "jikan", "--limit", "50"] + options)
            #expect(try Self.ids(answer, "/anime") == rows.compactMap { $0["mal_id"]?.int }, "\(query)")
            #expect(try await browser.ask("HEAD", "/rankings/anime?\(query)").status == 200)
          }
          let top = try await browser.get("/rankings/anime").body
          for words in [
            "▲ 29", "▼ 1", "https://pictures.example/30.jpg", "loading=\"lazy\"", "&lt;script&gt;題\\u{202E}名",
            "<label>Genre", "<option value=\"Drama\">Drama (15)</option>", "30 entries",
          ] { #expect(top.contains(words), "\(words) is not in \(top)") }
          let first = try await browser.get("/").body
          #expect(first.contains("<h2>News</h2>") && first.contains("▲ 29, now 1 of the top anime"), "\(first)")
          try await Self.checkErrors(
            browser, 400,
            [
              "type=song", "genre=Actoin", "year=x", "sort=nope", "page=x", "status=nope", "min-score=x", "list=nope",
              "sort=score&list=airing",
            ].map { "/rankings/anime?\($0)" } + ["/rankings/manga?season=spring"])
          try await Self.checkErrors(browser, 404, ["/anime/999", "/anime/x", "/manga/1", "/rankings/song"])
          #expect(try await browser.get("/rankings/manga").body.contains("No list of manga has been published yet"))

          let entry = try await browser.get("/anime/30").body
          for words in [
            "<h1>Title 30</h1>", "<p>Second.</p>", ">Drama</a></dd>", "top-anime 1</a>", "<path d=\"M",
            "href=\"https://example/30\"", "href=\"/rankings/anime?genre=Drama\"", "Add anime 30 to favorites",
          ] { #expect(entry.contains(words), "\(words) is not in \(entry)") }
          let form = "source=jikan&kind=anime&id=30"
          #expect(try await browser.submit("/favorites", form, from: "/anime/30").fields["location"] == "/anime/30")
          #expect(try await browser.get("/rankings/anime").body.contains("Remove anime 30 from favorites"))
          #expect(try await browser.get("/favorites").body.contains("href=\"/anime/30\""))
        }
        try await mirror.browse("--no-pictures") { browser in
          for path in ["/rankings/anime", "/anime/1"] {
            let body = try await browser.get(path).body
            // The program's own icon is shown in any case.
            #expect(!body.contains("<img src=\"https"), "\(path)")
            #expect(body.contains("&lt;script&gt;") && !body.contains("\u{202E}"), "\(path)")
          }
        }
      }
    }

    @Test func aRankingHasPages() async throws {
      try await Mirror.with(GeneratedJikan.plain(120)) { mirror, _ in
        try await mirror.succeed("run", "--stream", "top-anime")
        try await mirror.browse { browser in
          for order in ["top", "score", "members"] {
            let rows = try await mirror.rows("rankings", "jikan", "--sort", order, "--limit", "0")
            let shown = try await Self.walk(browser, "/rankings/anime?sort=\(order)", "/anime")
            #expect(shown == rows.compactMap { $0["mal_id"]?.int } && shown.count == 120, "\(order)")
          }
        }
      }
    }

    @Test func pokemonAnswerAsTheCommandDoes() async throws {
      try await Mirror.with(SimulatedPokeAPI()) { fresh, _ in
        let mirror = fresh.asOwner
        try await mirror.browse { browser in try await Self.checkErrors(browser, 200, ["/pokedex", "/pokedex/types"]) }
        try await mirror.succeed("run", "--source", "pokeapi")
        try await mirror.browse { browser in
          let form = "source=pokeapi&kind=pokemon&id=25&collection=owned"
          #expect(try await browser.submit("/favorites", form, from: "/pokedex").status == 303)
          for (query, options) in [
            ("x=1", []), ("type=fire", ["--type", "fire"]),
            ("type=fire,flying", ["--type", "fire", "--type", "flying"]),
            ("owned=yes", ["--owned"]), ("owned=no", ["--unowned"]), ("generation=2", ["--generation", "2"]),
            ("sort=speed", ["--sort", "speed"]), ("sort=name&lang=zh-Hant", ["--sort", "name", "--lang", "zh-Hant"]),
            ("forms=yes", ["--forms"]),
          ] as [(String, [String])] {
            let rows = try await mirror.rows(["pokedex", "list"] + options).compactMap { $0["id"]?.int }
            for view in ["grid", "list"] {
              let shown = try await Self.walk(browser, "/pokedex?view=\(view)&\(query)", "/pokedex")
              #expect(shown == rows && !rows.isEmpty, "\(query), \(view)")
            }
          }
          try await Self.checkErrors(
            browser, 400,
            ["type=fier", "owned=perhaps", "generation=x", "sort=nope", "lang=xx", "after=x"].map { "/pokedex?\($0)" })
          try await Self.checkErrors(browser, 400, ["/pokedex/types?type=fier", "/pokedex/25?lang=xx"])
          try await Self.checkErrors(browser, 404, ["/pokedex/pikachou", "/pokedex/999999"])
        }
        try await Self.entries(mirror)
      }
    }

    private static func entries(_ mirror: Mirror) async throws {
      try await mirror.browse { browser in
        let pikachu = try await browser.get("/pokedex/pikachu").body
        for words in [
          "<h1>#25 Pikachu</h1>", "Base stats, total ", "<dt>HP</dt>", "Remove pokemon 25 from owned",
          "<dt>abilities</dt>",
          "<h2>Evolution</h2>", "href=\"/pokedex/26\"", "<dt>2×</dt><dd>Ground</dd>", "alt=\"#25 Pikachu, picture\"",
        ] { #expect(pikachu.contains(words), "\(words) is not in \(pikachu)") }
        let chinese = try await browser.ask("GET", "/pokedex/25", fields: ["Accept-Language: zh-TW,en;q=0.5"]).body
        #expect(chinese.contains("<h1>#25 皮卡丘</h1>") && chinese.contains("lang=\"zh-hant\""), "\(chinese)")
        #expect(try await browser.get("/pokedex/25?lang=zh-Hant").body.contains("<h1>#25 皮卡丘</h1>"))
        let english = try await browser.ask("GET", "/pokedex/25?lang=en", fields: ["Accept-Language: zh-TW"]).body
        #expect(english.contains("<h1>#25 Pikachu</h1>"))
        let types = try await browser.get("/pokedex/types?type=fire&type2=flying").body
        #expect(types.matches(of: #/<th scope="row">/#).count == 18 && types.matches(of: #/<td/#).count == 18 * 18)
        #expect(
          types.contains("Attacks against Fire, Flying") && types.contains("<dt>4×</dt><dd>Rock</dd>"), "\(types)")
        for path in ["/pokedex", "/pokedex/25", "/pokedex/types"] {
          #expect(try await browser.ask("HEAD", path).status == 200, "\(path)")
        }
      }
    }

    @Test func chartsAndSearchesAnswerAsTheCommandsDo() async throws {
      let upstream = GeneratedITunes()
      try await Mirror.with(upstream) { fresh, _ in
        let file = try fresh.home.write(
          """
          sources:
            itunes:
              charts: [ { name: us-songs, country: us, media: music, feed: most-played, type: songs } ]
              searches: [ { name: jay, term: 周杰倫, country: tw, entity: song } ]
          """, to: "itunes.yaml")
        let mirror = fresh.asOwner.with(["SYNCCTL_CONFIG": file])
        try await mirror.browse { browser in
          let body = try await browser.get("/itunes").body
          #expect(body.contains("No chart has been mirrored yet"), "\(body)")
        }
        for day in 0...1 {
          upstream.settings.day = day
          try await mirror.succeed("run", "--source", "itunes")
        }
        try await mirror.succeed("itunes", "search", "周杰倫", "--country", "tw", "--entity", "song", "--format", "json")
        try await mirror.browse { browser in
          for (query, command) in [
            ("", ["rankings", "itunes", "--limit", "50"]),
            ("chart=songs&country=us&feed=most-played", ["rankings", "itunes", "--limit", "50"]),
            ("term=周杰倫&country=tw", ["itunes", "search", "周杰倫", "--country", "tw", "--offline"]),
            (
              "term=周杰倫&country=tw&sort=release",
              ["itunes", "search", "周杰倫", "--country", "tw", "--offline", "--sort", "release"]
            ),
          ] {
            let path = "/itunes?" + query.replacing("周杰倫", with: "%E5%91%A8%E6%9D%B0%E5%80%AB")
            let body = try await browser.get(path).body
            let rows = try await mirror.rows(command).prefix(50)
            let links = body.matches(of: #/<a href="([^"]*)">(page|album page)<\/a>/#)
            #expect(!rows.isEmpty && links.count >= rows.count, "\(query): \(body)")
            let titles = rows.compactMap { $0["name"]?.text ?? $0["title"]?.text }
            for title in titles where title.allSatisfy({ $0.isLetter || $0 == " " }) {
              #expect(body.contains(title), "\(query): \(title) is not in \(body)")
            }
          }
          let stored = try await browser.get("/itunes?search=jay").body
          #expect(stored.contains("<h1>Search jay</h1>") && stored.contains(">preview</a>"), "\(stored)")
          let charts = try await browser.get("/itunes").body
          #expect(
            charts.contains("▲ ") && charts.contains("us most-played songs") && charts.contains("周杰倫"), "\(charts)")
          try await Self.checkErrors(
            browser, 400, ["chart=nope", "country=xxx", "term=a&sort=nope", "term=a&after=x"].map { "/itunes?\($0)" })
          try await Self.checkErrors(browser, 404, ["/itunes?search=nope", "/itunes/x"])
          #expect(try await browser.ask("HEAD", "/itunes").body.isEmpty)
        }
      }
    }
  }
}
