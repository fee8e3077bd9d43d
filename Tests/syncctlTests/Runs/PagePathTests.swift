import Foundation
import LibPQ
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncEngine

/// The path of a page from its bytes to the rows of the mirror, mostly with faulty bodies.
@Suite("The whole path of a page", .timeLimit(.minutes(10 + testFactor)))
struct PagePathTests {
  @Test("mutated bodies: no crash, one outcome per item, and the mirror has the last accepted items")
  func mutatedBodies() async throws {
    let server = try await ThrowawayPostgres.shared()
    let test = try await server.makeProductDatabase()
    try await Database.with(test.productSettings, applicationName: "test") { database in
      var path = PagePath(database)
      var bodies = PagePathBodies(random: SeededGenerator(seed: testSeed))
      let count = 1_000 * testFactor
      for _ in 0..<count / 10 {
        try await path.take((0..<10).map { _ in bodies.next() })
      }
      try await path.finish()
      // Otherwise the mutations were too strong or too weak to test anything.
      let note: Comment = "seed \(testSeed): \(path.unusable) bodies unusable, \(path.total)"
      #expect((count / 20..<count / 2).contains(path.unusable), note)
      for outcomes in [
        path.total.inserted, path.total.updated - path.total.documentsUpdated, path.total.documentsUpdated,
        path.total.unchanged, path.total.duplicates, path.total.quarantined, path.total.repaired,
      ] { #expect(outcomes > min(50, count / 200), note) }
      try await path.compareWithMirror()
      tellTorture(
        "\(count) mutated bodies of seed \(testSeed) into PostgreSQL: \(path.total.rowsSeen) items, "
          + "\(path.total.quarantined) in quarantine, \(path.unusable) bodies refused")
    }
    try await server.drop(test)
  }
}

/// Passes bodies through reader, page content and store, and keeps its own counts.
private struct PagePath {
  private let database: Database
  private let store: PostgresWalkStore
  private let stream = JikanStream(
    .top(JikanTopList(kind: .anime)), provider: .jikan, baseURL: "http://127.0.0.1:1/v4")
  private var walk: OpenWalk?
  private var readings = 0
  private var seen: Set<Int64> = []
  private var counters = RunCounters()
  private(set) var total = RunCounters()
  private(set) var unusable = 0
  /// The expected contents of the mirror.
  private var taken: [Int64: PageItem] = [:]

  init(_ database: Database) {
    self.database = database
    store = PostgresWalkStore(database)
  }

  /// Commits the items of some bodies as one page.
  mutating func take(_ bodies: [[UInt8]]) async throws {
    let entries = try bodies.flatMap { try read($0) }
    let open = try await openWalk()
    readings += 1
    let keys = entries.compactMap(\.key)
    let page = StoredPage(
      number: readings, page: readings, keys: keys, unreadable: entries.count { $0.key == nil }, claim: PageClaim())
    let commit = PageCommit(of: entries, as: page, known: seen.intersection(keys), requestedAt: .zero)
    let added = try await store.commit([commit], after: counters, of: open, stream: stream.description).counters
    counters += added
    seen.formUnion(keys)
    for case .item(let item) in entries { taken[item.key] = item }
    #expect(added.rowsSeen == entries.count, "seed \(testSeed), reading \(readings)")
    #expect(
      counters.rowsSeen == counters.inserted + counters.updated + counters.unchanged + counters.duplicates
        + counters.quarantined, "seed \(testSeed), reading \(readings): \(counters)")
    // Only another walk can find an item again, changed or unchanged.
    if counters.quarantined > 100 { try await finish() }
  }

  /// The entries of a body; none if the reader refuses the page.
  private mutating func read(_ body: [UInt8]) throws -> [Page.Entry] {
    let request = stream.request(PageAddress(page: 1, size: 25))
    do {
      return try stream.read(UpstreamResponse(status: 200, headers: [:], body: body), to: request).entries
    } catch is SyncError {
      unusable += 1
      return []
    }
  }

  private mutating func openWalk() async throws -> OpenWalk {
    if let walk { return walk }
    let open = try await store.open(stream.description, fresh: true, confirming: nil)
    walk = open
    (readings, seen, counters) = (0, [], RunCounters())
    return open
  }

  mutating func finish() async throws {
    guard let open = walk else { return }
    walk = nil
    let report = try await store.finish(
      open, stream: stream.description,
      ending: WalkEnding(
        status: .partial, certificate: nil, counters: counters, error: nil, readings: 0, publishes: false,
        isResumable: false))
    #expect(report.counters == counters)
    for count: WritableKeyPath<RunCounters, Int> in [
      \.rowsSeen, \.inserted, \.updated, \.documentsUpdated, \.unchanged, \.duplicates, \.quarantined, \.repaired,
    ] { total[keyPath: count] += counters[keyPath: count] }
  }

  /// Compares the rows of PostgreSQL and the quarantine with the own counts.
  func compareWithMirror() async throws {
    let refused = try await database.rows("SELECT item, detail FROM sync.quarantine WHERE reason = 'refused'").rows
    #expect(refused == [], "seed \(testSeed): what PostgreSQL refuses, the reader should have rejected")
    let met = try await database.rows(
      """
      SELECT (SELECT sum(count) FROM sync.quarantine)::text, (SELECT sum(quarantined) FROM sync.run)::text,
             (SELECT count(*) FROM sync.quarantine q WHERE NOT EXISTS (SELECT FROM sync.run_quarantine m
                WHERE m.run_id = q.last_run_id AND m.item = q.item AND m.reason = q.reason))::text
      """
    ).rows
    #expect(met == [["\(total.quarantined)", "\(total.quarantined)", "0"]], "seed \(testSeed)")

    let rows = try await database.rows(
      """
      SELECT mal_id, raw::text, encode(content_hash, 'hex'), counter_hash, members, c.score::text
      FROM jikan.media m FULL JOIN jikan.media_counters c USING (kind, mal_id) ORDER BY mal_id
      """
    ).rows
    #expect(rows.map { $0[0] } == taken.keys.sorted().map(String.init), "seed \(testSeed)")
    let mapping = try #require(JikanMapping.all.first { $0.sql.scope == ["anime"] })
    for row in rows {
      let note: Comment = "seed \(testSeed): \(row)"
      let key = try #require(row[0].flatMap { Int64($0) }, note)
      let item = try #require(taken[key], note)
      #expect(row[2] == hex(item.contentHash) && row[3] == "\(item.counterHash)", note)
      // PostgreSQL writes a document in its own format; the hash is still that of the upstream's text.
      let read = mapping.read(Array((row[1] ?? "").utf8), key: key)
      guard case .item(let stored) = read else {
        Issue.record("seed \(testSeed): not read again: \(read) \(row)")
        continue
      }
      #expect(stored.key == key && stored.contentHash == item.contentHash && !stored.isRepaired, note)
      let counters = try JSONDecoder().decode([String: Counter].self, from: Data(item.counters))
      #expect(row[4].flatMap { Decimal(string: $0) } == counters["members"]?.whole, note)
      #expect(row[5].flatMap { Decimal(string: $0) } == counters["score"]?.number, note)
    }
  }

  private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// A counter as Foundation reads it: a number, or a string that contains only a number, within the column's range.
private struct Counter: Decodable {
  let number: Decimal?

  var whole: Decimal? {
    number.flatMap { abs($0) <= 2_147_483_647 && $0 == Decimal(Int($0.description) ?? -1) ? $0 : nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = (try? container.decode(String.self))?.trimmingCharacters(in: CharacterSet(charactersIn: " "))
    let read =
      (try? container.decode(Decimal.self))
      ?? text.flatMap { try? JSONDecoder().decode(Decimal.self, from: Data($0.utf8)) }
    number = read.flatMap { abs($0) < 1_000_000_000_000 ? $0 : nil }
  }
}
