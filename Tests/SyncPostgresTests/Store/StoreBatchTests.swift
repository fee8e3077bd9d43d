import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncEngine
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(5)))
struct StoreBatchTests {
  private static let left = [
    """
    SELECT mal_id, m.raw::text, m.content_hash::text, c.counter_hash, c.members, m.vanished_at IS NULL
    FROM jikan.media m JOIN jikan.media_counters c USING (kind, mal_id) ORDER BY 1
    """,
    """
    SELECT walk_id, page, list_page, keys::text, unreadable, unreadable_after::text, claimed_total, last_page, has_next,
      ended_by, etag, address
    FROM sync.walk_page ORDER BY 1, 2
    """,
    "SELECT item, reason, detail, raw, count FROM sync.quarantine ORDER BY 1, 2",
    """
    SELECT status, pages, requests, not_modified, rows_seen, inserted, updated, unchanged, duplicates, quarantined,
      repaired, vanished, not_understood::text
    FROM sync.run ORDER BY started_at
    """,
    "SELECT stream, cursor, walk_id IS NULL FROM sync.stream_state",
    "SELECT mal_id, position, unread FROM jikan.ranking ORDER BY 1",
  ]

  private static func pages(_ chance: inout SeededGenerator) -> [(items: [Media], rejected: [RejectedItem])] {
    (0..<Int.random(in: 5...25, using: &chance)).map { _ in
      var keys: Set<Int64> = []
      let items = (0..<Int.random(in: 0...8, using: &chance)).compactMap { _ -> Media? in
        let key = Int64.random(in: 1...60, using: &chance)
        guard keys.insert(key).inserted else { return nil }
        return switch Int.random(in: 0...9, using: &chance) {
        case 0...2: Media(key, ["members": "\(Int.random(in: 1...3, using: &chance))"])
        case 3...4: Media(key, ["title": "\"Title \(Int.random(in: 1...3, using: &chance))\""])
        case 5 where key % 10 == 0: Media(key, ["year": #""\u0000""#])
        default: Media(key)
        }
      }
      let isBad = Int.random(in: 0...5, using: &chance) == 0
      let key: Int64? = Bool.random(using: &chance) ? 99 : nil
      return (items, isBad ? [RejectedItem(key: key, reason: "wrong_type", detail: "x", excerpt: "{}")] : [])
    }
  }

  private typealias Page = (items: [Media], rejected: [RejectedItem], total: Int?)

  /// Returns pages of about 30 items, some of which a guard stops: about half of the items lack a column, an item is
  /// also on an earlier page, items are new or refused by PostgreSQL, many items are unusable, or the total grows.
  private static func guardedPages(_ chance: inout SeededGenerator) -> [Page] {
    var earlier: [Media] = []
    return (0..<Int.random(in: 3...6, using: &chance)).map { page -> Page in
      let isLossy = Int.random(in: 0...2, using: &chance) == 0
      var lost = isLossy ? Int.random(in: 13...19, using: &chance) : 0
      var items: [Media] = []
      for place in 0..<Int.random(in: 26...30, using: &chance) {
        let isNew = Int.random(in: 0...14, using: &chance) == 0
        let key = Int64(page * 30 + place + 1) + (isNew ? Int64.random(in: 1...9, using: &chance) * 1000 : 0)
        var changes: [String: String?] = [:]
        if lost > 0 {
          changes["score"] = "null"
          lost -= 1
        }
        if Int.random(in: 0...5, using: &chance) == 0 {
          changes["members"] = "\(Int.random(in: 1...3, using: &chance))"
        }
        if Int.random(in: 0...60, using: &chance) == 0 { changes["year"] = #""\u0000""# }
        items.append(Media(key, changes))
      }
      let repeated = earlier.shuffled(using: &chance).prefix(Int.random(in: 0...6, using: &chance))
      items += repeated.filter { one in !items.contains { $0.id == one.id } }
      if !isLossy, Int.random(in: 0...2, using: &chance) == 0, let again = repeated.first {
        items.removeAll { $0.id == again.id }
        items.append(again.with(["title": "\"Again\""]))
      }
      earlier += items
      let bad = [0, 0, 0, 0, 2, 60][Int.random(in: 0...5, using: &chance)]
      let rejected = [RejectedItem].unusable((0..<bad).map { Int64(20_000 + page * 100 + $0) })
      return (items, rejected, [nil, 150, 200, 900][Int.random(in: 0...3, using: &chance)])
    }
  }

  /// Returns the run's status, counters, error and warnings. The error's hint names the run.
  private static func walk(
    _ store: any WalkStore, _ stream: StreamDescription, _ pages: [Page], size: () -> Int
  ) async throws -> [String] {
    var walk = try await WalkedList(store, stream, fresh: true)
    var (queue, waiting) = (CommitQueue(), 0)
    var failure: SyncError?
    do {
      for (index, page) in pages.enumerated() {
        queue.add(
          walk.reading(
            index + 1, page: index + 1, page.items, rejected: page.rejected, claim: PageClaim(total: page.total),
            age: .zero), reservation: nil)
        waiting += 1
        guard waiting >= size() || index == pages.count - 1 else { continue }
        waiting = 0
        while let batch = queue.next() { queue.committed(try await walk.commit(batch)) }
      }
    } catch let error as SyncError { failure = error }
    let report = try await walk.finish(
      failure == nil ? .complete : .failed, publishes: failure == nil, error: failure)
    var counters = report.counters
    // A dry run counts what publishing removes as planned changes.
    counters.vanished = 0
    // The example of an unusable item can be any of them.
    let error = report.error?.message.split(separator: "; one of them").first.map { String($0) } ?? "none"
    return ["\(report.status)", "\(counters)", error] + walk.warnings
  }

  @Test("pages that a guard stops leave what they leave one by one, and a dry run stops at the same page")
  func sameAsSingleWhenStopped() async throws {
    var chance = SeededGenerator(seed: UInt64(testSeed))
    let walks =
      [(1...6).map { page in ((1...30).map { Media(Int64((page - 1) * 30 + $0)) }, [], nil) }]
      + (0..<(10 * testFactor)).map { _ in Self.guardedPages(&chance) }
    let sizes = (0..<(60 * walks.count)).map { _ in Int.random(in: 1...6, using: &chance) }
    var all: [[(told: [String], left: [[[String?]]])]] = []
    for isSingle in [true, false] {
      try await StoredMirror.with { mirror in
        var left = sizes
        var outcomes: [(told: [String], left: [[[String?]]])] = []
        for (index, pages) in walks.enumerated() {
          let store = PostgresWalkStore(mirror.database)
          var stream = StreamDescription.topAnime
          stream.isQuestion = index % 3 == 1
          let foreseen =
            isSingle
            ? try await Self.walk(DryRunStore(mirror.database, report: { _ in }), stream, pages) { 1 } : nil
          let told = try await Self.walk(store, stream, pages) { isSingle ? 1 : left.removeLast() }
          if let foreseen { #expect(foreseen == told, "a dry run, seed \(testSeed)") }
          var rows: [[[String?]]] = []
          for query in Self.left { rows.append(try await mirror.rows(query)) }
          outcomes.append((told, rows))
        }
        all.append(outcomes)
      }
    }
    for (single, batched) in zip(all[0], all[1]) {
      #expect(single.told == batched.told, "seed \(testSeed)")
      #expect(single.left == batched.left, "seed \(testSeed)")
    }
    let told = all[0].flatMap(\.told)
    for words in ["of 30 items lack score or", "could not be used", "are stored as the service sent them", "none"] {
      #expect(testSeed != 1 || told.contains { $0.contains(words) }, "no walk for \(words)")
    }
  }

  /// `size` returns the number of pages of the next commit.
  private static func walk(
    _ store: PostgresWalkStore, _ pages: [(items: [Media], rejected: [RejectedItem])], size: () -> Int
  ) async throws {
    var walk = try await WalkedList(store, .topAnime)
    var (queue, waiting) = (CommitQueue(), 0)
    for (index, page) in pages.enumerated() {
      let origin = PageCommit.Origin(
        address: PageAddress(page: index + 1, size: 25), validators: Validators(etag: "\(index)", lastModified: nil))
      let commit = walk.reading(
        index + 1, page: index + 1, page.items, rejected: page.rejected, claim: PageClaim(lastPage: pages.count),
        age: .zero, origin: page.rejected.isEmpty ? origin : nil)
      queue.add(commit, reservation: nil)
      waiting += 1
      guard waiting >= size() || index == pages.count - 1 else { continue }
      waiting = 0
      while let batch = queue.next() { queue.committed(try await walk.commit(batch)) }
    }
    _ = try await walk.finish()
  }

  @Test("pages that share a commit leave what they leave one by one")
  func sameAsSingle() async throws {
    var chance = SeededGenerator(seed: UInt64(testSeed))
    for _ in 0..<(2 * testFactor) {
      let walks = [Self.pages(&chance), Self.pages(&chance)]
      let sizes = (0..<400).map { _ in Int.random(in: 1...8, using: &chance) }
      var all: [[[[String?]]]] = []
      for isSingle in [true, false] {
        try await StoredMirror.with { mirror in
          var left = sizes
          for pages in walks {
            try await Self.walk(PostgresWalkStore(mirror.database), pages) { isSingle ? 1 : left.removeLast() }
          }
          var rows: [[[String?]]] = []
          for query in Self.left { rows.append(try await mirror.rows(query)) }
          all.append(rows)
        }
      }
      for (single, batched) in zip(all[0], all[1]) { #expect(single == batched, "seed \(testSeed)") }
    }
  }

  @Test(
    "a page of which PostgreSQL refuses an item is committed alone, and the walk ends after one with too many", .mirror)
  func refused() async throws {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    let bad = (1...501).map { Media(Int64($0), ["year": #""\u0000""#]) }
    func page(_ number: Int, _ items: [Media]) -> PageCommit {
      walk.reading(number, page: number, items, rejected: [], claim: PageClaim(total: 503), age: .zero)
    }
    var waiting = [page(1, [Media(1000)]), page(2, bad), page(3, [Media(1001)])]
    for _ in 1...2 { waiting.removeFirst(try await walk.commit(waiting)) }
    #expect(waiting.map(\.page.number) == [3])
    await expectError(.guarded) { _ = try await walk.commit(waiting) }
    #expect(try await mirror.rows("SELECT mal_id FROM jikan.media") == [["1000"]])
    #expect(try await mirror.value("SELECT quarantined FROM sync.run") == "501")
    #expect(try await mirror.value("SELECT count(*) FROM sync.walk_page") == "2")
  }

  @Test("the first page with a total decides about unusable items before the next page of its commit", .mirror)
  func decidedByTotal() async throws {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await walk.commit(1, [Media(1)], rejected: .unusable(Array(100...159)))
    var waiting = (2...3).map { number in
      walk.reading(
        number, page: number, [Media(Int64(number))], rejected: [], claim: PageClaim(total: 150), age: .zero)
    }
    await expectError(.guarded, "60 of 62 items could not be used") {
      while !waiting.isEmpty { waiting.removeFirst(try await walk.commit(waiting)) }
    }
    #expect(try await mirror.rows("SELECT mal_id FROM jikan.media ORDER BY 1") == [["1"], ["2"]])
  }
}
