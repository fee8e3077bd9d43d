import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Search {
    /// Items of PokeAPI, and an entry of a chart.
    private static let others = """
      INSERT INTO pokeapi.resource (endpoint, id, name, raw, content_hash)
      SELECT endpoint, id, name, jsonb_build_object('id', id, 'name', name, 'is_default', true,
          'species', jsonb_build_object('name', name, 'url', '/api/v2/pokemon-species/' || id || '/'),
          'names', jsonb_build_array(
            jsonb_build_object(
              'name', title, 'language', jsonb_build_object('name', 'en', 'url', '/api/v2/language/9/')),
            jsonb_build_object(
              'name', japanese, 'language', jsonb_build_object('name', 'ja', 'url', '/api/v2/language/11/')))),
        decode(repeat('11', 33), 'hex')
      FROM (VALUES ('pokemon', 669, 'flabebe', '', ''), ('pokemon-species', 669, 'flabebe', 'Flabébé', 'フラベベ'),
                   ('move', 9, 'thunder-punch', 'Thunder Punch', 'かみなりパンチ'),
                   ('item', 4, 'poke-ball', 'Poké Ball', 'モンスターボール')) AS d (endpoint, id, name, title, japanese);
      SELECT pokeapi.derive(endpoint, array_agg(id)) FROM pokeapi.resource GROUP BY endpoint;
      INSERT INTO itunes.chart_item (country, type, id, name, artist_name, raw, content_hash)
      VALUES ('us', 'songs', 77, 'Thunder Road', 'Bruce Springsteen', '{}', decode(repeat('11', 33), 'hex'));
      """

    private static func with(_ body: (Mirror) async throws -> Void) async throws {
      let titles = [
        1: "Thunder", 2: "Blue Thunder", 3: "Thunderbirds", 4: "100% Pascal-sensei", 5: "Snow_White", 6: "銀魂",
      ]
      let list = HandmadeList(items: try (1...6).map { try HandmadeList.item($0, title: titles[$0] ?? "") })
      try await Mirror.with(list.upstream) { fresh, _ in
        let mirror = fresh.asOwner
        try await mirror.succeed("run", "--stream", "top-anime")
        _ = try await mirror.sql(others)
        try await body(mirror)
      }
    }

    private static func commands(_ result: ProgramResult) throws -> [String] {
      try #require(try JSONValue(result.standardOutput).array).compactMap { $0["command"]?.text }
    }

    @Test("all sources, grouped, with the commands that show the items", .ownersAlone("keeps favorites"))
    func everything() async throws {
      try await Self.with { mirror in
        func found(_ words: String...) async throws -> [String] {
          try Self.commands(try await mirror.succeed(["search", "--format", "json"] + words))
        }
        #expect(
          try await found("thunder") == [
            "syncctl anime show 1", "syncctl anime show 2", "syncctl anime show 3", "syncctl pokedex move 9",
            "syncctl rankings history itunes 77 --chart songs",
          ])
        #expect(try await found("thunder", "PUNCH") == ["syncctl pokedex move 9"], "two words")
        #expect(try await found("springsteen", "road") == ["syncctl rankings history itunes 77 --chart songs"])
        #expect(try await found("flabebe") == ["syncctl pokedex show 669"], "without accents")
        #expect(try await found("フラベ") == ["syncctl pokedex show 669"], "the beginning of a Japanese name")
        #expect(try await found("ﾓﾝｽﾀｰﾎﾞｰﾙ") == ["syncctl pokedex item 4"], "half-width letters")
        #expect(try await found("銀魂") == ["syncctl anime show 6"])
        #expect(try await found("0%") == ["syncctl anime show 4"])
        #expect(try await found("--limit", "1", "thunder").count == 3, "one of each kind")
        #expect(
          try await found("thundr").first == "syncctl anime show 1", "typing errors only if nothing else is found")

        // Each command shows its item. A chart that was not mirrored has no history.
        for command in try await found("thunder").dropLast() {
          try await mirror.succeed(command.split(separator: " ").dropFirst().map(String.init))
        }
        for words in [["%"], ["_"], ["nothing like it"]] {
          try await mirror.syncctl(["search"] + words).expectFailure(1, naming: "nothing in the mirror is called")
        }
        try await mirror.syncctl("search", " ").expectFailure(64, naming: "nothing to search for")

        try await mirror.succeed("favorites", "add", "jikan", "anime", "6", "--note", "again in winter")
        #expect(try await found("winter") == ["syncctl favorites list --collection favorites"])
        let table = try await mirror.succeed("search", "thunder", "-n", "1").standardOutput
        #expect(table.contains("Anime (3)\n") && table.contains("Moves (1)\n"), "\(table)")
      }
    }

    @Test("a mirror without data has no hits, and a source that fails is a warning")
    func faults() async throws {
      let empty = try await Mirror.make()
      try await empty.syncctl("search", "bebop").expectFailure(1, naming: "nothing in the mirror")
      try await Self.with { mirror in
        _ = try await mirror.sql("ALTER TABLE itunes.chart_item RENAME TO gone")
        let found = try await mirror.succeed("search", "thunder")
        #expect(found.standardOutput.contains("Thunder Punch"))
        #expect(found.standardError.contains("itunes was not searched: "), "\(found.standardError)")
      }
    }

    @Test("words of a title add and remove a favorite", .ownersAlone("keeps favorites"))
    func favorites() async throws {
      try await Self.with { mirror in
        let added = try await mirror.succeed("favorites", "add", "blue", "thunder")
        #expect(added.standardOutput == "added to favorites: Blue Thunder\n")
        #expect(
          try await mirror.succeed("favorites", "add", "thunder").standardOutput == "added to favorites: Thunder\n",
          "one exact title")
        let several = try await mirror.syncctl("favorites", "add", "thund")
        several.expectFailure(64, naming: "thund may be one of these items")
        #expect(several.standardError.contains("syncctl favorites add jikan anime 3"), "\(several.standardError)")
        try await mirror.syncctl("favorites", "add", "nothing like it").expectFailure(
          1, naming: "nothing in the mirror")
        try await mirror.syncctl("favorites", "add", "jikan", "anime").expectFailure(64, naming: "no id")
        let removed = try await mirror.succeed("favorites", "remove", "blue", "thunder")
        #expect(removed.standardOutput == "removed from favorites\n")
        try await mirror.syncctl("favorites", "remove", "blue", "thunder").expectFailure(
          1, naming: "has no item called")
      }
    }

    @Test("the page /search has the groups of the command, with links")
    func page() async throws {
      try await Self.with { mirror in
        try await mirror.succeed("favorites", "add", "jikan", "anime", "6", "--note", "again in winter")
        try await mirror.browse { browser in
          let page = try await browser.get("/search?q=thunder")
          #expect(page.status == 200)
          for text in [
            "value=\"thunder\"", "href=\"/anime/1\"", "href=\"#found-pokeapimove\"", "Thunder Punch", "Thunder Road",
            "syncctl search thunder", "5 results for thunder",
          ] { #expect(page.body.contains(text), "\(text) is not in \(page.body)") }
          let one = try await browser.get("/search?q=thunder&in=pokeapi/move")
          #expect(one.body.contains("Thunder Punch") && !one.body.contains("Blue Thunder"))
          let none = try await browser.get("/search?q=%3Czqx%3E")
          #expect(none.status == 200 && none.body.contains("is called &lt;zqx&gt;"), "\(none.body)")
          #expect(try await browser.get("/search").status == 200)
          #expect(try await browser.get("/search?q=winter").body.contains("again in winter"))
          let stranger = try await Browser(port: browser.port).get("/search?q=winter")
          #expect(!stranger.body.contains("again in winter"), "notes are for a browser that has signed in")
        }
      }
    }
  }
}
