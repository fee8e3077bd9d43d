import Foundation
import LibPQ
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreResumeTests {
  /// A walk that stopped after two pages.
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
        number: 1, page: 1, keys: [5, 4, 5], unreadable: 1, claim: PageClaim(total: 9, lastPage: 3, hasNext: true)),
      StoredPage(number: 2, page: 2, keys: [3], unreadable: 0, claim: PageClaim()),
    ]
    return (walk, pages)
  }

  @Test("a stopped run is resumed; the pages are read back unchanged", arguments: [true, false])
  func resumes(_ isClosed: Bool) async throws {
    let (walk, pages) = try await Self.stopped(mirror)
    if isClosed { _ = try await walk.finish(.partial, publishes: false, isResumable: true) }
    #expect(try await mirror.value("SELECT cursor FROM sync.stream_state") == "2")
    try await mirror.abandonLeases()
    let next = try await PostgresWalkStore(mirror.database).open(.topAnime, fresh: false)
    #expect(next.walkID == walk.open.walkID && next.runID != walk.open.runID)
    #expect(next.pages == pages)
    let statuses = try await mirror.rows("SELECT status FROM sync.run ORDER BY started_at")
    #expect(statuses == [[isClosed ? "partial" : "interrupted"], ["running"]])
  }

  @Test(
    "a new walk is started on request, when the old one is too old, and when pages would not fit",
    arguments: [
      "fresh", "too old", "page size", "origin", "provider",
    ])
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

  @Test("a walk of days is resumed if its last page is almost six hours old")
  func almostTooOld() async throws {
    let (walk, pages) = try await Self.stopped(mirror)
    try await mirror.abandonLeases()
    try await mirror.execute("UPDATE sync.walk SET started_at = clock_timestamp() - interval '3 days'")
    try await mirror.execute(
      "UPDATE sync.walk_page SET fetched_at = clock_timestamp() - page * interval '1 day' WHERE page = 1")
    try await mirror.execute(
      "UPDATE sync.walk_page SET fetched_at = clock_timestamp() - interval '5 h 59 min' WHERE page = 2")
    let open = try await PostgresWalkStore(mirror.database).open(.topAnime, fresh: false)
    #expect(open.walkID == walk.open.walkID && open.pages == pages)
  }

  @Test(
    "a list published from one origin is not mixed with another's, unless requested",
    arguments: [
      StreamDescription.list(origin: "https://other.example/v1"), .list(provider: "jikan"),
    ])
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
}
