import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Lookups of the generated iTunes", .timeLimit(.minutes(10)))
struct ITunesLookupTests {
  private let itunes = GeneratedITunes()

  private func first(_ query: String, where holds: @escaping (ITunesRow) -> Bool = { _ in true }) async throws
    -> ITunesRow
  {
    let rows = try await itunes.rows("/search?term=muse&limit=200&\(query)")
    let row = rows.first { holds($0) }
    return try #require(row)
  }

  @Test("a record is the same in a lookup as in a search, 200 at a time, in the requested order")
  func records() async throws {
    for query in ["entity=song", "entity=album", "media=software", "media=ebook", "media=podcast", "media=all"] {
      let found = try await itunes.rows("/search?term=muse&limit=200&\(query)")
      let ids = found.compactMap(\.itunesID)
      let list = ids.map(String.init).joined(separator: ",")
      #expect(try await itunes.rows("/lookup?id=\(list)") == found, "\(query)")
    }
    let ids = try await itunes.ids("/search?term=muse&entity=song&limit=3")
    let list = "\(ids[2]),7,\(ids[0]),\(ids[2])"
    #expect(try await itunes.ids("/lookup?id=\(list)") == [ids[2], ids[0]])
    #expect(try await itunes.ids("/lookup?id=\((1...200).map(String.init).joined(separator: ","))").isEmpty)
    #expect(try await itunes.ids("/lookup?id=").isEmpty)
  }

  @Test("a song has another number in another store, an app the same one")
  func stores() async throws {
    let song = try await first("entity=song")
    let id = try #require(song.itunesID)
    #expect(try await itunes.ids("/lookup?id=\(id)&country=US") == [id])
    for country in ["de", "jp", "tw"] { #expect(try await itunes.ids("/lookup?id=\(id)&country=\(country)").isEmpty) }
    let apps = try await itunes.ids("/search?term=muse&media=software&limit=200")
    let list = apps.map(String.init).joined(separator: ",")
    let abroad = try await itunes.rows("/lookup?id=\(list)&country=jp")
    #expect(abroad.count > apps.count / 2 && abroad.count < apps.count)
    #expect(abroad.allSatisfy { $0["currency"] == .string("JPY") })
    // Not everything is known before it was searched for; what a setting names is.
    #expect(try await GeneratedITunes().ids("/lookup?id=\(id)").isEmpty)
    #expect(try await GeneratedITunes("term=Muse").rows("/lookup?id=\(id)") == [song])
  }

  @Test("the parent comes first, and then what belongs to it")
  func children() async throws {
    let song = try await first("entity=song") { $0.integer("trackCount") ?? 0 > 7 }
    let album = try #require(song.integer("collectionId"))
    let rows = try await itunes.rows("/lookup?id=\(album)&entity=song&limit=200")
    #expect(rows.first?.itunesID == album && rows.first?.label == "collection/Album")
    let songs = rows.dropFirst()
    #expect(songs.contains(song) && songs.allSatisfy { $0.integer("collectionId") == album })
    #expect(songs.compactMap { $0.integer("trackNumber") } == Array(1...songs.count))
    #expect(songs.allSatisfy { $0.integer("trackCount") == songs.count })
    #expect(rows.first?.integer("trackCount") == songs.count)
    #expect(songs.allSatisfy { $0["collectionName"] == rows[0]["collectionName"] })

    let artist = try #require(try await first("entity=song&attribute=artistTerm&media=music").integer("artistId"))
    let albums = try await itunes.rows("/lookup?id=\(artist)&entity=album&limit=200&sort=recent")
    #expect(albums.first?.label == "artist/-" && albums.count > 3)
    #expect(albums.dropFirst().allSatisfy { $0.integer("artistId") == artist && $0.label == "collection/Album" })
    let dates = albums.dropFirst().compactMap { $0["releaseDate"]?.string }
    #expect(dates == dates.sorted(by: >))
    #expect(try await itunes.ids("/lookup?id=\(artist)&entity=song&limit=4").count == 5)

    let show = try #require(try await first("media=podcast").itunesID)
    let episodes = try await itunes.rows("/lookup?id=\(show),\(album)&entity=podcastEpisode&limit=200")
    #expect(episodes.count == 32 && episodes.last?.itunesID == album)
    #expect(
      episodes[1...30].allSatisfy { $0.integer("collectionId") == show && ($0.itunesID ?? 0) > 1_000_000_000_000 })
    let season = try #require(try await first("entity=tvSeason").itunesID)
    #expect(try await itunes.rows("/lookup?id=\(season)&entity=tvEpisode").map(\.label).dropFirst().count == 10)
  }

  @Test("by the names that records have elsewhere")
  func otherNames() async throws {
    let app = try await first("media=software")
    let bundle = try #require(app["bundleId"]?.string)
    #expect(try await itunes.rows("/lookup?bundleId=\(bundle)") == [app])
    // By both names at once it comes twice.
    #expect(try await itunes.rows("/lookup?id=\(app.itunesID ?? 0)&bundleId=\(bundle)") == [app, app])
    let album = try await first("entity=album") { $0["amgArtistId"] != nil }
    let upc = try #require(itunes.upc(ofAlbum: album.itunesID ?? 0, country: "us"))
    #expect(upc.utf8.count == 12)
    #expect(try await itunes.rows("/lookup?upc=\(upc)") == [album])
    let book = try await first("media=ebook")
    let isbn = try #require(itunes.isbn(ofEbook: book.itunesID ?? 0, country: "us"))
    #expect(isbn.utf8.count == 13 && isbn.hasPrefix("978"))
    #expect(try await itunes.rows("/lookup?isbn=\(isbn)") == [book])
    // A number that is printed in a real book.
    #expect(ITunesCodes.ebook(isbn: "9780306406157") != nil && ITunesCodes.ebook(isbn: "9780306406154") == nil)
    #expect(itunes.isbn(ofEbook: album.itunesID ?? 0, country: "us") == nil)
    let amg = try #require(album.integer("amgArtistId"))
    #expect(try await itunes.rows("/lookup?amgArtistId=\(amg)").first?.integer("artistId") == album.integer("artistId"))
    for nothing in [
      "bundleId=com.example.zzz", "bundleId=.", "upc=1", "isbn=9780000000000", "amgArtistId=0",
      "amgAlbumId=99999999999",
      "isbn=978-12345678x", "upc=\(String(upc.reversed()))",
    ] {
      #expect(try await itunes.rows("/lookup?\(nothing)").isEmpty, "\(nothing)")
    }
  }

  @Test("every number is one record's, and leads to it again")
  func numbers() throws {
    let identifiers = ITunesIdentifiers(seed: 9)
    var seen: Set<Int> = []
    for store in try ["us", "jp"].map({ try #require(ITunesStorefront($0)) }) {
      for kind in ITunesKind.allCases where store.country == "us" || !kind.isShared {
        for address in [(0, 0), (0, 1), (77, 4095), (131_071, 2000)].map({ ITunesAddress($0, kind, $1) }) {
          let id = identifiers.id(of: address, in: store)
          #expect(id > 0 && id < 1 << 58 && seen.insert(id).inserted, "\(address)")
          #expect(identifiers.address(of: id, in: store) == address)
        }
      }
    }
    let store = try #require(ITunesStorefront("us"))
    for id in [Int.min, -1, 0, Int.max, 1 << 58, 999_999_999_999] {
      #expect(identifiers.address(of: id, in: store).map { identifiers.id(of: $0, in: store) == id } ?? true)
    }
  }
}
