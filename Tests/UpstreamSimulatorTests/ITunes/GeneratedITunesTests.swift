import SyncTestKit
import Testing

@testable import UpstreamSimulator

@Suite("The generated iTunes", .computesLong, .timeLimit(.minutes(10)))
struct GeneratedITunesTests {
  private let itunes = GeneratedITunes()
  private static let jay = "/search?term=%E5%91%A8%E6%9D%B0%E5%80%AB&limit=200"

  @Test("every entity finds what it stands for, and each record is found by its number")
  func entities() async throws {
    for (query, labels) in [
      ("media=music", ["track/song", "track/music-video"]), ("entity=song", ["track/song"]),
      ("entity=album", ["collection/Album"]), ("media=music&entity=musicArtist", ["artist/-"]),
      ("media=movie", ["track/feature-movie"]), ("media=tvShow", ["track/tv-episode"]),
      ("media=tvShow&entity=tvSeason", ["collection/TV Season"]), ("media=podcast", ["track/podcast"]),
      ("entity=podcastEpisode", ["podcastEpisode/podcast-episode"]), ("media=audiobook", ["audiobook/-"]),
      ("media=ebook", ["-/ebook"]), ("media=software", ["software/software"]),
      ("media=software&entity=macSoftware", ["software/mac-software"]), ("media=music&entity=mix", []),
    ] as [(String, Set<String>)] {
      let rows = try await itunes.rows("/search?term=slack&limit=200&\(query)")
      #expect(Set(rows.map(\.label)) == labels, "\(query)")
      let ids = rows.compactMap(\.itunesID)
      #expect(Set(ids).count == rows.count, "\(query)")
      #expect(try await itunes.rows("/lookup?id=\(ids.map(String.init).joined(separator: ","))") == rows, "\(query)")
    }
  }

  @Test("a term finds the records that have it, each term in an order of its own, the same in each process")
  func terms() async throws {
    let songs = try await itunes.rows("\(Self.jay)&entity=song&country=tw")
    #expect(songs.count > 40 && songs.allSatisfy { $0["artistName"] == .string("周杰倫") })
    #expect(songs.allSatisfy { $0["country"] == .string("TWN") && $0["trackPrice"]?.number == 40 })
    #expect(try await itunes.rows("\(Self.jay)&entity=song&country=tw&limit=7") == Array(songs.prefix(7)))
    let (one, other) = ("/search?term=xx&entity=song", "/search?term=yy&entity=song")
    #expect(try await Set(itunes.ids(one + "&limit=200")) == Set(itunes.ids(other + "&limit=200")))
    #expect(try await itunes.ids(one) != itunes.ids(other))
    #expect(try await itunes.ids(one) == GeneratedITunes().ids(one))
    for term in ["zzzz", "a+Zzzz+b", "", "+"] { #expect(try await itunes.rows("/search?term=\(term)").isEmpty) }
  }

  @Test("the parent comes first, and then what belongs to it; other names lead to a record too")
  func lookups() async throws {
    let album = try #require(try await itunes.rows("\(Self.jay)&entity=album").first)
    let id = try #require(album.itunesID)
    let family = try await itunes.rows("/lookup?id=\(id),7,\(id)&entity=song&limit=200")
    #expect(family.first == album && family.count == 1 + (album.integer("trackCount") ?? 0))
    #expect(family.dropFirst().compactMap { $0.integer("trackNumber") } == Array(1..<family.count))
    #expect(family.dropFirst().allSatisfy { $0.integer("collectionId") == id })
    let artist = try #require(album.integer("artistId"))
    let albums = try await itunes.rows("/lookup?id=\(artist)&entity=album&sort=recent")
    let dates = albums.dropFirst().compactMap { $0["releaseDate"]?.text }
    #expect(albums.first?.label == "artist/-" && dates.count == 4 && dates == dates.sorted(by: >))
    let app = try #require(try await itunes.rows("/search?term=a&media=software").first)
    #expect(try await itunes.rows("/lookup?bundleId=\(app["bundleId"]?.text ?? "")") == [app])
    #expect(try await itunes.rows("/lookup?upc=00\(id)") == [album])
    #expect(try await itunes.rows("/lookup?upc=1&isbn=2&bundleId=.").isEmpty)
  }

  @Test("wrong values are refused by their inner names; an answer is a script to be saved")
  func refusals() async throws {
    for (query, key) in [
      ("search?term=a&country=xx", "country"), ("search?term=a&media=radio", "mediaType"),
      ("search?term=a&entity=x", "resultEntity"), ("search?term=a&limit=0", "limit"), ("lookup?id=1,x", "itunesId"),
      ("lookup?id=1&entity=x", "resultEntity"),
    ] {
      let answer = await itunes.get("/\(query)")
      #expect(answer.status == 400)
      let message = try JSONValue(answer.body)["errorMessage"]?.text
      #expect(message == "Invalid value(s) for key(s): [\(key)]", "\(query)")
    }
    #expect(await itunes.status("/search/x") == 404)
    #expect(await itunes.answer(SimulatedRequest(method: "POST", path: "/search")).status == 405)
    let answer = await itunes.get("/search?term=a&limit=1")
    #expect(String(decoding: answer.body.prefix(20), as: UTF8.self).hasPrefix("\n\n\n{\n \"resultCount\""))
    #expect(answer.headers.contains(HeaderField("Content-Type", "text/javascript; charset=utf-8")))
  }

  @Test(
    "charts hold records of their kind, whose numbers are text, and change from day to day",
    arguments: [
      "music/most-played/100/songs", "music/most-played/100/albums", "apps/top-free/100/apps",
      "apps/top-paid/100/apps", "books/top-free/100/books", "audio-books/top/100/audio-books",
      "podcasts/top/100/podcasts", "podcasts/top/100/podcast-episodes",
    ])
  func charts(_ name: String) async throws {
    itunes.settings.chartRepeats = 0
    var days: Set<[String]> = []
    for day in 0..<8 {
      itunes.settings.day = day
      let entries = try await itunes.chart("us/\(name).json")
      let ids = entries.compactMap { $0["id"]?.text }
      #expect(!ids.isEmpty && ids.count == entries.count && Set(ids).count == ids.count)
      let records = try await itunes.rows("/lookup?id=\(ids.joined(separator: ","))")
      #expect(records.count == ids.count && Set(records.map(\.label)).count == 1)
      #expect(try await itunes.chart("us/\(name).json") == entries)
      days.insert(ids)
    }
    if name.hasSuffix("songs") { #expect(days.count > 1) }
    itunes.settings.chartRepeats = 1
    let songs = try await itunes.chart("us/music/most-played/50/songs.json").compactMap { $0["id"]?.text }
    #expect(songs.count == Set(songs).count + 1)
  }

  @Test("charts that there are not, and more than they hold")
  func noCharts() async throws {
    for (path, status) in [
      ("us/music/most-played/100/songs", 200), ("zz/music/most-played/100/songs", 500),
      ("us/music/most-played/101/songs", 500), ("cn/books/top-free/10/books", 500), ("us/music/most-played/10/x", 404),
      ("us/radio/top/10/songs", 404), ("us/music/most-played/x/songs", 404), ("us/music/songs", 404),
    ] { #expect(await itunes.status("/api/v2/\(path).json") == status, "\(path)") }
  }
}
