import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncEngine

@Suite("How much of a mirror is requested again, and which parts of it")
struct SampleSizeTests {
  private static func chance(seed: UInt64) -> Chance {
    let generator = Mutex(SeededGenerator(seed: seed))
    return { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
  }

  @Test("a number is spread over the streams by their size, and every place is as likely")
  func count() {
    let sizes = [100, 0, 20, 80]
    var met = [Int](repeating: 0, count: 200)
    for seed in 1...2_000 {
      let places = SampleSize.count(10).places(of: sizes, chance: Self.chance(seed: UInt64(seed)))
      #expect(places.map(\.count) == [5, 0, 1, 4])
      for (stream, start) in [(0, 0), (2, 100), (3, 120)] {
        #expect(places[stream].allSatisfy { (0..<sizes[stream]).contains($0) })
        for place in places[stream] { met[start + place] += 1 }
      }
    }
    // 100 are expected of each.
    #expect(met.allSatisfy { (55...150).contains($0) }, "\(met)")
  }

  @Test("each place once, in order, and no more than there are; the edges of chance are places too")
  func bounds() {
    for edge in [0, 0.5, 1 - 1e-16, 1] {
      for size in 0...12 {
        for count in 1...15 {
          let places = SampleSize.count(count).places(of: [size], chance: { edge })[0]
          #expect(places.count == min(count, size))
          #expect(places == Set(places).sorted() && places.allSatisfy { (0..<size).contains($0) })
        }
      }
    }
    #expect(SampleSize.count(99).places(of: [2, 3], chance: { 0.9 }) == [[0, 1], [0, 1, 2]])
  }

  @Test("of a share, each stream that has anything gives at least one")
  func share() {
    #expect(SampleSize.share(0.1).places(of: [40, 3, 0], chance: { 0 }) == [[0, 10, 20, 30], [0], []])
    #expect(SampleSize.share(1).places(of: [3, 1], chance: { 0.99 }) == [[0, 1, 2], [0]])
  }

  @Test func words() {
    #expect(SampleSize("20") == .count(20) && SampleSize("5%") == .share(0.05) && SampleSize("100%") == .share(1))
    for wrong in ["", "0", "-1", "%", "0%", "101%", "nan%", "1.5", "five", "5 %x"] {
      #expect(SampleSize(wrong) == nil, "\(wrong)")
    }
  }
}
