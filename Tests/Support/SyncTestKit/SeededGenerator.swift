import Foundation

/// A seeded generator (SplitMix64), so that a failure can be repeated from the seed it prints.
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

/// The seed of this run: the same each time, so that results are comparable; `SYNCCTL_TEST_SEED` sets another one, and
/// `random` a new one.
package let testSeed: UInt64 =
  switch ProcessInfo.processInfo.environment["SYNCCTL_TEST_SEED"] {
  case nil: 1
  case "random": .random(in: 0..<1 << 53)
  case let text?: UInt64(text) ?? 1
  }

/// How many times as much as usual the seeded tests try: `SYNCCTL_TEST_FACTOR`, which `make torture` sets.
package let testFactor: Int =
  ProcessInfo.processInfo.environment["SYNCCTL_TEST_FACTOR"].flatMap { Int($0) }.map { min(max(1, $0), 1000) } ?? 1

/// Prints what a part of `make torture` has tried.
package func tellTorture(_ figures: String) {
  // In one piece and unbuffered, because the test runner writes to the same place.
  FileHandle.standardOutput.write(Data("torture: \(figures)\n".utf8))
}
