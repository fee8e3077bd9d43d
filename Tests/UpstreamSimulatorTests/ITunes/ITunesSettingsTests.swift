import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("What happens to the generated iTunes", .timeLimit(.minutes(10)))
struct ITunesSettingsTests {
  @Test("one record removed, and one added")
  func changes() async throws {
    let itunes = GeneratedITunes()
    let search = "/search?term=muse&entity=song&limit=20"
    let before = try await itunes.ids(search)
    itunes.settings.removed = [before[3]]
    let gone = try await itunes.ids(search)
    #expect(gone.count == 20 && gone.prefix(19) == (before.prefix(3) + before.dropFirst(4)))
    #expect(try await itunes.ids("/lookup?id=\(before[3]),\(before[4])") == [before[4]])
    itunes.settings.added = 1
    let after = try await itunes.rows(search)
    #expect(after.compactMap(\.itunesID).dropFirst() == gone.dropLast())
    let album = try #require(after.first?.integer("collectionId"))
    let songs = try await itunes.ids("/lookup?id=\(album)&entity=song")
    #expect(songs == [album, after[0].itunesID ?? 0])
    for query in ["entity=album", "media=podcast", "media=ebook", "media=software", "media=movie"] {
      let added = try await itunes.ids("/search?term=muse&\(query)")
      itunes.settings.added = 0
      #expect(try await !itunes.ids("/search?term=muse&\(query)").contains(added[0]), "\(query)")
      itunes.settings.added = 1
    }
    itunes.settings = ITunesSettings()
    #expect(try await itunes.ids(search) == before)
  }

  @Test("another order, duplicated rows, numbers as text")
  func rows() async throws {
    let itunes = GeneratedITunes()
    let search = "/search?term=muse&entity=song&limit=200"
    let before = try await itunes.ids(search)
    itunes.settings.shuffle = 3
    let shuffled = try await itunes.ids(search)
    #expect(shuffled != before && Set(shuffled) == Set(before))
    #expect(try await itunes.ids(search) == shuffled)
    itunes.settings.shuffle = nil
    itunes.settings.repeats = 0.1
    let repeated = try await itunes.ids(search)
    #expect(repeated.count > before.count + 3 && repeated.count < before.count + 30 && Set(repeated) == Set(before))
    itunes.settings.repeats = 0
    itunes.settings.textIds = 0.5
    let rows = try await itunes.rows(search)
    #expect(rows.compactMap(\.itunesID) == before)
    #expect(rows.contains { $0["trackId"]?.string != nil } && rows.contains { $0["trackId"]?.number != nil })
  }

  @Test("a limit of requests in a span of time; charts do not count")
  func throttle() async throws {
    let itunes = try GeneratedITunes("throttle=3/1h")
    for _ in 0..<5 { #expect(await itunes.status("/api/v2/us/music/most-played/10/songs.json") == 200) }
    var statuses: [Int] = []
    for _ in 0..<3 { statuses += [await itunes.status("/lookup?id=1"), await itunes.status("/search?term=a&limit=1")] }
    #expect(statuses == [200, 200, 200, 403, 403, 403])
    let refusal = await itunes.get("/search?term=a")
    #expect(refusal.body.isEmpty && !refusal.headers.contains { $0.name == "Retry-After" })
    // What was refused does not count: as soon as the span has passed, there is an answer again.
    itunes.settings.throttle = ITunesSettings.Throttle(requests: 1, window: .milliseconds(20))
    while await itunes.status("/lookup?id=1") == 403 { await Task.yield() }
  }

  @Test("HTML pages, error messages and refusals, each its share")
  func shares() async throws {
    let itunes = try GeneratedITunes("html=0.2,error=0.3,forbidden=0.1")
    var counts = (html: 0, error: 0, forbidden: 0, good: 0)
    for _ in 0..<400 {
      let answer = await itunes.get("/lookup?id=1")
      let text = String(decoding: answer.body, as: UTF8.self)
      switch true {
      case answer.status == 403: counts.forbidden += 1
      case text.contains("[newNullResponse]"): counts.html += 1
      case text.contains("errorMessage"): counts.error += 1
      default: counts.good += 1
      }
      #expect([200, 403].contains(answer.status))
    }
    #expect((50...110).contains(counts.html), "\(counts)")
    #expect((80...150).contains(counts.error), "\(counts)")
    #expect((20...65).contains(counts.forbidden), "\(counts)")
    #expect(await itunes.status("/api/v2/us/music/most-played/10/songs.json") == 200)
  }

  @Test("the words of settings")
  func words() throws {
    let settings = try ITunesSettings(
      """
      size=500, term=Muse, term=周杰倫, remove=12, remove=13, added=2, day=3, shuffle, offset=works, throttle=20/60s,
      html=0.1, error=0.2, forbidden=0.3, repeats=0.01, text-ids=0.5, chart-repeats=1
      """.replacing("\n", with: ""), seed: 7)
    var expected = ITunesSettings()
    expected.seed = 7
    (expected.size, expected.terms, expected.removed) = (500, ["Muse", "周杰倫"], [12, 13])
    (expected.added, expected.day, expected.shuffle, expected.honoursOffset) = (2, 3, 7, true)
    expected.throttle = ITunesSettings.Throttle(requests: 20, window: .seconds(60))
    (expected.html, expected.errorMessage, expected.forbidden) = (0.1, 0.2, 0.3)
    (expected.repeats, expected.textIds, expected.chartRepeats) = (0.01, 0.5, 1)
    #expect(settings == expected)
    #expect(try ITunesSettings("shuffle=9,offset=ignored").shuffle == 9)
    for (text, says) in [
      ("sise=1", "says nothing of an iTunes"), ("size=0", "from 1 to 4000"), ("size", "says nothing"),
      ("html=2", "is no share"), ("throttle=20", "as in throttle=20/60s"), ("throttle=20/0s", "throttle=20/60s"),
      ("offset=maybe", "works or ignored"), ("html=0.5,error=0.6", "more than 1"), ("added=65", "from 0 to 64"),
    ] {
      let error = try #require(throws: ChaosError.self) { try ITunesSettings(text) }
      #expect(error.description.contains(says), "\(error)")
    }
  }
}
