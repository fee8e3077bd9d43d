import EmbeddedSQL
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

/// Stored rows and answers do not depend on the locale of the database, so a backup can be restored under another one.
@Suite(.timeLimit(.minutes(10)), .mirror)
struct LocaleTests {
  /// Settings of `CREATE DATABASE`. A server can lack a locale of the operating system, or ICU.
  private static let locales = [
    "C": "LOCALE 'C'", "en_US": "LOCALE 'en_US.UTF-8'",
    "und": "LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'und'",
    "tr-TR": "LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'",
  ]

  @Test("the same documents give the same rows and answers in databases of every locale")
  func sameRows() async throws {
    let server = try await ThrowawayPostgres.shared()
    try await Self.fill(mirror)
    let rows = try await Self.rows(mirror)
    let answers = try await Self.answers(mirror)
    #expect(answers["titles"] == [["1"], ["2"]])
    #expect(answers["songs"] == [["1"]])
    #expect(answers["pokemon"] == [["25"]])
    #expect(answers["item"] == [["4"]])
    #expect(answers["report"] == [["1"], ["2"]])
    #expect(answers["genres"]?.map { $0[3] } == ["Bishounen", "Ödland"])
    var tried = 0
    for (name, options) in Self.locales.sorted(by: { $0.key < $1.key }) {
      guard let test = try? await server.makeDatabase(locale: options) else { continue }
      tried += 1
      _ = try await Database.with(test.settings, applicationName: "owner") { try await Migrator($0).migrate() }
      if ProductRole.name != nil { try await server.grant(in: test) }
      try await StoredMirror.connected(to: test) { other in
        try await Self.fill(other)
        let found = try await Self.rows(other)
        for (table, expected) in rows { #expect(found[table] == expected, "\(table) in \(name)") }
        #expect(try await Self.answers(other) == answers, "\(name)")
      }
      try await server.drop(test)
    }
    #expect(tried >= 1)
  }

  private static func fill(_ mirror: StoredMirror) async throws {
    let genres = #"[{"mal_id":1,"type":"anime","name":"Bishounen"},{"mal_id":2,"type":"anime","name":"Ödland"}]"#
    let other = #"[{"mal_id":1,"type":"anime","name":"BISHOUNEN"}]"#
    try await WalkedList.run(
      mirror,
      [
        [
          Media(1).with([
            "title": #""KISHI İstanbul""#, "title_english": #""ΑΣ Жизнь""#, "title_japanese": #""Éclair Ⅻ ＩＣＥ""#,
            "type": #""TV Special""#, "score": "8.5", "genres": genres,
          ]),
          Media(2).with([
            "title": #""ıkishi""#, "type": #""TV Special""#, "score": "7.5", "genres": other,
          ]),
        ]
      ])
    try await mirror.walk(
      .search(),
      [[.song(1, ["trackName": #""INÍCIO Жизнь""#, "trackPrice": #""\u20031.5""#]), .song(2)]])
    try await mirror.storeSamples()
    try await mirror.store(
      [
        PokeDocument(
          90,
          """
          {"id": 90, "chain": {"species": {"name": "x", "url": "/api/v2/pokemon-species/1/"}, "evolves_to": [{
            "species": {"name": "y", "url": "/api/v2/pokemon-species/2/"}, "evolves_to": [], "evolution_details": [{
              "trigger": {"name": "use-item", "url": "/api/v2/evolution-trigger/3/"},
              "item": {"name": "ice-stone", "url": "/api/v2/item/7/"}}]}]}}
          """)
      ], in: "evolution-chain")
    try await mirror.store(
      [
        PokeDocument(
          91,
          """
          [{"location_area": {"name": "a", "url": "/api/v2/location-area/1/"}, "version_details": [{
            "max_chance": 5, "version": {"name": "red", "url": "/api/v2/version/1/"}, "encounter_details": [{
              "chance": 5, "condition_values": [{"name": "B"}, {"name": "a-c"}, {"name": "ab"}, {"name": "É"}]}]}]}]
          """)
      ], in: "pokemon-encounters")
  }

  /// The rows of every derived table, without the times of writing.
  private static func rows(_ mirror: StoredMirror) async throws -> [String: [String]] {
    var found = try await mirror.derivedRows().mapValues { $0.sorted() }
    for (table, columns) in [
      "jikan.media_title": "mal_id, titles", "jikan.media_links": "mal_id, facets, linked_ids, names",
      "itunes.item": "id, title, track_price, search_text",
    ] {
      found[table] = try await mirror.rows("SELECT (\(columns))::text FROM \(table)").compactMap { $0[0] }.sorted()
    }
    return found
  }

  private static func answers(_ mirror: StoredMirror) async throws -> [String: [[String?]]] {
    let pokemon = try QuerySQL.text("by_name", of: "pokeapi")
    let document = try QuerySQL.text("by_document_name", of: "pokeapi")
    return [
      "titles": try await mirror.rows(
        "SELECT mal_id FROM jikan.media_title WHERE titles LIKE '%' || jikan.fold('KISHI') || '%' ORDER BY 1"),
      "songs": try await mirror.rows("SELECT id FROM itunes.found('ЖИЗНЬ inicio') ORDER BY 1"),
      "pokemon": Array(try await mirror.database.rows(pokemon, [.texts(["en"]), .text("PIKACHU")]).rows),
      "item": Array(
        try await mirror.database.rows(document, [.texts(["en"]), .text("POKÉ BALL"), .text("item")]).rows),
      "report": try await mirror.rows(
        "SELECT mal_id FROM jikan.media WHERE sync.lower(type) = sync.lower('TV SPECIAL') ORDER BY 1"),
      "genres": Array(
        try await mirror.database.rows(QuerySQL.text("genres", of: "jikan"), [.text("anime"), .int(10)]).rows),
      "clean": try await mirror.rows("SELECT pokeapi.clean(E'électré-\\nmagnétiques', 'fr')"),
      "words": try await mirror.rows("SELECT pokeapi.words('ice-stone-4th')"),
    ]
  }

  @Test("capital letters become small letters as in Unicode, and other characters stay")
  func lower() async throws {
    for (text, small) in [
      ("KISHI", "kishi"), ("İIı", "iiı"), ("ÀÞß÷×", "àþß÷×"), ("ŠšŸ", "ššÿ"), ("ΑΣς", "ασς"), ("ЁЖ", "ёж"),
      ("Ა", "ა"), ("ＡＢ", "ａｂ"), ("鋼", "鋼"), ("", ""), ("K", "k"),
    ] { #expect(try await mirror.value("SELECT sync.lower($1)", [.text(text)]) == small, "\(text)") }
  }

  /// Functions and classes whose result depends on the locale. In `lower(span)` and `upper(span)`, the argument is a
  /// range.
  @Test("no statement folds or classifies texts by the locale of the database")
  func statements() throws {
    let paths = ["shared", "sources", "reports"].flatMap { EmbeddedSQL.paths(in: $0) }
    #expect(paths.count > 100)
    let byLocale = #/\\[wWdDmMyY]|\\s|\[\[:|(?i:\bilike\b)|~\*|(?:min|max)\([^()]*COLLATE "default"/#
    for path in paths where path != "shared/functions/lower.sql" {
      let text = try #require(EmbeddedSQL.text(path)).replacing(#/(?m)--.*$/#, with: "")
      for match in text.matches(of: #/(?:^|[^.\w])(?:lower|upper|initcap)\((?!span\))(.*)/#) {
        #expect(match.1.contains(#"COLLATE "C""#), "\(path): \(match.0)")
      }
      #expect(text.firstMatch(of: byLocale) == nil, "\(path)")
    }
  }
}
