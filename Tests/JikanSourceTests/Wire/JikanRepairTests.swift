import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource

@Suite("Jikan's items: what is repaired, and what is kept")
struct JikanRepairTests {
  private func document(_ text: String) throws -> (text: String, isRepaired: Bool) {
    let page = try Reader().page(items: [item(id: 1), item(text, id: 2)])
    let item = try #require(page.items.last { $0.key == 2 }, "\(page.rejected)")
    #expect(!page.items[0].isRepaired)
    return (String(decoding: item.document, as: UTF8.self), item.isRepaired)
  }

  @Test(
    "NUL and lone surrogates are replaced at any depth, in names too, and counted",
    arguments: [
      (#""a":"\u0000""#, "\"a\":\"\u{FFFD}\""), (#""a":"x\ud800y""#, "\"a\":\"x\u{FFFD}y\""),
      (#""a":"\udfff""#, "\"a\":\"\u{FFFD}\""), (#""a":"\ud83d\ud83d\ude00""#, "\"a\":\"\u{FFFD}😀\""),
      (#""a":"\ude00\ud83d""#, "\"a\":\"\u{FFFD}\u{FFFD}\""),
      (#""a":[{"b":[[{"c":"\u0000"}]]}]"#, "\"a\":[{\"b\":[[{\"c\":\"\u{FFFD}\"}]]}]"),
      (#""a":{"\u0000":1}"#, "\"a\":{\"\u{FFFD}\":1}"),
      (#""a":{"b":1,"b":2}"#, #""a":{"b":2}"#), (#""a":[[{"b":1,"\u0062":{"c":1}}]]"#, #""a":[[{"b":{"c":1}}]]"#),
      (#""score":1,"score":2"#, ""),
    ])
  func repaired(text: String, expected: String) throws {
    let found = try document(text)
    #expect(found.isRepaired)
    #expect(found.text.contains(expected), "\(found.text)")
  }

  @Test("of duplicate names the last counts: for the id, the check, the hash and the counters")
  func duplicateNames() throws {
    let page = try Reader().page(items: [
      #"{"mal_id":1,"title":"first","title":"last","score":1,"score":2}"#, #"{"mal_id":"x","mal_id":2,"title":"T"}"#,
      #"{"mal_id":3,"title":"T","score":1,"score":"x"}"#, #"{"mal_id":1,"title":"last","score":2}"#,
    ])
    #expect(page.items.map(\.key) == [1, 2, 3, 1])
    #expect(page.items.map(\.isRepaired) == [true, true, true, false])
    #expect(page.items[0].document == page.items[3].document)
    #expect(page.items[0].contentHash == page.items[3].contentHash)
    #expect(page.items[0].counterHash == page.items[3].counterHash)
    #expect(String(decoding: page.items[0].counters, as: UTF8.self) == #"{"score":2}"#)
    #expect(page.items[2].misfits.map(\.path) == ["score"])
  }

  @Test("too deep, too long: the item is rejected with the reason, the rest of the page is not")
  func tooMuch() throws {
    // The item itself is the first level.
    for (levels, isTaken) in [(Limits.itemDepth - 1, true), (Limits.itemDepth, false), (5_000, false)] {
      let nested = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      let page = try Reader().page(items: [item(id: 1), item("\"a\":\(nested)", id: 2), item(id: 3)])
      #expect(page.items.map(\.key) == (isTaken ? [1, 2, 3] : [1, 3]), "\(levels)")
      #expect(page.rejected.map(\.reason) == (isTaken ? [] : ["depth"]), "\(levels)")
    }
    let long = String(repeating: "x", count: Limits.itemBytes)
    let page = try Reader().page(items: [item(id: 1), item("\"a\":\"\(long)\"", id: 2), item(id: 3)])
    #expect(page.items.map(\.key) == [1, 3])
    #expect(page.rejected.map(\.reason) == ["size"])
  }
}
