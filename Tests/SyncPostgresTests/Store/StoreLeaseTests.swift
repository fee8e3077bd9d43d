import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct StoreLeaseTests {
  /// Returns the test process's parent, which outlives the test.
  private static func liveProcess() throws -> LeaseOwner {
    let me = LeaseOwner.current()
    let pid = getppid()
    let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    return LeaseOwner(host: me.host, boot: me.boot, namespace: me.namespace, pid: pid, started: String(fields[19]))
  }

  private static func give(_ mirror: StoredMirror, to owner: LeaseOwner) async throws {
    let json = String(decoding: try JSONEncoder().encode(owner), as: UTF8.self)
    try await mirror.execute("UPDATE sync.stream_state SET lease_owner = $1::jsonb", [.text(json)])
  }

  @Test("a stream that a live process holds is refused with its name, and nothing is changed", .mirror)
  func held() async throws {
    let store = PostgresWalkStore(mirror.database)
    _ = try await store.open(.topAnime, fresh: false)
    let holder = try Self.liveProcess()
    try await Self.give(mirror, to: holder)
    let state = "SELECT xmin::text FROM sync.stream_state UNION ALL SELECT xmin::text FROM sync.run"
    let before = try await mirror.rows(state)
    let error = await syncError { _ = try await store.open(.topAnime, fresh: true) }
    #expect(error?.code == .leaseHeld && error?.code.exitStatus == 75)
    #expect(error?.message.contains("process \(holder.pid) on \(holder.host)") == true)
    #expect(error?.hint?.contains(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) == true)
    #expect(try await mirror.rows(state) == before)
    _ = try await store.open(.list("top-manga", kind: "manga"), fresh: false)
  }

  @Test("a run is listed as interrupted when its lease has expired, before another run closes it", .mirror)
  func expired() async throws {
    _ = try await PostgresWalkStore(mirror.database).open(.topAnime, fresh: false)
    func statuses() async throws -> [String?] {
      let lists = [
        try await Runs.list(mirror.database, limit: 1).rows, try await Runs.show(mirror.database, prefix: nil),
        try await Runs.status(mirror.database),
      ]
      return lists.map { list in
        list.columns.firstIndex { ["status", "last_run"].contains($0.name) }.flatMap { list.rows[0][$0] }
      }
    }
    #expect(try await statuses() == ["running", "running", "running"])
    try await mirror.expireLeases()
    #expect(try await statuses() == ["interrupted", "interrupted", "interrupted"])
    #expect(try await mirror.value("SELECT status FROM sync.run") == "running")
  }

  @Test("an owner that this program cannot read still holds its lease", .mirror)
  func unreadableOwner() async throws {
    let store = PostgresWalkStore(mirror.database)
    _ = try await store.open(.topAnime, fresh: false)
    try await mirror.execute("UPDATE sync.stream_state SET lease_owner = '{\"worker\": 7}'")
    await expectError(.leaseHeld, "another program") { _ = try await store.open(.topAnime, fresh: false) }
  }

  /// Each argument: the lease's owner, and whether this machine can see that the owner's process has ended.
  @Test(
    "an ended process is succeeded at once, but only if its end is certain", .mirror,
    arguments: [
      ("this boot, another start time", true), ("this boot, no such pid", true), ("another boot", false),
      ("another pid namespace", false), ("a machine that does not tell its boot", false),
      ("a live process whose lease has expired", true),
    ])
  func gone(_ case: String, _ isTaken: Bool) async throws {
    let live = try Self.liveProcess()
    let owner =
      switch `case` {
      case "this boot, another start time":
        LeaseOwner(host: live.host, boot: live.boot, namespace: live.namespace, pid: live.pid, started: "1")
      case "this boot, no such pid":
        // No process has this id, because it is above the kernel's largest pid (4,194,304).
        LeaseOwner(host: live.host, boot: live.boot, namespace: live.namespace, pid: 5_000_000, started: "1")
      case "another boot":
        LeaseOwner(host: live.host, boot: "other", namespace: live.namespace, pid: 5_000_000, started: "1")
      case "another pid namespace":
        LeaseOwner(host: live.host, boot: live.boot, namespace: "pid:[1]", pid: 5_000_000, started: "1")
      case "a live process whose lease has expired": live
      default: LeaseOwner(host: live.host, boot: "", namespace: "", pid: 5_000_000, started: "1")
      }
    let store = PostgresWalkStore(mirror.database)
    _ = try await store.open(.topAnime, fresh: false)
    try await Self.give(mirror, to: owner)
    if owner == live { try await mirror.expireLeases() }
    let error = await syncError { _ = try await store.open(.topAnime, fresh: false) }
    #expect(error?.code == (isTaken ? nil : .leaseHeld))
  }

  @Test("this process has not ended, nor has one whose data are unreadable")
  func alive() throws {
    let me = LeaseOwner.current()
    #expect(me.pid == getpid() && !me.started.isEmpty && !me.boot.isEmpty && !me.namespace.isEmpty)
    #expect(!me.isGone(seenFrom: me))
    #expect(!(try Self.liveProcess().isGone(seenFrom: me)))
    let unknown = LeaseOwner(host: me.host, boot: me.boot, namespace: me.namespace, pid: me.pid, started: "")
    #expect(!unknown.isGone(seenFrom: me))
  }

  @Test("of eight tasks that open one stream at once, one gets it, and the others learn who has it", .mirror)
  func oneOfEight() async throws {
    let settings = mirror.test.productSettings
    let errors = try await withThrowingTaskGroup(of: SyncError?.self) { group in
      for number in 1...8 {
        group.addTask {
          try await Database.with(settings, applicationName: "run \(number)") { database in
            await syncError { _ = try await PostgresWalkStore(database).open(.topAnime, fresh: false) }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(errors.count { $0 == nil } == 1)
    let refusals = errors.compactMap(\.self)
    #expect(refusals.allSatisfy { $0.code == .leaseHeld })
    // While another task inserts the stream's row, a refused task cannot see the row's owner.
    #expect(refusals.allSatisfy { $0.message.contains("process \(getpid())") || $0.message.contains("in the middle") })
    #expect(try await mirror.value("SELECT count(*) FROM sync.run") == "1")
    #expect(try await mirror.value("SELECT lease_generation FROM sync.stream_state") == "1")
  }

  @Test(
    "the heartbeat keeps a lease beyond its time; without it, it is taken over, and the old holder writes nothing",
    .mirror)
  func heartbeat() async throws {
    let options = PostgresWalkStore.Options(leaseTTL: .seconds(300))
    let store = PostgresWalkStore(mirror.database, options: options)
    var old = try await WalkedList(store, .topAnime)
    #expect(old.open.leaseTTL == .seconds(300))
    try await mirror.other { database in
      let other = PostgresWalkStore(database, options: options)
      let left =
        "SELECT extract(epoch FROM lease_expires_at - clock_timestamp()) BETWEEN 200 AND 300 FROM sync.stream_state"
      for page in 1...3 {
        #expect(try await mirror.value(left) == "t")
        try await mirror.expireLeases()
        try await store.renew(old.open, stream: .topAnime)
        #expect(try await mirror.value(left) == "t")
        #expect(await syncError { _ = try await other.open(.topAnime, fresh: false) }?.code == .leaseHeld)
        #expect(try await mirror.value("SELECT cursor FROM sync.stream_state") == (page == 1 ? nil : "\(page - 1)"))
        try await mirror.expireLeases()
        try await old.commit(page, [Media(Int64(page))])
      }
      try await mirror.expireLeases()
      var new = try await WalkedList(other, .topAnime)
      #expect(new.open.generation == 2 && new.open.pages.count == 3)
      try await Self.expectPowerless(&old, store, mirror)
      try await new.commit(4, [Media(5)])
      #expect(try await new.finish().status == .complete)
      try await Self.expectPowerless(&old, store, mirror)
    }
    try await mirror.expect("SELECT mal_id FROM jikan.ranking ORDER BY position", "1", "2", "3", "5")
  }

  private static func expectPowerless(_ old: inout WalkedList, _ store: PostgresWalkStore, _ mirror: StoredMirror)
    async throws
  {
    let ledger =
      """
      SELECT id::text, xmin::text FROM sync.run UNION ALL SELECT stream, xmin::text FROM sync.stream_state
      UNION ALL SELECT page::text, xmin::text FROM sync.walk_page
      """
    let (rows, versions) = (try await mirror.rows(ledger), try await mirror.rowVersions())
    #expect(await syncError { try await old.commit(4, [Media(4)]) }?.code == .tryLater)
    #expect(await syncError { try await store.renew(old.open, stream: .topAnime) }?.code == .tryLater)
    let ending = old
    #expect(await syncError { _ = try await ending.finish() }?.code == .tryLater)
    #expect(try await mirror.rows(ledger) == rows)
    #expect(try await mirror.rowVersions() == versions)
  }

  /// The holder stops between two statements, so it keeps its row lock even if its lease expires.
  @Test(
    "a holder frozen inside its transaction: others get an error, and succeed it once the server has ended it",
    .mirror, arguments: [false, true])
  func frozen(_ hasExpired: Bool) async throws {
    let open = try await PostgresWalkStore(mirror.database).open(.topAnime, fresh: false)
    if hasExpired { try await mirror.expireLeases() }
    let lease = Lease(
      stream: StreamDescription.topAnime.id, runID: open.runID, generation: open.generation, ttl: .seconds(90))
    let (frozen, froze) = AsyncStream<Int32>.makeStream()
    let thaw = DispatchSemaphore(value: 0)
    // `defer` also signals after a failure. Otherwise the thread stays blocked, and the connection cannot be closed.
    defer { thaw.signal() }
    let writing = Task {
      try await mirror.database.write(bounds: TransactionBounds(idle: .seconds(8))) { connection in
        try lease.renew(connection)
        froze.yield(connection.backendPID)
        thaw.wait()
        thaw.signal()
        _ = try connection.query("INSERT INTO sync.walk_page (walk_id, page) VALUES ($1, 1)", [.int(open.walkID)])
      }
    }
    let session = try #require(await frozen.first { _ in true })
    try await mirror.other { database in
      let other = PostgresWalkStore(database)
      let start = ContinuousClock.now
      let refusal = await syncError { _ = try await other.open(.topAnime, fresh: false) }
      #expect(refusal?.code == .leaseHeld && ContinuousClock.now - start < .seconds(5))
      let message = refusal?.message ?? ""
      #expect(message.contains("is being run by process \(getpid()) on "))
      #expect(refusal?.hint?.contains("lease expires at") == true)
      // While the lease is valid, the store does not try to lock the row.
      #expect(message.hasSuffix("in the middle of a transaction") == hasExpired)
      try await waitUntil("the server to end the transaction") {
        try await database.rows("SELECT FROM pg_stat_activity WHERE pid = $1", [.int(Int64(session))]).rows.isEmpty
      }
      if !hasExpired {
        try await mirror.other { try await StoredMirror(database: $0, test: mirror.test).expireLeases() }
      }
      #expect(try await other.open(.topAnime, fresh: false).generation == 2)
    }
    thaw.signal()
    await expectError(.tryLater) { try await writing.value }
    #expect(try await mirror.value("SELECT count(*) FROM sync.walk_page") == "0")
  }

  @Test("the server ends a holder's transaction before its lease ends", arguments: [2, 30, 90, 3600])
  func bounds(_ seconds: Int) {
    let bounds = TransactionBounds(within: .seconds(seconds))
    #expect(bounds.idle * 3 <= .seconds(seconds * 2) && bounds.lock * 3 <= .seconds(seconds * 2))
    #expect(bounds.idle <= .seconds(10) && bounds.lock <= Limits.lockTimeout)
    let settings = Dictionary(
      uniqueKeysWithValues: bounds.settings(statement: .seconds(60)).map { ($0.name, $0.value) })
    #expect(settings["idle_in_transaction_session_timeout"] == "\(min(10_000, seconds * 2000 / 3))")
  }
}
