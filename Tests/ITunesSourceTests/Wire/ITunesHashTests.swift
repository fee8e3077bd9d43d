import SyncCore
import SyncTestKit
import Testing

@testable import ITunesSource

@Suite("Which changes of a record of iTunes count")
struct ITunesHashTests {
  private static func record(_ member: String) -> String {
    #"{"wrapperType":"software","kind":"software","trackId":3,"trackName":"T",\#(member)}"#
  }

  @Test(
    "what is noise does not",
    arguments: [
      (#""trackViewUrl":"https://x/id3?uo=4""#, #""trackViewUrl":"https://x/id3?mt=8&uo=2""#),
      (#""trackViewUrl":"https://x/id3?uo=4""#, #""trackViewUrl":"https://x/id3""#),
      (#""artistViewUrl":"https://x/a?uo=4""#, #""artistViewUrl":"https://x/a?uo=5""#),
      (#""collectionViewUrl":"https://x/c?i=3&uo=4""#, #""collectionViewUrl":"https:\/\/x\/c?i=3""#),
      (#""artistLinkUrl":"https://x/a?uo=4""#, #""artistLinkUrl":"https://x/a""#),
      (#""averageUserRating":4.829374"#, #""averageUserRating":4.83"#),
      (#""averageUserRating":4.5"#, #""averageUserRating":4.50000000000000000000000000000000000000000000000001"#),
      (#""averageUserRatingForCurrentVersion":4"#, #""averageUserRatingForCurrentVersion":4.0"#),
    ])
  func same(left: String, right: String) throws {
    let (a, b) = (Self.record(left), Self.record(right))
    #expect(try ITunesStreamReader.hash(a) == ITunesStreamReader.hash(b))
    #expect(try ITunesStreamReader.hash(a).count == 33)
    let documents = try ITunesStreamReader().page(records: [a, b]).items.map(\.document)
    #expect(documents.count == 2 && documents.first != documents.last)
  }

  @Test(
    "what a person would see does",
    arguments: [
      (#""trackViewUrl":"https://x/id3?uo=4""#, #""trackViewUrl":"https://x/other?uo=4""#),
      (#""trackViewUrl":"https://x/id3""#, #""trackViewUrl":null"#),
      (#""trackViewUrl":"https://x/id3""#, #""trackHref":"https://x/id3""#),
      (#""trackViewUrl":"https://x/id3""#, #""artistViewUrl":"https://x/id3""#),
      (#""averageUserRating":4.82"#, #""averageUserRating":4.83"#),
      (#""averageUserRating":4.5"#, #""averageUserRating":"4.5""#),
      (#""previewUrl":"https://x/p?a=1""#, #""previewUrl":"https://x/p?a=2""#),
      (#""userRatingCount":1"#, #""userRatingCount":2"#),
      (#""trackViewUrl":"https://x/id3","price":1"#, #""trackViewUrl":"https://x/id3","price":2"#),
    ])
  func different(left: String, right: String) throws {
    #expect(try ITunesStreamReader.hash(Self.record(left)) != ITunesStreamReader.hash(Self.record(right)))
  }

  @Test("odd values of the smoothed members are no fault", arguments: ["null", "[1]", "1e400", "true", "{}", "1e308"])
  func odd(value: String) throws {
    let record = Self.record(#""averageUserRating":\#(value),"trackViewUrl":\#(value)"#)
    #expect(try ITunesStreamReader.hash(record).count == 33)
    #expect(try ITunesStreamReader.hash(record) == ITunesStreamReader.hash(record))
  }

  @Test("a stored document reads as it did when received")
  func stored() throws {
    let records = [
      Self.record(#""trackViewUrl":"https://x/id3?uo=4","averageUserRating":4.829374"#),
      #"{"kind":"ebook","trackId":"7"}"#,
    ]
    let mapping = ITunesMapping(country: "us")
    #expect(mapping.name == "itunes us" && mapping.sql.folder == "itunes" && mapping.sql.scope.first == "us")
    for item in try ITunesStreamReader().page(records: records).items {
      // PostgreSQL writes a space after each colon of a `jsonb`.
      let text = String(decoding: item.document, as: UTF8.self).replacing("\":", with: "\": ")
      guard case .item(let again) = mapping.read(Array(text.utf8), key: item.key) else {
        Issue.record("not read: \(text)")
        continue
      }
      #expect(again.key == item.key && again.contentHash == item.contentHash)
      #expect(again.contentHash.last == UInt8(mapping.version))
    }
    guard case .rejected(let refused) = mapping.read(Array("{".utf8), key: 1) else {
      Issue.record("half a document was read")
      return
    }
    #expect(refused.reason == "unreadable")
  }
}
