import Foundation
import SyncTestKit
import Testing

@testable import UpstreamSimulator

@Suite("The shapes of generated records", .timeLimit(.minutes(10)))
struct ITunesShapesTests {
  private let itunes = GeneratedITunes(
    {
      var settings = ITunesSettings()
      settings.size = 1000
      settings.honoursOffset = true
      return settings
    }())

  private func rows(_ query: String, pages: Int = 1) async throws -> [ITunesRow] {
    var rows: [ITunesRow] = []
    for page in 0..<pages {
      rows += try await itunes.rows("/search?term=echo&limit=200&offset=\(page * 200)&\(query)")
    }
    return rows
  }

  @Test("have everything that a reader must handle")
  func traps() async throws {
    let songs = try await rows("entity=song", pages: 5)
    #expect(songs.count == 1000)
    #expect(songs.contains { $0["trackPrice"]?.number == -1 } && songs.contains { $0["trackPrice"] == nil })
    #expect(songs.contains { $0["releaseDate"]?.string ?? "" < "1970" })
    #expect(songs.contains { $0["collectionArtistName"] == .string("Various Artists") })
    #expect(songs.contains { $0["trackExplicitness"] == .string("cleaned") })
    #expect(songs.contains { $0.itunesID ?? 0 > Int(Int32.max) })
    let books = try await rows("media=ebook")
    #expect(books.allSatisfy { $0["wrapperType"] == nil && $0["fileSizeBytes"]?.number != nil })
    #expect(books.contains { $0["releaseDate"]?.string?.hasPrefix("18") == true })
    #expect(books.contains { $0["description"]?.string?.contains("<br />") == true })
    #expect(books.contains { $0["description"]?.string?.contains("\u{2028}") == true })
    let apps = try await rows("media=software")
    #expect(apps.allSatisfy { $0["fileSizeBytes"]?.string != nil && $0["collectionId"] == nil })
    let text = await itunes.text("/search?term=echo&media=software&limit=200")
    #expect(text.contains(try Regex(#""averageUserRating":[0-9]\.[0-9]{20}"#)))
    let audiobooks = try await rows("media=audiobook")
    #expect(audiobooks.allSatisfy { $0["kind"] == nil && $0["trackId"] == nil && $0["amgArtistId"] == .null })
    let shows = try await rows("media=podcast")
    #expect(shows.contains { $0["artistId"] == nil } && shows.contains { $0["artistId"] != nil })
    #expect(shows.contains { $0["feedUrl"] == nil } && shows.allSatisfy { $0.integer("trackTimeMillis") ?? 0 < 10_000 })
    #expect(shows.allSatisfy { $0["genres"]?.elements.allSatisfy { $0.string != nil } == true })
    let episodes = try await rows("entity=podcastEpisode")
    #expect(episodes.allSatisfy { $0["genres"]?.elements.allSatisfy { $0["id"]?.string != nil } == true })
    #expect(try await rows("media=tvShow").allSatisfy { $0["trackTimeMillis"]?.number?.remainder(dividingBy: 1) != 0 })
  }

  @Test(
    "have the members of recorded ones, and no others",
    .enabled(if: RecordedITunesBodies.folder != nil, "\(UpstreamFixtures.missing)"))
  func recorded() async throws {
    var always: [String: Set<String>] = [:]
    var sometimes: [String: Set<String>] = [:]
    for row in try RecordedITunesBodies.rows() {
      always[row.label] = always[row.label]?.intersection(row.valued) ?? row.valued
      sometimes[row.label, default: []].formUnion(row.names)
    }
    for query in [
      "entity=song", "entity=album", "entity=musicVideo", "media=music&entity=musicArtist", "media=movie",
      "media=tvShow", "media=podcast", "media=audiobook", "media=ebook", "media=software", "entity=macSoftware",
    ] {
      let ours = try await rows(query, pages: query == "entity=song" ? 5 : 1)
      let label = try #require(ours.first).label
      let (all, known) = (always[label] ?? [], sometimes[label] ?? [])
      #expect(!known.isEmpty, "\(label) was not recorded")
      for row in ours {
        #expect(all.subtracting(row.names).isEmpty, "\(label)")
        #expect(row.names.subtracting(known).isSubset(of: Self.documented[label] ?? []), "\(label)")
      }
      let seen = ours.reduce(into: Set<String>()) { $0.formUnion($1.names) }
      #expect(known.subtracting(seen).isSubset(of: Self.former[label] ?? []), "\(label)")
    }
  }

  /// What the service documents, or is known to send, and no recorded body has.
  private static let documented: [String: Set<String>] = [
    "track/feature-movie": ["trackRentalPrice", "trackHdPrice"], "track/podcast": ["trackTimeMillis"],
    "audiobook/-": ["previewUrl", "description"], "-/ebook": ["fileSizeBytes"],
  ]

  /// Members of old bodies only, or of records that are missing here: films that belong to a collection.
  private static let former: [String: Set<String>] = [
    "collection/Album": ["amgVideoArtistId"], "artist/-": ["amgVideoArtistId"],
    "track/song": ["radioStationUrl"],
    "track/music-video": ["contentAdvisoryRating", "shortDescription", "longDescription"],
    "track/feature-movie": [
      "collectionId", "collectionName", "collectionCensoredName", "collectionViewUrl", "discCount", "discNumber",
      "trackCount", "trackNumber",
    ],
  ]
}

private enum RecordedITunesBodies {
  static let folder = UpstreamFixtures.path("itunes/bodies")

  /// The records of all bodies.
  static func rows() throws -> [ITunesRow] {
    let folder = try #require(folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { file -> [ITunesRow] in
      let body = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
      return try JSONValue(Array(body))["results"]?.elements ?? []
    }
  }
}
