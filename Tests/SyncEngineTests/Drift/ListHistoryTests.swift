import Foundation
import SyncCore
import SyncTestKit
import Testing

/// A failure prints the seed and the command that replays it.
@Suite("Several lists that drift", .timeLimit(.minutes(10 + testFactor)))
struct ListHistoryTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let only = environment["SYNCCTL_LISTS_SEED"].flatMap { UInt64($0) }

  private struct Findings {
    var failures: [(seed: UInt64, text: String)] = []
    var tallies: [ListHistory.Tally] = []
  }

  @Test("no walk says complete for a list that missed an item, however its runs are stopped and the lists change")
  func histories() async {
    if let seed = Self.only { return Self.replay(seed) }
    let count = 2000 * testFactor
    let findings = await onNewThreads(count, from: Findings()) { number, findings in
      let seed = testSeed &+ UInt64(number)
      var history = ListHistory(seed: seed)
      do throws(ListHistory.Violation) {
        try history.run()
      } catch {
        findings.failures.append((seed, "\(error); \(history.settings)"))
      }
      findings.tallies.append(history.tally)
    }
    let failures = findings.flatMap(\.failures).sorted { $0.seed < $1.seed }
    for failure in failures.prefix(4) {
      Issue.record(
        """
        seed \(failure.seed): \(failure.text) (one of \(failures.count))
        to see what happened: SYNCCTL_LISTS_SEED=\(failure.seed) swift test --skip-build --filter ListHistoryTests
        """)
    }

    let tallies = findings.flatMap(\.tallies)
    func sum(_ number: (ListHistory.Tally) -> Int) -> Int { tallies.reduce(0) { $0 + number($1) } }
    let statuses = [ListStatus.complete, .unproven, .inconsistent, .partial]
    let lists = statuses.map { status in sum { $0.lists[status] ?? 0 } }
    let walks = [RunStatus.complete, .unproven, .inconsistent, .partial].map { status in sum { $0.walks[status] ?? 0 } }
    #expect((lists + walks).allSatisfy { $0 > count / 50 }, "each case occurred: \(lists), \(walks)")
    #expect(sum(\.resumed) > count / 4 && sum(\.rewalked) > count / 20 && sum(\.changes) > count)
    tellTorture(
      "\(count) histories of several lists from seed \(testSeed) on: \(sum(\.requests)) requests, lists \(lists), "
        + "walks \(walks), \(sum(\.resumed)) resumed, \(sum(\.rewalked)) lists read again")
  }

  private static func replay(_ seed: UInt64) {
    var history = ListHistory(seed: seed, keepsLog: true)
    var text = "ended"
    do throws(ListHistory.Violation) {
      try history.run()
    } catch {
      text = "\(error)"
      Issue.record("seed \(seed) breaks \(error)")
    }
    let lines = ["\(history.settings)"] + (history.log ?? []) + ["seed \(seed): \(text)", ""]
    FileHandle.standardOutput.write(Data(lines.joined(separator: "\n").utf8))
  }
}
