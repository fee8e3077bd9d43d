import SyncTestKit
import Testing

@testable import SyncEngine

@Suite struct PackedKeysTests {
  @Test("keys of any size are unpacked in their order")
  func roundTrip() {
    #expect(PackedKeys([]).keys == [])
    #expect(PackedKeys([.min, .max, 0, -1, .max, .min]).keys == [.min, .max, 0, -1, .max, .min])
    var generator = SeededGenerator(seed: testSeed)
    for _ in 0..<1_000 {
      let bound = Int64.max >> Int64.random(in: 0..<62, using: &generator)
      let keys = (0..<30).map { _ in Int64.random(in: -bound...bound, using: &generator) }
      #expect(PackedKeys(keys).keys == keys)
    }
  }
}

extension PackedKeys {
  fileprivate var keys: [Int64] {
    var keys: [Int64] = []
    forEach { keys.append($0) }
    return keys
  }
}
