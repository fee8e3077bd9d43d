import LibPQ
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreConfirmTests {
  private static func items(_ ids: ClosedRange<Int64>) -> [Media] { ids.map { Media($0) } }

  /// A catalogue of 100 items, and a walk that saw 40 of them.
  private static func stopped(
    _ mirror: StoredMirror, _ stream: StreamDescription = .catalogue()
  ) async throws -> (walk: WalkedList, report: RunReport) {
    try await WalkedList.run(mirror, stream, [items(1...100)])
    let walk = try await StoreVanishTests.walk(mirror, stream, [items(1...25), items(26...40)])
    guard case .questionsItem = stream.absence else { return (walk, try await walk.finish()) }
    let error = await syncError { _ = try await walk.store.missing(in: walk.open, stream: stream) }
    return (walk, try await walk.finish(.failed, publishes: false, error: error))
  }

  @Test("a confirmed walk is resumed days later, even after another one was begun; the guard lets it pass once")
  func catalogue() async throws {
    let stream = StreamDescription.catalogue()
    let store = PostgresWalkStore(mirror.database)
    let (old, report) = try await Self.stopped(mirror)
    #expect(report.error?.code == .guarded)
    let age = "clock_timestamp() - interval '6 d'"
    try await mirror.execute("UPDATE sync.walk SET started_at = \(age), finished_at = \(age)")
    var begun = try await WalkedList(store, stream)
    #expect(begun.open.walkID != old.open.walkID)
    try await begun.commit(1, Self.items(1...10))
    _ = try await begun.finish(.interrupted, publishes: false, isResumable: true)

    var walk = try await WalkedList(store, stream, confirming: String(report.id.prefix(8)).uppercased())
    #expect(walk.open.isConfirmed && walk.open.walkID == old.open.walkID && walk.open.runID != report.id)
    #expect(walk.open.pages.map(\.keys) == [Array(1...25), Array(26...40)])
    #expect(try await mirror.rows("SELECT walk_id, cursor FROM sync.stream_state") == [["\(walk.open.walkID)", "2"]])
    #expect(try await mirror.rows("SELECT id FROM sync.walk WHERE finished_at IS NULL") == [["\(walk.open.walkID)"]])
    #expect(try await store.missing(in: walk.open, stream: stream) == Array(41...100))
    try await walk.lookUp(3, gone: Array(41...100))
    let confirmed = try await walk.finish()
    #expect(confirmed.status == .complete && confirmed.counters.vanished == 60)
    #expect(try await mirror.value("SELECT count(*) FROM jikan.anime WHERE vanished_at IS NOT NULL") == "60")
    #expect(try await mirror.value("SELECT entries FROM sync.publication") == "40")

    await expectError(.usage, confirmed.id) { _ = try await store.open(stream, fresh: false, confirming: report.id) }
  }

  @Test("of two runs that the guard stopped, the later one can be confirmed")
  func later() async throws {
    let (_, first) = try await Self.stopped(mirror, .topAnime)
    let second = try await WalkedList.run(mirror, [Self.items(3...45)])
    #expect(second.error?.code == .guarded)
    let error = await syncError {
      _ = try await PostgresWalkStore(mirror.database).open(.topAnime, fresh: false, confirming: first.id)
    }
    #expect(error?.message.contains(second.id) == true && error?.hint?.contains(second.id) == true)
    let walk = try await StoreVanishTests.walk(mirror, .topAnime, [], confirming: second.id)
    #expect(try await walk.finish().error == nil)
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "43")
  }

  @Test("a confirmed run that was interrupted can be confirmed again")
  func interrupted() async throws {
    let stream = StreamDescription.catalogue()
    let (_, report) = try await Self.stopped(mirror)
    var first = try await StoreVanishTests.walk(mirror, stream, [], confirming: report.id)
    try await first.lookUp(3, gone: [41])
    try await mirror.abandonLeases()
    let second = try await StoreVanishTests.walk(mirror, stream, [], confirming: report.id)
    #expect(second.open.pages.count == 3)
    #expect(try await second.store.missing(in: second.open, stream: stream) == Array(42...100))
  }

  @Test(
    "a run that cannot be confirmed is refused with a reason, and nothing is changed",
    arguments: [
      ("no such run", .missing, "no run whose id begins with"), ("empty", .missing, "no run whose id begins with"),
      ("ambiguous", .usage, "several runs"), ("other stream", .usage, "is one of jikan/anime-catalog"),
      ("not stopped", .usage, "not stopped by the guard"), ("completed since", .usage, "has completed since"),
      ("published since", .usage, "has completed since"), ("stopped since", .usage, "is newer"),
      ("pruned", .missing, "not there any more"),
      ("page size", .usage, "another size"), ("origin", .usage, "another service"),
    ] as [(String, SyncError.Code, String)])
  func refused(_ why: String, _ code: SyncError.Code, _ words: String) async throws {
    let (_, report) = try await Self.stopped(mirror)
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
    case "completed since": try await WalkedList.run(mirror, stream, [Self.items(1...100)])
    case "published since":
      let moved = try await StoreVanishTests.walk(mirror, stream, [Self.items(1...100)])
      _ = try await moved.finish(.inconsistent)
    case "stopped since":
      let newer = try await StoreVanishTests.walk(mirror, stream, [Self.items(1...45)])
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
