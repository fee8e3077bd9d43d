import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import PokeAPISource

extension EndToEnd {
  @Suite struct Asking {
    private static func upstream() throws -> HandmadeList {
      let titles = [
        1: "Cowboy Bebop", 2: "Cowboy Bebop: Tengoku no Tobira", 3: "Monster", 4: "銀魂", 5: "Same", 6: "Same", 7: "Sign",
        8: "Sign!",
      ]
      return HandmadeList(
        items: try (1...30).map { id in
          let genre = id.isMultiple(of: 2) ? #"{"mal_id": 8, "name": "Drama"}"# : #"{"mal_id": 1, "name": "Action"}"#
          return try HandmadeList.item(
            id, title: titles[id] ?? "Title \(id)",
            extra: """
              , "genres": [\(genre)], "studios": [{"mal_id": \(id % 3), "name": "Studio \(id % 3)"}], \
              "season": "spring", "year": \(2000 + id % 2), "status": "Finished Airing", "rank": \(id), \
              "rating": "PG-13 - Teens 13 or older", "synopsis": "First.\\nSecond.", "url": "https://example/\(id)", \
              "broadcast": {"day": "Mondays", "time": "01:00", "timezone": "Asia/Tokyo"}
              """)
        })
    }

    private static func with(_ body: (Mirror) async throws -> Void) async throws {
      try await Mirror.with(try upstream().upstream) { mirror, _ in
        try await mirror.succeed("run", "--stream", "top-anime")
        try await body(mirror)
      }
    }

    private static func ids(_ result: ProgramResult) throws -> [Int] {
      try #require(try JSONValue(result.standardOutput).array).compactMap { $0["mal_id"]?.int }
    }

    @Test("while there is more, standard error has the command for the next page, which a shell runs")
    func pages() async throws {
      try await Self.with { mirror in
        var command = #""$0" rankings jikan --genre drama --sort score --limit 4 --format json"#
        var shown: [Int] = []
        var pages = 0
        while pages < 9 {
          let page = try await mirror.shell(command)
          #expect(page.end == .exit(0), "\(page.standardError)")
          shown += try Self.ids(page)
          pages += 1
          let next = page.standardError.split(separator: "\n").filter { $0.hasPrefix("next: syncctl ") }
          guard let line = next.first else { break }
          #expect(next.count == 1)
          command = #""$0" "# + line.dropFirst("next: syncctl ".count)
        }
        #expect(pages == 4)
        #expect(shown == Array(stride(from: 2, through: 30, by: 2)))
        let all = try await mirror.syncctl("rankings", "jikan", "--limit", "0", "--format", "json")
        #expect(try Self.ids(all) == Array(1...30) && all.standardError.isEmpty)
        let after = try await mirror.syncctl("rankings", "jikan", "--after=28", "--format", "json")
        #expect(try Self.ids(after) == [29, 30])
        #expect(try await mirror.syncctl("rankings", "jikan", "--after", "nonsense").end == .exit(64))
      }
    }

    @Test(
      "on a terminal pages have numbers, which count in the current list",
      .enabled(if: Terminals.hasScript, "script(1) is not installed"))
    func numbers() async throws {
      let list = Changing(try HandmadeList.numbered(1...30))
      let upstream = ScriptedUpstream { list.value.answer($0) }
      try await Mirror.with(upstream) { mirror, _ in
        let words = ["rankings", "jikan", "--limit", "10", "--columns", "mal_id", "--no-header"]
        func terminal(_ page: String...) async throws -> (ids: [Int], text: String) {
          let command = ([mirror.program.path] + words + page).joined(separator: " ")
          let session = try await ProgramUnderTest(path: "/bin/sh").run(
            ["-c", #"exec script -qec "$1" /dev/null < /dev/null"#, "sh", command],
            environment: mirror.wholeEnvironment, in: mirror.home.path)
          let lines = session.standardOutput.split(whereSeparator: \.isNewline)
          return (lines.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }, session.standardOutput)
        }
        try await mirror.succeed("run", "--stream", "top-anime")
        let first = try await terminal()
        #expect(first.ids == Array(1...10) && first.text.contains("1–10 of 30 · next: --page 2"), "\(first.text)")
        list.value.items.insert(try HandmadeList.item(31, title: "Title 31"), at: 0)
        try await mirror.succeed("run", "--stream", "top-anime")
        let second = try await terminal("--page", "2")
        #expect(second.ids == Array(10...19) && second.text.contains("11–20 of 31 · next: --page 3"), "\(second.text)")
        let last = try await terminal("--page", "4")
        #expect(last.ids == [30] && last.text.contains("31–31 of 31"), "\(last.text)")
        #expect(!last.text.contains("next:"))
        #expect(try await terminal("--page", "5").text.contains("there is no page 5: 31 results are on 4 pages"))
        let piped = try await mirror.succeed("rankings", "jikan", "--limit", "10", "--page", "2", "--format", "json")
        #expect(try Self.ids(piped) == Array(10...19) && piped.standardError.hasPrefix("next: syncctl rankings jikan"))
        try await mirror.syncctl("rankings", "jikan", "--limit", "10", "--page", "9")
          .expectFailure(1, naming: "there is no page 9: 31 results are on 4 pages")
      }
    }

    @Test("slices, and words that are not known")
    func slices() async throws {
      try await Self.with { mirror in
        let slice = try await mirror.syncctl(
          "rankings", "jikan", "--genre", "Action", "--studio", "studio 1", "--season", "spring", "--year", "2001",
          "--status", "complete", "--rating", "pg-13", "--min-score", "8.5", "--format", "json")
        #expect(try Self.ids(slice) == [1, 7, 13, 19, 25])
        for (arguments, hint) in [
          (["--genre", "Acton"], "did you mean Action?"), (["--studio", "Studio 7"], "did you mean Studio"),
          (["--season", "autumn"], "known: winter, spring, summer, fall"), (["--status", "airin"], "airing"),
          (["--rating", "X"], "known: G, PG, PG-13, R, R+, Rx"), (["--list", "airin"], "did you mean airing?"),
          (["--kind", "manga", "--studio", "x"], "omit --studio"), (["--year", "99999999999"], "--year 99999999999"),
          (["--by", "score", "--list", "airing"], "omit --sort or --list"),
        ] {
          let wrong = try await mirror.syncctl(["rankings", "jikan"] + arguments)
          #expect(wrong.end == .exit(64) && wrong.standardError.contains(hint), "\(wrong.standardError)")
        }
        let none = try await mirror.syncctl("rankings", "jikan", "--year", "1900")
        #expect(none.end == .exit(0) && none.standardOutput.isEmpty)
        #expect(none.standardError.contains("no matching anime"))
        let list = try await mirror.syncctl("rankings", "jikan", "--list", "airing")
        #expect(PrintedCommands.commands(in: list.standardError) == ["run --stream top-anime:airing"])
      }
    }

    @Test("a title stands for its id; several candidates are listed")
    func titles() async throws {
      try await Self.with { mirror in
        let shown = try await mirror.syncctl("anime", "show", "cowboy", "bebop")
        #expect(shown.standardOutput.hasPrefix("Cowboy Bebop\nTV, Finished Airing\n"), "\(shown.standardError)")
        #expect(shown.standardOutput.contains("Action") && shown.standardOutput.contains("First.\nSecond.\n"))
        let added = try await mirror.asOwner.syncctl("favorites", "add", "jikan", "anime", "銀魂")
        #expect(added.standardOutput == "added to favorites: 銀魂\n", "\(added.standardError)")
        let json = try await mirror.asOwner.syncctl("anime", "show", "4", "--format", "json")
        let row = try #require(try JSONValue(json.standardOutput).array?.first)
        #expect(row["collections"]?.array == [.string("favorites")] && row["genres"]?.array == [.string("Drama")])
        #expect(row["lists"]?.array?.first?["list"] == .string("top-anime"))
        #expect(try await mirror.rows("rankings", "history", "anime", "MONSTER").first?["position"]?.int == 3)

        for arguments in [["anime", "show", "same"], ["favorites", "add", "jikan", "anime", "same"]] {
          let several = try await mirror.asOwner.syncctl(arguments)
          #expect(several.end == .exit(64), "\(several.standardError)")
          #expect(several.standardError.contains("5  Same") && several.standardError.contains("6  Same"))
        }
        let exact = try await mirror.syncctl("anime", "show", "sign!")
        #expect(exact.standardOutput.hasPrefix("Sign!\n"), "\(exact.standardError)")
        let misspelt = try await mirror.syncctl("anime", "show", "cowbyo beboop")
        #expect(misspelt.end == .exit(64) && misspelt.standardError.contains("1  Cowboy Bebop"))
        let none = try await mirror.syncctl("anime", "show", "nothing like it")
        #expect(none.end == .exit(1), "\(none.standardError)")
        #expect(try await mirror.syncctl("manga", "show", "1").end == .exit(1))
        let found = try await mirror.syncctl("anime", "search", "bebop", "--format", "json")
        #expect(try Self.ids(found) == [2, 1], "the one that more people know")
        #expect(try JSONValue(found.standardOutput).array?.first?["kind"] == .string("anime"))
        #expect(try await mirror.syncctl("anime", "search", "zzzz").end == .exit(1))
      }
    }

    private static let accented = """
      INSERT INTO pokeapi.resource (endpoint, id, name, raw, content_hash)
      SELECT endpoint, id, name, jsonb_build_object('id', id, 'name', name, 'is_default', true,
          'species', jsonb_build_object('name', name, 'url', '/api/v2/pokemon-species/' || id || '/'),
          'names', jsonb_build_array(jsonb_build_object(
            'name', title, 'language', jsonb_build_object('name', 'en', 'url', '/api/v2/language/9/')))),
        decode(repeat('11', 33), 'hex')
      FROM (VALUES ('pokemon', 669, 'flabebe', ''), ('pokemon-species', 669, 'flabebe', 'Flab\u{e9}b\u{e9}'),
                   ('move', 1, 'meteor', 'M\u{e9}t\u{e9}ores'), ('ability', 2, 'static', 'Stat\u{ef}c'),
                   ('item', 4, 'poke-ball', 'Pok\u{e9} Ball')) AS d (endpoint, id, name, title);
      SELECT pokeapi.derive(endpoint, array_agg(id)) FROM pokeapi.resource GROUP BY endpoint;
      """

    @Test("names are found however the command line composes their characters", .ownersAlone("keeps favorites"))
    func composition() async throws {
      let extra = #", "genres": [{"mal_id": 1, "name": "Dr\#u{f4}le"}]"#
      let list = HandmadeList(items: [
        try HandmadeList.item(1, title: "Pok\u{e9}mon", extra: extra), try HandmadeList.item(2, title: "Other"),
      ])
      try await Mirror.with(list.upstream) { fresh, _ in
        let mirror = fresh.asOwner
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
        _ = try await mirror.sql(Self.accented)
        func run(_ words: String...) async throws -> ProgramResult {
          let decomposed = words.map(\.decomposedStringWithCanonicalMapping)
          let result = try await mirror.succeed(decomposed)
          return result
        }
        #expect(try Self.ids(try await run("anime", "search", "pokémon", "--format", "json")) == [1])
        #expect(try await run("anime", "show", "Pokémon").standardOutput.hasPrefix("Pokémon\n"))
        #expect(try Self.ids(try await run("rankings", "jikan", "--genre", "drôle", "--format", "json")) == [1])
        #expect(try Self.ids(try await run("report", "top-by-genre", "--genre", "Drôle", "--format", "json")) == [1])
        for (kind, name, title) in [
          ("show", "flabébé", "#669 Flabébé"), ("move", "Météores", "#1 Météores"), ("ability", "STATÏC", "#2 Statïc"),
          ("item", "poké ball", "#4 Poké Ball"),
        ] { #expect(try await run("pokedex", kind, name).standardOutput.contains(title), "\(name)") }
        _ = try await run("favorites", "add", "pokeapi", "pokemon", "Flabébé", "--collection", "café")
        let stored = try await mirror.sql("SELECT encode(convert_to(collection, 'UTF8'), 'hex') FROM app.favorite")
        #expect(stored == "636166c3a9")
        let listed = try await mirror.syncctl("favorites", "list", "--collection", "caf\u{e9}", "--format", "json")
        #expect(try JSONValue(listed.standardOutput).array?.count == 1)
      }
    }

    @Test("seasons, the schedule and genres, from what is mirrored")
    func lists() async throws {
      try await Self.with { mirror in
        let rows = try await mirror.rows("seasons")
        #expect(rows.map { $0["year"]?.int } == [2001, 2000] && rows.map { $0["anime"]?.int } == [15, 15])
        let season = try await mirror.syncctl("seasons", "2001", "spring", "--format", "json", "--limit", "2")
        #expect(try Self.ids(season) == [29, 27], "the most popular first")
        for words in [["2001"], ["2001", "autumn"], ["spring"], ["now", "spring"]] {
          #expect(try await mirror.syncctl(["seasons"] + words).end == .exit(64), "\(words)")
        }
        _ = try await mirror.sql("UPDATE jikan.media SET ongoing = true WHERE mal_id IN (3, 4)")
        let monday = try await mirror.syncctl("airing", "monday", "--format", "json")
        #expect(try Self.ids(monday) == [4, 3])
        #expect(try await mirror.syncctl("airing", "tuesday").standardOutput.isEmpty)
        #expect(try await mirror.syncctl("schedules", "mon").end == .exit(64))
        let genres = try await mirror.syncctl("genres", "--format", "csv")
        let lines = genres.standardOutput.split(whereSeparator: \.isNewline).map(String.init)
        #expect(
          lines == [
            "kind,facet,mal_id,name,count,mirrored,url", "anime,genres,1,Action,,15,", "anime,genres,8,Drama,,15,",
          ])
      }
    }
  }
}
