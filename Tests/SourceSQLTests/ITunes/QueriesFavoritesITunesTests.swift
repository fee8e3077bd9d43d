import PostgresTestKit
import SyncCore
import Testing

@testable import ITunesSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesFavoritesITunesTests {
  private static let artist = AppleRecord(
    "artist", 7, ["wrapperType": #""artist""#, "artistId": "7", "artistName": #""周杰倫""#])

  @Test(
    "the class identifies the item, whatever the storefront; titles are the mirror's", .ownersAlone("keeps favorites"))
  func titles() async throws {
    let database = mirror.database
    try await mirror.walk(.search("a", country: "us"), [[.song(1), .album(1), Self.artist]])
    try await mirror.walk(.search("b", country: "jp"), [[.song(1, ["trackName": #""歌 1""#]), .song(2)]])
    try await mirror.walk(.search("c", country: "au"), [[.song(3), .song(1, ["trackName": #""Lied 1""#])]])
    try await mirror.walk(.chart(), [[.entry(40), .entry(1)]])
    try await mirror.walk(.chart("albums"), [[.entry(41)]])
    for (item, title) in [
      (Favorites.Item.itunes(.track, id: 1), "Lied 1"), (.itunes(.album, id: 1), "Album 1"),
      (.itunes(.artist, id: 7), "周杰倫"), (.itunes(.track, id: 2), "Song 2"), (.itunes(.track, id: 40), "Song 40"),
      (.itunes(.album, id: 41), "Song 41"),
    ] {
      #expect(try await Favorites.add(item, to: "favorites", note: nil, in: database) == (title: title, isNew: true))
    }
    for item in [Favorites.Item.itunes(.album, id: 2), .itunes(.track, id: 41), .itunes(.app, id: 1)] {
      await expectError(.missing, hint: "syncctl itunes lookup \(item.id)") {
        _ = try await Favorites.add(item, to: "favorites", note: nil, in: database)
      }
    }
    let listed = try await Favorites.list(nil, in: database).rows
    #expect(
      listed.rows.map { Array($0[1...6]) } == [
        ["itunes", "track", "1", "Lied 1", "歌 1", "song"], ["itunes", "album", "1", "Album 1", nil, "album"],
        ["itunes", "artist", "7", "周杰倫", nil, "artist"], ["itunes", "track", "2", "Song 2", "Song 2", "song"],
        ["itunes", "track", "40", "Song 40", nil, "track"], ["itunes", "album", "41", "Song 41", nil, "album"],
      ])
    let rest = try await Favorites.list(nil, limit: 2, after: .offset(3), in: database).rows
    #expect(rest.rows.map { $0[3] } == ["2", "40"])
    try await mirror.execute("UPDATE itunes.item SET vanished_at = now() WHERE country = 'au' AND id = 1")
    #expect(try await Favorites.list(nil, in: database).rows.rows.first?[4] == "歌 1")
    try await Favorites.remove(.itunes(.track, id: 1), from: "favorites", in: database)
    #expect(try await Favorites.list(nil, in: database).rows.rows.count == 5)
  }

  @Test("an item that moved in a chart, and one that left it", .ownersAlone("keeps favorites"))
  func changes() async throws {
    try await mirror.walk(.chart(), [[.entry(40), .entry(1), .entry(2)]])
    for id in [1, 2] as [Int64] {
      _ = try await Favorites.add(.itunes(.track, id: id), to: "a", note: nil, in: mirror.database)
    }
    try await mirror.walk(.chart(), [[.entry(1), .entry(40)]])
    let since = try #require(Moment("2020-01-01"))
    let rows = try await Favorites.changes(since: since, nil, in: mirror.database).rows
    #expect(
      Set(rows.map { Array($0[3...7]) + [$0[9]] }) == [
        ["1", "Song 1", "position", "2", "1", "us music most-played songs"],
        ["2", "Song 2", "left", nil, nil, "us music most-played songs"],
      ])
  }

  @Test("the items of an artist or an album, in the order of the album, without vanished ones")
  func children() async throws {
    let database = mirror.database
    let parts = { (album: Int64, disc: Int, track: Int) in
      ["collectionId": "\(album)", "artistId": "7", "discNumber": "\(disc)", "trackNumber": "\(track)"]
    }
    try await mirror.walk(
      .search("a", country: "us"),
      [
        [
          Self.artist, .album(50), .album(60), .song(3, parts(50, 2, 1)), .song(2, parts(50, 1, 2)),
          .song(1, parts(50, 1, 1)), .song(4, parts(60, 1, 1)), .song(9),
        ]
      ])
    try await mirror.walk(.search("b", country: "jp"), [[.song(5, parts(50, 1, 3))]])
    func children(_ ids: [Int64], _ classes: [String] = [], _ kinds: [String] = []) async throws -> [Int64] {
      try await ITunesQueries.children(of: ids, country: "us", classes: classes, kinds: kinds, in: database)
    }
    #expect(try await children([50], ["track"], ["song"]) == [1, 2, 3])
    #expect(try await children([60, 50], ["track"]) == [4, 1, 2, 3])
    #expect(Set(try await children([7], ["collection"])) == [50, 60])
    #expect(try await children([50], ["track"], ["music-video"]).isEmpty)
    #expect(try await children([50, 7], []).contains(50) == false)
    try await mirror.execute("UPDATE itunes.item SET vanished_at = now() WHERE id = 2")
    #expect(try await children([50], ["track"]) == [1, 3])
  }

  @Test("the ids that the last look-up missed, for one storefront")
  func absence() async throws {
    try await mirror.walk(.lookup([1, 2, 3]), [[.song(1)]])
    try await mirror.walk(.lookup([1, 2], country: "jp"), [[.song(2)]])
    let absent = try await ITunesQueries.absent([1, 2, 4], country: "us", in: mirror.database)
    #expect(absent == [2])
    try await mirror.walk(.lookup([2]), [[.song(2)]])
    #expect(try await ITunesQueries.absent([1, 2, 3], country: "us", in: mirror.database) == [3])
  }

  @Test("a price that changes is a row of the report and of the favorite's changes; other changes are not")
  func priceChanges() async throws {
    let prices = ["1.29", "1.29", "0.99", "-1"]
    for (index, price) in prices.enumerated() {
      let record = AppleRecord.song(1, ["trackPrice": price, "trackName": "\"Song \(index)\""])
      try await mirror.walk(.search(), [[record, .song(2)]])
    }
    let report = try #require(Reports.all.first { $0.name == "price-changes" })
    let rows = try await Reports.run(report, in: mirror.database)
    #expect(
      rows.rows.map { Array($0[5...9]) } == [
        ["0.99", nil, "USD", nil, nil], ["1.29", "0.99", "USD", "-0.30", "-23.3"],
      ])
    #expect(rows.rows.map { $0[3] } == ["Song 3", "Song 3"])
    // An update with an unchanged content hash records no price change, because only the mapping can have changed.
    try await mirror.execute("UPDATE itunes.item SET price = 5, content_hash = content_hash WHERE id = 2")
    #expect(try await mirror.rows("SELECT count(*) FROM itunes.price_change") == [["2"]])
    _ = try await Favorites.add(.itunes(.track, id: 1), to: "x", note: nil, in: mirror.database)
    let changes = try await Favorites.changes(since: #require(Moment("1d")), "x", in: mirror.database)
    #expect(changes.rows.filter { $0[5] == "price" }.map { Array($0[6...7]) } == [["1.29", nil]])
  }
}

extension Favorites.Item {
  fileprivate static func itunes(_ kind: Favorites.ITunesKind, id: Int64) -> Self {
    Self(source: "itunes", kind: kind.rawValue, id: id, remedy: Favorites.ITunesKind.remedy(id: id))
  }
}
