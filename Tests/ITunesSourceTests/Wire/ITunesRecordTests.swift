import SyncCore
import SyncTestKit
import Testing

@testable import ITunesSource

@Suite("What a record of iTunes is")
struct ITunesRecordTests {
  private static let threeIDs = #""trackId":3,"collectionId":2,"artistId":1"#

  private static let kinds: [(String, ITunesClass, Int64)] = [
    (#"{"wrapperType":"track","kind":"song",\#(threeIDs)}"#, .track, 3),
    (#"{"wrapperType":"track","kind":"music-video",\#(threeIDs)}"#, .track, 3),
    (#"{"wrapperType":"track","kind":"feature-movie","trackId":3,"collectionId":null,"artistId":null}"#, .track, 3),
    (#"{"wrapperType":"track","kind":"tv-episode",\#(threeIDs)}"#, .track, 3),
    (#"{"wrapperType":"track","kind":"coached-audio",\#(threeIDs)}"#, .track, 3),
    (#"{"wrapperType":"track","kind":"interactive-booklet",\#(threeIDs)}"#, .track, 3),
    (#"{"wrapperType":"track","kind":"pdf",\#(threeIDs)}"#, .track, 3),
    (#"{"wrapperType":"track",\#(threeIDs)}"#, .track, 3),
    (#"{"wrapperType":"collection","collectionType":"Album","collectionId":2,"artistId":1}"#, .collection, 2),
    (#"{"wrapperType":"collection","collectionType":"TV Season","collectionId":2,"artistId":1}"#, .collection, 2),
    (#"{"wrapperType":"collection","collectionType":"Compilation","collectionId":2}"#, .collection, 2),
    (#"{"collectionType":"Album","collectionId":2,"artistId":1}"#, .collection, 2),
    (#"{"kind":"album","collectionId":2,"artistId":1}"#, .collection, 2),
    (#"{"wrapperType":"audiobook","collectionId":2,"artistId":1}"#, .audiobook, 2),
    (#"{"wrapperType":"audiobook","kind":"book","collectionId":2}"#, .audiobook, 2),
    (#"{"wrapperType":"audiobook","trackId":3}"#, .audiobook, 3),
    (#"{"wrapperType":"artist","artistType":"Artist","artistId":1}"#, .artist, 1),
    (#"{"wrapperType":"artist","artistType":"Author","artistId":1,"trackId":null}"#, .artist, 1),
    (#"{"artistType":"Artist","artistId":1}"#, .artist, 1),
    (#"{"wrapperType":"track","kind":"podcast","trackId":3,"collectionId":3}"#, .podcast, 3),
    (#"{"wrapperType":"track","kind":"podcast","collectionId":3}"#, .podcast, 3),
    (#"{"kind":"podcast","collectionId":3,"artistId":1}"#, .podcast, 3),
    (
      #"{"wrapperType":"podcastEpisode","kind":"podcast-episode","trackId":1000744275511,"collectionId":2}"#,
      .podcastEpisode, 1_000_744_275_511
    ),
    (#"{"wrapperType":"podcastEpisode","trackId":3}"#, .podcastEpisode, 3),
    (#"{"kind":"ebook","trackId":3,"artistId":1}"#, .ebook, 3),
    (#"{"wrapperType":"software","kind":"software","trackId":3,"artistId":1}"#, .app, 3),
    (#"{"wrapperType":"software","kind":"mac-software","trackId":3,"artistId":1}"#, .app, 3),
    (#"{"wrapperType":"software","kind":"vision-software","trackId":3,"artistId":1}"#, .app, 3),
    (#"{"kind":"software-package","trackId":3}"#, .app, 3),
    (#"{"wrapperType":"track","kind":"hologram",\#(threeIDs)}"#, .other, 3),
    (#"{"wrapperType":"bundle","collectionId":2,"artistId":1}"#, .other, 2),
    (#"{"kind":"hologram","artistId":1}"#, .other, 1), (#"{"trackId":3}"#, .other, 3),
    (#"{"wrapperType":7,"kind":["song"],"trackId":3}"#, .other, 3),
    (#"{"wrapperType":null,"kind":null,"collectionType":null,"trackId":3}"#, .other, 3),
    (#"{"wrapperType":"","kind":"","collectionId":2}"#, .other, 2),
  ]

  @Test("each kind has its class and its own id", arguments: kinds)
  func kind(record: String, recordClass: ITunesClass, id: Int64) throws {
    let found = try ITunesStreamReader.identity(record)
    #expect(found.class == recordClass && found.id == id)
  }

  @Test(
    "ids come as numbers, whole floats or text, of any size",
    arguments: [
      ("7", 7), ("\"7\"", 7), ("7.0", 7), ("7e2", 700), ("1000744275511", 1_000_744_275_511),
      ("\"1000744275511\"", 1_000_744_275_511), ("1.000744275511e12", 1_000_744_275_511),
      ("2147483648", 2_147_483_648), ("\"007\"", 7), ("288230376151711743", 288_230_376_151_711_743),
      ("9007199254740993.0", 9_007_199_254_740_993),
    ] as [(String, Int64)])
  func ids(text: String, id: Int64) throws {
    let record = #"{"wrapperType":"track","kind":"song","trackId":\#(text),"collectionId":2}"#
    #expect(try ITunesStreamReader.identity(record).id == id)
  }

  @Test(
    "an invalid id is reported with its member",
    arguments: [
      "0", "-1", "1.5", "\"\"", "\"x\"", "\"338986109_FR\"", "\" 7\"", "\"+7\"", "true", "[7]", "{}",
      "288230376151711744", "99999999999999999999", "\"99999999999999999999\"", "1e400", "9007199254740993.5",
      "\"7.0\"",
    ])
  func noID(text: String) throws {
    let refused = try ITunesStreamReader.refusal(
      #"{"wrapperType":"track","kind":"song","trackId":\#(text),"collectionId":2}"#)
    #expect(refused.reason == "no_id" && refused.key == nil && refused.detail.contains("trackId: not an id"))
    #expect(refused.excerpt.contains("trackId"))
  }

  @Test(
    "a record without its own id is refused; a song is not identified by its album",
    arguments: [
      ("{}", "trackId: missing"), (#"{"wrapperType":"track","kind":"song","collectionId":2,"artistId":1}"#, "trackId"),
      (#"{"wrapperType":"track","kind":"song","trackId":null,"artistId":1}"#, "trackId"),
      (#"{"wrapperType":"collection","artistId":1}"#, "collectionId"),
      (#"{"wrapperType":"artist","artistName":"x"}"#, "artistId"),
      (#"{"wrapperType":"track","kind":"podcast","artistId":1}"#, "collectionId"),
      (#"{"kind":"ebook","artistId":1}"#, "trackId"), (#"{"wrapperType":"software","bundleId":"x"}"#, "trackId"),
    ])
  func withoutID(record: String, member: String) throws {
    let refused = try ITunesStreamReader.refusal(record)
    #expect(refused.reason == "no_id" && refused.detail.contains(member), "\(refused.detail)")
  }

  @Test("what is no object is refused, and the rest of the page is not", arguments: ["7", "[]", "null", "\"x\""])
  func noObject(value: String) throws {
    let page = try ITunesStreamReader().page(records: [value, #"{"kind":"ebook","trackId":3}"#])
    #expect(page.rejected.count == 1 && page.items.count == 1)
    #expect(["wrong_type", "null"].contains(page.rejected.first?.reason))
  }

  @Test("members of any type are taken as they come, and kept")
  func tolerant() throws {
    let members = [
      #""trackPrice":-1.00"#, #""collectionPrice":null"#, #""genres":["Pop",{"name":"Rock","id":"21"}]"#,
      #""fileSizeBytes":"123456789012""#, #""releaseDate":"1865-01-01T07:00:00Z""#, #""releaseDate":"2018-01-01""#,
      #""trackTimeMillis":209000.5"#, #""trackExplicitness":"cleaned""#, #""description":"<br />a\u2028b""#,
      #""averageUserRating":4.82937400000000000000000000000000000000000000000001"#, #""userRatingCount":1e400"#,
      #""country":"JPN""#, #""artistName":{"label":"x"}"#, #""features":[[[]]]"#,
    ]
    for member in members {
      let page = try ITunesStreamReader().page(records: [#"{"kind":"ebook","trackId":3,\#(member)}"#])
      let item = try #require(page.items.first, "\(member): \(page.rejected)")
      let name = try #require(member.split(separator: ":").first)
      #expect(String(decoding: item.document, as: UTF8.self).contains(name))
      #expect(item.counterHash == 0 && item.counters == Array("{}".utf8))
    }
  }

  @Test("keys hold class and id, and are read back; nothing else is a key")
  func keys() {
    #expect(Set(ITunesClass.allCases.map(\.code)) == Set(0...8))
    for recordClass in ITunesClass.allCases {
      for id: Int64 in [1, 909_253, 1_000_744_275_511, 1 << 58 - 1] {
        let parts = ITunesClass.parts(ofKey: recordClass.key(id))
        #expect(parts?.class == recordClass && parts?.id == id)
        #expect(recordClass.key(id) == id * 16 + recordClass.code)
      }
    }
    for key: Int64 in [0, 1, 15, 25, -16, .min, .max] { #expect(ITunesClass.parts(ofKey: key) == nil) }
  }
}
