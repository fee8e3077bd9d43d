import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

/// A list is published only if its digest changed, so the digest must cover everything that publishing would write.
@Suite(.timeLimit(.minutes(10)), .mirror)
struct StorePublishedContentTests {
  private static let ranked = StreamDescription.list(shrinkGuard: .filteredList, publishing: ["5"])

  private static func media(_ entries: [Listed]) -> [Media] {
    entries.map { entry in
      Media(
        entry.id,
        [
          "rank": entry.rank.map { "\($0)" } ?? "null", "score": entry.scoreText ?? "null",
          "members": "\(entry.members)",
        ])
    }
  }

  private static func contents(_ mirror: StoredMirror) async throws -> [[String?]] {
    try await mirror.rows(
      """
      SELECT 'ranking', subtype, mal_id::text, position::text, NULL, NULL, NULL, NULL, NULL FROM jikan.ranking
      UNION ALL
      SELECT 'history', h.subtype, h.mal_id::text, h.position::text, h.rank::text, round(h.score, 2)::text,
             h.members::text, f.number::text, t.number::text
      FROM jikan.ranking_history h
      JOIN (SELECT row_number() OVER (PARTITION BY subtype ORDER BY published_at) AS number, *
            FROM jikan.ranking_publication) f ON f.published_at = h.valid_from AND f.subtype = h.subtype
      LEFT JOIN (SELECT row_number() OVER (PARTITION BY subtype ORDER BY published_at) AS number, *
            FROM jikan.ranking_publication) t ON t.published_at = h.valid_to AND t.subtype = h.subtype
      UNION ALL
      SELECT 'publication', subtype, entries::text, positions::text, consistent::text,
             row_number() OVER (PARTITION BY subtype ORDER BY published_at)::text, NULL, NULL, NULL
      FROM jikan.ranking_publication
      UNION ALL
      SELECT 'source', list, entries::text, consistent::text, NULL, NULL, NULL, NULL, NULL FROM sync.publication
      ORDER BY 1, 2, 3, 4, 5, 6, 8
      """)
  }

  private static func uses(_ mirror: StoredMirror) async throws -> [[String?]] {
    _ = try await mirror.alone.rows("SELECT pg_stat_force_next_flush()")
    return try await mirror.rows(
      """
      SELECT relname, seq_scan + idx_scan, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_user_tables
      WHERE schemaname = 'jikan' AND relname LIKE 'ranking%' AND relname <> 'ranking_retention' ORDER BY 1
      """)
  }

  @Test("a list that is published already is not even read again, and the run is its publication")
  func unchanged() async throws {
    let pages = [(1...40).map { Media($0) }, (41...60).map { Media($0) }]
    try await WalkedList.run(mirror, Self.ranked, pages)
    let stored = "SELECT list, digest::text, writes, xmin::text FROM sync.published_list"
    let (versions, digests) = (try await mirror.rowVersions(), try await mirror.rows(stored))
    let contents = try await Self.contents(mirror)
    // The run must be the next query after this query, because the scans of any other query would count too.
    let uses = try await Self.uses(mirror)
    #expect(uses.count > 2)
    let report = try await WalkedList.run(mirror, Self.ranked, pages)
    #expect(try await Self.uses(mirror) == uses)
    #expect(try await mirror.rowVersions() == versions)
    #expect(try await mirror.rows(stored) == digests)
    #expect(digests.map { $0[0] } == ["anime/all/none"] && digests[0][1] != nil)
    #expect(try await Self.contents(mirror) == contents)
    #expect(try await mirror.rows("SELECT run_id::text, entries FROM sync.publication") == [[report.id, "60"]])
    // The history records rank and score, so the digest must contain both. The second run keeps the changed rank.
    var first = Media(1)
    for name in ["rank", "score"] {
      first = first.with([name: "9"])
      try await WalkedList.run(mirror, Self.ranked, [[first] + pages[0].dropFirst(), pages[1]])
      let noted = try await mirror.value(
        "SELECT trim_scale(\(name)::numeric) FROM jikan.ranking_history WHERE mal_id = 1 AND valid_to IS NULL")
      #expect(noted == "9", "\(name)")
    }
  }

  @Test(
    "what is due is published as if no digest had been kept, whatever changes",
    arguments: 1...(testFactor > 1 ? 10 : 3))
  func changes(_ seed: UInt64) async throws {
    try await StoredMirror.with { oracle in
      var numbers = SeededGenerator(seed: seed)
      var entries = ChangingList.first(count: 12, &numbers)
      for number in 1...14 {
        if Bool.random(using: &numbers) { entries = ChangingList.next(after: entries, &numbers) }
        let top = Int.random(in: 0...8, using: &numbers) == 0 ? 8 : 5
        let status: RunStatus = Int.random(in: 0...6, using: &numbers) == 0 ? .inconsistent : .complete
        let subtype = Int.random(in: 0...4, using: &numbers) == 0 ? "tv" : "all"
        let unreadable = Int.random(in: 0...5, using: &numbers) == 0
        let meddling = Self.meddling.randomElement(using: &numbers) ?? ""
        let meddles = Int.random(in: 0...3, using: &numbers) == 0
        for other in [mirror, oracle] {
          if meddles { try await other.execute(meddling) }
          if other.test.name == oracle.test.name {
            try await other.execute("UPDATE sync.published_list SET digest = NULL")
          }
          let stream = StreamDescription.list(
            "top-anime:\(subtype)", subtype: subtype, shrinkGuard: ShrinkGuard(maxShare: 1, minRows: .max),
            publishing: ["\(top)"])
          var walk = try await WalkedList(PostgresWalkStore(other.database), stream, fresh: true)
          let nameless = RejectedItem(key: nil, reason: "no_id", detail: "mal_id", excerpt: "{}")
          try await walk.commit(1, Self.media(entries), rejected: unreadable ? [nameless] : [])
          _ = try await walk.finish(status)
        }
        let (found, expected) = (try await Self.contents(mirror), try await Self.contents(oracle))
        guard found == expected else {
          let difference = found.filter { !expected.contains($0) } + expected.filter { !found.contains($0) }
          Issue.record("publication \(number) of seed \(seed): \(difference)")
          return
        }
      }
    }
  }

  private static let meddling = [
    "UPDATE jikan.ranking SET position = position + 1 WHERE position > 2",
    "DELETE FROM jikan.ranking WHERE position = 2",
    "INSERT INTO jikan.ranking SELECT 'anime', 'all', 'none', 4711, 99 ON CONFLICT DO NOTHING",
    "TRUNCATE jikan.ranking", "DELETE FROM jikan.ranking_history WHERE valid_to IS NULL AND position = 1",
    "UPDATE jikan.ranking_history SET score = 1 WHERE valid_to IS NULL AND position = 1",
    """
    UPDATE jikan.ranking_publication p SET entries = 1
    WHERE published_at = (SELECT max(published_at) FROM jikan.ranking_publication WHERE subtype = p.subtype)
    """,
  ]

  @Test("a list that somebody else has written to is published again", arguments: meddling)
  func meddled(_ statement: String) async throws {
    let pages = [(1...8).map { Media($0) }]
    try await WalkedList.run(mirror, Self.ranked, pages)
    let open = """
      SELECT h.mal_id, h.position, h.score, r.position, p.entries
      FROM jikan.ranking_history h FULL JOIN jikan.ranking r USING (mal_id),
           (SELECT entries FROM jikan.ranking_publication ORDER BY published_at DESC LIMIT 1) p
      WHERE h.valid_to IS NULL ORDER BY 1
      """
    let before = try await mirror.rows(open)
    try await mirror.execute(statement)
    #expect(try await mirror.rows(open) != before)
    try await WalkedList.run(mirror, Self.ranked, pages)
    #expect(try await mirror.rows(open) == before)
    #expect(try await mirror.value("SELECT count(*) FROM sync.published_list WHERE digest IS NOT NULL") == "1")
  }

  @Test("what another session writes to a list while it is published is not taken for published")
  func meanwhile() async throws {
    try await WalkedList.run(mirror, Self.ranked, [[1, 2, 3].map { Media($0) }])
    _ = try await mirror.blocked(by: "INSERT INTO jikan.ranking VALUES ('anime', 'all', 'none', 4711, 99)") {
      try await WalkedList.run(mirror, Self.ranked, [[3, 2, 1].map { Media($0) }])
    }
    let ranking = "SELECT mal_id FROM jikan.ranking ORDER BY position"
    #expect(try await mirror.rows(ranking) == [["3"], ["2"], ["1"], ["4711"]])
    try await WalkedList.run(mirror, Self.ranked, [[3, 2, 1].map { Media($0) }])
    #expect(try await mirror.rows(ranking) == [["3"], ["2"], ["1"]])
  }

  @Test("lists with the same entries are not taken for each other; streams of one list do not trust each other's")
  func otherLists() async throws {
    let pages = [[1, 2, 3].map { Media($0) }]
    for (name, subtype, filter) in [("top-anime", "all", "none"), ("a", "tv", "none"), ("b", "all", "airing")] {
      try await WalkedList.run(mirror, .list(name, subtype: subtype, filter: filter), pages)
    }
    let counts = "SELECT subtype || '/' || filter, count(*) FROM jikan.ranking GROUP BY 1 ORDER BY 1"
    #expect(try await mirror.rows(counts) == [["all/airing", "3"], ["all/none", "3"], ["tv/none", "3"]])
    #expect(try await mirror.value("SELECT count(DISTINCT digest) FROM sync.published_list") == "3")
    try await WalkedList.run(mirror, .list("top", shrinkGuard: .filteredList), [[3, 2].map { Media($0) }])
    try await WalkedList.run(mirror, pages)
    let all = "SELECT mal_id FROM jikan.ranking WHERE subtype = 'all' AND filter = 'none' ORDER BY position"
    #expect(try await mirror.rows(all) == [["1"], ["2"], ["3"]])
  }

  @Test("another statement or function publishes the same list again", .ownersAlone("changes functions"))
  func otherProgram() async throws {
    let pages = [[1, 2].map { Media($0) }]
    try await WalkedList.run(mirror, pages)
    let writes = "SELECT writes FROM sync.published_list"
    try await WalkedList.run(mirror, pages)
    #expect(try await mirror.value(writes) == "0")
    try await mirror.execute("UPDATE sync.function_set SET checksum = '' WHERE folder = 'sources/jikan'")
    try await WalkedList.run(mirror, pages)
    #expect(try await mirror.value(writes) == "1")
    try await WalkedList.run(mirror, pages)
    #expect(try await mirror.value(writes) == "1")
  }

  @Test("old months leave the history of a list that does not change")
  func retention() async throws {
    let list = HistoryList(mirror: mirror)
    let pages = [[1, 2].map { Media($0) }]
    try await WalkedList.run(mirror, Self.ranked, pages)
    try await list.age(by: "100 days")
    try await WalkedList.run(mirror, Self.ranked, pages)
    let old = try #require(try await list.partitions().first)
    try await list.keep(31)
    let writes = "SELECT writes FROM sync.published_list"
    let before = try await mirror.value(writes)
    try await WalkedList.run(mirror, Self.ranked, pages)
    #expect(try await !list.partitions().contains(old))
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking_history WHERE valid_to IS NULL") == "2")
    #expect(try await mirror.value(writes) != before)
    #expect(try await mirror.value("SELECT digest IS NULL FROM sync.published_list") == "t")
  }
}
