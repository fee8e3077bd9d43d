import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncPostgres

/// The client stops or is cut off in the middle of a message, while the server waits for the rest.
@Suite(.timeLimit(.minutes(10)))
struct StoreStalledTests {
  enum Path: CaseIterable { case direct, pooler }

  private final class Ended: Sendable {
    private let counts = Mutex<[Int]>([])
    var all: [Int] { counts.withLock(\.self) }
    var options: Database.Options {
      Database.Options(statementTimeout: .seconds(5)) { change in
        if case .endedSessions(let count) = change { self.counts.withLock { $0.append(count) } }
      }
    }
  }

  private static func with(
    _ path: Path, servesAll: Bool = true,
    _ body: (FaultProxy, _ mirror: StoredMirror, _ direct: StoredMirror, Ended) async throws -> Void
  ) async throws {
    let test = try await ThrowawayPostgres.shared().makeProductDatabase()
    let pooler = try await path == .pooler ? ThrowawayPgBouncer.start(before: test) : nil
    defer { pooler?.stop() }
    let ended = Ended()
    try await StoredMirror.behindProxy(
      test, port: pooler?.port, servesAll: servesAll, options: ended.options
    ) { proxy, mirror, direct in try await body(proxy, mirror, direct, ended) }
  }

  /// For each session of a run: its wait, whether it has written, and the number of its locks that block writers.
  private static let sessions = """
    SELECT a.wait_event, a.backend_xid IS NOT NULL,
      (SELECT count(*) FROM pg_locks l
       WHERE l.pid = a.pid AND l.locktype = 'relation' AND l.mode NOT IN ('AccessShareLock', 'RowExclusiveLock'))
    FROM pg_stat_activity a WHERE a.datname = current_database() AND a.application_name LIKE 'syncctl %'
    """

  private static func waitForStalled(_ direct: StoredMirror, _ what: String) async throws {
    try await waitUntil("a session that waits for \(what)") {
      try await direct.rows(sessions).map { $0[0] } == ["ClientRead"]
    }
  }

  private static func waitForExpiry(_ direct: StoredMirror) async throws {
    try await waitUntil("the lease to expire") {
      try await direct.value("SELECT lease_expires_at < clock_timestamp() FROM sync.stream_state") == "t"
    }
  }

  private static func expectTaken(
    _ direct: StoredMirror, from walk: WalkedList, behind proxy: FaultProxy, _ committing: Task<SyncError?, Never>
  ) async throws {
    let ended = Ended()
    try await Database.with(direct.test.productSettings, applicationName: "taker", options: ended.options) { taker in
      var next = try await WalkedList(PostgresWalkStore(taker), .topAnime)
      #expect(ended.all == [1])
      #expect(next.open.generation == walk.open.generation + 1)
      // The holder connects again only now. Earlier, it could renew its lease, or the taker could end its new session.
      proxy.serveOthers()
      try await next.commit(1, [Media(2)])
      #expect(await committing.value?.code == .tryLater)
      #expect(try await next.finish().status == .complete)
    }
  }

  @Test("nothing is locked while a large message is sent", arguments: ["documents", "counters"])
  func largeMessages(_ what: String) async throws {
    try await Self.with(.direct) { proxy, mirror, direct, ended in
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
      let old = (1...50).map { Media(Int64($0)) }
      try await walk.commit(1, old)
      let new = old.map { $0.with(what == "documents" ? ["title": "\"marked\""] : ["members": "424242"]) }
      proxy.arm(.stallInside, at: what == "documents" ? "\"title\":\"marked\"" : "\"members\":424242")
      let committing = Task { [walk] in
        var walk = walk
        try await walk.commit(2, new)
        return walk
      }
      try await Self.waitForStalled(direct, what)
      let locks = try await direct.rows(Self.sessions)
      #expect(locks.map { Array($0.dropFirst()) } == [["f", "0"]], "\(locks)")
      for table in ["sync.stream_state", "jikan.media", "jikan.media_counters"] {
        try await direct.execute("SELECT FROM \(table) FOR UPDATE NOWAIT")
      }
      walk = try await committing.value
      let written =
        what == "documents"
        ? "SELECT count(*) FROM jikan.media WHERE title = 'marked'"
        : "SELECT count(*) FROM jikan.media_counters WHERE members = 424242"
      #expect(try await direct.value(written) == "50")
      #expect(ended.all == [1])
    }
  }

  @Test("a run ends its own session that was left in a transaction, and continues", arguments: Path.allCases)
  func ownSession(_ path: Path) async throws {
    try await Self.with(path) { proxy, mirror, direct, ended in
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
      let messages = ["UPDATE sync.stream_state", "UPDATE sync.run", "COMMIT\0", "INTO sync.walk_page"]
      for (index, text) in messages.enumerated() {
        proxy.arm(.abandonInside, at: text)
        try await walk.commit(index + 1, [Media(Int64(index + 1))])
        #expect(proxy.cutCount == index + 1 && ended.all.count == index + 1, "\(text)")
      }
      #expect(ended.all == [1, 1, 1, 1])
      let report = try await walk.finish()
      #expect(report.status == .complete && report.counters.inserted == 4)
      #expect(try await direct.value("SELECT count(*) FROM sync.walk_page") == "4")
    }
  }

  @Test(
    "a run that takes over an expired lease ends the session in which its holder stopped, with and without a lock",
    arguments: Path.allCases, [false, true])
  func expiredSender(_ path: Path, isLocked: Bool) async throws {
    try await Self.with(path, servesAll: false) { proxy, mirror, direct, _ in
      let store = PostgresWalkStore(mirror.database, options: .init(leaseTTL: Limits.shortestLeaseTTL))
      let walk = try await WalkedList(store, .topAnime)
      // The proxy stalls inside a statement's parameters. If it stalled earlier, the server itself would end the
      // session. A run sends documents before it locks the lease, and items for quarantine after it locks the lease.
      proxy.arm(.stallInside, at: isLocked ? "marked" : "\"title\":\"marked\"")
      let media = isLocked ? [Media(1)] : (1...50).map { Media(Int64($0), ["title": "\"marked\""]) }
      let bad = RejectedItem(key: 99, reason: "wrong_type", detail: "marked", excerpt: "{}")
      let committing = Task { [walk] in
        var walk = walk
        return await syncError { try await walk.commit(1, media, rejected: isLocked ? [bad] : []) }
      }
      try await Self.waitForStalled(direct, "the rest of the page")
      if isLocked {
        let open = await syncError { _ = try await PostgresWalkStore(direct.database).open(.topAnime, fresh: false) }
        #expect(open != nil)
      }
      try await Self.waitForExpiry(direct)
      try await Self.expectTaken(direct, from: walk, behind: proxy, committing)
      try await direct.expect("SELECT mal_id FROM jikan.media", "2")
      try await direct.expect("SELECT mal_id FROM jikan.ranking", "2")
    }
  }

  @Test("a holder that is working is not ended, even if its lease has expired")
  func working() async throws {
    try await Self.with(.direct) { _, mirror, direct, ended in
      try await direct.execute(
        """
        CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_catalog.pg_sleep(4); RETURN NEW; END $$
        """)
      try await direct.execute(
        "CREATE TRIGGER slow BEFORE INSERT ON sync.walk_page FOR EACH ROW EXECUTE FUNCTION public.slow()")
      let store = PostgresWalkStore(mirror.database, options: .init(leaseTTL: Limits.shortestLeaseTTL))
      let walk = try await WalkedList(store, .topAnime)
      let committing = Task { [walk] in
        var walk = walk
        try await walk.commit(1, [Media(1)])
      }
      try await waitUntil("the page to be at work") {
        try await direct.rows(Self.sessions).map { $0[0] } == ["PgSleep"]
      }
      try await Self.waitForExpiry(direct)
      try await Database.with(direct.test.productSettings, applicationName: "taker", options: ended.options) { taker in
        let refused = await syncError { _ = try await PostgresWalkStore(taker).open(.topAnime, fresh: false) }
        #expect(refused?.code == .leaseHeld && ended.all == [])
      }
      try await committing.value
    }
  }

  @Test("rows that another stream requests and writes after the comparison are newer", arguments: [true, false])
  func afterComparison(_ differs: Bool) async throws {
    try await Self.with(.direct) { _, mirror, direct, _ in
      try await WalkedList.run(direct, .tv, [[Media(1)]])
      for table in ["jikan.media", "jikan.media_counters"] {
        try await direct.execute("UPDATE \(table) SET requested_at = requested_at - interval '1 h'")
      }
      try await Database.with(direct.test.settings, applicationName: "other") { database in
        var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
        var other = try await WalkedList(PostgresWalkStore(database), .tv)
        let (free, isFree) = AsyncStream<Void>.makeStream()
        let (locked, isLocked) = AsyncStream<Void>.makeStream()
        // If `differs`, the other stream has written the item and waits for its own lease; `walk` waits for the row.
        // Otherwise, `walk` compares the item and waits for its own lease, while the other stream writes the item.
        async let blocking: Void = Self.lockLease(direct, of: differs ? "tv" : "top-anime", isLocked, free)
        for await _ in locked {}
        func waiting(_ count: Int) async throws {
          try await waitUntil("\(count) transactions to wait") {
            try await direct.rows(Self.sessions).map { $0[0] }.filter { $0 == "transactionid" }.count == count
          }
        }
        let writing = Task { [other] in
          var other = other
          if !differs { try await waiting(1) }
          try await other.commit(1, [Media(1, ["title": "\"newer\""])])
          return other
        }
        if differs { try await waiting(1) }
        let committing = Task { [walk] in
          var walk = walk
          try await walk.commit(
            1, [differs ? Media(1, ["title": "\"older\""]) : Media(1)], age: .seconds(60), etag: "\"e\"")
          return walk
        }
        if differs { try await waiting(2) } else { other = try await writing.value }
        isFree.finish()
        try await blocking
        other = try await writing.value
        walk = try await committing.value
        #expect(try await direct.value("SELECT title FROM jikan.media") == "newer")
        #expect(walk.counters.unchanged == 1 && walk.counters.updated == 0 && other.counters.updated == 1)
        // The page differs from the mirror, so the next run must request it without a validator.
        try await direct.expect(
          "SELECT etag FROM sync.walk_page JOIN sync.walk w ON w.id = walk_id WHERE stream = 'top-anime'", "∅")
      }
    }
  }

  private static func lockLease(
    _ mirror: StoredMirror, of stream: String, _ locked: AsyncStream<Void>.Continuation, _ free: AsyncStream<Void>
  ) async throws {
    defer { locked.finish() }
    let held = DispatchSemaphore(value: 0)
    async let freeing: Void = {
      for await _ in free {}
      held.signal()
    }()
    try await mirror.other { database in
      try await database.write { connection in
        try connection.query("SELECT FROM sync.stream_state WHERE stream = $1 FOR UPDATE", [.text(stream)])
        locked.finish()
        held.wait()
      }
    }
    await freeing
  }
}

extension StreamDescription {
  fileprivate static let tv = StreamDescription.list("tv", subtype: "tv")
}
