import Glibc
import PostgresTestKit
import SyncTestKit
import Testing

@testable import LibPQ

extension LibPQTests {
  @Suite struct CancellationTests {
    private let isRunning: SQL = """
      SELECT EXISTS (SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(60)%'
        AND datname = current_database() AND pid <> pg_backend_pid())
      """

    @Test func aQueuedCallLeavesTheRunningOneAlone() async throws {
      let (database, connection) = try await connectToNewDatabase()
      let watcher = try await PostgresConnection.connect(database.settings)
      try await watcher.withConnection { try $0.script("SELECT pg_advisory_lock(1)") }
      let blocked = Task {
        try await connection.withConnection {
          try $0.query("SELECT pg_advisory_xact_lock(1), 7").int(row: 0, column: 1)
        }
      }
      try await waitUntil(watcher, "SELECT EXISTS (SELECT FROM pg_locks WHERE " + someoneWaits + ")")
      let queued = (0..<10).map { _ in
        Task { try await connection.withConnection { _ in Issue.record("a cancelled call ran") } }
      }
      for task in queued { task.cancel() }
      try await watcher.withConnection { try $0.script("SELECT pg_advisory_unlock(1)") }
      #expect(try await blocked.value == 7)
      for task in queued { await #expect(throws: CancellationError.self) { try await task.value } }
      #expect(await connection.isUsable)
    }

    @Test(arguments: [(true, true), (true, false), (false, false)])
    func aBodyThatSwallowsItsCancellationIsRolledBack(swallows: Bool, inSavepoint: Bool) async throws {
      let (database, connection) = try await connectToNewDatabase()
      let watcher = try await PostgresConnection.connect(database.settings)
      try await connection.withConnection { try $0.script("CREATE TABLE t (id int)") }
      @Sendable func body(_ connection: borrowing PGConnection) throws {
        try connection.query("INSERT INTO t VALUES (1)")
        guard swallows else { return try connection.script("SELECT pg_sleep(60)") }
        try? connection.savepoint { try $0.script("SELECT pg_sleep(60)") }
        let refused = #expect(throws: PostgresError.self) { try connection.script("INSERT INTO t VALUES (2)") }
        #expect(refused?.code == .cancelled)
      }
      let task = Task {
        try await connection.withTransaction { connection in
          if inSavepoint { try connection.savepoint { try body($0) } } else { try body(connection) }
        }
      }
      try await waitUntil(watcher, isRunning)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await connection.isUsable)
      #expect(try await rowCount(connection) == 0)
    }

    /// The test calls the monitor directly, because a cancellation rarely arrives at the end of a call.
    @Test func aCancellationCountsForItsOwnCallOnly() {
      let monitor = CallMonitor()
      let (first, second) = (monitor.nextCall(), monitor.nextCall())
      monitor.begin(first, socket: -1, answerLimit: nil)
      monitor.cancel(second)
      #expect(!monitor.isCancelled && monitor.statementBegins())
      monitor.statementEnds()
      monitor.end()
      monitor.begin(second, socket: -1, answerLimit: nil)
      monitor.cancel(first)
      #expect(!monitor.isCancelled)
      monitor.cancel(second)
      #expect(monitor.isCancelled && !monitor.statementBegins())
      monitor.end()
    }

    /// A late cancel request could stop the next statement, so the connection must be closed.
    @Test func aCancelRequestLeftOnItsWayEndsTheConnection() async throws {
      let (database, watcher) = try await connectToNewDatabase()
      try await watcher.withConnection {
        try $0.script("DROP ROLE IF EXISTS late; CREATE ROLE late LOGIN PASSWORD 'S3cr3t'; SELECT pg_advisory_lock(3)")
      }
      var settings = database.tcpSettings(user: "late", password: "S3cr3t")
      // The proxy forwards only the first connection. The cancel request uses a second connection, so the proxy never
      // forwards the request.
      let proxy = try FaultProxy(
        serverPort: try #require(settings["port"].flatMap { UInt16($0) }), cut: .stall, cutAt: 0)
      settings["port"] = String(proxy.port)
      let connection = try await PostgresConnection.connect(settings)
      let task = Task { try await connection.withConnection { try $0.script("SELECT pg_advisory_xact_lock(3)") } }
      try await waitUntil(watcher, "SELECT EXISTS (SELECT FROM pg_locks WHERE " + someoneWaits + ")")
      task.cancel()
      await proxy.waitForSecondClient()
      try await watcher.withConnection { try $0.script("SELECT pg_advisory_unlock(3)") }
      try await task.value
      #expect(await !connection.isUsable)
    }

    @Test func aCancellationBetweenStatementsIsRolledBack() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await connection.withConnection { try $0.script("CREATE TABLE t (id int)") }
      let inserted = Gate()
      let task = Task {
        try await connection.withTransaction { connection in
          try connection.query("INSERT INTO t VALUES (1)")
          inserted.open()
          while !Task.isCancelled { sched_yield() }
        }
      }
      await inserted.pass()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await rowCount(connection) == 0)
    }

    @Test func aCancellationNeverHitsAnotherCall() async throws {
      let (_, connection) = try await connectToNewDatabase()
      var (cancelled, finished) = (0, 0)
      for round in 0..<600 {
        let victim = Task {
          try await connection.withTransaction { connection in
            for _ in 0..<(round % 4) { try connection.query("SELECT 1") }
            try connection.query("SELECT pg_sleep(0.002)")
          }
        }
        let bystanders = (0..<3).map { number in
          Task {
            try await connection.withConnection {
              try $0.query("SELECT $1 FROM pg_sleep(0.0005)", [.int(Int64(number))]).int(row: 0, column: 0)
            }
          }
        }
        for _ in 0..<(round * 7 % 60) { await Task.yield() }
        victim.cancel()
        for (number, task) in bystanders.enumerated() { #expect(try await task.value == Int64(number)) }
        do {
          try await victim.value
          finished += 1
        } catch is CancellationError { cancelled += 1 }
      }
      #expect(cancelled > 50, "too few of \(cancelled + finished) rounds met the statement")
      #expect(await connection.isUsable)
    }

    @Test func aCancelledCallEndsThoughTheNetworkStandsStill() async throws {
      let (database, watcher) = try await connectToNewDatabase()
      try await watcher.withConnection {
        try $0.script("DROP ROLE IF EXISTS still; CREATE ROLE still LOGIN PASSWORD 'S3cr3t'")
      }
      var settings = database.tcpSettings(user: "still", password: "S3cr3t")
      let serverPort = try #require(settings["port"].flatMap { UInt16($0) })
      let whole = try FaultProxy(serverPort: serverPort, cut: .stall, cutAt: 0)
      settings["port"] = String(whole.port)
      await (try PostgresConnection.connect(settings)).close()
      await whole.waitUntilClosed()

      // `whole` counted the messages of the login, and Terminate. The statement replaces Terminate as the first message
      // after the login.
      let proxy = try FaultProxy(serverPort: serverPort, cut: .stall, cutAt: whole.messageCount)
      settings["port"] = String(proxy.port)
      let connection = try await PostgresConnection.connect(settings)
      let task = Task { try await connection.withConnection { try $0.script("SELECT 1") } }
      await proxy.waitUntilCut()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await !connection.isUsable)
    }
  }
}
