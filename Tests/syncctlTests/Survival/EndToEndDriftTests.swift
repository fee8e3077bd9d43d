import LibPQ
import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing
import UpstreamSimulator

@testable import JikanSource

extension EndToEnd {
  /// Lists that change during a walk, by seed, and a mirror that never claims items that it has not seen.
  @Suite struct Drift {
    /// Shares of page requests before which the list changes.
    private static let rates = [0.0, 0.01, 0.03, 0.1, 0.3, 1.0]

    /// The same lists in every run, but different ones for each rate.
    private static var seed: Int { max(0, DrillSize.number("SYNCCTL_TEST_SEED", otherwise: 1)) }

    /// The number of lists for each rate.
    private static var listsPerRate: Int {
      max(1, DrillSize.number("SYNCCTL_TEST_DRIFTS", otherwise: 18) / rates.count)
    }

    /// All lists, in batches that take at most a minute.
    static let batches = rates.enumerated().flatMap { number, rate in
      stride(from: 0, to: listsPerRate, by: 20).map { start in
        Batch(rate: rate, first: seed + number * 1_000_000 + start, lists: min(20, listsPerRate - start))
      }
    }

    struct Batch: Sendable, CustomTestStringConvertible {
      let rate: Double
      let first: Int
      let lists: Int

      var testDescription: String { "\(lists) lists from seed \(first) on, \(rate) changes a request" }
    }

    private static let tallies = Mutex<[Double: Shares]>([:])

    @Test("Whatever was listed throughout is mirrored, or the run does not claim it", arguments: batches)
    func claims(batch: Batch) async throws {
      var shares = Shares()
      let upstream = Changing(DriftingJikan(JikanSettings(items: 0)))
      try await InProcessMirror.with(ScriptedUpstream { await upstream.value.answer($0) }) { mirror in
        for number in 0..<batch.lists {
          let scenario = DriftScenario(seed: UInt64(batch.first + number), rate: batch.rate)
          upstream.value = DriftingJikan(scenario.settings, drift: scenario.drift)
          try await Self.walk(scenario, upstream.value, mirror, &shares)
        }
      }
      if batch.rate == 0 { #expect(shares.settledShare == 1) }
      let all = Self.tallies.withLock { tallies in
        tallies[batch.rate, default: Shares()].add(shares)
        return tallies[batch.rate] ?? shares
      }
      if all.lists == Self.listsPerRate { tell("\(batch.rate) changes a request: \(all)") }
    }

    /// Mirrors a list and its catalogue twice, with changes in between.
    private static func walk(
      _ scenario: DriftScenario, _ upstream: DriftingJikan, _ mirror: InProcessMirror, _ shares: inout Shares
    ) async throws {
      try await mirror.clear()
      shares.lists += 1
      var generator = SeededGenerator(seed: scenario.seed)
      for round in 1...2 {
        for isCatalogue in [false, true] {
          let check = DriftCheck(
            scenario: scenario, upstream: upstream, mirror: mirror, isCatalogue: isCatalogue, round: round)
          shares.add(scenario, isCatalogue, try await check.run())
        }
        let ids = upstream.ids(.anime)
        let leaving = Int.random(in: 0...4, using: &generator)
        upstream.remove(.anime, ids.shuffled(using: &generator).prefix(leaving))
        upstream.restore(.anime, upstream.oracle(.anime).removed.sorted().prefix(1))
        upstream.insert(.anime, at: 0)
      }
    }
  }
}

/// One run, and the checks after it.
private struct DriftCheck {
  let scenario: DriftScenario
  let upstream: DriftingJikan
  let mirror: InProcessMirror
  let isCatalogue: Bool
  let round: Int

  func run() async throws -> RunStatus {
    let vanishedBefore = try await mirror.ids("SELECT mal_id FROM jikan.anime WHERE vanished_at IS NOT NULL")
    upstream.beginWalk(.anime)
    let report = try await mirror.run(isCatalogue ? .catalogue(.anime) : .top(JikanTopList(kind: .anime)))
    let oracle = upstream.oracle(.anime)
    let note: Comment = "\(scenario); round \(round), \(report.stream.name): \(report)"
    let live = try await mirror.ids("SELECT mal_id FROM jikan.anime WHERE vanished_at IS NULL")
    let vanished = try await mirror.ids("SELECT mal_id FROM jikan.anime WHERE vanished_at IS NOT NULL")
    // No listed item has vanished, whatever happened in the walk.
    #expect(vanished.subtracting(vanishedBefore).isDisjoint(with: oracle.alive), note)
    if !isCatalogue { #expect(vanished.isSubset(of: vanishedBefore), note) }
    let listed = try await mirror.ids("SELECT mal_id FROM jikan.ranking WHERE kind = 'anime' AND subtype = 'all'")
    if !isCatalogue, let certificate = report.certificate, certificate.mayPublish, report.error == nil {
      #expect(listed.count == certificate.distinctKeys, note)
    }
    guard report.status == .complete else {
      #expect(report.counters.vanished == 0 && vanished.isSubset(of: vanishedBefore), note)
      return report.status
    }
    if isCatalogue {
      #expect(oracle.throughout.isSubset(of: live), note)
      #expect(live.isSubset(of: oracle.sometimes), note)
    } else if scenario.nature != .free {
      #expect(oracle.throughout.isSubset(of: listed) && oracle.throughout.isSubset(of: live), note)
      #expect(listed.isSubset(of: oracle.sometimes), note)
    }
    return report.status
  }
}

/// The number of walks that settled, by the nature of their changes.
private struct Shares: CustomStringConvertible {
  private struct Key: Hashable {
    let isCatalogue: Bool
    let nature: DriftScenario.Nature
  }

  private struct Count {
    var complete = 0
    var inconsistent = 0
    var all = 0
  }

  private var counts: [Key: Count] = [:]
  var lists = 0

  mutating func add(_ scenario: DriftScenario, _ isCatalogue: Bool, _ status: RunStatus) {
    let key = Key(isCatalogue: isCatalogue, nature: scenario.nature)
    counts[key, default: Count()].all += 1
    if status == .complete { counts[key, default: Count()].complete += 1 }
    if status == .inconsistent { counts[key, default: Count()].inconsistent += 1 }
  }

  mutating func add(_ other: Shares) {
    lists += other.lists
    counts.merge(other.counts) { one, other in
      Count(
        complete: one.complete + other.complete, inconsistent: one.inconsistent + other.inconsistent,
        all: one.all + other.all)
    }
  }

  /// The share for walks with at most one change between two requests and no other fault.
  var settledShare: Double {
    let single = counts.filter { $0.key.nature == .single }.values
    let all = single.reduce(0) { $0 + $1.all }
    return all == 0 ? 1 : Double(single.reduce(0) { $0 + $1.complete }) / Double(all)
  }

  var description: String {
    [("lists", false), ("catalogues", true)].map { name, isCatalogue in
      let parts = DriftScenario.Nature.allCases.compactMap { nature in
        counts[Key(isCatalogue: isCatalogue, nature: nature)].map { count in
          "\(nature) \(count.complete)/\(count.all) (\(count.inconsistent) inconsistent)"
        }
      }
      return "\(name) complete: \(parts.joined(separator: ", "))"
    }.joined(separator: "; ")
  }
}
