import Foundation
import JSONScan
import SyncTestKit
import Testing

@Suite("Mutated pages")
struct MutationTests {
  static let fragments: [[UInt8]] =
    [
      "\"", "\\", "\\u", "\\u0000", "\\ud800", "{", "}", "[", "]", ",", ":", "[[[[[[", "}}}}", "1e999999", "-", "0",
      "NaN", "null", "\u{0}", "\n", "\u{feff}", "\"data\":[", "\"data\":null,", "{\"a\":1,\"a\":2}",
      "],\"data\":[{},1,", "e", ".",
    ].map { bytes($0) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F], [UInt8](repeating: 0x5B, count: 600)]

  static func mutated(_ original: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var body = original
    for _ in 0..<Int.random(in: 1...3, using: &random) where !body.isEmpty {
      let place = Int.random(in: 0..<body.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: body[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: body[place] = .random(in: 0...255, using: &random)
      case 2: body.remove(at: place)
      case 3: body.insert(contentsOf: fragments[Int.random(in: 0..<fragments.count, using: &random)], at: place)
      case 4:
        let end = min(body.count, place + Int.random(in: 1..<40, using: &random))
        body.replaceSubrange(place..<end, with: original.shuffledSlice(using: &random))
      default: if random.chance(1, of: 3) { body.removeSubrange(place...) }
      }
    }
    return body
  }

  @Test("a mutated page is an error, or its items are sound")
  func mutations() throws {
    var random = SeededGenerator(seed: testSeed)
    let original = bytes(samplePage)
    var (scanned, isolated) = (0, 0)
    let count = 2_000 * testFactor
    for round in 0..<count {
      let body = Self.mutated(original, using: &random)
      guard let page = try? JSONScan.page(body, itemsPath: ["data"], counterMembers: ["score"]) else { continue }
      scanned += 1
      isolated += page.bad.isEmpty ? 0 : 1
      let isSound = isSoundCanonical(page.envelope) && page.good.allSatisfy { isSoundCanonical($0.canonical) }
      #expect(isSound, "seed \(testSeed), round \(round)")
      #expect(Self.areConsistent(page, body), "seed \(testSeed), round \(round)")
    }
    // A share outside this range means that the mutations prove nothing.
    #expect((count / 20..<count * 19 / 20).contains(scanned), "seed \(testSeed)")
    #expect(isolated > count / 200, "seed \(testSeed)")
    tellTorture("\(count) mutated pages of seed \(testSeed): \(scanned) scanned, \(isolated) with bad items")
  }

  /// Whether items follow each other in the body, and a page without bad items has as many as Foundation finds.
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

extension [UInt8] {
  fileprivate func shuffledSlice(using random: inout SeededGenerator) -> [UInt8] {
    let start = Int.random(in: 0..<count, using: &random)
    return Array(self[start..<Swift.min(count, start + Int.random(in: 0..<60, using: &random))])
  }
}
