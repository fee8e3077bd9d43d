import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct StoreKnownTests {
  private static let stream = StreamDescription.list(pageSize: 2)

  private static func walk(
    _ mirror: StoredMirror, _ stream: StreamDescription = stream, _ number: Int = 0
  ) async throws -> WalkedList {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
    for page in 1...3 {
      try await walk.commit(
        page, [Media(Int64(page * 2 - 1)), Media(Int64(page * 2))],
        claim: PageClaim(total: 6, lastPage: 3, hasNext: page < 3), etag: "\"\(page)-\(number)\"")
    }
    return walk
  }

  @discardableResult
  private static func publish(_ mirror: StoredMirror, _ stream: StreamDescription = stream) async throws -> RunReport {
    try await walk(mirror, stream).finish()
  }

  private static func open(
    _ mirror: StoredMirror, _ stream: StreamDescription = stream, fresh: Bool = false
  ) async throws -> WalkedList { try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: fresh) }

  @Test(
    "no page is known of another service, size or mapping, for a fresh walk, or from a walk that was not published",
    .mirror)
  func basis() async throws {
    try await Self.publish(mirror)
    let others: [StreamDescription] = [
      .list(pageSize: 3), .list(pageSize: 2, mappingVersion: 2), .list("other", pageSize: 2),
    ]
    for other in others {
      #expect(try await Self.open(mirror, other).open.basis == nil)
      try await mirror.abandonLeases()
    }
    #expect(try await Self.open(mirror, fresh: true).open.basis == nil)
    try await mirror.abandonLeases()
    let walk = try await Self.walk(mirror, Self.stream, 1)
    _ = try await walk.finish(.failed, publishes: false)
    let next = try await Self.open(mirror)
    #expect(try await next.cachedPages().map(\.validators?.etag) == ["\"1-0\"", "\"2-0\"", "\"3-0\""])
    try await mirror.abandonLeases()
    for (provider, origin) in [("jikan", "https://api.example/v1"), ("tenrai", "https://other.example/v1")] {
      let store = PostgresWalkStore(mirror.database, options: .init(adoptsOrigin: true))
      let stream = StreamDescription.list(provider: provider, origin: origin, pageSize: 2)
      #expect(try await WalkedList(store, stream).open.basis == nil)
      try await mirror.abandonLeases()
    }
  }

  @Test("a walk in several runs keeps its basis; a walk of another mapping is not resumed", .mirror)
  func resumed() async throws {
    let published = try await Self.publish(mirror)
    var walk = try await Self.open(mirror)
    let known = try await walk.cachedPages()
    try await walk.confirm(1, try #require(known.first))
    let basis = walk.open.basis
    _ = try await walk.finish(.partial, publishes: false, isResumable: true)
    let next = try await Self.open(mirror)
    #expect(next.open.walkID == walk.open.walkID && next.open.pages.count == 1)
    #expect(basis != nil && next.open.basis == basis)
    _ = try await next.finish(.partial, publishes: false, isResumable: true)
    let newer = StreamDescription.list(pageSize: 2, mappingVersion: 2)
    let other = try await Self.open(mirror, newer)
    #expect(other.open.walkID != walk.open.walkID && other.open.pages.isEmpty && other.open.basis == nil)
    _ = try await other.finish(.failed, publishes: false)
    try await mirror.execute("UPDATE sync.run SET guarded = true WHERE id = $1::uuid", [.text(published.id)])
    try await mirror.execute("DELETE FROM sync.publication")
    await expectError(.usage) {
      _ = try await WalkedList(PostgresWalkStore(mirror.database), newer, confirming: published.id)
    }
  }

  @Test("a page with an item that was written since, has vanished, is missing, or was noted is withheld")
  func touched() async throws {
    let changes: [(String, String, withheld: Int?)] = [
      ("nothing", "SELECT 1", nil),
      ("document", "UPDATE jikan.media SET changed_at = clock_timestamp() WHERE mal_id = 3", 2),
      ("counters", "UPDATE jikan.media_counters SET changed_at = clock_timestamp() WHERE mal_id = 5", 3),
      ("old counters", "UPDATE jikan.media_counters SET changed_at = NULL WHERE mal_id = 5", nil),
      ("vanished", "UPDATE jikan.media SET vanished_at = now() - interval '1 d' WHERE mal_id = 2", 1),
      ("missing", "DELETE FROM jikan.media WHERE mal_id = 2", 1),
      ("noted", "UPDATE jikan.media SET content_hash = decode(repeat('00', 32) || '01', 'hex') WHERE mal_id = 4", 2),
      ("noted counters", "UPDATE jikan.media_counters SET counter_hash = -1 WHERE mal_id = 5", 3),
      ("no counters", "DELETE FROM jikan.media_counters WHERE mal_id = 1", 1),
      ("of the other kind", "UPDATE jikan.media SET changed_at = clock_timestamp() WHERE kind = 'manga'", nil),
    ]
    for (name, sql, withheld) in changes {
      try await StoredMirror.with { mirror in
        try await WalkedList.run(mirror, .list("top-manga", kind: "manga"), [[Media(1), Media(2), Media(3)]])
        try await Self.publish(mirror)
        try await mirror.execute(sql)
        #expect(
          try await Self.open(mirror).cachedPages().map(\.reading) == [1, 2, 3].filter { $0 != withheld }, "\(name)")
      }
    }
  }

  @Test("writes of others while a page is confirmed are noticed by the next walk", .mirror)
  func betweenKnownAndCommit() async throws {
    try await Self.publish(mirror)
    var walk = try await Self.open(mirror)
    let known = try await walk.cachedPages()
    #expect(known.count == 3)
    try await WalkedList.run(mirror, .list("top-anime:tv", subtype: "tv"), [[Media(3, ["title": "\"Other\""])]])
    for page in known { try await walk.confirm(page.reading, page) }
    let report = try await walk.finish()
    #expect(report.counters.notModified == 3 && report.counters.unchanged == 6)
    let next = try await Self.open(mirror)
    #expect(try await next.cachedPages().map(\.reading) == [1, 3])
    #expect(try await mirror.value("SELECT count(mirrored_at) FROM sync.walk_page") == "3")
  }

  @Test("a page whose items differ from the mirror gets no validators", .mirror)
  func notMirrored() async throws {
    try await Self.publish(mirror)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), Self.stream, fresh: true)
    // This request is older than the stored rows, so the rows stay.
    try await walk.commit(1, [Media(1).with(["title": "\"Old\""]), Media(2)], age: .seconds(3600), etag: "\"a\"")
    // PostgreSQL refuses item 3.
    try await walk.commit(2, [Media(3).with(["episodes": #""\u0000""#]), Media(4)], etag: "\"b\"")
    // This request is older than the stored counters of item 5.
    try await walk.commit(3, [Media(5).with(["members": "1"]), Media(6)], age: .seconds(3600), etag: "\"c\"")
    try await walk.commit(4, [Media(7), Media(8)], etag: "\"d\"")
    try await walk.commit(5, [Media(9)])
    _ = try await walk.finish()
    #expect(
      try await mirror.rows(
        "SELECT page, address, etag FROM sync.walk_page WHERE walk_id = $1 ORDER BY 1", [.int(walk.open.walkID)])
        == [["1", nil, nil], ["2", nil, nil], ["3", nil, nil], ["4", "4x2", "\"d\""], ["5", nil, nil]])
    #expect(try await Self.open(mirror).cachedPages().map(\.reading) == [4])
  }

  @Test(
    "an address that was read again is known as each reading had it, while nothing of that was written since", .mirror)
  func readAgain() async throws {
    var walk = try await Self.walk(mirror)
    try await walk.commit(4, [Media(3), Media(4)], etag: "\"again\"", address: PageAddress(page: 2, size: 2))
    try await walk.commit(
      5, [Media(6), Media(5)], etag: "\"end\"", address: PageAddress(page: 2, size: 2, direction: .backward))
    _ = try await walk.finish()
    let known = try await Self.open(mirror).cachedPages()
    #expect(known.map(\.reading) == [1, 2, 3, 4, 5])
    #expect(known.map(\.address.text) == ["1x2", "2x2", "3x2", "2x2", "2x2-"])
  }

  @Test("a confirmed page makes an item live that was marked as vanished meanwhile", .mirror)
  func comesBack() async throws {
    try await Self.publish(mirror)
    try await StoreVanishTests.makeOld(mirror)
    var walk = try await Self.open(mirror)
    let known = try await walk.cachedPages()
    try await mirror.execute("UPDATE jikan.media SET vanished_at = now() - interval '1 h' WHERE mal_id IN (1, 6)")
    try await walk.confirm(1, try #require(known.first), age: .seconds(60))
    #expect(try await mirror.rows("SELECT mal_id FROM jikan.media WHERE vanished_at IS NOT NULL") == [["6"]])
  }

  @Test("genres: a count that another walk wrote withholds the list", .mirror)
  func genres() async throws {
    func walk(_ count: Int, publishes: Bool) async throws {
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), StoreGenresTests.description(), fresh: true)
      try await walk.commit(1, [1, 2, 3].map { StoreGenresTests.Genre($0, "Genre \($0)", count) }, etag: "x")
      _ = try await walk.finish(publishes ? .complete : .failed, publishes: publishes)
    }
    try await walk(10, publishes: true)
    #expect(try await Self.open(mirror, StoreGenresTests.description()).cachedPages().count == 1)
    try await mirror.abandonLeases()
    try await walk(11, publishes: false)
    #expect(try await Self.open(mirror, StoreGenresTests.description()).cachedPages().count == 0)
  }
}
