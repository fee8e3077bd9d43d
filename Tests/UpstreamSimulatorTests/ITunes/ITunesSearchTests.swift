import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Searches of the generated iTunes", .timeLimit(.minutes(10)))
struct ITunesSearchTests {
  private let itunes = GeneratedITunes()

  @Test("the same each time and in each process, and another for each parameter")
  func parameters() async throws {
    let base = "/search?term=jack+johnson&country=us&media=music&limit=20"
    let ids = try await itunes.ids(base)
    #expect(ids.count == 20 && Set(ids).count == 20)
    #expect(await itunes.get(base).body == GeneratedITunes().get(base).body)
    #expect(await itunes.get("/search?limit=20&media=music&term=Jack%20%20Johnson").body == itunes.get(base).body)
    for other in [
      "/search?term=abba&media=music&limit=20", "/search?term=jack+johnson&country=de&media=music&limit=20",
      "/search?term=jack+johnson&media=podcast&limit=20", base + "&entity=album", base + "&attribute=songTerm",
      base + "&lang=ja_jp", base + "&version=1",
    ] {
      #expect(await itunes.get(other).body != itunes.get(base).body, "\(other)")
    }
    #expect(try await GeneratedITunes("", seed: 2).get(base).body != itunes.get(base).body)
    // The language changes words alone.
    #expect(try await itunes.ids(base + "&lang=ja_jp") == ids)
    #expect(try await itunes.ids(base.replacing("limit=20", with: "limit=7")) == Array(ids.prefix(7)))
  }

  @Test("50 by default and 200 at most; offset is ignored, or skips")
  func pages() async throws {
    let itunes = try GeneratedITunes("size=500")
    let song = "/search?term=abba&entity=song"
    #expect(try await itunes.ids(song).count == 50)
    let first = try await itunes.ids(song + "&limit=200")
    #expect(first.count == 200)
    #expect(try await itunes.ids(song + "&limit=300") == first)
    #expect(try await itunes.ids(song + "&limit=200&offset=200") == first)
    itunes.settings.honoursOffset = true
    let pages =
      [first] + (try await [itunes.ids(song + "&limit=200&offset=200"), itunes.ids(song + "&limit=200&offset=400")])
    #expect(pages.map(\.count) == [200, 200, 100] && Set(pages.joined()).count == 500)
    #expect(try await itunes.ids(song + "&limit=200&offset=600").isEmpty)
    #expect(await itunes.status(song + "&offset=x") == 400)
  }

  @Test("every medium and entity finds what it stands for")
  func entities() async throws {
    let expected: [(String, Set<String>)] = [
      ("media=music", ["track/song", "track/music-video"]), ("media=music&entity=song", ["track/song"]),
      ("entity=album", ["collection/Album"]), ("media=music&entity=musicArtist", ["artist/-"]),
      ("media=movie", ["track/feature-movie"]), ("media=shortFilm", ["track/feature-movie"]),
      ("media=tvShow", ["track/tv-episode"]), ("media=tvShow&entity=tvSeason", ["collection/TV Season"]),
      ("media=podcast", ["track/podcast"]), ("entity=podcastEpisode", ["podcastEpisode/podcast-episode"]),
      ("media=audiobook", ["audiobook/-"]), ("media=ebook", ["-/ebook"]), ("media=software", ["software/software"]),
      ("media=software&entity=desktopSoftware", ["software/mac-software"]), ("media=music&entity=mix", []),
      (
        "",
        [
          "track/song", "track/music-video", "track/feature-movie", "track/tv-episode", "track/podcast", "audiobook/-",
          "-/ebook",
        ]
      ),
    ]
    for (query, labels) in expected {
      let rows = try await itunes.rows("/search?term=slack&limit=200&\(query)")
      #expect(Set(rows.map(\.label)) == labels, "\(query)")
      #expect(Set(rows.compactMap(\.itunesID)).count == rows.count, "\(query)")
    }
  }

  @Test("attributes choose between names and titles")
  func attributes() async throws {
    let base = "/search?term=queen&media=music&entity=song&limit=200"
    let byName = try await itunes.rows(base + "&attribute=artistTerm")
    let byTitle = try await itunes.rows(base + "&attribute=songTerm")
    #expect(!byName.isEmpty && byName.allSatisfy { $0["artistName"] == .string("Queen") })
    #expect(!byTitle.isEmpty && byTitle.allSatisfy { $0["trackName"]?.string?.contains("Queen") == true })
    #expect(byName.count + byTitle.count == 120)
    #expect(try await itunes.rows(base + "&explicit=No").allSatisfy { $0["trackExplicitness"] != .string("explicit") })
  }

  @Test("titles in the language of the store, and a discography in Taiwan")
  func languages() async throws {
    let term = "%E5%91%A8%E6%9D%B0%E5%80%AB"
    let songs = try await itunes.rows("/search?term=\(term)&country=tw&media=music&limit=200")
    let own = songs.filter { $0["artistName"] == .string("周杰倫") }
    #expect(own.count > 60 && own.count < songs.count)
    #expect(Set(own.compactMap { $0["collectionId"]?.number }).count > 5)
    #expect(songs.allSatisfy { $0["country"] == .string("TWN") && $0["currency"] == .string("TWD") })
    let titles = songs.compactMap { $0["trackName"]?.string }
    #expect(titles.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value > 0x7F } }, "\(titles)")
    let albums = try await itunes.rows("/search?term=\(term)&country=tw&entity=album")
    #expect(albums.contains { $0["artistName"] == .string("周杰倫") })
    let japanese = try await itunes.rows("/search?term=yoasobi&country=jp&media=music").compactMap {
      $0["trackName"]?.string
    }
    #expect(japanese.contains { $0.contains("の") })
  }

  @Test("some terms find nothing, and wrong values are refused by their inner names")
  func refusals() async throws {
    for term in ["zzzz", "a+Zzzz+b", "", "+", String(repeating: "x", count: 300)] {
      #expect(try await itunes.rows("/search?term=\(term)").isEmpty, "\(term)")
    }
    #expect(try await itunes.rows("/search").isEmpty)
    for (query, key) in [
      ("search?term=a&country=xx", "country"), ("search?term=a&country=usa", "country"),
      ("search?term=a&media=radio", "mediaType"), ("search?term=a&media=movie&entity=song", "resultEntity"),
      ("search?term=a&media=software&attribute=songTerm", "attributeType"), ("search?term=a&lang=english", "language"),
      ("search?term=a&limit=0", "limit"), ("search?term=a&limit=ten", "limit"), ("lookup?id=abc", "itunesId"),
      ("lookup?id=1,2,x", "itunesId"), ("lookup?id=-1", "itunesId"), ("lookup?id=1&country=zz", "country"),
      ("lookup?id=\((1...201).map(String.init).joined(separator: ","))", "itunesId"),
      ("lookup?id=99999999999999999999", "itunesId"), ("lookup?id=1&entity=nothing", "resultEntity"),
    ] {
      let answer = await itunes.get("/\(query)")
      #expect(answer.status == 400)
      let message = try JSONValue(answer.body)["errorMessage"]?.string
      #expect(message == "Invalid value(s) for key(s): [\(key)]", "\(query)")
    }
    #expect(await itunes.status("/search/x") == 404)
    #expect(await itunes.answer(SimulatedRequest(method: "POST", path: "/search")).status == 405)
  }

  @Test("an answer is a script to be saved, after blank lines")
  func envelope() async throws {
    let answer = await itunes.get("/search?term=a&limit=1")
    #expect(String(decoding: answer.body.prefix(20), as: UTF8.self).hasPrefix("\n\n\n{\n \"resultCount\""))
    #expect(answer.headers.contains(HeaderField("Content-Type", "text/javascript; charset=utf-8")))
    #expect(answer.headers.contains { $0.name == "Content-Disposition" && $0.value.hasPrefix("attachment") })
  }

  @Test("the old address answers with nulls and other dates")
  func oldAddress() async throws {
    let rows = try await itunes.rows("/WebObjects/MZStoreServices.woa/wa/wsSearch?media=movie&term=pixar")
    #expect(rows.contains { $0["collectionId"] == .null && $0["trackCount"] == .null })
    #expect(rows.allSatisfy { $0["releaseDate"]?.string?.hasSuffix(":00:00 Etc/GMT") == true })
    let id = try #require(rows.first?.itunesID)
    #expect(try await itunes.ids("/WebObjects/MZStoreServices.woa/wa/wsLookup?id=\(id)") == [id])
    #expect(try await itunes.ids("/lookup?id=\(id)") == [id])
  }
}
