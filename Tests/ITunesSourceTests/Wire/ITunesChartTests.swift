import SyncCore
import SyncTestKit
import Testing

@testable import ITunesSource

@Suite("Charts of iTunes")
struct ITunesChartTests {
  private func page(_ feed: String) throws -> Page {
    try ITunesStreamReader(try ITunesChart()).page("{\"feed\":\(feed)}".utf8)
  }

  @Test("a chart has its own address, its scope and one answer")
  func description() throws {
    let chart = try ITunesChart(
      name: "us-songs", country: "US", media: "music", feed: "most-played", type: "songs", limit: 50)
    let reader = ITunesStreamReader(chart)
    #expect(reader.url() == "http://test/api/v2/us/music/most-played/50/songs.json")
    let description = reader.stream.description
    #expect(description.id == StreamID(source: .itunes, name: "chart:us-songs") && description.method == .single)
    #expect(description.sql.folder == "itunes/charts" && description.absence == .endsEntry(.none))
    #expect(description.sql.scope == ["us", "music", "most-played", "songs"] && description.pageSize == 50)
    #expect(description.parameters == "/api/v2/us/music/most-played/50/songs.json")
  }

  @Test("every existing chart can be requested, by its type alone where that is enough")
  func kinds() throws {
    for kind in ITunesChart.kinds {
      let chart = try ITunesChart(media: kind.media, feed: kind.feed, type: kind.type)
      #expect(chart.media == kind.media && chart.feed == kind.feed && chart.type == kind.type)
      #expect(chart.name.wholeMatch(of: /@us-[a-z0-9-]+/) != nil)
    }
    let podcasts = try ITunesChart(media: "podcasts", type: "podcast-episodes")
    #expect(podcasts.feed == "top" && podcasts.limit == 100)
    let apps = try ITunesChart(media: "apps", feed: "top-paid")
    #expect(apps.type == "apps")
    #expect(try ITunesChart.defaults().map(\.name) == ["us-songs", "us-albums", "us-apps", "us-podcasts"])
  }

  @Test("entries keep their places, repeated ones too; the first of them counts")
  func results() throws {
    let page = try page(
      #"{"updated":"x","results":[{"id":"30","name":"a"},{"id":"10","name":"b"},{"id":"30","name":"a"},{"id":20}]}"#)
    #expect(page.items.map(\.key) == [30, 10, 30, 20] && page.rejected.isEmpty)
    #expect(page.claim == PageClaim(total: 4, lastPage: 1, hasNext: false))
    #expect(page.items.allSatisfy { $0.counterHash == 0 && $0.contentHash.count == 33 })
  }

  @Test(
    "ids that are no numbers are refused with a reason, and the rest is kept",
    arguments: [
      #"{"id":"com.example.app"}"#, #"{"id":"pl.f4d106fed2bd41149aaacabb233eb5eb"}"#, #"{"id":""}"#, #"{"id":null}"#,
      "{}", #"{"id":"0"}"#, #"{"id":true}"#, #"{"id":{"label":"https://x/id5"}}"#,
      #"{"id":{"attributes":{"im:id":"com.x"}}}"#, "7",
    ])
  func noNumbers(entry: String) throws {
    let page = try page(#"{"results":[{"id":"7"},\#(entry),{"id":"9"}]}"#)
    #expect(page.items.map(\.key) == [7, 9] && page.rejected.count == 1)
    let refused = try #require(page.rejected.first)
    #expect(["no_id", "wrong_type"].contains(refused.reason) && !refused.detail.isEmpty && refused.key == nil)
  }

  @Test("Atom feeds are charts too: many entries, or a single one")
  func atom() throws {
    let entry = #"{"im:name":{"label":"N"},"id":{"label":"https://x/id5?uo=2","attributes":{"im:id":"5"}}}"#
    let other = entry.replacing("\"5\"", with: "\"1660000000000\"")
    #expect(try page(#"{"author":{},"entry":[\#(entry),\#(other)]}"#).items.map(\.key) == [5, 1_660_000_000_000])
    #expect(try page(#"{"author":{},"entry":\#(entry)}"#).items.map(\.key) == [5])
    let document = try #require(try page(#"{"entry":\#(entry)}"#).items.first?.document)
    #expect(String(decoding: document, as: UTF8.self).contains(#""im:name":{"label":"N"}"#))
  }

  @Test("what is no chart is refused, with what it is")
  func others() throws {
    let review = #"{"im:rating":{"label":"5"},"id":{"label":"4923776514"},"title":{"label":"x"}}"#
    let reader = ITunesStreamReader(try ITunesChart())
    for feed in ["[\(review)]", review, #"[{"id":{"attributes":{"im:id":"5"}}},\#(review)]"#] {
      let error = try reader.error("{\"feed\":{\"entry\":\(feed)}}".utf8, status: 200)
      #expect(error.message.contains("customer reviews") && error.disposition == .stopStream)
    }
    for body in [#"{"feed":{"title":"x"}}"#, #"{"results":[]}"#, #"{"feed":{"entry":7}}"#, #"{"feed":[]}"#] {
      let error = try reader.error(body.utf8, status: 200)
      #expect(error.message.hasPrefix("decoding failed") && error.disposition == .retry(after: nil), "\(body)")
    }
  }

  @Test("the time of the answer is no part of it; the query of a link is none of an entry")
  func hashes() throws {
    func hashes(_ query: String, _ updated: String, name: String = "n") throws -> [[UInt8]] {
      let links = #""url":"https://x/7\#(query)","artistUrl":"a\#(query)""#
      return try page(#"{"updated":"\#(updated)","results":[{"id":"7","name":"\#(name)",\#(links)}]}"#)
        .items.map(\.contentHash)
    }
    let first = try hashes("?app=music", "Fri, 20 Nov 2026 10:00:00 +0000")
    #expect(try hashes("", "2026-11-21T10:00:00Z") == first)
    #expect(try hashes("", "", name: "m") != first)
  }

  @Test("a stored entry reads as it did when received")
  func stored() throws {
    let mapping = ITunesMapping(chart: ["us", "music", "most-played", "songs"])
    #expect(mapping.sql.folder == "itunes/charts" && mapping.name == "itunes chart us music most-played songs")
    for item in try page(#"{"results":[{"id":"7","url":"https://x?app=music"}]}"#).items {
      guard case .item(let again) = mapping.read(item.document, key: item.key) else {
        Issue.record("not read")
        continue
      }
      #expect(again.key == 7 && again.contentHash == item.contentHash)
    }
  }
}
