import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import ITunesSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct ITunesQueriesTests {
  private static let all = ITunesQueries.Part(limit: 100)

  private static func ids(_ answer: ITunesQueries.Answer) -> [String?] { answer.page.rows.rows.map { $0[3] } }

  private static let songs = [
    AppleRecord.song(1, ["artistName": #""Zed""#, "collectionName": #""A""#, "trackPrice": "2"]),
    .song(2, ["artistName": #""Ärzte""#, "collectionName": #""B""#, "trackPrice": "-1"]),
    .song(
      3, ["artistName": #""beta""#, "collectionName": #""B""#, "trackNumber": "2", "releaseDate": #""2020-01-01""#]),
    .song(4, ["artistName": #""Beta""#, "collectionName": #""b""#, "trackNumber": "1", "releaseDate": "null"]),
    .song(5, ["artistName": "null", "trackPrice": "0"]),
  ]

  @Test("results of a search: every order, in pages, and at an earlier time")
  func results() async throws {
    try await mirror.walk(.search(), [[.song(9)]])
    let first = try #require(await mirror.value("SELECT clock_timestamp()::text"))
    try await mirror.walk(.search(), [Self.songs])
    func sorted(_ sort: ITunesQueries.Sort, _ part: ITunesQueries.Part = Self.all) async throws -> [String?] {
      let answer = try await ITunesQueries.results(of: "jay", sort: sort, part: part, in: mirror.database)
      #expect(answer.total == 5)
      return Self.ids(answer)
    }
    #expect(try await sorted(.relevance) == ["1", "2", "3", "4", "5"])
    #expect(try await sorted(.artist) == ["2", "4", "3", "1", "5"])
    #expect(try await sorted(.release) == ["3", "1", "2", "5", "4"])
    #expect(try await sorted(.price) == ["5", "3", "4", "1", "2"])
    #expect(try await sorted(.artist, .init(limit: 2)) == ["2", "4"])
    let past = try await ITunesQueries.results(
      of: "jay", sort: .artist, part: Self.all, asOf: .at(first), in: mirror.database)
    #expect(past.total == 1)
    #expect(Self.ids(past) == ["9"])
    for (name, moment) in [("nobody", nil), ("jay", Moment("1d"))] {
      await expectError(.missing) {
        _ = try await ITunesQueries.results(of: name, sort: .artist, part: Self.all, asOf: moment, in: mirror.database)
      }
    }
  }

  @Test("pages by cursor are of one publication, in every order; those of the mirror continue after their last row")
  func cursors() async throws {
    let many = Self.songs + [.song(6), .song(7), .album(8)]
    try await mirror.walk(.search(), [many])
    for sort in ITunesQueries.Sort.allCases {
      typealias Ask = (ITunesQueries.Part) async throws -> ITunesQueries.Answer
      let asks: [Ask] = [
        { try await ITunesQueries.results(of: "jay", sort: sort, part: $0, in: mirror.database) },
        {
          try await ITunesQueries.find(
            .init(term: "", country: "tw"), sort: sort, most: 7, part: $0, in: mirror.database)
        },
      ]
      for ask in asks {
        let whole = try await ask(Self.all)
        #expect(whole.page.next == nil && whole.total == whole.page.rows.rows.count)
        let part = try await ask(.init(limit: 3, offset: 2))
        #expect(Self.ids(part) == Array(Self.ids(whole).dropFirst(2).prefix(3)), "\(sort)")
        for size in [1, 3] {
          var pages: [String?] = []
          var part = ITunesQueries.Part(limit: size)
          repeat {
            let answer = try await ask(part)
            #expect(answer.total == whole.total)
            pages += Self.ids(answer)
            part.after = answer.page.next.flatMap { PageCursor($0.description) }
          } while part.after != nil && pages.count < 20
          #expect(pages == Self.ids(whole), "\(sort)")
        }
      }
    }
    let latest = try await ITunesQueries.results(
      of: "jay", sort: .release, most: 2, part: .init(), in: mirror.database)
    let released = try await ITunesQueries.results(of: "jay", sort: .release, part: .init(), in: mirror.database)
    #expect(latest.total == 2 && Self.ids(latest) == Array(Self.ids(released).prefix(2)))
    func page(_ cursor: PageCursor?) async throws -> ITunesQueries.Answer {
      try await ITunesQueries.results(
        of: "jay", sort: .relevance, part: .init(limit: 3, after: cursor), in: mirror.database)
    }
    let first = try await page(nil)
    #expect(first.publication?.isLatest == true)
    try await mirror.walk(.search(), [[.song(9), .song(7), .song(1)]])
    let second = try await page(first.page.next)
    #expect(Self.ids(second) == ["4", "5", "6"] && second.publication?.isLatest == false)
    try await mirror.execute("DELETE FROM itunes.search_publication WHERE entries = 8")
    #expect(await syncError { _ = try await page(first.page.next) }?.code == .missing)
  }

  @Test("words are found in title, artist and album, in any case, with or without accents, and wildcards are literal")
  func words() async throws {
    try await mirror.walk(
      .lookup([], country: "tw"),
      [
        [
          .song(1, ["trackName": #""Déjà Vu""#, "artistName": #""Beyoncé""#, "collectionName": #""B'Day""#]),
          .song(2, ["trackName": #""告白氣球""#, "artistName": #""周杰倫""#, "collectionName": #""周杰倫的床邊故事""#]),
          .song(3, ["trackName": #""100% _pure_ \\ love""#, "artistName": #""Ｃｒｙｓｔａｌ""#]),
          .album(1, ["collectionName": #""B'Day""#, "artistName": #""Beyoncé""#]),
        ]
      ])
    try await mirror.walk(.lookup([], country: "us"), [[.song(1, ["artistName": #""Beyoncé""#])]])
    func found(_ term: String, classes: [String] = [], kinds: [String] = []) async throws -> [String] {
      let answer = try await ITunesQueries.find(
        .init(term: term, country: "tw", classes: classes, kinds: kinds), sort: .relevance, part: Self.all,
        in: mirror.database)
      #expect(answer.total == answer.page.rows.rows.count)
      return answer.page.rows.rows.map { "\($0[2] ?? "") \($0[3] ?? "")" }
    }
    #expect(try await found("beyonce") == ["collection 1", "track 1"])
    #expect(try await found("  BEYONCÉ   deja ") == ["track 1"])
    #expect(try await found("b'day") == ["collection 1", "track 1"])
    #expect(try await found("beyonce", classes: ["track"]) == ["track 1"])
    #expect(try await found("beyonce", kinds: ["song"]) == ["track 1"])
    #expect(try await found("beyonce", kinds: ["music-video"]) == [])
    #expect(try await found("杰倫") == ["track 2"])
    #expect(try await found("crystal 100%") == ["track 3"])
    #expect(try await found("10_%") == [])
    #expect(try await found("_PURE_") == ["track 3"])
    #expect(try await found("\\") == ["track 3"])
    #expect(try await found("beyonce nobody") == [])
    try await mirror.execute("UPDATE itunes.item SET vanished_at = now() WHERE class = 'track' AND id = 1")
    #expect(try await found("beyonce") == ["collection 1"])
  }

  @Test("by relevance: the order of a search of the term, then the exact title, then titles that begin with it")
  func relevance() async throws {
    let songs = [
      AppleRecord.song(1, ["trackName": #""Not Halo""#]), .song(2, ["trackName": #""Halo again""#]),
      .song(3, ["trackName": #""HALO""#]), .song(4, ["trackName": #""Some halo""#]),
      .song(5, ["trackName": #""Halo of another search""#]),
    ]
    try await mirror.walk(.lookup([], country: "tw"), [songs])
    func found(_ sort: ITunesQueries.Sort) async throws -> [String?] {
      Self.ids(
        try await ITunesQueries.find(
          .init(term: "halo", country: "tw"), sort: sort, part: Self.all, in: mirror.database))
    }
    #expect(try await found(.relevance) == ["3", "2", "5", "1", "4"])
    try await mirror.walk(.search("a", term: "Halo"), [[songs[3], songs[0]]])
    try await mirror.walk(.search("b", term: "halo "), [[songs[4]]])
    try await mirror.walk(.search("c", country: "us", term: "halo"), [[songs[4]]])
    #expect(try await found(.relevance) == ["4", "1", "3", "2", "5"])
    #expect(try await found(.artist) == ["1", "2", "3", "4", "5"])
  }

  @Test("items by id: of every class and storefront, in the requested order, vanished ones too")
  func items() async throws {
    try await mirror.walk(.lookup([]), [[.song(1), .song(2), .album(2)]])
    try await mirror.walk(.search(), [[.song(2), AppleRecord("podcast-episode", 50, [:])]])
    try await mirror.execute("UPDATE itunes.item SET vanished_at = now() WHERE country = 'us' AND id = 1")
    func found(_ ids: [Int64], _ country: String?, _ itemClass: String? = nil) async throws -> [[String?]] {
      try await ITunesQueries.items(ids, country: country, class: itemClass, in: mirror.database).rows
        .map { Array($0[0...2]) }
    }
    #expect(
      try await found([2, 1, 77], nil)
        == [["tw", "track", "2"], ["us", "track", "2"], ["us", "collection", "2"], ["us", "track", "1"]])
    #expect(try await found([1, 2], "us", "track") == [["us", "track", "1"], ["us", "track", "2"]])
    #expect(try await found([77], "us") == [])
    let one = try await ITunesQueries.items([1], country: "us", in: mirror.database)
    let names = one.columns.map(\.name)
    for name in ["release_date", "preview_url", "artist_view_url", "collection_view_url", "vanished_at"] {
      #expect(names.contains(name))
    }
    #expect(try await ITunesQueries.mirroredIDs(country: "us", in: mirror.database) == [1, 2])
    #expect(try await ITunesQueries.mirroredIDs(country: "tw", in: mirror.database) == [2])
    try await mirror.walk(.chart("albums"), [[.entry(1)]])
    let scopes = try await ITunesQueries.storedScopes(in: mirror.database)
    #expect(scopes.items == [["tw"], ["us"]])
    #expect(scopes.charts == [["us", "", "", "albums"]])
  }

  @Test("looked-up ids are recorded and listed, the latest first, with their current titles")
  func lookupHistory() async throws {
    try await mirror.walk(.lookup([1]), [[.song(1)]])
    try await ITunesQueries.record([], in: mirror.database)
    try await ITunesQueries.record(
      [.init(action: .search, country: "tw", term: "周杰倫 % '", results: 42)], in: mirror.database)
    try await ITunesQueries.record(
      [
        .init(action: .lookup, country: "us", id: 1, itemClass: "track", results: 1),
        .init(action: .lookup, country: "us", id: 77, results: 0),
      ], in: mirror.database)
    try await ITunesQueries.record(
      [.init(action: .show, country: "us", id: 1, itemClass: "track", results: 1)], in: mirror.database)
    let all = try await ITunesQueries.lookups(limit: 10, in: mirror.database).rows
    #expect(
      all.rows.map { Array($0[2...]) } == [
        ["show", "us", nil, "1", "track", "Song 1", "Artist 1", "1"], ["lookup", "us", nil, "77", nil, nil, nil, "0"],
        ["lookup", "us", nil, "1", "track", "Song 1", "Artist 1", "1"],
        ["search", "tw", "周杰倫 % '", nil, nil, nil, nil, "42"],
      ])
    let skipped = try await ITunesQueries.lookups(limit: 2, after: .offset(1), in: mirror.database).rows
    #expect(skipped.rows.map { $0[0] } == all.rows.map { $0[0] }[1...2].map(\.self))
    let number = try #require(all.rows.first?.first.flatMap { $0 }.flatMap { Int64($0) })
    let rest = try await ITunesQueries.lookups(
      [.lookup, .show], country: "us", limit: 1, after: .id(number), in: mirror.database)
    #expect(rest.rows.rows.map { $0[5] } == ["77"])
    let last = try await ITunesQueries.lookups(
      [.lookup, .show], country: "us", limit: 1, after: rest.next.map { .cursor($0) }, in: mirror.database)
    #expect(last.rows.rows.map { $0[5] } == ["1"] && last.next == nil)
    #expect(try await ITunesQueries.lookups([.search], country: "us", limit: 9, in: mirror.database).rows.rows == [])
    let empty = await syncError {
      try await ITunesQueries.record(
        [.init(action: .search, country: "us", term: "a\u{0}b", results: 0)], in: mirror.database)
    }
    #expect(empty != nil, "PostgreSQL text cannot contain NUL")
  }
}
