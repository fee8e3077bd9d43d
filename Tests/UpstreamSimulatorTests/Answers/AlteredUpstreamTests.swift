import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Rewritten answers")
struct AlteredUpstreamTests {
  private let jikan = GeneratedJikan(settings(300))
  private let page = "/v1/top/anime?limit=50&page=1"

  @Test("with nothing to alter, a body stays byte for byte", arguments: ["anime", "manga"])
  func nothing(kind: String) async {
    let altered = AlteredUpstream(jikan)
    for target in ["/v4/top/\(kind)", "/v4/\(kind)?order_by=mal_id", "/v4/top/\(kind)?page=99", "/"] {
      #expect(await altered.get(target) == jikan.get(target))
    }
  }

  @Test("each answer is spelled in another way, and all mean the same")
  func spelling() async throws {
    let meaning = try SimulatedValue(await jikan.get(page).body)
    let altered = AlteredUpstream(jikan, spelling: 1)
    var bodies: Set<[UInt8]> = []
    for _ in 1...3 {
      let body = await altered.get(page).body
      #expect(try SimulatedValue(body) == meaning)
      bodies.insert(body)
    }
    #expect(bodies.count == 3)
    let all = bodies.map { String(decoding: $0, as: UTF8.self) }.joined()
    for part in [#"\/"#, "://", #"\u0065"#, " :", "\r\n", #"\u6"#, "の", "\\u306E", "\\u306e"] {
      #expect(all.unicodeScalars.contains(part.unicodeScalars), "\(part)")
    }
  }

  @Test("the same seed spells the same answers, another one others")
  func determinism() async {
    func bodies(_ seed: UInt64) async -> [[UInt8]] {
      let altered = AlteredUpstream(jikan, spelling: seed, shuffling: seed)
      return [await altered.get(page).body, await altered.get(page).body]
    }
    #expect(await bodies(1) == bodies(1))
    #expect(await bodies(1) != bodies(2))
  }

  @Test("escapes of all kinds keep their meaning, in names too")
  func escapes() async throws {
    let text = #"{"data":[{"a\u0065\"":"\"\\\/\b\f\n\r\t\u0000 é \u00e9 \ud83c\udf38 🌸 \u2028","":""}]}"#
    let altered = AlteredUpstream(ScriptedUpstream { _ in .json(text) }, spelling: 3)
    for _ in 1...50 {
      let body = await altered.get("/").body
      #expect(try SimulatedValue(body) == SimulatedValue(Array(text.utf8)), "\(String(decoding: body, as: UTF8.self))")
    }
  }

  @Test("members of one name keep their order, numbers their digits, and half a pair stays half")
  func delicate() async {
    let text = #"{"data":[{"a":1.50,"b":1e400,"a":-0,"c":"\ud83c","d":"\udf38\ud83c"}]}"#
    let altered = AlteredUpstream(ScriptedUpstream { _ in .json(text) }, spelling: 3)
    for _ in 1...20 {
      let body = await altered.text("/").filter { !$0.isWhitespace }.lowercased()
      #expect(body == text)
    }
  }

  @Test("what is no JSON stays as it is")
  func noJSON() async {
    for text in ["", "{", #"{"data":[}"#, #"{"data":"#, #"{"data":[1]} x"#, #"{"data":["a]}"#, "[1,]"] {
      let altered = AlteredUpstream(ScriptedUpstream { _ in .json(text) }, spelling: 3)
      #expect(await altered.text("/") == text)
    }
    let deep = #"{"data":"# + String(repeating: "[", count: 100_000)
    let altered = AlteredUpstream(ScriptedUpstream { _ in .json(deep) }, spelling: 3)
    #expect(await altered.text("/") == deep)
  }

  @Test("arrays inside of items come in another order each time, the items do not")
  func shuffling() async throws {
    let altered = AlteredUpstream(jikan, shuffling: 1)
    let page = "/v4/top/anime?limit=10"
    let original = await jikan.get(page).body
    var bodies: Set<[UInt8]> = []
    for _ in 1...2 {
      let body = await altered.get(page).body
      let value = try SimulatedValue(body)
      #expect(try value != SimulatedValue(original) && value.sorted == SimulatedValue(original).sorted)
      bodies.insert(body)
    }
    #expect(bodies.count == 2)
    #expect(await altered.numbers("/v1/top/anime", limit: 50) == jikan.numbers("/v1/top/anime", limit: 50))
    let item = "/v4/anime/\(jikan.ids(.anime)[0])"
    #expect(
      try SimulatedValue(await altered.get(item).body).sorted == SimulatedValue(await jikan.get(item).body).sorted)
  }
}
