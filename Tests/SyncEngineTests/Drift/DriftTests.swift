import Foundation
import SyncEngine
import SyncTestKit
import Testing

/// A failure prints the seed and the command that replays it.
@Suite("Drifting lists", .timeLimit(.minutes(10 + testFactor)))
struct DriftTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["SYNCCTL_DRIFT_SEEDS"].flatMap { Int($0) } ?? 2_000 * testFactor
  private static let first = testSeed
  private static let only = environment["SYNCCTL_DRIFT_SEED"].flatMap { UInt64($0) }

  private struct Failure {
    let seed: UInt64
    let violation: DriftViolation
  }

  private struct DriftFindings {
    var failures: [DriftRule: [Failure]] = [:]
    var requests = 0
  }

  @Test(
    "no walk of a drifting list claims more than it saw, or publishes what it does not count", arguments: [false, true])
  func walks(areLong: Bool) async {
    if let seed = Self.only { return Self.replay(seed, isLong: areLong) }
    let count = areLong ? Self.count / 10 : Self.count
    let outcomes = await onNewThreads(count, from: DriftFindings()) { number, outcome in
      let seed = Self.first &+ UInt64(number)
      var walk = DriftWalk(seed: seed, isLong: areLong)
      do throws(DriftViolation) {
        try walk.run()
      } catch {
        outcome.failures[error.rule, default: []].append(Failure(seed: seed, violation: error))
      }
      outcome.requests += walk.requests
    }
    let failures = outcomes.reduce(into: DriftFindings()) { $0.failures.merge($1.failures, uniquingKeysWith: +) }
      .failures
    for (_, broken) in failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      for failure in broken.prefix(4) {
        Issue.record(
          """
          seed \(failure.seed)\(areLong ? " (long)" : "") breaks \(failure.violation) (one of \(broken.count))
          to see what happened: SYNCCTL_DRIFT_SEED=\(failure.seed) swift test --skip-build --filter DriftTests
          """)
      }
    }
    let requests = outcomes.reduce(0) { $0 + $1.requests }
    tellTorture("\(count) \(areLong ? "long " : "")drifting lists from seed \(Self.first) on: \(requests) requests")
  }

  @Test("no run marks a listed item as vanished; a removed item is marked in the first complete walk")
  func runs() async {
    var (vanished, returned, guarded, resumed, confirmed) = (0, 0, 0, 0, 0)
    let count = Self.only == nil ? Self.count / 20 : 1
    for number in 0..<count {
      let seed = Self.only ?? Self.first &+ UInt64(number)
      var runs = DriftRuns(seed: seed)
      do {
        try await runs.run()
      } catch {
        Issue.record("seed \(seed) breaks \(error); \(runs.settings)")
      }
      vanished += runs.vanished
      returned += runs.returned
      guarded += runs.guarded
      resumed += runs.resumed
      confirmed += runs.confirmed
    }
    tellTorture("\(count) histories of drifting lists: \(vanished) vanished, \(returned) returned, \(guarded) guarded")
    guard count >= 100 else { return }
    #expect(vanished > count / 10 && returned > count / 20 && guarded > count / 100, "the cases occurred")
    #expect(resumed > count / 10, "walks were resumed")
    #expect(confirmed > count / 4, "pages were requested conditionally, and were unchanged")
  }

  private static func replay(_ seed: UInt64, isLong: Bool) {
    var walk = DriftWalk(seed: seed, isLong: isLong, keepsLog: true)
    do {
      try walk.run()
    } catch {
      Issue.record("seed \(seed) breaks \(error)")
    }
    let text = """
      \(walk.settings)
      \((walk.list.log ?? []).joined(separator: "\n"))
      seed \(seed): \(walk.requests) requests, \(walk.certificate.map { "\($0)" } ?? "no certificate")

      """
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
