import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreResumeTests {
  private static func stopped(
    _ mirror: StoredMirror, _ stream: StreamDescription = .topAnime
  ) async throws -> (walk: WalkedList, pages: [StoredPage]) {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream)
    let noID = RejectedItem(key: nil, reason: "no_id", detail: "x", excerpt: "x")
    try await walk.commit(
      1, [Media(5), Media(4), Media(5)], rejected: [noID], claim: PageClaim(total: 9, lastPage: 3, hasNext: true))
    try await walk.commit(2, [Media(3)])
    let pages = [
      StoredPage(
        number: 1, page: 1, keys: [5, 4, 5], unreadable: 1, unreadableAfter: [3],
        claim: PageClaim(total: 9, lastPage: 3, hasNext: true)),
      StoredPage(number: 2, page: 2, keys: [3], unreadable: 0, claim: PageClaim()),
    ]
    return (walk, pages)
  }

  @Test(
    "a new walk is started on request, when the old one is too old, and when pages would not fit",
    arguments: ["fresh", "too old", "page size", "origin", "provider"])
  func startsAnew(_ why: String) async throws {
    let (walk, _) = try await Self.stopped(mirror)
    _ = try await walk.finish(.interrupted, publishes: false, isResumable: true)
    var next = StreamDescription.topAnime
    switch why {
    case "too old":
      try await mirror.execute("UPDATE sync.walk_page SET fetched_at = clock_timestamp() - interval '6 h 1 s'")
    case "page size": next = .list(pageSize: 50)
    case "origin": next = .list(origin: "https://other.example/v1")
    case "provider": next = .list(provider: "jikan")
    default: break
    }
    let open = try await PostgresWalkStore(mirror.database).open(next, fresh: why == "fresh")
    #expect(open.walkID != walk.open.walkID && open.pages == [])
    let state = try await mirror.rows("SELECT provider, origin, page_size, walk_id, cursor FROM sync.stream_state")
    #expect(state == [[next.provider, next.origin, "\(next.pageSize)", "\(open.walkID)", nil]])
    #expect(try await mirror.rows("SELECT finished_at IS NULL FROM sync.walk ORDER BY id") == [["f"], ["t"]])
  }

  @Test("a walk of days whose process was killed is resumed if its last page is almost six hours old")
  func almostTooOld() async throws {
    let (walk, pages) = try await Self.stopped(mirror)
    try await mirror.abandonLeases()
    try await mirror.execute("UPDATE sync.walk SET started_at = clock_timestamp() - interval '3 days'")
    try await mirror.execute(
      "UPDATE sync.walk_page SET fetched_at = clock_timestamp() - page * interval '1 day' WHERE page = 1")
    try await mirror.execute(
      "UPDATE sync.walk_page SET fetched_at = clock_timestamp() - interval '5 h 59 min' WHERE page = 2")
    let open = try await PostgresWalkStore(mirror.database).open(.topAnime, fresh: false)
    #expect(open.walkID == walk.open.walkID && open.runID != walk.open.runID && open.pages == pages)
    try await mirror.expect("SELECT cursor FROM sync.stream_state", "2")
    try await mirror.expect("SELECT status FROM sync.run ORDER BY started_at", "interrupted", "running")
  }

  @Test(
    "a list published from one origin is not mixed with another's, unless requested",
    arguments: [StreamDescription.list(origin: "https://other.example/v1"), .list(provider: "jikan")])
  func otherOrigin(_ other: StreamDescription) async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    let state = "SELECT xmin::text, lease_generation FROM sync.stream_state"
    let before = try await mirror.rows(state)
    await expectError(.configuration, "https://api.example/v1", hint: "--adopt-origin") {
      _ = try await PostgresWalkStore(mirror.database).open(other, fresh: false)
    }
    #expect(try await mirror.rows(state) == before)
    let adopted = try await PostgresWalkStore(mirror.database, options: .init(adoptsOrigin: true)).open(
      other, fresh: false)
    #expect(adopted.pages == [])
    let origin = try await mirror.rows("SELECT provider, origin FROM sync.stream_state")
    #expect(origin == [[other.provider, other.origin]])
  }

  @Test("walks that ended before the retention are removed with their pages; the one published last and others stay")
  func pruned() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    try await WalkedList.run(mirror, [[Media(1)]])
    try await WalkedList.run(mirror, .list("top-manga", kind: "manga"), [[Media(1)]])
    let retention = Limits.walkRetention.components.seconds
    try await mirror.execute(
      "UPDATE sync.walk SET finished_at = clock_timestamp() - make_interval(secs => $1) WHERE id IN (1, 3)",
      [.double(Double(retention + 60))])
    try await WalkedList.run(mirror, [[Media(1)]])
    #expect(try await mirror.rows("SELECT id FROM sync.walk ORDER BY 1") == [["2"], ["3"], ["4"]])
    #expect(try await mirror.rows("SELECT walk_id FROM sync.walk_page ORDER BY 1") == [["2"], ["3"], ["4"]])
    #expect(try await mirror.value("SELECT count(*) FROM sync.run") == "4")
  }

  private static func stoppedByGuard(
    _ mirror: StoredMirror, _ stream: StreamDescription = .catalogue()
  ) async throws -> (walk: WalkedList, report: RunReport) {
    try await WalkedList.run(mirror, stream, [Media.items(1...100)])
    let walk = try await StoreVanishTests.walk(mirror, stream, [Media.items(1...25), Media.items(26...40)])
    guard case .questionsItem = stream.absence else { return (walk, try await walk.finish()) }
    let error = await syncError { _ = try await walk.store.missing(in: walk.open, stream: stream) }
    return (walk, try await walk.finish(.failed, publishes: false, error: error))
  }

  @Test("a confirmed walk is resumed days later, even after another one was begun; the guard lets it pass once")
  func catalogue() async throws {
    let stream = StreamDescription.catalogue()
    let store = PostgresWalkStore(mirror.database)
    let (old, report) = try await Self.stoppedByGuard(mirror)
    #expect(report.error?.code == .guarded)
    let age = "clock_timestamp() - interval '6 d'"
    try await mirror.execute("UPDATE sync.walk SET started_at = \(age), finished_at = \(age)")
    var begun = try await WalkedList(store, stream)
    #expect(begun.open.walkID != old.open.walkID)
    try await begun.commit(1, Media.items(1...10))
    _ = try await begun.finish(.interrupted, publishes: false, isResumable: true)
    var walk = try await WalkedList(store, stream, confirming: String(report.id.prefix(8)).uppercased())
    #expect(walk.open.isConfirmed && walk.open.walkID == old.open.walkID && walk.open.runID != report.id)
    #expect(walk.open.pages.map(\.keys) == [Array(1...25), Array(26...40)])
    #expect(try await mirror.rows("SELECT walk_id, cursor FROM sync.stream_state") == [["\(walk.open.walkID)", "2"]])
    #expect(try await mirror.rows("SELECT id FROM sync.walk WHERE finished_at IS NULL") == [["\(walk.open.walkID)"]])
    #expect(try await store.missing(in: walk.open, stream: stream).map(\.key) == Array(41...100))
    try await walk.lookUp(3, gone: Array(41...100))
    let confirmed = try await walk.finish()
    #expect(confirmed.status == .complete && confirmed.counters.vanished == 60)
    #expect(try await mirror.value("SELECT count(*) FROM jikan.anime WHERE vanished_at IS NOT NULL") == "60")
    #expect(try await mirror.value("SELECT entries FROM sync.publication") == "40")
    await expectError(.usage, confirmed.id) { _ = try await store.open(stream, fresh: false, confirming: report.id) }
  }

  @Test("of two runs that the guard stopped, the later one can be confirmed")
  func later() async throws {
    let (_, first) = try await Self.stoppedByGuard(mirror, .topAnime)
    let second = try await WalkedList.run(mirror, [Media.items(3...45)])
    #expect(second.error?.code == .guarded)
    let error = await syncError {
      _ = try await PostgresWalkStore(mirror.database).open(.topAnime, fresh: false, confirming: first.id)
    }
    #expect(error?.message.contains(second.id) == true && error?.hint?.contains(second.id.prefix(8)) == true)
    let walk = try await StoreVanishTests.walk(mirror, .topAnime, [], confirming: second.id)
    #expect(try await walk.finish().error == nil)
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "43")
  }

  @Test("a confirmed run that was interrupted can be confirmed again")
  func interrupted() async throws {
    let stream = StreamDescription.catalogue()
    let (_, report) = try await Self.stoppedByGuard(mirror)
    var first = try await StoreVanishTests.walk(mirror, stream, [], confirming: report.id)
    try await first.lookUp(3, gone: [41])
    try await mirror.abandonLeases()
    let second = try await StoreVanishTests.walk(mirror, stream, [], confirming: report.id)
    #expect(second.open.pages.count == 3)
    #expect(try await second.store.missing(in: second.open, stream: stream).map(\.key) == Array(42...100))
  }

  @Test(
    "a run that cannot be confirmed is refused with a reason, and nothing is changed",
    arguments: [
      ("no such run", .missing, "no run whose id begins with"), ("empty", .missing, "no run whose id begins with"),
      ("ambiguous", .usage, "several run ids"), ("other stream", .usage, "belongs to jikan/anime-catalog"),
      ("not stopped", .usage, "not stopped by the guard"), ("completed since", .usage, "has completed since"),
      ("published since", .usage, "has completed since"), ("stopped since", .usage, "is newer"),
      ("pruned", .missing, "are gone"),
      ("page size", .usage, "another page size"), ("origin", .usage, "another service"),
    ] as [(String, SyncError.Code, String)])
  func refused(_ why: String, _ code: SyncError.Code, _ words: String) async throws {
    let (_, report) = try await Self.stoppedByGuard(mirror)
    var stream = StreamDescription.catalogue()
    var id = report.id
    switch why {
    case "no such run": id = "zz'--%"
    case "empty": id = ""
    case "ambiguous":
      try await mirror.execute(
        "INSERT INTO sync.run (id, source, stream, status) VALUES ($1::text::uuid, 'jikan', 'x', 'failed')",
        [.text(String(id.dropLast(2)) + (id.hasSuffix("00") ? "11" : "00"))])
      id = String(id.dropLast(2))
    case "other stream": stream = .catalogue("manga")
    case "not stopped": id = try await mirror.value("SELECT id FROM sync.run WHERE status = 'complete'") ?? ""
    case "completed since": try await WalkedList.run(mirror, stream, [Media.items(1...100)])
    case "published since":
      let moved = try await StoreVanishTests.walk(mirror, stream, [Media.items(1...100)])
      _ = try await moved.finish(.inconsistent)
    case "stopped since":
      let newer = try await StoreVanishTests.walk(mirror, stream, [Media.items(1...45)])
      let stop = await syncError { _ = try await newer.store.missing(in: newer.open, stream: newer.stream) }
      _ = try await newer.finish(.failed, publishes: false, error: stop)
    case "pruned": try await mirror.execute("DELETE FROM sync.walk")
    case "page size": stream = .catalogue(pageSize: 50)
    default: stream = .catalogue(origin: "https://other.example/v1")
    }
    let state = "SELECT xmin::text FROM sync.stream_state UNION ALL SELECT xmin::text FROM sync.run"
    let before = try await mirror.rows(state)
    let error = await expectError(code) { [stream, id] in
      let options = PostgresWalkStore.Options(adoptsOrigin: true)
      _ = try await PostgresWalkStore(mirror.database, options: options).open(stream, fresh: false, confirming: id)
    }
    #expect(error?.message.contains(words) == true && error?.hint != nil)
    #expect(try await mirror.rows(state) == before)
  }
}
