import LibPQ
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

/// Counters that change without their documents: only the counters are sent and written.
@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreCountersTests {
  private static let moved = ["members": "77", "score": "null", "favorites": "0"] as [String: String?]

  /// An item whose document does not match its hash, so that a read of the document is noticed.
  private static func withoutDocument(_ media: Media) -> PageItem {
    let item = media.item
    return PageItem(
      key: item.key, document: Array("{}".utf8), contentHash: item.contentHash, counterHash: item.counterHash,
      counters: item.counters)
  }

  private static func commit(
    _ mirror: StoredMirror, _ items: [PageItem], age: Duration = .zero
  ) async throws -> (RunCounters, WalkedList) {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime, fresh: true)
    try await walk.commit(1, items, age: age)
    return (walk.counters, walk)
  }

  @Test("counters are written from the counters; the document is neither read nor changed")
  func alone() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2), Media(3)]])
    let documents = "SELECT mal_id, xmin, xmax, ctid FROM jikan.media ORDER BY 1"
    let before = try await mirror.rows(documents)
    let (counters, _) = try await Self.commit(
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

  @Test("counters that were requested later than the page stay", arguments: [true, false])
  func newer(_ isOlder: Bool) async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    try await StoreVanishTests.makeOld(mirror)
    try await WalkedList.run(mirror, .catalogue(), [[Media(1).with(["members": "88"])]])
    let (counters, _) = try await Self.commit(
      mirror, [Media(1).with(Self.moved).item], age: isOlder ? .seconds(3600) : .zero)
    #expect((counters.unchanged, counters.updated) == (isOlder ? (1, 0) : (0, 1)))
    #expect(try await mirror.value("SELECT members FROM jikan.anime") == (isOlder ? "88" : "77"))
  }

  @Test("counters that another session is writing when the page arrives are not overwritten")
  func waiting() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    try await StoreVanishTests.makeOld(mirror)
    try await mirror.blocked(
      by: "UPDATE jikan.media_counters SET members = 99, requested_at = clock_timestamp() WHERE mal_id = 1"
    ) {
      _ = try await Self.commit(
        mirror, [Media(1).with(Self.moved).item, Media(2).with(Self.moved).item], age: .seconds(60))
    }
    #expect(try await mirror.rows("SELECT members FROM jikan.anime ORDER BY mal_id") == [["99"], ["77"]])
  }

  @Test("a counter that PostgreSQL refuses costs its own item, and no other item of the page")
  func refused() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2), Media(3), Media(4)]])
    let (counters, walk) = try await Self.commit(
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
  func ledger() async throws {
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
