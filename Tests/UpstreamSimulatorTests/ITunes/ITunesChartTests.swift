import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Charts of the generated stores", .timeLimit(.minutes(10)))
struct ITunesChartTests {
  private let itunes = GeneratedITunes()
  private static let charts = [
    "music/most-played/100/songs", "music/most-played/100/albums", "apps/top-free/100/apps", "apps/top-paid/100/apps",
    "books/top-free/100/books", "books/top-paid/100/books", "audio-books/top/100/audio-books",
    "podcasts/top/100/podcasts", "podcasts/top/100/podcast-episodes", "podcasts/top-subscriber/100/podcasts",
  ]

  @Test("hold records of the store, whose numbers are text, and no ranks", arguments: charts)
  func entries(_ name: String) async throws {
    let entries = try await itunes.chart("us/\(name).json")
    let type = try #require(name.split(separator: "/").last)
    #expect(name.hasSuffix("albums") ? (58...64).contains(entries.count) : entries.count == 100)
    #expect(entries.allSatisfy { $0["rank"] == nil && $0["kind"] == .string(String(type)) })
    let ids = entries.compactMap { $0["id"]?.string }
    #expect(ids.count == entries.count && Set(ids).count >= ids.count - 1)
    let records = try await itunes.rows("/lookup?id=\(ids.joined(separator: ","))")
    #expect(records.count == Set(ids).count)
    #expect(Set(records.map(\.label)).count == 1)
    #expect(try await itunes.chart("us/\(name).json".replacing("100", with: "10")) == Array(entries.prefix(10)))
    #expect(
      try await Set(itunes.chart("jp/\(name).json").compactMap { $0["name"]?.string })
        != Set(entries.compactMap { $0["name"]?.string }))
  }

  @Test("move from day to day, most of all in the middle, and are the same on the same day")
  func days() async throws {
    itunes.settings.chartRepeats = 0
    var charts: [[String]] = []
    for day in 0..<15 {
      itunes.settings.day = day
      charts.append(try await itunes.chart("us/music/most-played/100/songs.json").compactMap { $0["id"]?.string })
    }
    for (one, next) in zip(charts, charts.dropFirst()) {
      let new = Set(next).subtracting(one).count
      #expect((8...45).contains(new), "\(new)")
      #expect(one.prefix(5) != next.prefix(5))
    }
    #expect(Set(charts[0]).intersection(charts[14]).count > 10)
    itunes.settings.day = 3
    #expect(try await itunes.chart("us/music/most-played/100/songs.json").compactMap { $0["id"]?.string } == charts[3])
  }

  @Test("hold a number twice now and then")
  func repeats() async throws {
    func repeats() async throws -> Int {
      var count = 0
      for day in 0..<20 {
        itunes.settings.day = day
        let ids = try await itunes.chart("tw/music/most-played/50/songs.json").compactMap { $0["id"]?.string }
        #expect(ids.count == 50)
        count += ids.count - Set(ids).count
      }
      return count
    }
    #expect((1...12).contains(try await repeats()))
    itunes.settings.chartRepeats = 1
    #expect(try await repeats() == 20)
    itunes.settings.chartRepeats = 0
    #expect(try await repeats() == 0)
  }

  @Test("what there is not, and what is too much")
  func refusals() async throws {
    for (path, status) in [
      ("us/music/most-played/100/songs", 200), ("zz/music/most-played/100/songs", 500),
      ("us/music/most-played/101/songs", 500), ("cn/books/top-free/10/books", 500), ("us/music/most-played/10/x", 404),
      ("us/music/top/10/songs", 404), ("us/radio/top/10/songs", 404), ("us/music/most-played/x/songs", 404),
      ("us/music/songs", 404), ("us/music/most-played/1/2/songs", 404),
    ] {
      #expect(await itunes.status("/api/v2/\(path).json") == status, "\(path)")
    }
    let none = await itunes.get("/api/v2/zz/music/most-played/100/songs.json")
    #expect(none.headers.contains(HeaderField("Content-Type", "text/html;charset=utf-8")))
    let wrong = try JSONValue(await itunes.get("/api/v2/us/music/most-played/10/x.json").body)
    #expect(wrong["status"]?.number == 404 && wrong["error"]?.string != nil)
  }
}
