import Foundation
import JSONScan
import SyncTestKit
import Testing

@Suite("Mutated pages")
struct MutationTests {
  @Test("a mutated page is an error, or its items are sound")
  func mutations() throws {
    var random = SeededGenerator(seed: testSeed)
    let original = bytes(samplePage)
    var (scanned, isolated) = (0, 0)
    let count = 2_000 * testFactor
    for round in 0..<count {
      let body = random.mutated(original)
      guard let page = try? JSONScan.page(body, itemsPath: ["data"], counterMembers: ["score"]) else { continue }
      scanned += 1
      isolated += page.bad.isEmpty ? 0 : 1
      let isSound = isSoundCanonical(page.envelope) && page.good.allSatisfy { isSoundCanonical($0.canonical) }
      #expect(isSound, "seed \(testSeed), round \(round)")
      #expect(Self.areConsistent(page, body), "seed \(testSeed), round \(round)")
    }
    #expect((count / 20..<count * 19 / 20).contains(scanned), "seed \(testSeed)")
    #expect(isolated > count / 200, "seed \(testSeed)")
    tellTorture("\(count) mutated pages of seed \(testSeed): \(scanned) scanned, \(isolated) with bad items")
  }

  private static func areConsistent(_ page: ScannedPage, _ body: [UInt8]) -> Bool {
    var last = 0
    for item in page.items {
      let range =
        switch item {
        case .item(let item): item.range
        case .bad(let item): item.range
        }
      guard range.lowerBound >= last, !range.isEmpty, range.upperBound <= body.count else { return false }
      last = range.upperBound
    }
    guard page.bad.isEmpty, let whole = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
      let data = whole["data"] as? [Any]
    else { return true }
    return data.count == page.items.count
  }
}
