import Foundation
import SyncCore
import SyncEngine
import Synchronization

/// Walks of consecutive seeds, spread over a few threads.
struct DriftCampaign {
  struct Failure {
    let seed: UInt64
    let violation: DriftViolation
  }

  /// The number of walks, and the number of those that settled.
  struct Share {
    var walks = 0
    var complete = 0
  }

  struct Cell: Hashable {
    let row: String
    let rate: Double
  }

  struct Outcome {
    var failures: [DriftRule: [Failure]] = [:]
    var shares: [Cell: Share] = [:]
    var rereads = 0
    var requests = 0

    mutating func add(_ other: Outcome) {
      failures.merge(other.failures, uniquingKeysWith: +)
      shares.merge(other.shares) { Share(walks: $0.walks + $1.walks, complete: $0.complete + $1.complete) }
      rereads += other.rereads
      requests += other.requests
    }
  }

  static let rows = ["list ≤ 10 pages", "list > 10 pages", "catalogue", "list ≥ 60 pages"]

  let first: UInt64
  let count: Int
  var areLong = false

  func run() async -> Outcome {
    let next = Counter()
    return await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
        // Threads of its own: the pool has one per core, and other tests need it.
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: work(next)) }.start()
          }
        }
      }
      return await group.reduce(into: Outcome()) { $0.add($1) }
    }
  }

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  private func work(_ next: Counter) -> Outcome {
    var outcome = Outcome()
    while true {
      let number = next.value.add(1, ordering: .relaxed).oldValue
      guard number < count else { return outcome }
      let seed = first &+ UInt64(number)
      var walk = DriftWalk(seed: seed, isLong: areLong)
      do {
        try walk.run()
      } catch {
        outcome.failures[error.rule, default: []].append(Failure(seed: seed, violation: error))
      }
      outcome.requests += walk.requests
      guard let certificate = walk.certificate else { continue }
      outcome.rereads += certificate.rewalked
      let settings = walk.settings
      guard settings.isHonest, settings.mode == .shown, settings.count > 0, settings.twins == 0,
        settings.pageCap == nil, !settings.shufflesTies
      else { continue }
      let isShort = settings.count <= 10 * settings.pageSize
      let row = Self.rows[areLong ? 3 : settings.kind == .catalogue ? 2 : isShort ? 0 : 1]
      outcome.shares[Cell(row: row, rate: settings.rate), default: Share()].walks += 1
      if certificate.complete { outcome.shares[Cell(row: row, rate: settings.rate)]?.complete += 1 }
    }
  }
}

extension DriftCampaign.Outcome {
  /// The share of walks that settled, by the rate of changes per request.
  var table: String {
    func pad(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let rates = DriftSettings.rates
    var lines = ["walks that settle, by changes per request:".padding(toLength: 42, withPad: " ", startingAt: 0)]
    lines.append(pad("", 18) + rates.map { pad("\($0)", 8) }.joined())
    for row in DriftCampaign.rows where shares.keys.contains(where: { $0.row == row }) {
      let cells = rates.map { rate -> String in
        guard let share = shares[DriftCampaign.Cell(row: row, rate: rate)], share.walks > 0 else { return "–" }
        return "\(share.complete * 100 / share.walks) %"
      }
      lines.append(row.padding(toLength: 18, withPad: " ", startingAt: 0) + cells.map { pad($0, 8) }.joined())
    }
    return lines.joined(separator: "\n") + "\n\(requests) requests, \(rereads) of them again\n"
  }
}
