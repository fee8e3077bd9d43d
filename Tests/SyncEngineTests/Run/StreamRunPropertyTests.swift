import SyncCore
import SyncEngine
import SyncTestKit
import Testing

@Suite("Properties of runs over random lists", .timeLimit(.minutes(10)))
struct StreamRunPropertyTests {
  private func run(_ upstream: AnswerScript, _ store: MemoryStore, maxPages: Int? = nil) async throws -> RunReport {
    var options = StreamRun.Options()
    options.maxPages = maxPages
    return try await StreamRun(
      stream: upstream, fetcher: .forTests(upstream), store: store, clock: ManualClock(isAutomatic: true),
      observer: { _ in }
    ).run(options)
  }

  private func addsUp(_ counters: RunCounters) -> Bool {
    counters.rowsSeen
      == counters.inserted + counters.updated + counters.unchanged + counters.duplicates + counters.quarantined
  }

  /// The expected mirror: for every key its last version on the committed pages.
  private func expected(_ pages: [TestPage], _ commits: [PageCommit]) -> [Int64: [UInt8]] {
    var rows: [Int64: [UInt8]] = [:]
    for commit in commits {
      guard let number = commit.page.page, pages.indices.contains(number - 1) else { continue }
      for case .item(let key, let version) in pages[number - 1].entries { rows[key] = [version] }
    }
    return rows
  }

  @Test("every item has one outcome, and the mirror holds the last version of each key")
  func outcomes() async throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<30 * testFactor {
      let store = MemoryStore()
      for _ in 0..<2 {
        let pages = (0..<Int.random(in: 1...12, using: &generator)).map { _ in TestPage.random(&generator) }
        let before = await store.commits.count
        let rowsBefore = await store.rows
        let upstream = AnswerScript(pages)
        let report = try await run(upstream, store)
        let commits = await Array(store.commits.dropFirst(before))
        try #require(addsUp(report.counters), "\(report.counters), seed \(seed)")
        let read = commits.compactMap { commit in
          commit.page.keys == nil || commit.page.endedBy != nil
            ? nil : commit.page.page.flatMap { $0 <= pages.count ? pages[$0 - 1].entries.count : 0 }
        }
        try #require(report.counters.rowsSeen == read.reduce(0, +), "seed \(seed)")
        try #require(report.counters.pages == read.count, "seed \(seed)")
        try #require(report.counters.requests == upstream.requests.count, "seed \(seed)")
        let rows = await store.rows
        try #require(rows == rowsBefore.merging(expected(pages, commits)) { _, new in new }, "seed \(seed)")
        // A key that was first seen on a rejected item is a duplicate the second time, although its row is new.
        let late = Set(rows.keys).subtracting(rowsBefore.keys).intersection(
          commits.flatMap(\.rejected).compactMap(\.key))
        let inserted = rows.count - rowsBefore.count
        try #require((inserted - late.count...inserted).contains(report.counters.inserted), "seed \(seed)")
      }
    }
  }

  @Test("a walk of several runs ends like one of a single run, with the same requests")
  func pieces() async throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<30 * testFactor {
      let pages = (0..<Int.random(in: 1...12, using: &generator)).map { _ in TestPage.random(&generator) }
      let whole = MemoryStore()
      let wholeUpstream = AnswerScript(pages)
      let oneGo = try await run(wholeUpstream, whole)

      let store = MemoryStore()
      let upstream = AnswerScript(pages)
      var report: RunReport
      var rowsSeen = 0
      repeat {
        report = try await run(upstream, store, maxPages: Int.random(in: 1...3, using: &generator))
        try #require(addsUp(report.counters), "\(report.counters), seed \(seed)")
        rowsSeen += report.counters.rowsSeen
      } while report.certificate?.endedBy == .maxPages
      try #require(report.certificate == oneGo.certificate, "seed \(seed)")
      try #require(report.status == oneGo.status, "seed \(seed)")
      try #require(rowsSeen == oneGo.counters.rowsSeen, "seed \(seed)")
      try #require(upstream.requests == wholeUpstream.requests, "seed \(seed)")
      let (rows, wholeRows) = await (store.rows, whole.rows)
      try #require(rows == wholeRows, "seed \(seed)")
      let (published, wholePublished) = await (store.published, whole.published)
      try #require(published == wholePublished, "seed \(seed)")
    }
  }
}
