import Dispatch
import LibPQ
import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncPostgres

/// Two streams write the same entity: the older page never overwrites the newer one.
@Suite(.timeLimit(.minutes(10)))
struct StoreNewerTests {
  private static let state =
    "SELECT title, members, vanished_at IS NULL FROM jikan.anime ORDER BY mal_id"

  /// What the other stream sees: a changed document, changed counters, or only that the item exists again.
  private static func changed(_ what: String) -> Media {
    Media(1).with(what == "document" ? ["title": "\"Newer\""] : what == "counters" ? ["members": "99"] : [:])
  }

  @Test(
    "a page that was requested before another one was written does not change its items",
    arguments: ["document", "counters", "new"], [true, false])
  func older(_ what: String, _ isOlder: Bool) async throws {
    try await Mirror.with { mirror in
      if what != "new" { try await ListWalk.run(mirror, [[Media(1)]]) }
      try await StoreVanishTests.makeOld(mirror)
      try await ListWalk.run(mirror, .catalogue(), [[Self.changed(what)]])
      let before = try await mirror.rowVersions()
      let newer = try await mirror.rows(Self.state)

      var walk = try await ListWalk(PostgresWalkStore(mirror.database), .topAnime)
      let late = Media(1).with(["title": "\"Late\"", "members": "7"])
      try await walk.commit(1, [late, Media(2)], age: isOlder ? .seconds(3600) : .zero)
      let counters = walk.counters
      #expect(counters.inserted == 1)
      #expect((counters.unchanged, counters.updated) == (isOlder ? (1, 0) : (0, 1)))
      let kept = Set(try await mirror.rowVersions()).intersection(before)
      #expect(kept.filter { $0[2] == "1" && $0[0] != "ranking" }.count == (isOlder ? 2 : 0))
      #expect(try await mirror.rows(Self.state)[0] == (isOlder ? newer[0] : ["Late", "7", "t"]))
    }
  }

  /// A statement's way to the server takes its time, so an age that is read again means another moment.
  @Test("an item that was written after the request is no dropped row, whenever its age is read")
  func ageIsOne() async throws {
    try await Mirror.with { mirror in
      try await ListWalk.run(mirror, [[Media(1)]])
      try await mirror.execute("UPDATE jikan.media SET changed_at = changed_at - interval '1 day'")
      try await mirror.execute("UPDATE jikan.media_counters SET changed_at = clock_timestamp() - interval '5 s'")
      let reads = Atomic(0)
      var walk = try await ListWalk(PostgresWalkStore(mirror.database), .topAnime)
      let page = walk.reading(
        1, page: 1, [Media(1).with(["members": "7"])], rejected: [], claim: PageClaim(), age: .zero)
      let commit = PageCommit(page: page.page, rows: page.rows, rejected: [], counters: page.counters) {
        reads.add(1, ordering: .relaxed).newValue % 2 == 1 ? .seconds(1) : .seconds(10)
      }
      try await walk.commit(commit)
      #expect(walk.counters.updated == 1)
    }
  }

  @Test("an item marked as vanished is made live by a page requested afterwards, and by no older one")
  func vanished() async throws {
    try await Mirror.with { mirror in
      try await ListWalk.run(mirror, [[Media(1), Media(2)]])
      try await StoreVanishTests.makeOld(mirror)
      var catalogue = try await StoreVanishTests.walk(mirror, .catalogue(), [[Media(1)]])
      try await catalogue.lookUp(2, gone: [2])
      #expect(catalogue.counters.vanished == 1)
      let before = try await mirror.rowVersions()

      var walk = try await ListWalk(PostgresWalkStore(mirror.database), .topAnime)
      try await walk.commit(1, [Media(1), Media(2).with(["title": "\"Late\""])], age: .seconds(3600))
      #expect(walk.counters.unchanged == 2)
      #expect(try await mirror.rowVersions() == before)
      try await walk.commit(2, [Media(2)])
      #expect(try await mirror.value("SELECT count(*) FROM jikan.anime WHERE vanished_at IS NULL") == "2")
    }
  }

  @Test(
    "an item that was written after its address answered 404 is not marked",
    arguments: ["document", "counters"])
  func lookedUpBefore(_ what: String) async throws {
    try await Mirror.with { mirror in
      try await ListWalk.run(mirror, [[Media(1), Media(2)]])
      try await StoreVanishTests.makeOld(mirror)
      var catalogue = try await StoreVanishTests.walk(mirror, .catalogue(), [[]])
      try await ListWalk.run(mirror, [[Self.changed(what), Media(2)]])
      let before = try await mirror.rows("SELECT xmin::text FROM jikan.media WHERE mal_id = 1")
      try await catalogue.lookUp(2, gone: [1, 2], age: .seconds(3600))
      #expect(catalogue.counters.vanished == 1)
      #expect(try await mirror.rows("SELECT mal_id FROM jikan.anime WHERE vanished_at IS NULL") == [["1"]])
      #expect(try await mirror.rows("SELECT xmin::text FROM jikan.media WHERE mal_id = 1") == before)
    }
  }

  @Test(
    "a row that another session is writing when the page arrives is not overwritten",
    arguments: ["media", "media_counters"], [true, false])
  func waiting(_ table: String, _ isOlder: Bool) async throws {
    try await Mirror.with { mirror in
      let other = try await PostgresConnection.connect(mirror.test.settings)
      let (written, tellWritten) = AsyncStream<Void>.makeStream()
      let mayCommit = DispatchSemaphore(value: 0)
      async let writing: Void = other.withTransaction { connection in
        _ = try connection.query(
          table == "media"
            ? """
            INSERT INTO jikan.media (kind, mal_id, title, raw, content_hash)
            VALUES ('anime', 1, 'Newer', '{}', decode(repeat('00', 33), 'hex'))
            """
            : """
            INSERT INTO jikan.media_counters (kind, mal_id, members, counter_hash, changed_at)
            VALUES ('anime', 1, 99, 0, clock_timestamp())
            """)
        tellWritten.yield()
        mayCommit.wait()
      }
      // After `async let`, which is awaited at the end of this scope, but after this statement.
      defer { mayCommit.signal() }
      _ = await written.first { _ in true }
      async let committed: RunCounters = {
        var walk = try await ListWalk(PostgresWalkStore(mirror.database), .topAnime)
        try await walk.commit(1, [Media(1), Media(2)], age: isOlder ? .seconds(60) : .zero)
        return walk.counters
      }()
      try await mirror.other { database in
        let watcher = Mirror(database: database, test: mirror.test)
        try await waitUntil("the page to wait for the other writer") {
          try await watcher.value(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
            == "1"
        }
      }
      mayCommit.signal()
      // The counts are of written rows, not of earlier differences.
      let counters = try await committed
      try await writing
      let isInserted = table == "media_counters"
      #expect((counters.inserted, counters.updated) == (isInserted ? 2 : 1, isInserted || isOlder ? 0 : 1))
      #expect(counters.unchanged == (isInserted || !isOlder ? 0 : 1))
      let row = try await mirror.rows("SELECT title, members FROM jikan.anime WHERE mal_id = 1")
      let newer = [isInserted ? "Title 1" : "Newer", isInserted ? "99" : nil]
      #expect(row == [isOlder ? newer : ["Title 1", "5001"]])
    }
  }
}
