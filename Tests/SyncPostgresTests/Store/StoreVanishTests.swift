import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreVanishTests {
  private static let vanished = "SELECT mal_id FROM jikan.anime WHERE vanished_at IS NOT NULL ORDER BY 1"

  static func makeOld(_ mirror: StoredMirror) async throws {
    for table in ["media", "media_counters"] {
      try await mirror.execute(
        "UPDATE jikan.\(table) SET changed_at = now() - interval '1 d', requested_at = now() - interval '1 d'")
    }
  }

  static func walk(
    _ mirror: StoredMirror, _ stream: StreamDescription, _ pages: [[Media]], confirming: String? = nil
  ) async throws -> WalkedList {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, confirming: confirming)
    for (index, page) in pages.enumerated() { try await walk.commit(index + 1, page) }
    return walk
  }

  @Test("items that the catalogue lacks are looked up: removed items are marked, others are stored")
  func lookups() async throws {
    try await WalkedList.run(mirror, [Media.items(1...6)])
    try await WalkedList.run(mirror, .list("top-manga", kind: "manga"), [Media.items(1...6)])
    try await Self.makeOld(mirror)
    let before = try await mirror.rowVersions()
    var walk = try await Self.walk(mirror, .catalogue(), [[Media(1), Media(3)], [Media(3)]])
    #expect(try await walk.store.missing(in: walk.open, stream: walk.stream).map(\.key) == [2, 4, 5, 6])
    try await walk.lookUp(3, found: [Media(2), Media(4).with(["title": "\"New\""])], gone: [5])
    #expect(try await walk.store.missing(in: walk.open, stream: walk.stream).map(\.key) == [6])
    try await walk.lookUp(4, gone: [6])
    #expect(try await walk.store.missing(in: walk.open, stream: walk.stream).map(\.key) == [])
    let report = try await walk.finish()
    #expect(try await mirror.rows(Self.vanished) == [["5"], ["6"]])
    try await mirror.expect(
      "SELECT bool_and(changed_at > now() - interval '1 h') FROM jikan.anime WHERE vanished_at IS NOT NULL", "t")
    #expect(try await mirror.value("SELECT title FROM jikan.anime WHERE mal_id = 4") == "New")
    #expect(try await mirror.value("SELECT count(*) FROM jikan.manga WHERE vanished_at IS NOT NULL") == "0")
    let changed = Set(try await mirror.rowVersions()).subtracting(before)
    let names = Set(changed.map { "\($0[0] ?? "") \($0[1] ?? "") \($0[2] ?? "")" })
    #expect(names == ["media anime 4", "media anime 5", "media anime 6"])
    #expect((report.counters.vanished, report.counters.unchanged, report.counters.updated) == (2, 3, 1))
    try await mirror.expect("SELECT vanished, guarded, pages FROM sync.run WHERE id = '\(report.id)'", "2|f|2")
    try await mirror.expect(
      "SELECT page, list_page, keys FROM sync.walk_page WHERE walk_id = \(walk.open.walkID) ORDER BY 1", "1|1|{1,3}",
      "2|2|{3}", "3|∅|{2,4}", "4|∅|{}")
    try await mirror.expect(
      "SELECT run_id::text, consistent, entries FROM sync.publication WHERE list = 'anime-catalog'", "\(report.id)|t|4")
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "12")
  }

  @Test("without statistics, as in a first load, the missing items are found without a nested loop")
  func planOfAFirstLoad() async throws {
    try await mirror.execute(
      """
      INSERT INTO jikan.media (kind, mal_id, title, raw, content_hash)
      SELECT 'anime', id, 'x', jsonb_build_object('padding', repeat(md5(id::text), 30)), decode(repeat('00', 33), 'hex')
      FROM generate_series(1, 4000) AS id
      """)
    let sql = StreamSQL(folder: "jikan", scope: ["anime"])
    let plan = try await mirror.rows(
      "EXPLAIN " + SourceSQL.text("missing", sql).text, [.int(1), .texts(sql.scope), .ints([]), .int(0)])
    #expect(!plan.compactMap { $0[0] }.contains { $0.contains("Nested Loop") }, "\(plan)")
  }

  @Test("a vanished item that returns with an unusable document is live again, with its old document")
  func comesBackUnusable() async throws {
    try await WalkedList.run(mirror, .catalogue(), [Media.items(1...7)])
    try await Self.makeOld(mirror)
    try await mirror.execute("UPDATE jikan.media SET vanished_at = now() - interval '1 d' WHERE mal_id BETWEEN 3 AND 7")
    // The request that marked item 6 as vanished is newer than the requests of this walk.
    try await mirror.execute("UPDATE jikan.media SET requested_at = clock_timestamp() WHERE mal_id = 6")
    let before = try await mirror.rowVersions()
    let document = try await mirror.value("SELECT raw::text FROM jikan.media WHERE mal_id = 3")
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await walk.commit(
      1, Media.items(1...2), rejected: .unusable([2, 3, 6, 99], unreadable: 1), age: .seconds(3600))
    try await walk.commit(2, [Media(4, ["episodes": #""\u0000""#])], age: .seconds(1800))
    _ = try await walk.finish()
    #expect(try await mirror.rows(Self.vanished) == [["5"], ["6"], ["7"]])
    #expect(try await mirror.value("SELECT raw::text FROM jikan.media WHERE mal_id = 3") == document)
    #expect(walk.counters.updated == 0 && walk.counters.quarantined == 6)
    let changed = Set(try await mirror.rowVersions()).subtracting(before).filter { $0[0] != "ranking" }
    #expect(Set(changed.map { "\($0[0] ?? "") \($0[2] ?? "")" }) == ["media 3", "media 4"])
    try await mirror.expect(
      "SELECT mal_id FROM jikan.media WHERE changed_at > now() - interval '1 h' ORDER BY 1", "3", "4")
    var looking = try await Self.walk(mirror, .catalogue(), [Media.items(1...2)])
    let lookup = looking.reading(
      2, page: nil, [], rejected: .unusable([7]), claim: PageClaim(), age: .seconds(60))
    try await looking.commit(lookup)
    #expect(try await mirror.rows(Self.vanished) == [["5"], ["6"]])
  }

  @Test(
    "more missing items than the guard allows: nothing changes, and a person can confirm the run by its id",
    arguments: [(1000, 950, false), (1000, 949, true), (60, 11, false), (60, 10, true)] as [(Int64, Int64, Bool)])
  func guarded(_ live: Int64, _ left: Int64, _ isRefused: Bool) async throws {
    let stream = StreamDescription.catalogue()
    let first = try await WalkedList.run(mirror, stream, [Media.items(1...live)])
    let walk = try await Self.walk(mirror, .catalogue(), [Media.items(1...left)])
    let before = try await mirror.rowVersions()
    var missing: [Int64] = []
    let error = await syncError { missing = try await walk.store.missing(in: walk.open, stream: stream).map(\.key) }
    #expect(missing == (isRefused ? [] : Array(left + 1...live)))
    guard isRefused else { return #expect(error == nil) }
    #expect(error?.code == .guarded && error?.code.exitStatus == 86)
    #expect(error?.message.contains("\(live - left) of \(live.grouped) items") == true)
    let command = "syncctl confirm \(walk.open.runID.prefix(8))"
    #expect(error?.hint?.hasSuffix(command) == true)
    let report = try await walk.finish(.failed, publishes: false, error: error)
    #expect(report.status == .failed && report.error?.code == .guarded)
    #expect(try await mirror.rowVersions() == before)
    try await mirror.expect("SELECT guarded, status, vanished FROM sync.run WHERE id = '\(report.id)'", "t|failed|0")
    #expect(try await mirror.value("SELECT run_id::text FROM sync.publication") == first.id)
  }

  @Test("unapproved entries are missed only by a catalogue that lists such entries", arguments: [false, true])
  func unapproved(_ listsThem: Bool) async throws {
    func unapproved(_ id: Int64) -> Media { Media(id).with(["approved": "false"]) }
    let others = (100...159).map { unapproved($0) }
    let approved = [Media(1).with(["approved": "true"]), Media(2), Media(3).with(["approved": "null"])]
    try await WalkedList.run(mirror, [approved + others])
    #expect(try await mirror.value("SELECT count(*) FROM jikan.anime WHERE NOT approved") == "60")
    let listed = [Media(1).with(["approved": "true"]), Media(2)] + (listsThem ? Array(others.prefix(20)) : [])
    var walk = try await Self.walk(mirror, .catalogue(), [listed])
    let missing = try await walk.store.missing(in: walk.open, stream: walk.stream).map(\.key)
    #expect(missing == [3] + (listsThem ? Array(120...159) : []))
    // A lookup finds item 3, an unapproved item that the catalogue's list does not show.
    try await walk.lookUp(2, found: [unapproved(3)])
    let left = try await walk.store.missing(in: walk.open, stream: walk.stream).map(\.key)
    #expect(left == (listsThem ? Array(120...159) : []))
    #expect(try await mirror.value("SELECT approved FROM jikan.anime WHERE mal_id = 3") == "f")
  }

  @Test("unapproved entries that are not listed do not count for the guard")
  func unapprovedAndGuard() async throws {
    // The guard allows 50 of 1,000 items to vanish, but not 50 of the 950 approved items.
    let hidden = (951...1000).map { Media($0).with(["approved": "false"]) }
    try await WalkedList.run(mirror, [Media.items(1...950) + hidden])
    let walk = try await Self.walk(mirror, .catalogue(), [Media.items(1...900)])
    let error = await syncError { _ = try await walk.store.missing(in: walk.open, stream: walk.stream) }
    #expect(error?.message.contains("50 of 950 items") == true)
  }

  @Test("a stream that is not a catalogue can neither list missing items nor mark them")
  func noCatalogue() async throws {
    var walk = try await Self.walk(mirror, .topAnime, [Media.items(1...2)])
    let asking = await syncError { _ = try await walk.store.missing(in: walk.open, stream: walk.stream) }
    let marking = await syncError { try await walk.lookUp(2, gone: [1]) }
    #expect(asking?.code == .configuration && marking?.code == .configuration)
    #expect(try await mirror.rows(Self.vanished) == [])
  }

  @Test("a stream whose absences prove nothing publishes nothing")
  func provesNothing() async throws {
    let stream = StreamDescription(
      id: StreamID(source: "jikan", name: "search"), provider: "tenrai", origin: "https://api.example/v1",
      pageSize: 25, absence: .provesNothing, sql: StreamSQL(folder: "jikan", scope: ["anime"]))
    let report = try await WalkedList.run(mirror, stream, [Media.items(1...2)])
    #expect(report.status == .complete && report.counters.inserted == 2)
    #expect(try await mirror.value("SELECT count(*) FROM sync.publication") == "0")
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "0")
  }

  @Test("a walk with too few usable items says so, and nothing vanishes after it, confirmed or not")
  func quarantineLimit() async throws {
    let stream = StreamDescription.catalogue()
    try await WalkedList.run(mirror, stream, [Media.items(1...1000)])
    var walk = try await Self.walk(mirror, .catalogue(), [Media.items(1...100)])
    try await walk.commit(2, [], rejected: .unusable(Array(2000..<2060)))
    let error = await expectError(.guarded, "60 of 160 items") {
      _ = try await walk.store.missing(in: walk.open, stream: stream)
    }
    let report = try await walk.finish(.failed, publishes: false, error: error)
    #expect(report.error?.code == .guarded)
    #expect(try await mirror.value("SELECT guarded FROM sync.run WHERE id = '\(report.id)'") == "f")
  }
}
