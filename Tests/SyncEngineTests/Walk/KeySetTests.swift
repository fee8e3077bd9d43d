import SyncTestKit
import Testing

@testable import SyncEngine

@Suite("Sets of keys") struct KeySetTests {
  @Test("it holds what a set holds, including negative keys, distant keys and the last keys of the range")
  func likeASet() {
    var random = SeededGenerator(seed: testSeed)
    var keys = KeySet()
    var expected: Set<Int64> = []
    let ranges: [ClosedRange<Int64>] = [0...300, -70...70, .min ... .max, Int64.max - 64...Int64.max]
    for _ in 0..<5000 {
      let key = Int64.random(in: ranges.randomElement(using: &random) ?? 0...0, using: &random)
      #expect(keys.contains(key) == expected.contains(key))
      #expect(keys.insert(key) == expected.insert(key).inserted)
      #expect(keys.contains(key) && keys.count == expected.count)
    }
    for edge in [Int64.min, -65, -64, -1, 0, 63, 64, .max] { #expect(keys.contains(edge) == expected.contains(edge)) }
  }
}
