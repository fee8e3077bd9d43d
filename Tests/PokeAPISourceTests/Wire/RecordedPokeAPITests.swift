import Foundation
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import PokeAPISource

@Suite(
  "Recorded documents of PokeAPI", .enabled(if: PokeAPIRecording.archive != nil, "\(UpstreamFixtures.missing)"),
  .timeLimit(.minutes(10)))
struct RecordedPokeAPITests {
  private struct Tree {
    let root: String

    init() async throws { root = try await PokeAPIRecording.tree() + "/api/v2" }

    func body(_ path: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)index.json")))
    }

    func streams() throws -> [String] {
      let source = PokeAPI(baseURL: "http://test/api/v2")
      let response = UpstreamResponse(status: 200, headers: PokeAPIStreamReader.json, body: try body(""))
      return try source.streams(response, to: source.indexRequest)
    }

    func path(_ endpoint: String, _ key: Int64) -> String {
      endpoint == "pokemon-encounters" ? "pokemon/\(key)/encounters/" : "\(endpoint)/\(key)/"
    }

    func listed(_ endpoint: String) throws -> [Int64] {
      try PokeAPIStreamReader(endpoint).page(body(endpoint == "pokemon-encounters" ? "pokemon/" : "\(endpoint)/"))
        .listed
    }
  }

  @Test("the index gives every folder but that of the build, and the encounters last")
  func index() async throws {
    let tree = try await Tree()
    let streams = try tree.streams()
    let folders = try FileManager.default.contentsOfDirectory(atPath: tree.root).filter { !$0.contains(".") }
    #expect(Set(streams) == Set(folders).subtracting(["meta"]).union(["pokemon-encounters"]))
    #expect(streams.last == "pokemon-encounters" && streams.count == Set(streams).count && streams.count >= 49)
  }

  @Test("every list reads whole, its keys in order and the documents' own")
  func lists() async throws {
    let tree = try await Tree()
    for endpoint in try tree.streams() where endpoint != "pokemon-encounters" {
      let page = try PokeAPIStreamReader(endpoint).page(tree.body("\(endpoint)/"))
      let folders = try FileManager.default.contentsOfDirectory(atPath: "\(tree.root)/\(endpoint)").compactMap {
        Int64($0)
      }
      #expect(page.rejected.isEmpty && page.claim.total == page.listed.count, "\(endpoint)")
      #expect(page.claim.hasNext == false && page.listed.sorted() == folders.sorted(), "\(endpoint)")
    }
  }

  @Test("every document reads as what it was, with its own hash")
  func documents() async throws {
    let tree = try await Tree()
    var documents = 0
    for endpoint in try tree.streams() {
      let reader = PokeAPIStreamReader(endpoint)
      var hashes: Set<[UInt8]> = []
      let keys = try tree.listed(endpoint)
      for key in keys {
        let body = try tree.body(tree.path(endpoint, key))
        guard case .item(.item(let item)) = try reader.lookup(key, body) else {
          Issue.record("\(endpoint) \(key)")
          continue
        }
        documents += 1
        hashes.insert(item.contentHash)
        #expect(item.key == key && !item.isRepaired && item.document.count <= body.count, "\(endpoint) \(key)")
      }
      // Many Pokémon have the same empty list of encounters, so their hashes are equal.
      #expect(hashes.count == keys.count || endpoint == "pokemon-encounters", "\(endpoint)")
    }
    #expect(documents >= 4_600)
  }

  @Test("a document is kept whole, and its hash does not see in which order its arrays and members come")
  func reordered() async throws {
    let tree = try await Tree()
    var random = SeededGenerator(seed: testSeed)
    var reordered = 0
    for endpoint in try tree.streams() {
      let reader = PokeAPIStreamReader(endpoint)
      for key in try tree.listed(endpoint).shuffled(using: &random).prefix(8) {
        let body = try tree.body(tree.path(endpoint, key))
        let note: Comment = "\(endpoint) \(key), seed \(testSeed)"
        let item = try reader.document(key, body)
        let original = try JSONSerialization.jsonObject(with: Data(body))
        let kept = try JSONSerialization.jsonObject(with: Data(item.document))
        #expect((original as? NSObject) == (kept as? NSObject), note)
        let other = try reader.document(
          key, JSONSerialization.data(withJSONObject: Self.shuffled(original, using: &random)))
        #expect(other.contentHash == item.contentHash, note)
        reordered += other.document != item.document ? 1 : 0
        guard case .item(let stored) = PokeAPIMapping(endpoint).read(item.document, key: key) else {
          Issue.record(note)
          continue
        }
        #expect(stored.contentHash == item.contentHash, note)
      }
    }
    #expect(reordered >= 200)
  }

  private static func shuffled(_ value: Any, using random: inout SeededGenerator) -> Any {
    switch value {
    case let elements as [Any]: elements.shuffled(using: &random).map { shuffled($0, using: &random) }
    case let members as [String: Any]: members.mapValues { shuffled($0, using: &random) }
    default: value
    }
  }
}
