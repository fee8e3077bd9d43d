import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

/// Two streams write the same item. An older page must never overwrite a newer page.
@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreNewerTests {
  private static let state = "SELECT title, members, vanished_at IS NULL FROM jikan.anime ORDER BY mal_id"

  private static func changed(_ what: String) -> Media {
    Media(1).with(what == "document" ? ["title": "\"Newer\""] : what == "counters" ? ["members": "99"] : [:])
  }

  @Test(
    "a page that was requested before another one was written does not change its items",
    arguments: ["document", "counters", "new"], [true, false])
  func older(_ what: String, _ isOlder: Bool) async throws {
    if what != "new" { try await WalkedList.run(mirror, [[Media(1)]]) }
    try await StoreVanishTests.makeOld(mirror)
    try await WalkedList.run(mirror, .catalogue(), [[Self.changed(what)]])
    let before = try await mirror.rowVersions()
    let newer = try await mirror.rows(Self.state)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    let late = Media(1).with(["title": "\"Late\"", "members": "7"])
    try await walk.commit(1, [late, Media(2)], age: isOlder ? .seconds(3600) : .zero)
    let counters = walk.counters
    #expect(counters.inserted == 1)
    #expect((counters.unchanged, counters.updated) == (isOlder ? (1, 0) : (0, 1)))
    let kept = Set(try await mirror.rowVersions()).intersection(before)
    #expect(kept.filter { $0[2] == "1" && $0[0] != "ranking" }.count == (isOlder ? 2 : 0))
    #expect(try await mirror.rows(Self.state)[0] == (isOlder ? newer[0] : ["Late", "7", "t"]))
  }

  @Test("an item that changes and moves to a later page of a walk ends as the last reading had it")
  func moves() async throws {
    let old = Media(1).with(["title": "\"Old\"", "members": "1"])
    let new = Media(1).with(["title": "\"New\"", "members": "2"])
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    let pages = [
      walk.reading(1, page: 1, [old], rejected: [], claim: PageClaim(), age: .seconds(-0.001)),
      walk.reading(2, page: 2, [new, Media(2)], rejected: [], claim: PageClaim(), age: .seconds(-0.002)),
    ]
    for page in pages { try await walk.commit(page) }
    #expect(try await mirror.rows(Self.state)[0] == ["New", "2", "t"])
    #expect(walk.counters.duplicates == 1 && walk.counters.inserted == 2)
    _ = try await walk.finish()
    #expect(try await WalkedList.run(mirror, [[new], [new, Media(2)]]).counters.updated == 0)
  }

  @Test(
    "rows from before the clock was set back are overwritten, and known pages with them are read again",
    arguments: [true, false])
  func clockSetBack(_ isFull: Bool) async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    for table in ["media", "media_counters"] {
      try await mirror.execute(
        "UPDATE jikan.\(table) SET changed_at = now() + interval '1 h', requested_at = now() + interval '1 h'")
    }
    try await mirror.execute("UPDATE sync.walk_page SET fetched_at = now() + interval '1 h'")
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime, fresh: isFull)
    #expect(try await walk.cachedPages().isEmpty)
    try await walk.commit(1, [Self.changed("document"), Media(2).with(["members": "7"])])
    #expect(walk.counters.updated == 2)
    #expect(try await mirror.rows("SELECT title, members FROM jikan.anime ORDER BY mal_id").map { $0[1] }.last == "7")
    #expect(try await mirror.value("SELECT title FROM jikan.anime WHERE mal_id = 1") == "Newer")
    let catalogue = try await StoreVanishTests.walk(mirror, .catalogue(), [[Media(1)]])
    try await mirror.execute("UPDATE jikan.media SET requested_at = now() + interval '1 h' WHERE mal_id = 2")
    var looking = catalogue
    try await looking.lookUp(2, gone: [2])
    #expect(looking.counters.vanished == 1)
  }

  @Test("a document is as new as its own request, not as the first of its batch")
  func timesOfABatch() async throws {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await WalkedList.run(mirror, .catalogue(), [[Media(1), Media(2)]])
    let reading = walk.reading(1, page: 1, [], rejected: [], claim: PageClaim(), age: .zero)
    var counters = RunCounters()
    counters.rowsSeen = 2
    let late = PageCommit(
      page: reading.page,
      rows: [
        .init(item: Media(1).with(["title": "\"Late\""]).item, isDuplicate: false),
        .init(item: Media(2).with(["title": "\"New\""]).item, isDuplicate: false, requestedAt: .seconds(3600)),
      ], rejected: [], counters: counters, requestedAt: .seconds(-3600))
    try await walk.commit(late)
    #expect(try await mirror.rows("SELECT title FROM jikan.anime ORDER BY mal_id") == [["Title 1"], ["New"]])
  }

  @Test("an item marked as vanished is made live by a page requested afterwards, and by no older one")
  func vanished() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    try await StoreVanishTests.makeOld(mirror)
    var catalogue = try await StoreVanishTests.walk(mirror, .catalogue(), [[Media(1)]])
    try await catalogue.lookUp(2, gone: [2])
    #expect(catalogue.counters.vanished == 1)
    let before = try await mirror.rowVersions()
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await walk.commit(1, [Media(1), Media(2).with(["title": "\"Late\""])], age: .seconds(3600))
    #expect(walk.counters.unchanged == 2)
    #expect(try await mirror.rowVersions() == before)
    try await walk.commit(2, [Media(2)])
    #expect(try await mirror.value("SELECT count(*) FROM jikan.anime WHERE vanished_at IS NULL") == "2")
  }

  @Test("an item that was written after its address answered 404 is not marked", arguments: ["document", "counters"])
  func lookedUpBefore(_ what: String) async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    try await StoreVanishTests.makeOld(mirror)
    var catalogue = try await StoreVanishTests.walk(mirror, .catalogue(), [[]])
    try await WalkedList.run(mirror, [[Self.changed(what), Media(2)]])
    let before = try await mirror.rows("SELECT xmin::text FROM jikan.media WHERE mal_id = 1")
    try await catalogue.lookUp(2, gone: [1, 2], age: .seconds(3600))
    #expect(catalogue.counters.vanished == 1)
    #expect(try await mirror.rows("SELECT mal_id FROM jikan.anime WHERE vanished_at IS NULL") == [["1"]])
    #expect(try await mirror.rows("SELECT xmin::text FROM jikan.media WHERE mal_id = 1") == before)
  }

  @Test(
    "a row that another session is writing when the page arrives is not overwritten",
    arguments: ["media", "media_counters"], [true, false])
  func waiting(_ table: String, _ isOlder: Bool) async throws {
    let write =
      table == "media"
      ? """
      INSERT INTO jikan.media (kind, mal_id, title, raw, content_hash, requested_at)
      VALUES ('anime', 1, 'Newer', '{}', decode(repeat('00', 33), 'hex'), clock_timestamp())
      """
      : """
      INSERT INTO jikan.media_counters (kind, mal_id, members, counter_hash, requested_at)
      VALUES ('anime', 1, 99, 0, clock_timestamp())
      """
    // The counters must count the rows that the walk writes after its wait, not the differences found before the wait.
    let counters = try await mirror.blocked(by: write) {
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
      try await walk.commit(1, [Media(1), Media(2)], age: isOlder ? .seconds(60) : .zero)
      return walk.counters
    }
    let isInserted = table == "media_counters"
    #expect((counters.inserted, counters.updated) == (isInserted ? 2 : 1, isInserted || isOlder ? 0 : 1))
    #expect(counters.unchanged == (isInserted || !isOlder ? 0 : 1))
    let row = try await mirror.rows("SELECT title, members FROM jikan.anime WHERE mal_id = 1")
    let newer = [isInserted ? "Title 1" : "Newer", isInserted ? "99" : nil]
    #expect(row == [isOlder ? newer : ["Title 1", "5001"]])
  }
}
