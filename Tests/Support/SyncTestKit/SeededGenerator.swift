import Foundation

/// A seeded generator (SplitMix64), so that the printed seed reproduces a failure.
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

/// This run's seed: constant, or `SYNCCTL_TEST_SEED`; `random` chooses one.
package let testSeed: UInt64 =
  switch ProcessInfo.processInfo.environment["SYNCCTL_TEST_SEED"] {
  case nil: 1
  case "random": .random(in: 0..<1 << 53)
  case let text?: UInt64(text) ?? 1
  }

/// A factor for the effort of seeded tests: `SYNCCTL_TEST_FACTOR`, which `make torture` sets.
package let testFactor: Int =
  ProcessInfo.processInfo.environment["SYNCCTL_TEST_FACTOR"].flatMap { Int($0) }.map { min(max(1, $0), 1000) } ?? 1

/// Prints the effort of a part of `make torture`.
package func tellTorture(_ figures: String) {
  // In one unbuffered write, because the test runner writes to the same place.
  FileHandle.standardOutput.write(Data("torture: \(figures)\n".utf8))
}
