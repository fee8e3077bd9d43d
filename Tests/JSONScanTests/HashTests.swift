import JSONScan
import Testing

@Suite("Hashes")
struct HashTests {
  let volatile: Set<String> = ["score", "rank"]

  /// The hash of a canonical text by itself, without volatile members; `knownDigest` ties it to SHA-256.
  private func digest(_ canonical: String) throws -> [UInt8] { try JSONScan.document(bytes(canonical)).contentHash }

  @Test("the digest of {} is the one that sha256sum gives")
  func knownDigest() throws {
    let hex = try digest("{}").map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hex == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
  }

  @Test("the content hash is SHA-256 of the canonical form without the volatile members")
  func contentHash() throws {
    let item = try JSONScan.document(bytes(#"{"title":"x","score":1,"id":2,"rank":3}"#), volatileMembers: volatile)
    #expect(try item.contentHash == digest(#"{"id":2,"title":"x"}"#))
    let volatileDigest = try digest(#"{"rank":3,"score":1}"#)
    #expect(item.volatileHash == volatileDigest.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) })
    #expect(text(item.canonical) == #"{"id":2,"rank":3,"score":1,"title":"x"}"#)
  }

  @Test("without volatile members the content hash is over the whole, and the volatile hash is 0")
  func noVolatile() throws {
    for body in [#"{"a":{"score":1}}"#, "[1]", "7", "{}"] {
      let item = try JSONScan.document(bytes(body), volatileMembers: volatile)
      #expect(try item.contentHash == digest(body))
      #expect(item.volatileHash == 0)
    }
  }

  @Test("only volatile members: the content is the empty object")
  func onlyVolatile() throws {
    let item = try JSONScan.document(bytes(#"{"score":1}"#), volatileMembers: volatile)
    #expect(try item.contentHash == digest("{}"))
    #expect(item.volatileHash != 0)
  }

  @Test("a volatile member changes the volatile hash alone; the last duplicate counts")
  func volatileChange() throws {
    func scan(_ body: String) throws -> ScannedItem {
      try JSONScan.document(bytes(body), volatileMembers: volatile)
    }
    let first = try scan(#"{"score":1,"id":2}"#)
    let second = try scan(#"{"id":2,"score":1.0}"#)
    #expect(first.contentHash == second.contentHash)
    #expect(first.volatileHash != second.volatileHash)
    #expect(try scan(#"{"score":9,"id":2,"score":1}"#).volatileHash == first.volatileHash)
    #expect(try scan(#"{"id":3,"score":1}"#).contentHash != first.contentHash)
  }

  @Test("volatile names are compared as canonical bytes")
  func volatileNames() throws {
    let names: Set<String> = ["a\"b", "caf\u{e9}", "n\u{0}"]
    func hash(_ body: String) throws -> Int64 {
      try JSONScan.document(bytes(body), volatileMembers: names).volatileHash
    }
    #expect(try hash(#"{"a\u0022b":1}"#) != 0)
    #expect(try hash("{\"caf\u{e9}\":1}") != 0)
    #expect(try hash("{\"cafe\u{301}\":1}") == 0)
    #expect(try hash(#"{"n\u0000":1}"#) != 0)
    #expect(try hash(#"{"a":1}"#) == 0)
  }

  @Test("hashes do not leak from one item of a page to the next")
  func pageHashes() throws {
    let page = try JSONScan.page(
      bytes(#"[{"score":1,"id":1},{"score":2,"id":1},5,{"id":1}]"#), itemsPath: [], volatileMembers: volatile)
    let items = page.good
    try #require(items.count == 4)
    #expect(items[0].contentHash == items[1].contentHash)
    #expect(items[0].volatileHash != items[1].volatileHash)
    #expect(try items[2].contentHash == digest("5"))
    #expect(items[2].volatileHash == 0)
    #expect(items[3].contentHash == items[0].contentHash)
    #expect(items[3].volatileHash == 0)
  }
}
