import JSONScan
import Testing

@Suite("Hashes")
struct HashTests {
  let counters: Set<String> = ["score", "rank"]

  private func digest(_ canonical: String) throws -> [UInt8] { try JSONScan.document(bytes(canonical)).contentHash }

  private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  private func scan(_ body: String) throws -> ScannedItem {
    try JSONScan.document(bytes(body), counterMembers: counters)
  }

  @Test("the content hash is SHA-256 of the canonical form, with the names of counters and not their values")
  func contentHash() throws {
    let item = try scan(#"{"title":"x","score":1,"id":2,"rank":3}"#)
    // The digest is the SHA-256 of {"id":2,"rank":,"score":,"title":"x"}.
    #expect(hex(item.contentHash) == "557a01e2c43e4c03a89ca886e34b0126d3849ce2acb6c3fecdc4c05ccdc7072d")
    #expect(text(item.counters) == #"{"rank":3,"score":1}"#)
    let counterDigest = try digest(text(item.counters))
    #expect(item.counterHash == counterDigest.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) })
    #expect(text(item.canonical) == #"{"id":2,"rank":3,"score":1,"title":"x"}"#)
  }

  @Test("counters in first, middle and last place, of every type, and deep ones that are none")
  func places() throws {
    let item = try scan(#"{"rank":{"score":[1,{"rank":2}]},"a":{"score":5,"rank":6},"score":"\u00e9"}"#)
    // The digest is the SHA-256 of {"a":{"rank":6,"score":5},"rank":,"score":}.
    #expect(hex(item.contentHash) == "a95209b8e4c720f396afaadb99ac904d1c1f7fadac71aaedef79044feca8aba1")
    #expect(text(item.counters) == #"{"rank":{"score":[1,{"rank":2}]},"score":"é"}"#)
  }

  @Test("without counters the content hash is over the whole, and the hash of counters is 0")
  func noCounters() throws {
    for body in [#"{"a":{"score":1}}"#, "[1]", "7", "{}"] {
      let item = try scan(body)
      #expect(try item.contentHash == digest(body))
      #expect(item.counterHash == 0)
      #expect(text(item.counters) == "{}")
    }
  }

  @Test("a counter that moves is no change of the document; one that comes or goes is")
  func counterChange() throws {
    let first = try scan(#"{"score":1,"id":2}"#)
    let second = try scan(#"{"id":2,"score":3}"#)
    #expect(first.contentHash == second.contentHash)
    #expect(first.counterHash != second.counterHash)
    #expect(try scan(#"{"score":null,"id":2}"#).contentHash == first.contentHash)
    #expect(try scan(#"{"id":3,"score":1}"#).contentHash != first.contentHash)
    let others = [#"{"id":2}"#, #"{"id":2,"rank":1}"#, #"{"id":2,"rank":1,"score":1}"#, #"{"id":2,"score2":1}"#]
    for other in others { #expect(try scan(other).contentHash != first.contentHash, "\(other)") }
  }

  @Test("of duplicate names the last counts, for the hashes and the object of counters alike")
  func duplicates() throws {
    let item = try scan(#"{"score":9,"id":2,"score":1,"id":2}"#)
    let plain = try scan(#"{"id":2,"score":1}"#)
    #expect(item.contentHash == plain.contentHash && item.counterHash == plain.counterHash)
    #expect(item.counters == plain.counters && item.duplicateNames == 2)
  }

  @Test("the key is the text of its member at the top level, unchanged")
  func key() throws {
    func key(_ body: String) throws -> String? { try JSONScan.document(bytes(body), keyMember: "id").key.map(text) }
    #expect(try key(#"{"a":{"id":1},"id": 7 ,"z":[]}"#) == "7")
    #expect(try key(#"{"id":1e2}"#) == "1e2")
    #expect(try key(#"{"id":1.0}"#) == "1.0")
    #expect(try key(#"{"id":"\u0035"}"#) == "\"5\"")
    #expect(try key(#"{"id":[1, 2],"b":1}"#) == "[1,2]")
    #expect(try key(#"{"id":1,"id":2}"#) == "2")
    #expect(try key(#"{"\u0069d":3}"#) == "3")
    #expect(try key(#"{"a":{"id":1},"ids":2}"#) == nil)
    #expect(try key(#"[{"id":1}]"#) == nil)
    #expect(try JSONScan.document(bytes(#"{"id":1}"#)).key == nil)
    let page = try JSONScan.page(bytes(#"[{"id":1},{},{"id":3}]"#), itemsPath: [], keyMember: "id")
    #expect(page.good.map { $0.key.map(text) } == ["1", nil, "3"])
  }

  private static func power(_ digit: String, zeros: Int) -> String { digit + String(repeating: "0", count: zeros) }

  static let spellings: [[String]] = [
    ["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000"], ["100", "1e2", "1.0e+2", "100.00"], ["0", "-0", "0.0", "-0e7"],
    ["-1.5", "-15e-1", "-1.50"], ["0.001", "1e-3", "0.0010"], ["10", "1e1"], ["12.5", "125e-1"],
    ["1e400", "10e399", power("1", zeros: 400)], ["1e-400", "0.1e-399"],
    ["9007199254740993", "9007199254740993.0", "9007199254740993e0"], ["1e131071"],
    ["1e38", "10e37", power("1", zeros: 38)], ["1e39", power("1", zeros: 39)], ["1e40", power("1", zeros: 40)],
    ["-1e39", power("-1", zeros: 39)], ["1e-38", power("0.", zeros: 37) + "1"],
    ["1e-39", power("0.", zeros: 38) + "1"], ["\"1\""], ["\"1.0\""], ["\"a\\\" 1.0\""],
  ]

  @Test("numbers of one value are hashed alike, and others are not")
  func numbers() throws {
    var seen: Set<[UInt8]> = []
    for spellings in Self.spellings {
      let documents = try spellings.map { try scan("{\"a\":[\($0)],\"score\":\($0)}") }
      let first = try #require(documents.first)
      #expect(seen.insert(first.contentHash).inserted, "\(spellings)")
      for (document, spelling) in zip(documents, spellings) {
        #expect(document.contentHash == first.contentHash, "\(spelling)")
        #expect(document.counterHash == first.counterHash, "\(spelling)")
        #expect(text(document.counters) == "{\"score\":\(spelling)}", "the document keeps the spelling")
      }
    }
  }

  @Test("names of counters are compared as canonical bytes")
  func counterNames() throws {
    let names: Set<String> = ["a\"b", "caf\u{e9}", "n\u{0}"]
    func hash(_ body: String) throws -> Int64 { try JSONScan.document(bytes(body), counterMembers: names).counterHash }
    #expect(try hash(#"{"a\u0022b":1}"#) != 0)
    #expect(try hash("{\"caf\u{e9}\":1}") != 0)
    #expect(try hash("{\"cafe\u{301}\":1}") == 0)
    #expect(try hash(#"{"n\u0000":1}"#) != 0)
    #expect(try hash(#"{"a":1}"#) == 0)
  }

  @Test("hashes do not leak from one item of a page to the next")
  func pageHashes() throws {
    let page = try JSONScan.page(
      bytes(#"[{"score":1,"id":1},{"score":2,"id":1},5,{"id":1}]"#), itemsPath: [], counterMembers: counters)
    let items = page.good
    try #require(items.count == 4)
    #expect(items[0].contentHash == items[1].contentHash)
    #expect(items[0].counterHash != items[1].counterHash)
    #expect(try items[2].contentHash == digest("5"))
    #expect(items[2].counterHash == 0)
    #expect(items[3].contentHash != items[0].contentHash)
    #expect(items.map { text($0.counters) } == [#"{"score":1}"#, #"{"score":2}"#, "{}", "{}"])
    #expect(items[3].counterHash == 0)
  }
}
