import Foundation
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

/// Stored documents of another mapping version are re-derived without a request and count as unchanged.
@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreRederivationTests {
  struct MediaMapping: DocumentMapping {
    var kind = "anime"
    var version = 2
    var unreadable: Set<Int64> = []

    var name: String { "test \(kind)" }
    var sql: StreamSQL { StreamSQL(folder: "jikan", scope: [kind]) }

    func read(_ document: [UInt8], key: Int64) -> Page.Entry {
      do {
        let media = try Media(document: document, version: UInt8(version))
        guard unreadable.contains(media.id) else { return .item(Self.withOtherCounters(media.item)) }
      } catch { return .rejected(RejectedItem(key: nil, reason: "syntax", detail: "\(error)", excerpt: "")) }
      return .rejected(
        RejectedItem(key: nil, reason: "wrong_type", detail: "title: not a string", excerpt: Excerpt.of(document)))
    }

    /// Returns the item with wrong counters, which the store must not write when it derives a document again.
    private static func withOtherCounters(_ item: PageItem) -> PageItem {
      PageItem(
        key: item.key, document: item.document, contentHash: item.contentHash, counterHash: item.counterHash &+ 1,
        counters: item.counters)
    }
  }

  private struct Stopped: Error {}

  static func rederivation(
    _ mirror: StoredMirror, _ mapping: MediaMapping = MediaMapping(), batch: Int = 3
  ) -> Rederivation { Rederivation(mirror.database, [mapping], batch: batch) }

  private static func kept(_ mirror: StoredMirror) async throws -> [[String?]] {
    try await mirror.rows(
      """
      SELECT m.kind, m.mal_id, m.changed_at::text, m.first_seen_at::text, m.vanished_at::text, c.xmin::text,
        c.xmax::text,
        v.raw::text
      FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
      LEFT JOIN (SELECT 'anime', mal_id, raw FROM jikan.anime UNION ALL SELECT 'manga', mal_id, raw FROM jikan.manga)
        AS v (kind, mal_id, raw) USING (kind, mal_id)
      ORDER BY 1, 2
      """)
  }

  private static func versions(_ mirror: StoredMirror) async throws -> [[String?]] {
    try await mirror.rows(
      """
      SELECT get_byte(content_hash, length(content_hash) - 1), count(*) FROM jikan.media
      WHERE kind = 'anime' GROUP BY 1 ORDER BY 1
      """)
  }

  static func fill(_ mirror: StoredMirror) async throws {
    let items = (1...10).map { Media($0) }
    try await WalkedList.run(mirror, .list("top-manga", kind: "manga"), [[Media(1)]])
    try await WalkedList.run(mirror, [items])
    try await WalkedList.run(mirror, [items.map { $0.with(["members": "77", "score": "9.99"]) }])
    try await mirror.execute(
      """
      UPDATE jikan.media SET title = 'old', year = NULL, approved = false, changed_at = now() - interval '1 d',
        vanished_at = CASE WHEN mal_id IN (4, 9) THEN now() - interval '1 h' END
      """)
  }

  @Test("columns and hash are derived again; times, counters and the document stay; then no work is left")
  func derives() async throws {
    try await Self.fill(mirror)
    let before = try await Self.kept(mirror)
    let rederivation = Self.rederivation(mirror)
    #expect(try await rederivation.waiting() == [.init(name: "test anime", version: 2, documents: 10)])
    var told: [Int] = []
    let outcomes = try await rederivation.derive { told.append($0.derived) }
    #expect(outcomes == [.init(name: "test anime", version: 2, derived: 10)])
    #expect(told == [3, 6, 9, 10])
    #expect(try await Self.kept(mirror) == before)
    #expect(try await Self.versions(mirror) == [["2", "10"]])
    try await mirror.expect(
      "SELECT kind, count(DISTINCT title), min(year), bool_and(approved) FROM jikan.media GROUP BY 1 ORDER BY 1",
      "anime|10|2009|t", "manga|1|∅|f")
    #expect(try await rederivation.waiting() == [])
    let rows = try await mirror.rowVersions()
    #expect(try await rederivation.derive() == [])
    #expect(try await mirror.rowVersions() == rows)
    let report = try await WalkedList.run(
      mirror,
      [
        (1...10).filter { $0 != 4 && $0 != 9 }.map { id in
          var media = Media(id).with(["members": "77", "score": "9.99"])
          media.version = 2
          return media
        }
      ])
    #expect(report.counters.unchanged == 8)
  }

  @Test("a program that was stopped in the middle resumes where it was")
  func resumes() async throws {
    try await Self.fill(mirror)
    let before = try await Self.kept(mirror)
    await #expect(throws: Stopped.self) {
      try await Self.rederivation(mirror).derive { if $0.derived == 6 { throw Stopped() } }
    }
    #expect(try await Self.versions(mirror) == [["1", "4"], ["2", "6"]])
    let rows = try await mirror.rowVersions()
    #expect(try await Self.rederivation(mirror).derive().map(\.derived) == [4])
    #expect(try await Self.versions(mirror) == [["2", "10"]])
    #expect(try await Self.kept(mirror) == before)
    let written = Set(try await mirror.rowVersions()).subtracting(rows).compactMap { $0[2].flatMap { Int($0) } }
    #expect(written.sorted() == [7, 8, 9, 10])
  }

  @Test("a document that cannot be read, or that PostgreSQL refuses, stays unchanged, and is reported")
  func refused() async throws {
    try await Self.fill(mirror)
    try await mirror.execute("ALTER TABLE jikan.media ADD CHECK (mal_id <> 5) NOT VALID")
    try await mirror.execute(
      """
      UPDATE jikan.media SET raw = raw || '{"mal_id": 70}' WHERE kind = 'anime' AND mal_id = 7
      """)
    let rows = "SELECT mal_id, xmin, ctid FROM jikan.media"
    let before = try await mirror.rows(rows)
    let rederivation = Self.rederivation(mirror, MediaMapping(unreadable: [2, 10]))
    for derived in [6, 0] {
      let outcome = try #require(try await rederivation.derive().first)
      #expect(outcome.derived == derived && outcome.refused == 4)
      #expect(outcome.firstRefused?.key == 2 && outcome.firstRefused?.reason == "wrong_type")
      #expect(try await rederivation.waiting().map(\.documents) == [4])
    }
    let written = Set(try await mirror.rows(rows)).subtracting(before).compactMap { $0[0].flatMap { Int($0) } }
    #expect(written.sorted() == [1, 3, 4, 6, 8, 9])
    #expect(try await mirror.value("SELECT title FROM jikan.media WHERE kind = 'anime' AND mal_id = 7") == "old")
  }

  @Test("nothing is derived from a document that does not match its hash; the next walk stores it again")
  func damaged() async throws {
    try await Self.fill(mirror)
    let edited = "UPDATE jikan.media SET raw = raw || '{\"title\": \"Edited\"}' WHERE kind = 'anime'"
    try await mirror.execute("\(edited) AND mal_id IN (3, 9)")
    let outcome = try #require(try await Self.rederivation(mirror).derive().first)
    #expect(outcome.derived == 8 && outcome.refused == 0)
    #expect(outcome.damaged == 2 && outcome.firstDamaged == 3)
    let noted = "SELECT content_hash = set_byte(decode(repeat('00', 33), 'hex'), 32, 2), title FROM jikan.anime"
    try await mirror.expect("\(noted) WHERE mal_id = 3", "t|old")
    // No run fetches a vanished document, so its hash stays and continues to show the damage.
    try await mirror.expect("\(noted) WHERE mal_id = 9", "f|old")
    #expect(try await Self.rederivation(mirror).waiting().map(\.documents) == [1])
    var media = Media(3).with(["members": "77", "score": "9.99"])
    media.version = 2
    #expect(try await WalkedList.run(mirror, [[media]]).counters.updated == 1)
    try await mirror.expect("SELECT title, raw->>'title' FROM jikan.anime WHERE mal_id = 3", "Title 3|Title 3")
  }

  @Test("a walk stores its own version among others; an item whose version alone differs has not changed")
  func mixed() async throws {
    try await Self.fill(mirror)
    #expect(try await Self.rederivation(mirror, batch: 20).derive().map(\.derived) == [10])
    let times = "SELECT mal_id, changed_at > now() - interval '1 h' FROM jikan.anime ORDER BY 1"
    var items = (1...10).map { Media($0).with(["members": "77", "score": "9.99"]) }
    for index in items.indices { items[index].version = index < 5 ? 2 : 3 }
    items[6] = items[6].with(["title": "\"New\""])
    items[0] = items[0].with(["year": "2.009e3"])
    let report = try await WalkedList.run(mirror, [items])
    #expect(report.counters.updated == 7 && report.counters.unchanged == 3)
    let changed = try await mirror.rows(times).filter { $0[1] == "t" }.compactMap { $0[0] }
    #expect(changed == ["4", "7", "9"])
    #expect(try await Self.versions(mirror) == [["2", "5"], ["3", "5"]])
    #expect(try await Self.rederivation(mirror, MediaMapping(version: 3)).waiting().map(\.documents) == [5])
  }

  @Test("genres too, list by list")
  func genres() async throws {
    struct GenreMapping: DocumentMapping {
      let name = "genres"
      let sql = StreamSQL(folder: "jikan/genres", scope: ["anime", "themes"])
      let version = 2

      func read(_ document: [UInt8], key: Int64) -> Page.Entry {
        let item = StoreGenresTests.Genre(1, "Gore").item
        return .item(
          PageItem(
            key: item.key, document: item.document, contentHash: contentHash("Gore", version: 2),
            counterHash: 5, counters: item.counters))
      }
    }
    for facet in ["themes", "genres"] {
      try await StoreGenresTests.walk(
        mirror, [StoreGenresTests.Genre(1, "Gore")], on: StoreGenresTests.description("anime", facet))
    }
    try await mirror.execute("UPDATE jikan.genre SET name = 'old', count = 99, changed_at = now() - interval '1 d'")
    let kept = "SELECT facet, counter_hash, count_changed_at::text, changed_at::text FROM jikan.genre ORDER BY 1"
    let before = try await mirror.rows(kept)
    let rederivation = Rederivation(mirror.database, [GenreMapping()])
    #expect(try await rederivation.derive().map(\.derived) == [1])
    #expect(try await mirror.rows(kept) == before)
    try await mirror.expect("SELECT name, count FROM jikan.genre ORDER BY facet", "old|99", "Gore|10")
    #expect(try await rederivation.waiting() == [])
  }

  @Test("two programs that derive at once derive each document once")
  func concurrent() async throws {
    try await WalkedList.run(mirror, [(1...200).map { Media($0) }])
    let derived = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...3 {
        group.addTask {
          try await mirror.other { database in
            try await Rederivation(database, [MediaMapping()], batch: 7).derive().reduce(0) { $0 + $1.derived }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(derived == 200)
    #expect(try await Self.versions(mirror) == [["2", "200"]])
  }
}

extension Media {
  fileprivate init(document: [UInt8], version: UInt8) throws {
    let object = try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
    self.init(try #require(object["mal_id"] as? Int64))
    members = try object.mapValues { value in
      let text = try JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
      return String(decoding: text, as: UTF8.self)
    }
    self.version = version
  }
}
