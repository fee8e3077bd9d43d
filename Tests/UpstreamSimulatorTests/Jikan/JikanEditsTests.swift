import Foundation
import SyncTestKit
import Testing

@testable import UpstreamSimulator

@Suite("Edits of generated rows", .computesLong)
struct JikanEditsTests {
  private let jikan = GeneratedJikan(settings(200))

  private typealias Row = [String: JSONValue]

  private func rows(_ kind: String) async throws -> [Row] {
    struct Body: Decodable {
      var data: [Row]
    }
    var rows: [Row] = []
    for page in 1...4 {
      let body = await jikan.get("/v1/top/\(kind)?limit=50&page=\(page)").body
      rows += try JSONDecoder().decode(Body.self, from: Data(body)).data
    }
    return rows
  }

  private func changes(_ old: Row, _ new: Row) -> Set<String> {
    Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
  }

  @Test("all existing counters change")
  func counters() async throws {
    let counters: Set = ["score", "scored_by", "rank", "popularity", "members", "favorites"]
    let before = try await rows("anime")
    jikan.edits.counters = 1
    var moved: [String: Int] = [:]
    for (old, new) in zip(before, try await rows("anime")) {
      let changes = changes(old, new)
      #expect(changes.isSubset(of: counters) && changes.isSuperset(of: ["members", "favorites"]))
      for name in changes { moved[name, default: 0] += 1 }
    }
    #expect(Set(moved.keys) == counters && moved.values.allSatisfy { $0 > 150 })
  }

  @Test("texts change in that many rows of a hundred, and counters in none")
  func texts() async throws {
    let before = try await rows("anime")
    jikan.edits.texts = 40
    var changed = 0
    for (old, new) in zip(before, try await rows("anime")) {
      let changes = changes(old, new)
      #expect(changes.isSubset(of: ["title", "titles", "synopsis", "url"]), "\(changes)")
      changed += changes.isEmpty ? 0 : 1
    }
    #expect((60...100).contains(changed))
  }

  @Test("a title changes in the list and at the item's own address")
  func titles() async throws {
    let before = try await rows("anime")
    let number = jikan.ids(.anime)[120]
    jikan.edits.titles = [number]
    let changed = zip(before, try await rows("anime")).filter { $0 != $1 }
    #expect(changed.count == 1 && changed.first?.1["mal_id"]?.number == Double(number))
    #expect(changed.first.map { changes($0.0, $0.1) } == ["title", "titles", "url"])
    #expect(await jikan.text("/v4/anime/\(number)").contains(": Retitled"))
  }

  @Test("a program reads them from words")
  func words() throws {
    #expect(
      try JikanEdits("members=-3, counters=2,texts=1,title=5,title=7")
        == JikanEdits(members: -3, counters: 2, texts: 1, titles: [5, 7]))
    #expect(try JikanEdits("") == JikanEdits())
    for text in ["members", "members=x", "texts=-1", "title=0", "rank=1", "members=\(Int.min)", "=", "counters=1.5"] {
      #expect(throws: ChaosError.self, "\(text)") { try JikanEdits(text) }
    }
  }
}
