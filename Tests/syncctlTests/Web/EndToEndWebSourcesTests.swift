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
        #expect(answer.status == status && answer.body.contains("<h1"), "\(path): \(answer)")
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
          #expect(first.contains("This week</h2>") && first.contains("▲ 29</b> now 1 of the top anime"), "\(first)")
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
            ("type=fire&type=flying", ["--type", "fire", "--type", "flying"]),
            ("name=saur", ["--name", "saur"]), ("name=25", ["--name", "25"]),
            ("name=%E7%9A%AE%E5%8D%A1", ["--name", "皮卡"]), ("mythical=yes", ["--mythical"]),
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
            [
              "type=fier", "owned=perhaps", "legendary=perhaps", "generation=x", "sort=nope", "lang=xx", "page=x",
              "page=0",
            ].map { "/pokedex?\($0)" })
          let wrong = try await browser.get("/pokedex?type=fier&name=saur").body
          #expect(wrong.contains("there is no type fier") && wrong.contains("value=\"saur\""), "\(wrong)")
          #expect(!wrong.contains("class=\"cards"))
          let cards = try await browser.get("/pokedex?type=grass&name=saur").body
          for words in [
            "<span class=\"type type-grass\">Grass</span>", "href=\"/pokedex?name=saur\" aria-current=\"true\">Grass",
            "href=\"/pokedex?name=saur&amp;type=grass&amp;type=poison\">Poison",
            "syncctl pokedex list --type grass --name saur",
          ] { #expect(cards.contains(words), "\(words) is not in \(cards)") }
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
          "<h1 lang=\"en\">#25 Pikachu</h1>", "<h2>Base stats</h2>", "<dt>HP</dt>", "<dt>Total</dt>",
          "Remove pokemon 25 from owned", "<dt>abilities</dt>", "<h2>Evolution</h2>", "href=\"/pokedex/26\"",
          "alt=\"#25 Pikachu, female\"", "alt=\"#25 Pikachu, shiny\"", "rel=\"prev\" href=\"/pokedex/9\"",
          "rel=\"next\" href=\"/pokedex/26\"", "<td class=\"number\">14</td><th scope=\"row\">Thunder Shock</th>",
          "syncctl pokedex show pikachu",
        ] { #expect(pikachu.contains(words), "\(words) is not in \(pikachu)") }
        #expect(pikachu.contains(#/<dt>2×</dt><dd><span class="types">\s*<a class="type type-ground"/#), "\(pikachu)")
        try await Self.familyIsATree(browser, mirror)
        let chinese = try await browser.ask("GET", "/pokedex/25", fields: ["Accept-Language: zh-TW,en;q=0.5"]).body
        #expect(chinese.contains("<h1 lang=\"zh-hant\">#25 皮卡丘</h1>"), "\(chinese)")
        #expect(try await browser.get("/pokedex/25?lang=zh-Hant").body.contains("#25 皮卡丘</h1>"))
        let english = try await browser.ask("GET", "/pokedex/25?lang=en", fields: ["Accept-Language: zh-TW"]).body
        #expect(english.contains("#25 Pikachu</h1>"))
        try await Self.chartIsInTheGamesOrder(browser)
        for path in ["/pokedex", "/pokedex/25", "/pokedex/types"] {
          #expect(try await browser.ask("HEAD", path).status == 200, "\(path)")
        }
      }
    }

    private static func familyIsATree(_ browser: Browser, _ mirror: Mirror) async throws {
      let eevee = try await browser.get("/pokedex/eevee").body
      let tree = try #require(eevee.firstMatch(of: #/<ul class="tree"[\s\S]*?<h2>/#)).output
      let rows = try await mirror.rows("pokedex", "evolution", "eevee")
      let shown = tree.matches(of: #/href="/pokedex/(\d+)"/#).compactMap { Int($0.1) }
      #expect(shown.count == 9 && Set(shown) == Set([133] + rows.compactMap { $0["to_id"]?.int }), "\(tree)")
      for sentence in rows.compactMap({ $0["sentence"]?.text }) {
        #expect(tree.contains(">\(sentence)</span>"), "\(sentence) is not in \(tree)")
      }
      // Each branch is inside of Eevee's element.
      #expect(tree.matches(of: #/<ul>/#).count == 1)
    }

    private static func chartIsInTheGamesOrder(_ browser: Browser) async throws {
      let types = try await browser.get("/pokedex/types?type=fire&type2=flying").body
      #expect(types.matches(of: #/<th scope="row">/#).count == 18 && types.matches(of: #/<td/#).count == 18 * 18)
      #expect(types.contains(#/<dt>4×</dt><dd><span class="types">\s*<a class="type type-rock"/#), "\(types)")
      let chart = try #require(types.firstMatch(of: #/<table class="chart"[\s\S]*<\/table>/#)).output
      let labels = chart.matches(of: #/href="/pokedex\?type=([a-z]+)"/#).map { String($0.1) }
      #expect(Array(labels.prefix(18)) == Array(labels.suffix(18)) && labels.count == 36)
      #expect(labels.prefix(4) == ["normal", "fire", "water", "electric"] && labels.last == "fairy", "\(labels)")
      #expect(chart.contains(#/type-electric[^\n]*\n(<td[^\n]*\n){8}<td class="none">0<\/td>/#), "\(chart)")
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
            let links = body.matches(of: #/<a href="/itunes/track/(\d+)\?country=[a-z]+">/#)
            let shown = links.compactMap { Int($0.1) }
            #expect(!rows.isEmpty && shown == rows.compactMap { $0["id"]?.int }, "\(query): \(body)")
          }
          let stored = try await browser.get("/itunes?search=jay").body
          #expect(stored.contains("<h1>Search jay</h1>"), "\(stored)")
          #expect(stored.contains("syncctl itunes search 周杰倫 --offline --country tw --sort artist"), "\(stored)")
          let charts = try await browser.get("/itunes").body
          #expect(
            charts.contains("▲ ") && charts.contains("us most-played songs") && charts.contains("周杰倫"), "\(charts)")
          try await Self.item(browser, mirror)
          try await Self.checkErrors(
            browser, 400, ["chart=nope", "country=xxx", "term=a&sort=nope", "term=a&page=x"].map { "/itunes?\($0)" })
          try await Self.checkErrors(
            browser, 404, ["/itunes?search=nope", "/itunes/x", "/itunes/track/5", "/itunes/nope/5"])
          #expect(try await browser.ask("HEAD", "/itunes").body.isEmpty)
        }
      }
    }

    /// A song's page has its history in the chart and its preview, and favorites link to it.
    private static func item(_ browser: Browser, _ mirror: Mirror) async throws {
      let movers = try await mirror.rows("rankings", "movers", "itunes")
      let id = try #require(movers.first { $0["position"]?.int != nil }?["id"]?.int)
      let charted = try await browser.get("/itunes/track/\(id)")
      for words in ["<dt>us most-played songs</dt>", "<path d=\"M", "Apple Music ↗", "Add track \(id) to favorites"] {
        #expect(charted.body.contains(words), "\(words) is not in \(charted.body)")
      }
      #expect(charted.fields["content-security-policy"]?.contains("media-src https: http://127.0.0.1:") == true)
      let song = try #require(try await mirror.rows("itunes", "search", "周杰倫", "--country", "tw", "--offline").first)
      let path = "/itunes/track/\(try #require(song["id"]?.int))?country=tw"
      let page = try await browser.get(path).body
      for words in [
        "<audio controls preload=\"none\" src=\"https://",
        "href=\"/itunes?term=%E5%91%A8%E6%9D%B0%E5%80%AB&amp;country=tw\"",
        "--country tw --offline</code>",
      ] { #expect(page.contains(words), "\(words) is not in \(page)") }
      let form = "source=itunes&kind=track&id=\(id)"
      #expect(try await browser.submit("/favorites", form, from: "/itunes/track/\(id)").status == 303)
      #expect(try await browser.get("/favorites").body.contains("href=\"/itunes/track/\(id)\""))
    }
  }
}
