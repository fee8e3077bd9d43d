import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct ITunesColumnTests {
  private static func columns(_ names: String, of records: [AppleRecord]) async throws -> [[String?]] {
    try await StoredMirror.with { mirror in
      #expect(try await mirror.walk(.lookup(records.map(\.id)), [records]).counters.inserted == records.count)
      return try await mirror.rows(
        """
        SELECT \(names) FROM itunes.item i
        JOIN unnest($1::bigint[]) WITH ORDINALITY AS wanted (key, place) ON wanted.key = itunes.key(i.class, i.id)
        ORDER BY wanted.place
        """, [.ints(records.map(\.key))])
    }
  }

  @Test("a song with all members")
  func song() async throws {
    let row = try await Self.columns(
      """
      country, class, id, kind, title, artist_id, artist_name, collection_id, collection_name, track_id, price,
      currency, is_sold_singly, track_price, collection_price, release_date, released_at, track_time_ms, track_number,
      explicitness, primary_genre, to_json(genres), search_text, vanished_at
      """, of: [.song(1_000_744_275_511, ["trackTimeMillis": "212000.0", "trackName": #""Ärger\u3000ＡＢＣ""#])])
    #expect(
      row.first == [
        "us", "track", "1000744275511", "song", "Ärger\u{3000}ＡＢＣ", "1000744276511", "Artist 1000744275511",
        "1000744277511", "Album 1000744275511", "1000744275511", "0.99", "USD", "t", "0.99", "9.99", "2010-11-02",
        "2010-11-02T07:00:00Z", "212000", "11", "notExplicit", "Pop", #"["Pop"]"#,
        "arger abc artist 1000744275511 album 1000744275511", nil,
      ])
  }

  @Test("dates of several formats, some before 1970, and an invalid one")
  func dates() async throws {
    let cases: [(text: String, day: String?, time: String?)] = [
      ("1865-11-26T08:00:00Z", "1865-11-26", "1865-11-26T08:00:00Z"),
      ("1967-11-01T12:00:00Z", "1967-11-01", "1967-11-01T12:00:00Z"),
      ("2012-07-04 07:00:00 Etc/GMT", "2012-07-04", "2012-07-04T07:00:00Z"),
      ("2019-08-23T22:00:00-07:00", "2019-08-23", "2019-08-24T05:00:00Z"), ("2018-01-01", "2018-01-01", nil),
      ("2024-02-29T00:00:00Z", "2024-02-29", "2024-02-29T00:00:00Z"), ("2023-02-29T00:00:00Z", nil, nil),
      ("2020-02-01T25:00:00Z", "2020-02-01", nil), ("0000-01-01T00:00:00Z", nil, nil), ("soon", nil, nil),
      ("", nil, nil),
    ]
    let songs = cases.enumerated().map { AppleRecord.song(Int64($0 + 1), ["releaseDate": "\"\($1.text)\""]) }
    #expect(try await Self.columns("release_date, released_at", of: songs) == cases.map { [$0.day, $0.time] })
  }

  @Test("prices: of the album, the song, the app, a free app, and a song that is not sold alone")
  func prices() async throws {
    let rows = try await Self.columns(
      "price, is_sold_singly, track_price, collection_price, formatted_price",
      of: [
        .album(5), .song(1, ["trackPrice": "-1.00", "collectionPrice": "11.989"]),
        .song(2, ["trackPrice": "0.00", "collectionPrice": "-1"]),
        AppleRecord("app", 3, ["price": "1200", "formattedPrice": "\"¥1,200\"", "trackId": "3"]),
        AppleRecord("artist", 4, ["artistId": "4", "trackPrice": "1"]),
      ])
    #expect(
      rows.prefix(4) == [
        ["9.99", nil, nil, "9.99", nil], [nil, "f", nil, "11.99", nil], ["0.00", "t", "0.00", nil, nil],
        ["1200.00", nil, nil, nil, "¥1,200"],
      ])
    #expect(rows.last?.first == .some(nil))
  }

  @Test("numbers as texts, ids as texts, seconds for milliseconds, genres as objects, ratings with fifty digits")
  func spelling() async throws {
    let comedy = #"[{"name":"Comedy","id":"1303"},{"id":"2"},null]"#
    let rows = try await Self.columns(
      """
      track_id, file_size_bytes, average_user_rating, user_rating_count, bundle_id, title, primary_genre,
      to_json(genres), artwork_url, track_time_ms, wrapper_type
      """,
      of: [
        AppleRecord(
          "app", 9,
          [
            "trackId": #""9""#, "trackName": #""App""#, "fileSizeBytes": #""4294967296""#,
            "userRatingCount": "3000000000",
            "averageUserRating": "4.66666666666666696272613990004174411296844482421875",
            "bundleId": #""com.example.app""#,
            "genres": #"["Games","Fun"]"#, "artworkUrl60": #""small""#, "artworkUrl512": #""large""#,
          ]),
        AppleRecord("podcast", 4, ["trackTimeMillis": "1573", "genres": comedy]),
        AppleRecord("podcast-episode", 5, ["trackTimeMillis": "1573000", "genres": comedy]),
        AppleRecord("ebook", 6, ["fileSizeBytes": "77", "trackName": "null"]),
      ])
    try #require(rows.count == 4)
    #expect(
      rows[0].prefix(9) == [
        "9", "4294967296", "4.67", "3000000000", "com.example.app", "App", "Games", #"["Games","Fun"]"#, "large",
      ])
    for row in rows[1...2] { #expect([row[7], row[9]] == [#"["Comedy"]"#, "1573000"]) }
    #expect([rows[3][5], rows[3][1], rows[3][10]] == [nil, "77", nil])
  }

  private static let read = [
    "wrapperType", "kind", "collectionType", "artistType", "trackName", "trackCensoredName", "collectionName",
    "collectionCensoredName", "artistName", "artistId", "collectionId", "trackId", "bundleId", "price", "trackPrice",
    "collectionPrice", "trackRentalPrice", "trackHdPrice", "trackHdRentalPrice", "collectionHdPrice", "formattedPrice",
    "currency", "releaseDate", "trackTimeMillis", "discNumber", "discCount", "trackNumber", "trackCount",
    "trackExplicitness", "collectionExplicitness", "contentAdvisoryRating", "trackContentRating", "primaryGenreName",
    "genres", "fileSizeBytes", "averageUserRating", "userRatingCount", "version", "previewUrl", "episodeUrl",
    "artworkUrl600", "artworkUrl512", "artworkUrl100", "artistViewUrl", "artistLinkUrl", "collectionViewUrl",
    "trackViewUrl", "feedUrl", "artistUrl", "artworkUrl100", "name", "url", "im:name", "im:image", "im:artist", "link",
    "category", "im:contentType", "im:releaseDate",
  ]

  @Test("no value of a wrong type is refused", .mirror)
  func wrongTypes() async throws {
    let classes = ["track", "collection", "artist", "podcast", "podcast-episode", "audiobook", "ebook", "app", "other"]
    for (index, value) in [
      "null", "true", "7", "-7.5", "1e300", "-1e300", "1e-300", "99999999999999999999999999", #""""#, #""x""#,
      #""1e5""#, #""NaN""#, #""Infinity""#, #""99999999999999999999999999999999999999""#, "[]", "{}",
      #"[[],{"name":5}]"#, #"{"label":{"name":[]}}"#, #""2020-13-45T99:99:99Z""#, #""0001-01-01""#,
      #""9999-12-31T23:59:59+14:59""#, #""% _ \\ \u0001""#,
    ].enumerated() {
      let id = Int64(index + 1)
      let members = Dictionary(Self.read.map { ($0, value) }, uniquingKeysWith: { $1 })
      let found = try await mirror.walk(.search(), [classes.map { AppleRecord($0, id, members) }]).counters
      #expect(found.inserted == 9 && found.quarantined == 0, "\(value)")
      let charted = try await mirror.walk(.chart(), [[AppleRecord("chart", id, members)]]).counters
      #expect(charted.inserted == 1 && charted.quarantined == 0, "\(value)")
      _ = try await mirror.rows("SELECT * FROM itunes.found('x')")
    }
  }

  @Test("views show their classes; TV seasons are not albums", .mirror)
  func views() async throws {
    let classes = ["artist", "podcast", "podcast-episode", "audiobook", "ebook", "app", "other"]
    let records =
      [AppleRecord.song(1), .album(1), .album(2, ["collectionType": #""TV Season""#])]
      + classes.map { AppleRecord($0, 1, ["artistName": #""Somebody""#]) }
    try await mirror.walk(.search(), [records])
    for view in ["track", "album", "artist", "podcast", "podcast_episode", "audiobook", "ebook", "app"] {
      #expect(try await mirror.rows("SELECT country, id FROM itunes.\(view)") == [["tw", "1"]], "\(view)")
    }
    #expect(try await mirror.value("SELECT count(*) FROM itunes.item") == "10")
    #expect(try await mirror.value("SELECT count(*) FROM itunes.search_item WHERE search = 'jay'") == "10")
    for (index, name) in ["other", "track", "collection", "artist", "podcast", "podcast-episode"].enumerated() {
      let key = try await mirror.rows(
        "SELECT itunes.key('\(name)', 77), itunes.key_class($1), itunes.key_id($1)", [.int(Int64(77 * 16 + index))])
      #expect(key == [["\(77 * 16 + index)", name, "77"]])
    }
  }

  @Test("entries of charts, including the format of the older feeds", .mirror)
  func chartEntries() async throws {
    let old = [
      "im:name": #"{"label":"Lover"}"#, "im:artist": #"{"label":"Taylor","attributes":{"href":"a"}}"#,
      "im:image": #"[{"label":"small"},{"label":"large"}]"#, "link": #"[{"attributes":{"href":"u"}}]"#,
      "im:releaseDate": #"{"label":"2019-08-23T00:00:00-07:00"}"#, "category": #"{"attributes":{"label":"Pop"}}"#,
      "im:contentType": #"{"im:contentType":{"attributes":{"label":"Album"}}}"#,
    ]
    let now = AppleRecord.entry(
      1,
      [
        "contentAdvisoryRating": #""Explict""#, "artistId": #""682277""#, "artistUrl": #""a""#,
        "artworkUrl100": #""large""#,
      ])
    try await mirror.walk(.chart(), [[now, AppleRecord("chart", 2, old)]])
    try await mirror.expect(
      """
      SELECT position, id, name, artist_id, artist_name, kind, release_date, content_advisory_rating,
             to_json(genres), url, artist_url, artwork_url
      FROM itunes.chart_ranking ORDER BY position
      """, "1|1|Song 1|682277|Artist 1|songs|2026-01-02|Explicit|[\"Pop\"]|https://music.example/1|a|large",
      "2|2|Lover|∅|Taylor|Album|2019-08-23|∅|[\"Pop\"]|u|a|large")
  }
}
