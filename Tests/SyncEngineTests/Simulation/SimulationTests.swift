import Foundation
import SyncTestKit
import Testing

/// A failure prints the seed and the command that replays it.
@Suite("Simulation", .timeLimit(.minutes(10 + testFactor)))
struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["SYNCCTL_SIMULATION_SEEDS"].flatMap { Int($0) } ?? 500 * testFactor
  private static let first = testSeed
  private static let only = environment["SYNCCTL_SIMULATION_SEED"].flatMap { UInt64($0) }

  @Test("no fault makes the engine break an invariant")
  func invariants() async {
    if let seed = Self.only { return Self.replay(seed) }
    let outcome = await Self.campaign(Self.count)
    for failure in outcome.failures { Issue.record("\(failure)") }
    let met = outcome.coverage.counts.values.reduce(0, +)
    tellTorture("\(outcome.hashes.count) simulated worlds from seed \(Self.first) on, with \(met) faults and turns")
    // The first 500 worlds contain every fault. With other seeds, 500 worlds can lack a rare fault, so 5000 are needed.
    guard outcome.failures.isEmpty, Self.count >= (Self.first == 1 ? 500 : 5000) else { return }
    for probe in Covered.allCases {
      #expect(outcome.coverage.counts[probe, default: 0] > 0, "no world had this: \(probe.rawValue)")
    }
  }

  @Test("the same seed causes the same events at the same times")
  func determinism() async {
    let count = 20 * testFactor
    let first = await Self.campaign(count)
    let second = await Self.campaign(count)
    #expect(first.hashes == second.hashes)
    #expect(Set(first.hashes.values).count == count, "different seeds make different worlds")
  }

  private struct WorldFindings {
    var hashes: [UInt64: UInt64] = [:]
    var failures: [String] = []
    var coverage = Coverage()
  }

  private static func campaign(_ count: Int) async -> WorldFindings {
    let outcomes = await onNewThreads(count, from: WorldFindings()) { number, outcome in
      guard outcome.failures.count < 5 else { return }
      let seed = first &+ UInt64(number)
      let simulation = Simulation(seed: seed)
      do {
        try simulation.run()
      } catch {
        outcome.failures.append(
          """
          seed \(seed) breaks \(error)
          to see what happened: SYNCCTL_SIMULATION_SEED=\(seed) swift test --skip-build --filter SimulationTests
          """)
      }
      outcome.hashes[seed] = simulation.world.trace.hash
      outcome.coverage.add(simulation.world.coverage)
    }
    return outcomes.reduce(into: WorldFindings()) { all, one in
      all.hashes.merge(one.hashes) { old, _ in old }
      all.failures += one.failures
      all.coverage.add(one.coverage)
    }
  }

  private static func replay(_ seed: UInt64) {
    let simulation = Simulation(seed: seed, keepsTrace: true)
    do {
      try simulation.run()
    } catch {
      Issue.record("seed \(seed) breaks \(error)")
    }
    let trace = simulation.world.trace
    let text = trace.lines.joined(separator: "\n") + "\nseed \(seed): \(trace.count) events, hash \(trace.hash)\n"
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
