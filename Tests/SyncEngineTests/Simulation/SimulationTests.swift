import Foundation
import SyncTestKit
import Synchronization
import Testing

/// Thousands of small worlds, each made from a seed. A failure prints the seed and the command that replays it.
@Suite("Simulation", .timeLimit(.minutes(10 + testFactor)))
struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["SYNCCTL_SIMULATION_SEEDS"].flatMap { Int($0) } ?? 500 * testFactor
  private static let first = testSeed
  private static let only = environment["SYNCCTL_SIMULATION_SEED"].flatMap { UInt64($0) }

  @Test("no fault makes the engine break an invariant")
  func invariants() async {
    if let seed = Self.only { return Self.replay(seed) }
    let outcome = await Campaign(first: Self.first, count: Self.count).run()
    for failure in outcome.failures { Issue.record("\(failure)") }
    let met = outcome.coverage.counts.values.reduce(0, +)
    tellTorture("\(outcome.hashes.count) simulated worlds from seed \(Self.first) on, with \(met) faults and turns")
    // The first 500 worlds contain every fault; other sets of 500 can lack a rare one.
    guard outcome.failures.isEmpty, Self.count >= (Self.first == 1 ? 500 : 5000) else { return }
    for probe in Covered.allCases {
      #expect(outcome.coverage.counts[probe, default: 0] > 0, "no world had this: \(probe.rawValue)")
    }
  }

  @Test("the same seed causes the same events at the same times")
  func determinism() async {
    let count = 20 * testFactor
    let first = await Campaign(first: testSeed, count: count).run()
    let second = await Campaign(first: testSeed, count: count).run()
    #expect(first.hashes == second.hashes)
    #expect(Set(first.hashes.values).count == count, "different seeds make different worlds")
  }

  private static func replay(_ seed: UInt64) {
    let simulation = Simulation(seed: seed, keepsTrace: true)
    do {
      try simulation.run()
    } catch {
      Issue.record("seed \(seed) breaks \(error)")
    }
    // In one write: the test runner prints to the same stream.
    let trace = simulation.world.trace
    let text = trace.lines.joined(separator: "\n") + "\nseed \(seed): \(trace.count) events, hash \(trace.hash)\n"
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}

private struct Campaign {
  struct Failure: CustomStringConvertible {
    let seed: UInt64
    let violation: World.Violation

    var description: String {
      """
      seed \(seed) breaks \(violation)
      to see what happened: SYNCCTL_SIMULATION_SEED=\(seed) swift test --skip-build --filter SimulationTests
      """
    }
  }

  struct Outcome {
    var hashes: [UInt64: UInt64] = [:]
    var failures: [Failure] = []
    var coverage = Coverage()
  }

  let first: UInt64
  let count: Int

  /// Uses its own threads, because a simulation runs jobs of tasks, which must not happen inside another job.
  func run() async -> Outcome {
    let threads = min(4, max(1, ProcessInfo.processInfo.activeProcessorCount))
    return await withTaskGroup(of: Outcome.self) { group in
      let shared = Shared()
      for _ in 0..<threads {
        group.addTask {
          await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work(shared)) }
            thread.stackSize = 8 << 20
            thread.start()
          }
        }
      }
      return await group.reduce(into: Outcome()) { all, one in
        all.hashes.merge(one.hashes) { old, _ in old }
        all.failures += one.failures
        all.coverage.add(one.coverage)
      }
    }
  }

  private final class Shared: Sendable {
    let next = Atomic<Int>(0)
    let failures = Atomic<Int>(0)
  }

  private func work(_ shared: Shared) -> Outcome {
    var outcome = Outcome()
    while true {
      let number = shared.next.add(1, ordering: .relaxed).oldValue
      // Stops after a few failures.
      guard number < count, shared.failures.load(ordering: .relaxed) < 5 else { return outcome }
      let seed = first &+ UInt64(number)
      let simulation = Simulation(seed: seed)
      do {
        try simulation.run()
      } catch {
        outcome.failures.append(Failure(seed: seed, violation: error))
        shared.failures.add(1, ordering: .relaxed)
      }
      outcome.hashes[seed] = simulation.world.trace.hash
      outcome.coverage.add(simulation.world.coverage)
    }
  }
}
