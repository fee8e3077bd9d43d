import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreCommitTests {
  @Test("a small list: rows, ledger, publication, and a released lease")
  func smallList() async throws {
    let rejected = RejectedItem(key: nil, reason: "no_id", detail: "mal_id: missing", excerpt: "{}")
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    #expect(walk.open.pages == [])
    #expect(try await mirror.value("SELECT status FROM sync.run") == "running")
    try await walk.commit(1, [Media(1), Media(2)], rejected: [rejected], claim: PageClaim(total: 4, lastPage: 2))
    try await walk.commit(2, [Media(3), Media(1)], claim: PageClaim(total: 4, lastPage: 2, hasNext: false))
    let report = try await walk.finish()
    #expect(report.status == .complete && report.error == nil && report.id == walk.open.runID)
    let counters = report.counters
    #expect((counters.rowsSeen, counters.inserted, counters.duplicates, counters.quarantined) == (5, 3, 1, 1))
    // The item without an id has the position 2.
    try await mirror.expect("SELECT mal_id, position FROM jikan.ranking ORDER BY position", "2|1", "3|3", "1|4")
    try await mirror.expect(
      """
      SELECT status, rows_seen = inserted + updated + unchanged + duplicates + quarantined, rows_seen, inserted,
             finished_at >= started_at, wal_bytes >= 0, error
      FROM sync.run
      """, "complete|t|5|3|t|t|∅")
    try await mirror.expect(
      "SELECT list, run_id::text, consistent, entries FROM sync.publication", "top-anime|\(report.id)|t|3")
    try await mirror.expect(
      """
      SELECT lease_owner, lease_expires_at, walk_id, cursor, last_complete_run_id::text, provider, origin, page_size
      FROM sync.stream_state
      """, "∅|∅|∅|∅|\(report.id)|tenrai|https://api.example/v1|25")
    #expect(try await mirror.value("SELECT finished_at IS NOT NULL FROM sync.walk") == "t")
  }

  @Test("a page that cannot be written leaves no row, no cursor, and no page of the walk")
  func failedPage() async throws {
    let store = PostgresWalkStore(mirror.database)
    var walk = try await WalkedList(store, .topAnime)
    try await walk.commit(1, [Media(1)], claim: PageClaim(total: 2, lastPage: 2))
    // The trigger raises an internal error. After an error about a value, the store would only quarantine the item.
    try await mirror.execute(
      """
      CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'not now' USING ERRCODE = 'XX000'; END $$
      """)
    try await mirror.execute(
      "CREATE TRIGGER refuse BEFORE INSERT ON jikan.media FOR EACH ROW EXECUTE FUNCTION public.refuse()")
    await expectError(.database) {
      try await walk.commit(2, [Media(2)], claim: PageClaim(total: 2, lastPage: 2, hasNext: false))
    }
    try await mirror.expect(
      """
      SELECT (SELECT string_agg(page::text, ',') FROM sync.walk_page), (SELECT cursor FROM sync.stream_state),
             (SELECT pages FROM sync.run), (SELECT string_agg(mal_id::text, ',') FROM jikan.anime)
      """, "1|1|1|1")
  }

  @Test("typed columns equal the document's fields")
  func columns() async throws {
    let item = Media(
      7,
      [
        "title_english": "\"Seven\"", "title_japanese": "\"七\"", "source": "\"Manga\"", "episodes": "64",
        "rating": "\"R\"", "season": "\"spring\"", "url": "\"https://x/7\"",
        "images": #"{"jpg":{"image_url":"https://x/7.jpg"}}"#, "synopsis": "\"\"", "airing": "true",
      ])
    try await WalkedList.run(mirror, [[item]])
    try await mirror.expect(
      """
      SELECT title, title_english, title_japanese, type, source, episodes, status, airing, aired_from, rating, score,
             scored_by, rank, popularity, members, favorites, season, year, url, image_url, synopsis
      FROM jikan.anime
      """,
      "Title 7|Seven|七|TV|Manga|64|Finished Airing|t|2009-04-05T00:00:00Z|R|8.5|1007|7|7|5007|7|spring|"
        + "2009|https://x/7|https://x/7.jpg|")
  }

  @Test("a changed title is a changed document")
  func documentChanged() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    let before = try await mirror.rows("SELECT first_seen_at, changed_at FROM jikan.media WHERE mal_id = 1")
    let report = try await WalkedList.run(mirror, [[Media(1).with(["title": "\"New\""]), Media(2)]])
    #expect((report.counters.updated, report.counters.documentsUpdated, report.counters.unchanged) == (1, 1, 1))
    try await mirror.expect(
      "SELECT title, raw->>'title', changed_at > first_seen_at FROM jikan.anime WHERE mal_id = 1", "New|New|t")
    #expect(try await mirror.value("SELECT first_seen_at FROM jikan.media WHERE mal_id = 1") == before[0][0])
  }

  @Test(
    "an item that PostgreSQL refuses goes into quarantine; the rest of its page is stored",
    arguments: [["title": #""nul \u0000""#], ["members": #""\u0000""#]])
  func refused(_ change: [String: String]) async throws {
    let bad = Media(2).with(change.mapValues { Optional($0) })
    let first = try await WalkedList.run(mirror, [[Media(1), bad, Media(3)], [bad, Media(4)]])
    let counters = first.counters
    #expect((counters.rowsSeen, counters.inserted, counters.duplicates, counters.quarantined) == (5, 3, 0, 2))
    #expect(try await mirror.rows("SELECT mal_id FROM jikan.media ORDER BY 1") == [["1"], ["3"], ["4"]])
    #expect(try await mirror.value("SELECT count(*) FROM jikan.media_counters") == "3")
    try await mirror.expect(
      """
      SELECT item, reason, count, first_run_id::text, last_run_id::text, detail <> '', detail !~ '[[:cntrl:]]'
      FROM sync.quarantine
      """, "2|refused|2|\(first.id)|\(first.id)|t|t")
    let second = try await WalkedList.run(mirror, [[Media(1), bad, Media(3), Media(4)]])
    #expect((second.counters.unchanged, second.counters.quarantined) == (3, 1))
    try await mirror.expect(
      "SELECT count, first_run_id::text, last_run_id::text FROM sync.quarantine", "3|\(first.id)|\(second.id)")
  }

  @Test("a whole number is accepted in any spelling")
  func spelling() async throws {
    let report = try await WalkedList.run(mirror, [[Media(1, ["year": "2009.0", "members": "1.2e1"])]])
    #expect((report.counters.inserted, report.counters.quarantined) == (1, 0))
    #expect(try await mirror.rows("SELECT year, members FROM jikan.anime") == [["2009", "12"]])
  }

  @Test("a page is committed whole or not at all")
  func atomic() async throws {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await walk.commit(1, [Media(1)])
    let state = "SELECT xmin::text, cursor FROM sync.stream_state UNION ALL SELECT xmin::text, rows_seen FROM sync.run"
    let before = try await mirror.rows(state)
    // `xmax` is left out, because it can contain the number of a transaction that was rolled back.
    let rows =
      """
      SELECT mal_id, xmin::text, ctid::text FROM jikan.media
      UNION ALL SELECT mal_id, xmin::text, ctid::text FROM jikan.media_counters
      """
    let versions = try await mirror.rows(rows)
    let rejected = RejectedItem(key: 9, reason: "wrong_type", detail: "x", excerpt: "x")
    // The page's row already exists, so the commit fails after it has written the rows of its items.
    let walkID = PGParameter.int(walk.open.walkID)
    try await mirror.execute("INSERT INTO sync.walk_page (walk_id, page) VALUES ($1, 2)", [walkID])
    var again = walk
    let error = await syncError {
      try await again.commit(2, [Media(1).with(["rank": "5"]), Media(2)], rejected: [rejected])
    }
    try await mirror.execute("DELETE FROM sync.walk_page WHERE walk_id = $1 AND page = 2", [walkID])
    #expect(error?.code == .database)
    #expect(try await mirror.rows(state) == before)
    #expect(try await mirror.rows(rows) == versions)
    #expect(try await mirror.value("SELECT count(*) FROM sync.quarantine") == "0")
    try await walk.commit(2, [Media(2)])
  }

  private static let moved = ["members": "77", "score": "null", "favorites": "0"] as [String: String?]

  /// Returns the item with a document that does not match its hash. A test fails if the store uses this document.
  private static func withoutDocument(_ media: Media) -> PageItem {
    let item = media.item
    return PageItem(
      key: item.key, document: Array("{}".utf8), contentHash: item.contentHash, counterHash: item.counterHash,
      counters: item.counters)
  }

  private static func commitAlone(
    _ mirror: StoredMirror, _ items: [PageItem], age: Duration = .zero
  ) async throws -> (RunCounters, WalkedList) {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime, fresh: true)
    try await walk.commit(1, items, age: age)
    return (walk.counters, walk)
  }

  @Test("counters are written from the counters; the document is neither read nor changed")
  func countersAlone() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2), Media(3)]])
    let documents = "SELECT mal_id, xmin, xmax, ctid FROM jikan.media ORDER BY 1"
    let before = try await mirror.rows(documents)
    let (counters, _) = try await Self.commitAlone(
      mirror, [Self.withoutDocument(Media(3).with(Self.moved)), Self.withoutDocument(Media(1).with(Self.moved))])
    #expect((counters.updated, counters.documentsUpdated, counters.inserted) == (2, 0, 0))
    #expect(try await mirror.rows(documents) == before)
    try await mirror.expect(
      """
      SELECT mal_id, score, scored_by, rank, popularity, members, favorites, raw->>'members', changed_at < (
        SELECT max(changed_at) FROM jikan.media_counters)
      FROM jikan.anime ORDER BY 1
      """, "1|∅|1001|1|1|77|0|77|t", "2|8.5|1002|2|2|5002|2|5002|t", "3|∅|1003|3|3|77|0|77|t")
  }

  @Test("counters that another session is writing when the page arrives are not overwritten")
  func waitingCounters() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    try await StoreVanishTests.makeOld(mirror)
    try await mirror.blocked(
      by: "UPDATE jikan.media_counters SET members = 99, requested_at = clock_timestamp() WHERE mal_id = 1"
    ) {
      _ = try await Self.commitAlone(
        mirror, [Media(1).with(Self.moved).item, Media(2).with(Self.moved).item], age: .seconds(60))
    }
    #expect(try await mirror.rows("SELECT members FROM jikan.anime ORDER BY mal_id") == [["99"], ["77"]])
  }

  @Test("a counter that PostgreSQL refuses costs its own item, and no other item of the page")
  func refusedCounter() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2), Media(3), Media(4)]])
    let (counters, walk) = try await Self.commitAlone(
      mirror,
      [
        Media(1).with(["members": #""\u0000""#]).item, Media(2).with(Self.moved).item, Media(3).with(Self.moved).item,
        Media(4).with(["title": "\"New\"", "year": #""\u0000""#]).item, Media(5).item,
      ])
    #expect((counters.updated, counters.quarantined, counters.inserted) == (2, 2, 1))
    let members = try await mirror.rows("SELECT mal_id, members, title FROM jikan.anime ORDER BY 1")
    #expect(members.map { $0[1] } == ["5001", "77", "77", "5004", "5005"])
    #expect(members[3][2] == "Title 4")
    try await mirror.expect(
      "SELECT item, reason FROM sync.quarantine WHERE first_run_id = $1::uuid ORDER BY 1",
      with: [.text(walk.open.runID)], "1|refused", "4|refused")
  }

  @Test("the ledger records the repairs, and the number and duration of waits for permits")
  func ledgerOfWaits() async throws {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    walk.counters.repaired = 3
    walk.counters.notUnderstood.add([Misfit(path: "year", example: "\"soon\"")])
    walk.counters.permitsWaited = 2
    walk.counters.waited = .milliseconds(1234) + .microseconds(900)
    try await walk.commit(1, [Media(1)])
    let sql = "SELECT repaired, permits_waited, waited_ms, not_understood FROM sync.run"
    let kept = [["3", "2", "1234", #"{"year": {"count": 1, "example": "\"soon\""}}"#]]
    #expect(try await mirror.rows(sql) == kept)
    _ = try await walk.finish()
    #expect(try await mirror.rows(sql) == kept)
  }
}
