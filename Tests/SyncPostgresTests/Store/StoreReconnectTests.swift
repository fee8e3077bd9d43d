import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct StoreReconnectTests {
  enum Disturbance: CaseIterable {
    case restarted, crashed, killed, sessionsEnded
  }

  private static func with(
    _ options: Database.Options = .init(), _ body: (ThrowawayPostgres, StoredMirror) async throws -> Void
  ) async throws {
    let server = try await ThrowawayPostgres.start()
    let test = try await server.makeProductDatabase()
    try await StoredMirror.connected(to: test, options: options) { mirror in try await body(server, mirror) }
    try await server.stop(.immediate)
  }

  private static func disturb(_ server: ThrowawayPostgres, _ how: Disturbance) async throws {
    switch how {
    case .restarted:
      try await server.stop()
      try await server.start()
    case .crashed:
      try await server.crash()
      try await server.start()
    case .killed:
      try await server.kill()
      try await server.start()
    case .sessionsEnded: try await endSessions(server)
    }
  }

  private static func endSessions(_ server: ThrowawayPostgres) async throws {
    try await server.sql(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name ~ '^(test$|syncctl )'",
      database: "postgres")
  }

  private static func expectWholeList(_ mirror: StoredMirror, _ report: RunReport, pages: Int) async throws {
    #expect(report.status == .complete && report.counters.inserted == pages && report.counters.pages == pages)
    let listed = try await mirror.rows("SELECT mal_id FROM jikan.ranking ORDER BY position")
    #expect(listed.map { $0[0] } == (1...pages).map { "\($0)" })
    try await mirror.expect(
      "SELECT status, inserted, pages, generation FROM (SELECT * FROM sync.run) r, "
        + "LATERAL (SELECT lease_generation AS generation FROM sync.stream_state) s", "complete|\(pages)|\(pages)|1")
  }

  @Test("between any two calls of a walk", arguments: Disturbance.allCases)
  func betweenCalls(_ how: Disturbance) async throws {
    let changes = Mutex<[String]>([])
    let options = Database.Options { change in
      changes.withLock { if case .lost = change { $0.append("lost") } else { $0.append("restored") } }
    }
    try await Self.with(options) { server, mirror in
      let store = PostgresWalkStore(mirror.database)
      try await Self.disturb(server, how)
      var walk = try await WalkedList(store, .topAnime)
      try await Self.disturb(server, how)
      try await walk.commit(1, [Media(1)])
      try await Self.disturb(server, how)
      try await store.renew(walk.open, stream: .topAnime)
      try await Self.disturb(server, how)
      try await Self.expectWholeList(mirror, try await walk.finish(), pages: 1)
    }
    let seen = changes.withLock(\.self)
    #expect(seen.count == 8 && seen.starts(with: ["lost", "restored"]), "\(seen)")
  }

  @Test("in the middle of a page's transaction", arguments: Disturbance.allCases)
  func insideTransaction(_ how: Disturbance) async throws {
    try await Self.with { server, mirror in
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
      try await walk.commit(1, [Media(1)])
      let blocker = try await PostgresConnection.connect(mirror.test.settings)
      let held = DispatchSemaphore(value: 0)
      let (locked, hasLocked) = AsyncStream<Void>.makeStream()
      async let blocking: Void = blocker.withConnection { connection in
        defer { hasLocked.finish() }
        try connection.script("BEGIN; LOCK TABLE sync.walk_page")
        hasLocked.finish()
        held.wait()
      }
      // `defer` comes after `async let`, so that the signal is sent before the scope awaits the task.
      defer { held.signal() }
      for await _ in locked {}
      let committing = Task { [walk] in
        var walk = walk
        try await walk.commit(2, [Media(2)])
        return walk
      }
      try await waitUntil("the page to wait for the lock") {
        try await server.sql(
          "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'syncctl %' AND wait_event_type = 'Lock'",
          database: "postgres"
        ).hasPrefix("1")
      }
      try await Self.disturb(server, how)
      held.signal()
      _ = try? await blocking
      walk = try await committing.value
      try await Self.expectWholeList(mirror, try await walk.finish(), pages: 2)
    }
  }

  @Test("several tasks share one new connection")
  func sharedConnection() async throws {
    try await Self.with { server, mirror in
      let store = PostgresWalkStore(mirror.database)
      let open = try await store.open(.topAnime, fresh: false)
      try await server.sql("ALTER SYSTEM SET log_connections = on; SELECT pg_reload_conf()", database: "postgres")
      func connections() throws -> Int {
        let log = try String(contentsOfFile: server.serverLog, encoding: .utf8)
        return log.split(separator: "\n").count { $0.contains("authorized") && $0.hasSuffix("application_name=test") }
      }
      for round in 1...3 {
        try await Self.endSessions(server)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...8 {
            group.addTask { try await store.renew(open, stream: .topAnime) }
            group.addTask { _ = try await mirror.alone.value("SELECT 1") }
          }
          try await group.waitForAll()
        }
        let sessions = try await server.sql(
          "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'test'", database: "postgres")
        #expect(sessions.hasPrefix("1"), "\(sessions)")
        #expect(try connections() == round)
      }
    }
  }

  @Test("a server that does not return is given up after the deadline")
  func deadline() async throws {
    try await Self.with(.init(reconnectDeadline: .seconds(1))) { server, mirror in
      try await server.stop()
      let start = ContinuousClock.now
      let error = await syncError { try await mirror.alone.execute("SELECT 1") }
      #expect(error?.code == .database && error?.disposition == .stopRun && error?.code.exitStatus == 74)
      #expect(ContinuousClock.now - start >= .seconds(1))
      try await server.start()
      #expect(try await mirror.alone.value("SELECT 1") == "1")
    }
  }

  @Test("a cancelled task does not wait for the server")
  func cancellation() async throws {
    let lost = Gate()
    let options = Database.Options(reconnectDeadline: .seconds(3600)) { _ in lost.open() }
    try await Self.with(options) { server, mirror in
      try await server.stop()
      let task = Task { try await mirror.alone.value("SELECT 1") }
      await lost.pass()
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
  }

  /// After a failover, the reachable server can be read-only for a while.
  @Test("a read-only server is waited for until one accepts writes")
  func readOnly() async throws {
    let lost = Gate()
    let options = Database.Options { change in if case .lost = change { lost.open() } }
    try await Self.with(options) { server, mirror in
      let name = mirror.test.name
      try await server.sql("ALTER DATABASE \(name) SET default_transaction_read_only = on", database: "postgres")
      try await Self.endSessions(server)
      async let written: Void = mirror.alone.execute("INSERT INTO sync.rate_budget (origin) VALUES ('http://written')")
      await lost.pass()
      try await server.sql("ALTER DATABASE \(name) RESET default_transaction_read_only", database: "postgres")
      try await written
      #expect(try await mirror.alone.value("SELECT count(*) FROM sync.rate_budget") == "1")
    }
  }

  @Test("a connection that stops answering is replaced, whatever it was used for", arguments: ["read", "write", "one"])
  func silence(_ kind: String) async throws {
    let changes = Mutex<[String]>([])
    let options = Database.Options(statementTimeout: .seconds(1)) { change in
      guard case .lost(let error) = change else { return }
      changes.withLock { $0.append(error.message) }
    }
    try await StoredMirror.behindProxy(options: options) { proxy, mirror, _ in
      let body = { @Sendable (connection: borrowing PGConnection) in
        try connection.query("SELECT 1 AS silent").int(row: 0, column: 0)
      }
      proxy.arm(.stall, at: "AS silent")
      let start = ContinuousClock.now
      let answer =
        switch kind {
        case "read": try await mirror.database.read(body)
        case "write": try await mirror.database.write(body)
        default: try await mirror.database.statement(body)
        }
      #expect(answer == 1 && proxy.cutCount == 1)
      #expect(ContinuousClock.now - start >= .seconds(1) + Limits.answerMargin)
    }
    let told = changes.withLock(\.self)
    #expect(told.count == 1 && told.first?.hasSuffix("no answer within 6 s") == true, "\(told)")
  }

  @Test(
    "silence in the middle of a large message, at COMMIT, and on every new connection",
    arguments: ["message", "commit", "connections"])
  func silenceAtOtherPlaces(_ place: String) async throws {
    // Sending the large message can take more than one second without a stall, so its timeout is longer.
    let options = Database.Options(
      reconnectDeadline: .seconds(place == "connections" ? 1 : 5),
      statementTimeout: .seconds(place == "message" ? 3 : 1))
    try await StoredMirror.behindProxy(options: options) { proxy, mirror, direct in
      switch place {
      case "message":
        // The text is larger than the sockets' buffers, so sending blocks while the server reads nothing.
        let large = String(repeating: "x", count: 24 << 20)
        proxy.arm(.stall, at: "length(")
        let length = try await mirror.database.read { connection in
          try connection.query("SELECT length($1)", [.text(large)]).int(row: 0, column: 0)
        }
        #expect(length == Int64(large.count) && proxy.cutCount == 1)
      case "commit":
        for sql in ["CREATE TABLE public.t (n int)", "GRANT ALL ON public.t TO PUBLIC"] {
          try await direct.execute(sql)
        }
        proxy.arm(.stall, at: "COMMIT")
        try await mirror.database.write { connection in _ = try connection.query("INSERT INTO public.t VALUES (1)") }
        let rows = try await mirror.database.rows("SELECT n FROM public.t").rows
        #expect(rows == [["1"]] && proxy.cutCount == 1)
      default:
        proxy.arm(.stall, at: "AS silent", everyTime: true)
        await expectError(.database, "no answer within 6 s") {
          _ = try await mirror.database.rows("SELECT 1 AS silent")
        }
        #expect(proxy.cutCount == 2)
      }
    }
  }

  @Test(
    "a statement within the server's time limit is waited for, even if the server is silent meanwhile", .emptyMirror)
  func slowStatement() async throws {
    let bounds = TransactionBounds(statement: .seconds(2))
    let start = ContinuousClock.now
    let error = await syncError {
      try await mirror.database.write(bounds: bounds) { _ = try $0.query("SELECT pg_sleep(60)") }
    }
    #expect(error?.message.contains("statement timeout") == true, "\(error as Any)")
    #expect(error?.isCancelledStatement == true)
    #expect(ContinuousClock.now - start < .seconds(2) + Limits.answerMargin)
  }

  @Test("a server without free connections is waited for, even at first, and then reported as full")
  func full() async throws {
    let server = try await ThrowawayPostgres.shared()
    let test = try await server.makeDatabase()
    try await server.sql("CREATE ROLE \(test.name)_one LOGIN CONNECTION LIMIT 1", database: "postgres")
    var settings = test.settings
    settings["user"] = "\(test.name)_one"
    settings["host"] = nil
    for (keyword, value) in test.tcpKeywords where keyword != "user" { settings[keyword] = value }
    settings["user"] = "\(test.name)_one"
    settings["password"] = "S3cr3t"
    try await server.sql("ALTER ROLE \(test.name)_one PASSWORD 'S3cr3t'", database: "postgres")
    let first = try await PostgresConnection.connect(settings)
    await expectError(.tryLater) {
      _ = try await Database.connect(
        settings, applicationName: "second", options: .init(reconnectDeadline: .milliseconds(200)))
    }
    let waits = Gate()
    let options = Database.Options { change in if case .lost = change { waits.open() } }
    async let second = Database.connect(settings, applicationName: "second", options: options)
    await waits.pass()
    await first.close()
    #expect(try await second.rows("SELECT 1").rows == [["1"]])
  }

  @Test("a server that shuts down and starts again is waited for, even at first")
  func startingUp() async throws {
    let server = try await ThrowawayPostgres.start()
    let test = try await server.makeDatabase()
    let last = try await PostgresConnection.connect(test.settings)
    // A smart shutdown refuses new sessions and waits for the last session to end.
    kill(try #require(await server.serverProcess), SIGTERM)
    try await waitUntil("the server to refuse sessions") {
      do {
        try await PostgresConnection.connect(test.settings).close()
        return false
      } catch let error as PostgresError { return error.sqlState == .cannotConnectNow }
    }
    let waits = Gate()
    let options = Database.Options { change in if case .lost = change { waits.open() } }
    async let database = Database.connect(test.productSettings, applicationName: "first", options: options)
    await waits.pass()
    await last.close()
    try await waitUntil("the server to end") { await server.serverProcess == nil }
    try await server.start()
    #expect(try await database.rows("SELECT 1").rows == [["1"]])
    try await server.stop(.immediate)
  }

  @Test("of two deadlocked transactions, one is retried", .mirror)
  func deadlock() async throws {
    try await mirror.execute("CREATE TABLE public.pair (id int PRIMARY KEY, n int NOT NULL)")
    try await mirror.execute("INSERT INTO public.pair VALUES (1, 0), (2, 0)")
    try await mirror.execute("GRANT SELECT, UPDATE ON public.pair TO PUBLIC")
    let bodies = Atomic(0)
    let met = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let write = { @Sendable (database: Database, me: Int) in
      try await database.write { connection in
        bodies.add(1, ordering: .sequentiallyConsistent)
        let update: SQL = "UPDATE public.pair SET n = n + 1 WHERE id = $1"
        _ = try connection.query(update, [.int(Int64(me + 1))])
        // The last signal lets a retried transaction pass without waiting.
        met[me].signal()
        met[1 - me].wait()
        met[1 - me].signal()
        _ = try connection.query(update, [.int(Int64(2 - me))])
      }
    }
    try await mirror.other { other in
      async let second: Void = write(other, 1)
      try await write(mirror.database, 0)
      try await second
    }
    #expect(try await mirror.rows("SELECT n FROM public.pair") == [["2"], ["2"]])
    #expect(bodies.load(ordering: .sequentiallyConsistent) == 3)
  }

  @Test("an error of a lost machine of a Citus cluster is told from other errors", .mirror)
  func lostMachine() async throws {
    let states = [
      "08001": true, "08006": true, "57P01": true, "57P02": true, "57P03": true, "XX000": false, "57014": false,
      "53100": false, "42P01": false, "P0001": false,
    ]
    try await mirror.execute(
      """
      CREATE FUNCTION public."while executing command on 127.0.0.1:5432"() RETURNS void LANGUAGE plpgsql AS
      'BEGIN RAISE ''EOF detected'' USING ERRCODE = ''XX000''; END'
      """)
    let statements =
      states.map { state, isAway in ("DO $$ BEGIN RAISE 'x' USING ERRCODE = '\(state)'; END $$", isAway) }
      + [(#"SELECT public."while executing command on 127.0.0.1:5432"()"#, true)]
      + [
        ("58030", "failed to COPY to shard 102027 on node:5432", true), ("58030", "could not read the file", false),
        ("XX000", "failed to prepare transaction ''1'' on host node:5432", true),
        ("22023", "cannot connect to node:5432", false),
      ].map { state, message, isAway in ("DO $$ BEGIN RAISE '\(message)' USING ERRCODE = '\(state)'; END $$", isAway) }
    for (statement, isAway) in statements {
      let found = try await mirror.owner.write { connection in
        do {
          _ = try connection.savepoint { connection in try connection.query(SQL(trusted: statement)) }
          return false
        } catch let error as PostgresError { return error.isNodeAway }
      }
      #expect(found == isAway, "\(statement)")
    }
  }

  @Test(
    "a run repeats a transaction that a lost machine of a Citus cluster ended, a command reports the machine at once",
    .mirror, arguments: [false, true])
  func lostMachineReturns(_ rollbackFails: Bool) async throws {
    for waits in [true, false] {
      var options = Database.Options()
      options.waitsForMachines = waits
      let sessions = Mutex<[String]>([])
      let error = await syncError {
        try await Database.with(mirror.test.settings, applicationName: "citus", options: options) { database in
          try await database.write { connection in
            let session = try connection.query("SELECT pg_backend_pid()::text").text(row: 0, column: 0) ?? ""
            guard
              sessions.withLock({
                $0.append(session); return $0.count
              }) == 1
            else { return }
            try connection.savepoint { connection in
              // Citus cannot roll back to a savepoint on a lost machine. Here the savepoint does not exist.
              if rollbackFails { _ = try connection.query("RELEASE SAVEPOINT libpq") }
              _ = try connection.query("DO $$ BEGIN RAISE 'x' USING ERRCODE = '08006'; END $$")
            }
          }
        }
      }
      let pids = sessions.withLock { $0 }
      #expect(pids.count == (waits ? 2 : 1) && Set(pids).count == 1)
      #expect((error == nil) == waits)
      if let error { #expect(error.code == .database && error.hint?.contains("syncctl doctor names") == true) }
    }
  }
}
