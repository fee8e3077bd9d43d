import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct JikanLinkTests {
  static let links = "SELECT mal_id, facet, linked_id, name FROM jikan.media_link ORDER BY 1, 2, 3"

  static func named(_ names: (Int, String)...) -> String {
    "[" + names.map { #"{"mal_id":\#($0),"name":"\#($1)","type":"anime"}"# }.joined(separator: ",") + "]"
  }

  @Test("links come, change their names and leave with the document, and an equal document writes none")
  func changes() async throws {
    let first = Media(1).with(["genres": Self.named((1, "Action"), (8, "Drama")), "studios": Self.named((11, "Mad"))])
    let other = Media(2).with(["genres": Self.named((1, "Action")), "demographics": Self.named((27, "Shounen"))])
    try await WalkedList.run(mirror, [[first, other]])
    try await mirror.expect(
      Self.links, "1|genres|1|Action", "1|genres|8|Drama", "1|studios|11|Mad", "2|demographics|27|Shounen",
      "2|genres|1|Action")
    let versions = "SELECT xmin::text, xmax::text, ctid::text FROM jikan.media_links WHERE mal_id = 2"
    let before = try await mirror.rows(versions)
    let changed = first.with(["genres": Self.named((8, "Drama!"), (9, "Ecchi"))])
    try await WalkedList.run(mirror, [[changed, other.with(["title": "\"New\""])]])
    try await mirror.expect(Self.links + " LIMIT 3", "1|genres|8|Drama!", "1|genres|9|Ecchi", "1|studios|11|Mad")
    #expect(try await mirror.rows(versions) == before, "an equal link was written again")
    #expect(try await mirror.rows("SELECT studio FROM jikan.anime_studio") == [["Mad"]])
    #expect(try await mirror.rows("SELECT count(*) FROM jikan.media_genre") == [["4"]])
    let less = changed.with(["genres": Self.named((8, "Drama!"))])
    try await WalkedList.run(mirror, [[less, other.with(["title": "\"New\""])]])
    try await mirror.expect(Self.links + " LIMIT 2", "1|genres|8|Drama!", "1|studios|11|Mad")
  }

  @Test("of members that are not as they should be nothing is derived, and the document is stored")
  func odd() async throws {
    let odd =
      #"[{"mal_id":1e2,"name":"Hundred"},{"mal_id":1.5,"name":"x"},{"mal_id":1e400,"name":"x"},"#
      + #"{"mal_id":"7","name":"x"},{"mal_id":-1,"name":"x"},{"mal_id":3,"name":""},{"mal_id":4,"name":5},"#
      + #"{"mal_id":5},null,7,[],{"mal_id":6,"name":"Six"},{"mal_id":6,"name":"Again"}]"#
    let titles = #"[{"title":"Ünïque"},{"title":null},{"type":"x"},7,"text",{"title":""},{"title":"…"}]"#
    let items = [
      Media(1).with(["genres": odd, "studios": "7", "themes": "{}", "producers": "null", "titles": titles]),
      Media(2).with(["genres": "\"text\"", "title_synonyms": #"["a",["b"],null]"#, "titles": "{}"]),
    ]
    #expect(try await WalkedList.run(mirror, [items]).counters.inserted == 2)
    #expect(try await mirror.rows(Self.links) == [["1", "genres", "6", "Six"], ["1", "genres", "100", "Hundred"]])
    #expect(
      try await mirror.rows("SELECT titles FROM jikan.media_title ORDER BY mal_id") == [
        ["\ntitle 1\nunique\n…\n"], ["\ntitle 2\na\nb\n"],
      ])
    let documents = "(SELECT array_agg(mal_id) AS ids, array_agg(raw) AS documents FROM jikan.media) AS m"
    let made = "SELECT l.* FROM \(documents), jikan.links_of(ids, documents) AS l ORDER BY 1"
    let links = "SELECT mal_id, facets, linked_ids, names FROM jikan.media_links ORDER BY 1"
    #expect(try await mirror.rows(made) == (try await mirror.rows(links)))
    #expect(try await mirror.rows(links).last == ["2", "{}", "{}", "{}"])
    let comparable = "SELECT t.* FROM \(documents), jikan.titles_of(ids, documents) AS t ORDER BY 1"
    let stored = "SELECT mal_id, titles FROM jikan.media_title ORDER BY 1"
    #expect(try await mirror.rows(comparable) == (try await mirror.rows(stored)))
  }

  @Test("what another session has committed while a document waited for its row is seen, and replaced")
  func waiting() async throws {
    let media = Media(1).with(["genres": Self.named((1, "Action"))])
    try await WalkedList.run(mirror, [[media]])
    let new = media.with(["genres": Self.named((1, "Action"), (8, "Drama")), "title": "\"New\""])
    try await mirror.other { other in
      try await other.write { [mirror] connection in
        _ = try connection.query("UPDATE jikan.media SET synopsis = 'x'")
        _ = try connection.query(
          """
          UPDATE jikan.media_links SET facets = facets || '{genres,themes}', linked_ids = linked_ids || '{8,52}',
            names = names || '{Drama,Idols}'
          """)
        let waits = Task { _ = try await WalkedList.run(mirror, [[new]]) }
        // The transaction commits only after the walk waits for the row.
        let waiting: SQL =
          "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        while try connection.query(waiting).int(row: 0, column: 0) == 0 {}
        return waits
      }.value
    }
    #expect(try await mirror.rows(Self.links) == [["1", "genres", "1", "Action"], ["1", "genres", "8", "Drama"]])
    #expect(try await mirror.rows("SELECT title FROM jikan.media") == [["New"]])
  }

  @Test("stored documents of an earlier mapping get theirs without a request")
  func rederived() async throws {
    try await WalkedList.run(mirror, [[Media(1).with(["genres": Self.named((1, "Action"))])]])
    let derived = try await mirror.rows(Self.links)
    try await mirror.execute("TRUNCATE jikan.media_links, jikan.media_title")
    _ = try await StoreRederivationTests.rederivation(mirror).derive()
    #expect(try await mirror.rows(Self.links) == derived && !derived.isEmpty)
    #expect(try await mirror.rows("SELECT titles FROM jikan.media_title") == [["\ntitle 1\n"]])
  }

  @Test("titles become comparable, in any script")
  func folded() async throws {
    for (title, folded) in [
      ("Steins;Gate", "steins gate"), ("Re:ZERO -Starting Life-", "re zero starting life"), ("K-On!!", "k on"),
      ("Pokémon  Ｘ", "pokemon x"), ("鋼の錬金術師 FULLMETAL", "鋼の錬金術師 fullmetal"), ("が・ぎ", "か\u{3099} き\u{3099}"),
      ("ｶﾞﾝﾀﾞﾑ", "カ\u{3099}ンタ\u{3099}ム"), ("ЁЖ", "еж"), ("☆★", "☆★"), ("∀ Gundam", "gundam"), ("100%", "100"),
      ("_", "_"), ("a\nb", "a b"),
    ] { #expect(try await mirror.rows("SELECT jikan.fold($1)", [.text(title)]) == [[folded]]) }
  }
}
