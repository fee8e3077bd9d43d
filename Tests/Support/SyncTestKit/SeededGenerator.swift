import Foundation

/// A seeded generator (SplitMix64). A test prints its seed, which reproduces a failure.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// The seed of this test run: 1, or the value of `SYNCCTL_TEST_SEED`. The value `random` chooses a seed.
package let testSeed: UInt64 =
  switch ProcessInfo.processInfo.environment["SYNCCTL_TEST_SEED"] {
  case nil: 1
  case "random": .random(in: 0..<1 << 53)
  case let text?: UInt64(text) ?? 1
  }

/// Multiplies the size of seeded tests. `make torture` sets it in `SYNCCTL_TEST_FACTOR`.
package let testFactor: Int =
  ProcessInfo.processInfo.environment["SYNCCTL_TEST_FACTOR"].flatMap { Int($0) }.map { min(max(1, $0), 1000) } ?? 1

package func tellTorture(_ figures: String) {
  // The line is written in a single call, because the test runner prints to the same stream.
  FileHandle.standardOutput.write(Data("torture: \(figures)\n".utf8))
}
