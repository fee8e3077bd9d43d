import SyncCore
import SyncTestKit
import Testing

@testable import PokeAPISource

@Suite("Documents of PokeAPI at their own addresses")
struct PokeAPIDocumentTests {
  private let pikachu = #"""
    {"name":"pikachu","id":25,
     "types":[{"slot":1,"type":{"name":"electric","url":"https://pokeapi.co/api/v2/type/13/"}}],
     "moves":[{"move":{"url":"/m/1/"},"version_group_details":[{"level_learned_at":1},{"level_learned_at":9}]},
      {"move":{"url":"/m/2/"},"version_group_details":[]}]}
    """#

  @Test("a document is kept as received, members in order, arrays unchanged")
  func kept() throws {
    let item = try PokeAPIStreamReader().document(25, pikachu.utf8)
    #expect(item.key == 25 && item.counterHash == 0 && item.counters == Array("{}".utf8) && !item.isRepaired)
    #expect(
      String(decoding: item.document, as: UTF8.self)
        == #"{"id":25,"moves":[{"move":{"url":"/m/1/"},"version_group_details":[{"level_learned_at":1},"#
        + #"{"level_learned_at":9}]},{"move":{"url":"/m/2/"},"version_group_details":[]}],"name":"pikachu","#
        + #""types":[{"slot":1,"type":{"name":"electric","url":"https://pokeapi.co/api/v2/type/13/"}}]}"#)
    #expect(item.contentHash.count == 33 && item.contentHash.last == 3)
  }

  @Test(
    "the order of arrays and of members, white space, escapes and the spelling of numbers are no change; all else is")
  func hashes() throws {
    let reader = PokeAPIStreamReader()
    let first = try reader.document(25, pikachu.utf8)
    let second = try reader.document(
      25,
      #"""
      {"moves":[{"version_group_details":[],"move":{"url":"\/m\/2\/"}},
        {"version_group_details":[{"level_learned_at":9.0},{"level_learned_at":10e-1}],"move":{"url":"/m/1/"}}],
       "types":[{"type":{"url":"https://pokeapi.co/api/v2/type/13/","name":"\u0065lectric"},"slot":1}],
       "id":25,"name":"pikachu"}
      """#.utf8)
    #expect(second.contentHash == first.contentHash && second.document != first.document)
    for (old, new) in [
      ("pikachu", "Pikachu"), ("https://pokeapi.co/api/v2/type", "/api/v2/type"), (#""slot":1"#, #""slot":null"#),
      (#"{"level_learned_at":9}"#, #"{"level_learned_at":9},{"level_learned_at":9}"#), (#""slot":1,"#, ""),
      (#""version_group_details":[]"#, #""version_group_details":[{"level_learned_at":9}]"#),
    ] {
      let other = pikachu.replacing(old, with: new)
      #expect(other != pikachu)
      #expect(try reader.document(25, other.utf8).contentHash != first.contentHash, "\(new)")
    }
  }

  @Test(
    "all that is not id and name may be anything",
    arguments: [
      #"{"id":25}"#, #"{"id":25,"name":null}"#, #"{"id":25,"name":""}"#, #"{"name":"x","id":-0,"id":25}"#,
      #"{"id":25,"name":"x","types":null,"species":7,"stats":{},"sprites":[],"new":{"a":[null,[],{}]}}"#,
      #"{"id":25,"weight":1e400,"height":-1.50,"order":99999999999999999999999999}"#,
      #"{"id":25,"flavor_text":"a\n\fb\u00ad\u3000","name":"x"}"#,
    ])
  func tolerant(body: String) throws {
    let item = try PokeAPIStreamReader().document(25, body.utf8)
    #expect(item.key == 25 && !item.document.isEmpty)
  }

  @Test("ids from −1 on, and those beyond what a double holds")
  func ids() throws {
    for key: Int64 in [-1, 0, 10_326, 9_007_199_254_740_993] {
      #expect(try PokeAPIStreamReader("move-ailment").document(key, "{\"id\":\(key),\"name\":\"x\"}".utf8).key == key)
    }
  }

  @Test("text that PostgreSQL cannot hold is repaired, and counted")
  func repaired() throws {
    let item = try PokeAPIStreamReader().document(1, #"{"id":1,"name":"a\u0000","x":"\ud800"}"#.utf8)
    #expect(item.isRepaired && String(decoding: item.document, as: UTF8.self).contains("a\u{FFFD}"))
    #expect(try PokeAPIStreamReader().document(1, #"{"id":1,"a":1,"a":2}"#.utf8).isRepaired)
  }

  @Test(
    "another document in the place of the requested one is rejected under its key",
    arguments: [
      #"{"id":26,"name":"raichu"}"#, #"{"name":"pikachu"}"#, "{}", #"{"id":"25"}"#, #"{"id":25.0}"#, #"{"id":null}"#,
      #"{"id":[25]}"#, #"{"id":1e400}"#, #"{"id":25,"id":26}"#, #"{"detail":"Not found."}"#,
    ])
  func wrongID(body: String) throws {
    let item = try PokeAPIStreamReader().rejected(25, body.utf8)
    #expect(item.key == 25 && item.reason == "wrong_id" && item.detail.hasPrefix("id: "))
    #expect(!item.excerpt.isEmpty)
  }

  @Test("a name that is no text costs the name alone", arguments: ["7", "[]", "{}", "true", #"["pikachu"]"#])
  func wrongName(name: String) throws {
    let item = try PokeAPIStreamReader().document(25, "{\"id\":25,\"name\":\(name)}".utf8)
    #expect(item.key == 25 && item.misfits == [Misfit(path: "name", example: name)])
  }

  @Test("a list in place of a document is rejected, and a document in place of a list of encounters")
  func wrongKind() throws {
    let list = try PokeAPIStreamReader().rejected(25, "[]".utf8)
    let document = try PokeAPIStreamReader("pokemon-encounters").rejected(25, pikachu.utf8)
    for item in [list, document] {
      #expect(item.key == 25 && item.reason == "wrong_type" && item.detail.hasPrefix("document: not an "))
    }
  }

  @Test("JSON that cannot be stored is rejected and not retried")
  func tooMuch() throws {
    let deep = "{\"id\":25,\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}"
    #expect(try PokeAPIStreamReader().rejected(25, deep.utf8).reason == "depth")
    #expect(try PokeAPIStreamReader().rejected(25, #"{"id":25,"a":1e999999}"#.utf8).reason == "number_range")
    let long = "{\"id\":25,\"a\":\"\(String(repeating: "x", count: 9 << 20))\"}"
    let item = try PokeAPIStreamReader().rejected(25, long.utf8)
    #expect(item.key == 25 && item.reason == "size" && item.excerpt.unicodeScalars.count <= 201)
  }

  @Test("encounters are an array without an id, whose order is no change")
  func encounters() throws {
    let reader = PokeAPIStreamReader("pokemon-encounters")
    let item = try reader.document(
      10_001, #"[{"version_details":[{"max_chance":5},{"max_chance":9}],"location_area":null},{"a":1}]"#.utf8)
    #expect(item.key == 10_001)
    #expect(
      String(decoding: item.document, as: UTF8.self)
        == #"[{"location_area":null,"version_details":[{"max_chance":5},{"max_chance":9}]},{"a":1}]"#)
    let other = try reader.document(
      10_001, #"[{"a":1},{"location_area":null,"version_details":[{"max_chance":9},{"max_chance":5}]}]"#.utf8)
    #expect(other.contentHash == item.contentHash && other.document != item.document)
    let empty = try reader.document(129, "[]".utf8)
    #expect(empty.key == 129 && empty.document == Array("[]".utf8) && empty.contentHash != item.contentHash)
  }

  @Test("an answer names its build, if by a plain word")
  func build() throws {
    let lookup = try #require(PokeAPIStreamReader().stream.lookup)
    func build(_ value: String?) -> String? {
      lookup.build(of: UpstreamResponse(status: 200, headers: value.map { ["x-pokeapi-hash": $0] } ?? [:], body: []))
    }
    #expect(build("0d8fe2bf23d53f44456dc8dd2c861c5dab827146") == "0d8fe2bf23d53f44456dc8dd2c861c5dab827146")
    #expect(build("v2.10_rc-1") == "v2.10_rc-1")
    #expect(build(String(repeating: "a", count: 100)) != nil && build(String(repeating: "a", count: 101)) == nil)
    for odd in [nil, "", "a b", "a\u{1B}[31m", "é", "a\nb", "a/b", "[", "@"] as [String?] {
      #expect(build(odd) == nil, "\(odd ?? "nil")")
    }
  }

  @Test("a stored document reads as it did when received, however PostgreSQL has written it")
  func mapping() throws {
    let mapping = PokeAPIMapping("pokemon")
    let encounters = PokeAPIMapping("pokemon-encounters")
    #expect(mapping.name == "pokeapi pokemon" && mapping.version == 3)
    #expect(mapping.sql == PokeAPIStreamReader().stream.description.sql)
    let item = try PokeAPIStreamReader().document(7, #"{"name":"é","id":7,"b":[1.50,1e3,{"bb":1,"a":null}]}"#.utf8)
    let stored = #"{"b": [1.50, 1000, {"a": null, "bb": 1}], "id": 7, "name": "é"}"#
    guard case .item(let read) = mapping.read(Array(stored.utf8), key: 7),
      case .item(let list) = encounters.read(Array(#"[{"a": 1}]"#.utf8), key: 8)
    else {
      Issue.record("not read")
      return
    }
    #expect(read.key == 7 && read.contentHash == item.contentHash && !read.isRepaired)
    let came = try PokeAPIStreamReader("pokemon-encounters").document(8, #"[{"a":1}]"#.utf8)
    #expect(list.key == 8 && list.contentHash == came.contentHash)
    for bad in [#"{"id": 8}"#, "[]", "nonsense", "7"] {
      guard case .rejected = mapping.read(Array(bad.utf8), key: 7) else {
        Issue.record("taken: \(bad)")
        continue
      }
    }
  }
}
