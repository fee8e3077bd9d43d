import Foundation
import SyncCore
import SyncEngine
import SyncTestKit
import Testing

/// The properties of a walk, for services that page their lists in other ways than the built-in sources.
///
/// `SYNCCTL_SERVICE_SEED=N` runs the histories with one seed.
@Suite("Walks of declared services")
struct ServiceWalkTests {
  private static let count = 100 * testFactor
  private static let only = ProcessInfo.processInfo.environment["SYNCCTL_SERVICE_SEED"].flatMap { UInt64($0) }

  private static let capped: [ServicePaging] = [
    ServicePaging(name: "positions, capped", addressing: .positions, requested: 20, cap: 5),
    ServicePaging(
      name: "positions with a total, capped", addressing: .positions, requested: 20, cap: 5, total: .actual),
    ServicePaging(name: "pages, capped", requested: 20, cap: 5, total: .actual),
    ServicePaging(name: "pages without a total, capped", requested: 20, cap: 5),
    ServicePaging(name: "pages that skip items", requested: 20, cap: 5, skipsItems: true, total: .actual),
    ServicePaging(name: "pages that skip items, without a total", requested: 20, cap: 5, skipsItems: true),
    ServicePaging(name: "catalogue, capped", addressing: .catalogue, requested: 60, cap: 24),
    ServicePaging(
      name: "catalogue with a total, capped", addressing: .catalogue, requested: 60, cap: 24, total: .actual),
    ServicePaging(
      name: "catalogue that skips items", addressing: .catalogue, requested: 60, cap: 24, skipsItems: true),
  ]

  private static let short: [ServicePaging] = [
    ServicePaging(name: "positions, hidden items", addressing: .positions, hidesItems: true),
    ServicePaging(
      name: "positions with a total, hidden items", addressing: .positions, hidesItems: true, total: .actual),
    ServicePaging(name: "positions, aligned", addressing: .positions, isAligned: true),
    ServicePaging(
      name: "positions, aligned and capped", addressing: .positions, requested: 20, cap: 5, isAligned: true),
    ServicePaging(name: "pages, hidden items", hidesItems: true, total: .actual),
  ]

  private static let ends: [ServicePaging] = ServicePaging.PastEnd.allCases.flatMap { end in
    [
      ServicePaging(name: "positions, then \(end)", addressing: .positions, pastEnd: end),
      ServicePaging(
        name: "positions with a total, then \(end)", addressing: .positions, total: .actual, pastEnd: end),
      ServicePaging(name: "pages with a total, then \(end)", total: .actual, pastEnd: end),
      ServicePaging(name: "pages with a last page, then \(end)", statesLastPage: true, pastEnd: end),
      ServicePaging(name: "pages without claims, then \(end)", pastEnd: end),
      ServicePaging(name: "pages that say whether more follow, then \(end)", statesNext: true, pastEnd: end),
    ]
  }

  private static let claims: [ServicePaging] = [
    ServicePaging(name: "pages with the page's size as total", total: .ofPage),
    ServicePaging(name: "positions with the page's size as total", addressing: .positions, total: .ofPage),
    ServicePaging(name: "catalogue without claims", addressing: .catalogue, requested: 20),
    ServicePaging(name: "chain of positions", addressing: .chainOfPositions),
    ServicePaging(name: "chain of positions with a total", addressing: .chainOfPositions, total: .actual),
    ServicePaging(name: "chain of keys", addressing: .chainOfKeys),
    ServicePaging(name: "chain of positions, dense keys", addressing: .chainOfPositions, isDense: true),
    ServicePaging(name: "chain of keys, dense keys", addressing: .chainOfKeys, isDense: true),
  ]

  private struct Findings {
    var violations: [String] = []
    var complete = 0
    var kills = 0
    var requests = 0
  }

  @Test("no walk is complete without an item that was listed throughout", arguments: capped + short + ends + claims)
  func histories(paging: ServicePaging) async {
    let seeds = Self.only.map { [$0] } ?? (0..<Self.count).map { testSeed &+ UInt64($0) }
    let findings = await onNewThreads(seeds.count, from: Findings()) { number, findings in
      var walk = Self.walk(paging, seed: seeds[number])
      do throws(ServiceWalk.Violation) {
        try walk.run()
      } catch {
        findings.violations.append("seed \(seeds[number]): \(error)")
      }
      if Self.only != nil { for line in walk.log { print("\(paging) · \(line)") } }
      findings.complete += walk.certificate?.complete == true ? 1 : 0
      findings.kills += walk.kills
      findings.requests += walk.service.requests
    }
    let violations = findings.flatMap(\.violations)
    for violation in violations.prefix(3) {
      Issue.record("\(paging): \(violation) (one of \(violations.count) in \(seeds.count) histories)")
    }
    let complete = findings.reduce(0) { $0 + $1.complete }
    let kills = findings.reduce(0) { $0 + $1.kills }
    tellTorture("\(paging): \(seeds.count) histories, \(kills) kills, \(complete) complete")
  }

  private static func walk(_ paging: ServicePaging, seed: UInt64) -> ServiceWalk {
    var generator = SeededGenerator(seed: seed)
    let isCatalogue = paging.addressing == .catalogue
    let count = Int.random(in: 1...(isCatalogue ? 200 : 90), using: &generator)
    let rate = [0, 0.02, 0.1, 0.3][Int.random(in: 0..<4, using: &generator)]
    let failureRate = Int.random(in: 0..<8, using: &generator) == 0 ? 0.05 : 0
    let killRate = Int.random(in: 0..<2, using: &generator) == 0 ? 0 : 0.1
    let service = PagedService(
      paging, count: count, rate: rate, failureRate: failureRate, SeededGenerator(seed: generator.next()))
    return ServiceWalk(service, killRate: killRate, generator)
  }
}
