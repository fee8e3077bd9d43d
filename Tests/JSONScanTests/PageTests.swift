import JSONScan
import Testing

@Suite("Pages")
struct PageTests {
  @Test("items, their ranges, and the envelope without them")
  func sample() throws {
    let body = bytes(samplePage)
    let page = try JSONScan.page(body, itemsPath: ["data"])
    try #require(page.good.count == 3 && page.bad.isEmpty)
    #expect(
      text(page.envelope) == #"{"data":[],"links":{"next":"https://example.org/?page=2"},"#
        + #""pagination":{"has_next_page":true,"items":{"count":3},"last_visible_page":3}}"#)
    for item in page.good {
      #expect(body[item.range.lowerBound] == UInt8(ascii: "{"))
      #expect(body[item.range.upperBound - 1] == UInt8(ascii: "}"))
      #expect(try JSONScan.document(Array(body[item.range])).canonical == item.canonical)
    }
    #expect(text(page.good[2].canonical).contains("9007199254740993"))
  }

  @Test("the paths to the items")
  func paths() throws {
    #expect(try JSONScan.page(bytes(" [1, 2 ] "), itemsPath: []).good.map { text($0.canonical) } == ["1", "2"])
    #expect(text(try JSONScan.page(bytes("[1]"), itemsPath: []).envelope) == "[]")
    let nested = bytes(#"{"z":1,"a":{"c":[{"a":{"b":[0]}}],"b":[{"a":{"b":[9]}}, [] ,"s",null]},"b":[7]}"#)
    let page = try JSONScan.page(nested, itemsPath: ["a", "b"])
    #expect(page.good.map { text($0.canonical) } == [#"{"a":{"b":[9]}}"#, "[]", "\"s\"", "null"])
    #expect(text(page.envelope) == #"{"a":{"b":[],"c":[{"a":{"b":[0]}}]},"b":[7],"z":1}"#)
    #expect(try JSONScan.page(bytes(#"{"data":[ ]}"#), itemsPath: ["data"]).items.isEmpty)
    #expect(try JSONScan.page(bytes(#"{"d\"x":[1]}"#), itemsPath: ["d\"x"]).items.count == 1)
  }

  @Test("large items whose members have another order than those of the item before, and repeated ones")
  func orders() throws {
    let names = "abcdefghijkl".map(String.init)
    let expected = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    let orders = [names.reversed(), names.reversed(), names.shuffled(), names, Array(names.dropLast()) + ["a", "l"]]
    let items = orders.map { order in "{" + order.map { "\"\($0)\":1" }.joined(separator: ",") + "}" }
    let repeated = "{" + (names.dropLast().reversed() + ["a"]).map { "\"\($0)\":2" }.joined(separator: ",") + "}"
    let page = try JSONScan.page(bytes("[" + (items + [repeated]).joined(separator: ",") + "]"), itemsPath: [])
    #expect(page.good.dropLast().allSatisfy { text($0.canonical) == expected })
    #expect(page.good.map(\.duplicateNames) == [0, 0, 0, 0, 1, 1])
    #expect(
      page.good.last.map { text($0.canonical) } == expected.replacing(":1", with: ":2").replacing(",\"l\":2", with: ""))
  }

  @Test(
    "no items: the reason and the envelope come along",
    arguments: [
      (#"{"status":404}"#, ["data"], JSONScanError.NoItems.Why.missing), (#"{"data":{}}"#, ["data"], .notAnArray),
      (#"{"data":null}"#, ["data"], .notAnArray), ("{}", [], .notAnArray), ("7", ["data"], .notAnObject),
      ("[1]", ["data"], .notAnObject), (#"{"a":{}}"#, ["a", "b"], .missing), (#"{"a":[]}"#, ["a", "b"], .notAnObject),
      (#"{"x":{"data":[1]}}"#, ["data"], .missing),
      (#"{"data":[1],"data":3}"#, ["data"], .notAnArray), (#"{"a":{"b":[1]},"a":{}}"#, ["a", "b"], .missing),
    ])
  func noItems(body: String, path: [JSONScan.Step], why: JSONScanError.NoItems.Why) throws {
    let error = #expect(throws: JSONScanError.self) { try JSONScan.page(bytes(body), itemsPath: path) }
    guard case .noItems(let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.why == why)
    #expect(found.itemsPath == path)
    #expect(isSoundCanonical(found.envelope))
  }

  @Test("duplicate names of the envelope: the last array of items counts")
  func duplicateItems() throws {
    let page = try JSONScan.page(bytes(#"{"data":3,"data":[1],"b":"\u0000","data":[2,3]}"#), itemsPath: ["data"])
    #expect(page.good.map { text($0.canonical) } == ["2", "3"])
    #expect(page.envelopeRepairs == Repairs(replacedScalars: 1, duplicateNames: 2))
  }

  @Test("repairs are counted where they happen")
  func repairs() throws {
    let page = try JSONScan.page(
      bytes(#"{"a":"\u0000","data":[{"x":"\u0000\ud800"},{"y":1,"y":2},{bad},3],"b":"\u0000"}"#), itemsPath: ["data"])
    #expect(page.envelopeRepairs == Repairs(replacedScalars: 2, duplicateNames: 0))
    #expect(page.good.map(\.replacedScalars) == [2, 0, 0])
    #expect(page.good.map(\.duplicateNames) == [0, 1, 0])
  }

  @Test("more items than allowed")
  func tooManyItems() throws {
    let limits = JSONScan.Limits(items: 2)
    #expect(try JSONScan.page(bytes("[1,2]"), itemsPath: [], limits: limits).items.count == 2)
    #expect(throws: JSONScanError.tooManyItems(limit: 2, offset: 5)) {
      try JSONScan.page(bytes("[1,2,3]"), itemsPath: [], limits: limits)
    }
  }

  @Test("a single item is scanned as it would be among others, and must be an object")
  func singleItem() throws {
    let element = #"{"b":1,"score":8.5,"a":"\u00e9","n":{"z":[{}],"y":1}}"#
    let page = try JSONScan.page(bytes("{\"data\":[\(element)]}"), itemsPath: ["data"], counterMembers: ["score"])
    for body in ["{\"data\":\(element)}", " {\"x\":{\"data\":[1]},\"data\" : \(element) ,\"y\":[]}"] {
      let item = try JSONScan.item(bytes(body), itemPath: ["data"], counterMembers: ["score"])
      #expect(item.canonical == page.good.first?.canonical)
      #expect(item.contentHash == page.good.first?.contentHash)
      #expect(item.counterHash == page.good.first?.counterHash)
      #expect(text(Array(bytes(body)[item.range])) == element)
      for length in 0..<body.utf8.count {
        #expect(throws: JSONScanError.self) { try JSONScan.item(Array(body.utf8.prefix(length)), itemPath: ["data"]) }
      }
    }
    #expect(text(try JSONScan.item(bytes(#"{"a":{"b":{"c":1}}}"#), itemPath: ["a", "b"]).canonical) == #"{"c":1}"#)
    #expect(text(try JSONScan.item(bytes(#"{"d":1,"d":{"c":1}}"#), itemPath: ["d"]).canonical) == #"{"c":1}"#)
    for body in [
      "{}", #"{"data":[{}]}"#, #"{"data":null}"#, #"{"data":{"a":}}"#, #"{"x":{"data":{}}}"#, "[]", "7",
      #"{"data":{},"data":3}"#, #"{"data":{}} x"#,
    ] { #expect(throws: JSONScanError.self, "\(body)") { try JSONScan.item(bytes(body), itemPath: ["data"]) } }
    #expect(throws: JSONScanError.self, "its levels are counted") {
      try JSONScan.item(bytes(#"{"data":{"a":{"b":{}}}}"#), itemPath: ["data"], limits: .init(depth: 2))
    }
  }

  @Test("every prefix of a page throws, none crashes")
  func prefixes() throws {
    let body = bytes(samplePage)
    for length in 0..<body.count {
      #expect(throws: JSONScanError.self, "the first \(length) bytes") {
        try JSONScan.page(Array(body.prefix(length)), itemsPath: ["data"])
      }
    }
  }
}
