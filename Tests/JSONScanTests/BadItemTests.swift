import JSONScan
import Testing

@Suite("Bad items")
struct BadItemTests {
  @Test(
    "an item whose end can be found is bad alone",
    arguments: [
      ("{bad}", "data[1]"), ("tru", "data[1]"), ("NaN", "data[1]"), ("'x'", "data[1]"), ("01", "data[1]"),
      ("1 2", "data[1]"), ("{\"a\":1} {\"b\":2}", "data[1]"), ("{\"a\":1,}", "data[1].a"),
      ("{\"a\":[1,]}", "data[1].a[1]"), ("{\"a\":{\"b\":[0,{\"c\":-}]}}", "data[1].a.b[1].c"),
      ("{\"a b\":x}", "data[1][\"a b\"]"), ("{\"a\":1 \"b\":2}", "data[1].a"),
      ("{\"z\":1,\"y\":{\"x\":1,\"w\":nul}}", "data[1].y.w"), ("{\"a\":\"\u{1}\"}", "data[1].a"),
      ("{\"a\":\"\n,]}\"}", "data[1].a"), ("{\"a\":\"\\x\\\",]\"}", "data[1].a"), ("{\"a\":\"\\u12g4\"}", "data[1].a"),
      ("{\"n\":1e200000}", "data[1].n"),
    ])
  func isolated(item: String, path: String) throws {
    let body = bytes("{\"data\":[{\"i\":0} , \(item) ,{\"i\":2}],\"n\":1}")
    let page = try JSONScan.page(body, itemsPath: ["data"])
    try #require(page.items.count == 3)
    #expect(page.good.map { text($0.canonical) } == ["{\"i\":0}", "{\"i\":2}"])
    #expect(text(page.envelope) == "{\"data\":[],\"n\":1}")
    let bad = try #require(page.bad.first)
    #expect(Array(body[bad.range]) == bytes(item))
    #expect(bad.path == path)
    #expect(bad.range.lowerBound <= bad.offset && bad.offset <= bad.range.upperBound + 1)
    #expect(!bad.excerpt.isEmpty && bad.excerpt.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test(
    "an item whose end cannot be found makes the page bad",
    arguments: [
      "[1,", "[1,]", "[,1]", "[1,,2]", "[", "[{\"a\":1", "[{\"a\":1]", "[{\"a\":1}}]", "[[}]", "[\"abc]",
      "[{\"a\":\"x},1]", "[1] 2", "[{\"a\":1],2]", "[1]]", "[1", "[1 ", "[tru", "[1,2}", "{\"data\":[1]}x",
    ])
  func badPage(body: String) {
    for path: [JSONScan.Step] in [[], ["data"]] {
      #expect(throws: JSONScanError.self) { try JSONScan.page(bytes(body), itemsPath: path) }
    }
  }

  @Test("what follows a bad item is scanned as if nothing had been")
  func recovery() throws {
    let good = #"{"v":1,"b":{"d":1,"c":2},"a":[1]}"#
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    let body = "[\(good),{\"a\":{\"b\":[{\"c\":x}]}},\(good),\(deep),\(good),nope,\(good)]"
    let page = try JSONScan.page(bytes(body), itemsPath: [], counterMembers: ["v"])
    #expect(page.items.count == 7 && page.bad.count == 3)
    let first = try #require(page.good.first)
    for item in page.good {
      #expect(item.canonical == first.canonical)
      #expect(item.contentHash == first.contentHash && item.counterHash == first.counterHash)
    }
  }

  @Test("the limits, each at its edge")
  func limits() throws {
    let limits = JSONScan.Limits(depth: 3, itemBytes: 40, stringBytes: 5)
    func reason(_ item: String) throws -> BadItemReason? {
      let page = try JSONScan.page(bytes("{\"data\":[\(item)]}"), itemsPath: ["data"], limits: limits)
      try #require(page.items.count == 1)
      return page.bad.first?.reason
    }
    #expect(try reason("[[[1]]]") == nil)
    #expect(try reason("[[[[1]]]]") == .depth(limit: 3))
    #expect(try reason("{\"a\":[{\"b\":{}}]}") == .depth(limit: 3))
    #expect(try reason("\"12345\"") == nil)
    #expect(try reason("\"123456\"") == .stringBytes(limit: 5))
    #expect(try reason("\"\\u0041\\u0041\\u0041\"") == nil)
    #expect(try reason("{\"123456\":1}") == .stringBytes(limit: 5))
    #expect(try reason("[" + String(repeating: "1", count: 38) + "]") == nil)
    #expect(try reason("[" + String(repeating: "1", count: 39) + "]") == .itemBytes(limit: 40))
    #expect(try reason("[1" + String(repeating: " ", count: 38) + "]") == .itemBytes(limit: 40))
    #expect(throws: JSONScanError.malformed(.depth(limit: 3), offset: 7)) {
      try JSONScan.page(bytes("{\"a\":[[[1]]],\"data\":[]}"), itemsPath: ["data"], limits: limits)
    }
  }

  @Test("the limits hold for the envelope, after a bad item too")
  func envelopeLimits() throws {
    let limits = JSONScan.Limits(depth: 3, itemBytes: 40)
    func scan(_ body: String) throws -> ScannedPage {
      try JSONScan.page(bytes(body), itemsPath: ["data"], limits: limits)
    }
    #expect(try scan("{\"data\":[1,bad],\"a\":[[1]]}").bad.count == 1)
    #expect(throws: JSONScanError.malformed(.depth(limit: 3), offset: 22)) {
      try scan("{\"data\":[1,bad],\"a\":[[[1]]]}")
    }
    let long = String(repeating: "1", count: 40)
    #expect(throws: JSONScanError.malformed(.itemBytes(limit: 40), offset: 55)) {
      try scan("{\"data\":[],\"a\":\(long)}")
    }
    #expect(try scan("{\"data\":[\(long.dropLast()),\(long.dropLast())]}").good.count == 2)
  }

  @Test("limits beyond what the decoder and the database accept are lowered")
  func clampedLimits() {
    let limits = JSONScan.Limits(depth: 100_000, itemBytes: .max, stringBytes: .max, items: -1)
    #expect(limits == JSONScan.Limits(depth: 500, itemBytes: 32 << 20, stringBytes: 32 << 20, items: 0))
  }

  @Test(
    "numbers at the edge of PostgreSQL's numeric",
    arguments: [
      ("1e131071", true), ("9.9e131071", true), ("1e131072", false), ("10e131071", false), ("0.1e131072", true),
      ("0.01e131073", true), ("0.01e131074", false), ("1e-16383", true), ("1e-16384", false), ("1.5e-16382", true),
      ("1.5e-16383", false), ("0e200000", true), ("0e-16384", false), ("0.0e9999999999", false), ("1e200000", false),
      ("-1e200000", false), ("1e99999999999999999999", false), ("1e-99999999999999999999", false), ("1e400", true),
      ("0e1073741822", true), ("0e1073741823", false), ("1E+0000000000000000000001", true),
    ])
  func numbers(number: String, isValid: Bool) throws {
    let page = try JSONScan.page(bytes("[{\"n\":\(number)}]"), itemsPath: [])
    #expect(page.bad.map(\.reason) == (isValid ? [] : [.numberRange]))
  }

  @Test("long numbers at the edge")
  func longNumbers() throws {
    func isValid(_ number: String) throws -> Bool { try JSONScan.page(bytes("[\(number)]"), itemsPath: []).bad.isEmpty }
    let fraction = String(repeating: "0", count: 16_382) + "1"
    #expect(try isValid("0.\(fraction)"))
    #expect(try !isValid("0.0\(fraction)"))
    #expect(try isValid("0.0\(fraction)e1"))
    #expect(try isValid(String(repeating: "9", count: 131_072)))
    #expect(try !isValid(String(repeating: "9", count: 131_073)))
  }

  @Test(
    "invalid UTF-8",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(sequence: [UInt8]) throws {
    for padding in 0..<9 {
      let string = [0x22] + [UInt8](repeating: 0x61, count: padding) + sequence + [0x22]
      let page = try JSONScan.page(bytes("[1,{\"a\":") + string + bytes("},3]"), itemsPath: [])
      #expect(page.bad.map(\.reason) == [.invalidUTF8])
      #expect(page.items.count == 3)
      #expect(page.bad.first?.path == "[1].a")
    }
  }

  @Test("paths and excerpts are bounded")
  func boundedPaths() throws {
    let name = String(repeating: "x", count: 5_000)
    let nested = (0..<100).map { _ in "{\"\(name)\":" }.joined() + "?" + String(repeating: "}", count: 100)
    let bad = try #require(try JSONScan.page(bytes("[\(nested)]"), itemsPath: []).bad.first)
    #expect(bad.path.utf8.count < 600 && bad.path.hasSuffix("…"))
    #expect(bad.excerpt.utf8.count <= 480)
  }

  @Test("depth bombs are bad items or bad pages, never a crash", arguments: ["[", "{\"a\":", "[{\"a\":", "{", "["])
  func depthBombs(piece: String) {
    let bomb = String(repeating: piece, count: 100_000)
    #expect(throws: JSONScanError.self) { try JSONScan.page(bytes(bomb), itemsPath: []) }
    #expect(throws: JSONScanError.self) { try JSONScan.page(bytes("[" + bomb), itemsPath: []) }
    #expect(throws: JSONScanError.self) { try JSONScan.page(bytes("{\"data\":[" + bomb), itemsPath: ["data"]) }
    #expect(throws: JSONScanError.self) { try JSONScan.document(bytes(bomb)) }
  }

  @Test("a closed depth bomb is one bad item")
  func closedBomb() throws {
    let bomb = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let page = try JSONScan.page(bytes("[1,\(bomb),2]"), itemsPath: [])
    #expect(page.good.map { text($0.canonical) } == ["1", "2"])
    #expect(page.bad.map(\.reason) == [.depth(limit: 128)])
  }
}
