import LibPQ
import Testing

extension LibPQTests {
  @Suite struct CancellationTests {
    private let isRunning: SQL = """
      SELECT EXISTS (SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(60)%'
        AND pid <> pg_backend_pid())
      """

    @Test func aRunningStatementStopsAndTheConnectionStaysUsable() async throws {
      let (database, connection) = try await connectToNewDatabase()
      let watcher = try await PostgresConnection.connect(database.settings)
      try await connection.withConnection { try $0.script("CREATE TABLE t (id int)") }
      let task = Task {
        try await connection.withTransaction { connection in
          try connection.query("INSERT INTO t VALUES (1)")
          try connection.query("SELECT pg_sleep(60)")
        }
      }
      try await waitUntil(watcher, isRunning)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await connection.isUsable)
      let rows = try await connection.withConnection {
        try $0.query("SELECT count(*) FROM t").int(row: 0, column: 0)
      }
      #expect(rows == 0)
    }

    @Test func aQueuedCallLeavesTheRunningOneAlone() async throws {
      let (database, connection) = try await connectToNewDatabase()
      let watcher = try await PostgresConnection.connect(database.settings)
      // The running call hangs on a lock until the watcher lets go of it.
      let isWaiting: SQL = "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)"
      try await watcher.withConnection { try $0.script("SELECT pg_advisory_lock(1)") }
      let blocked = Task {
        try await connection.withConnection {
          try $0.query("SELECT pg_advisory_xact_lock(1), 7").int(row: 0, column: 1)
        }
      }
      try await waitUntil(watcher, isWaiting)
      let queued = (0..<10).map { _ in
        Task { try await connection.withConnection { _ in Issue.record("a cancelled call ran") } }
      }
      for task in queued { task.cancel() }
      try await watcher.withConnection { try $0.script("SELECT pg_advisory_unlock(1)") }
      #expect(try await blocked.value == 7)
      for task in queued { await #expect(throws: CancellationError.self) { try await task.value } }
      #expect(await connection.isUsable)
    }

    /// A cancelled body that goes on regardless sends nothing more.
    @Test func aBodyThatSwallowsItsCancellationIsRolledBack() async throws {
      let (database, connection) = try await connectToNewDatabase()
      let watcher = try await PostgresConnection.connect(database.settings)
      try await connection.withConnection { try $0.script("CREATE TABLE t (id int)") }
      let task = Task {
        try await connection.withTransaction { connection in
          try connection.savepoint { connection in
            try connection.query("INSERT INTO t VALUES (1)")
            _ = try? connection.query("SELECT pg_sleep(60)").rowCount
            let refused = #expect(throws: PostgresError.self) { try connection.script("INSERT INTO t VALUES (2)") }
            #expect(refused?.code == .cancelled)
          }
        }
      }
      try await waitUntil(watcher, isRunning)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await connection.isUsable)
      let isEmpty = try await connection.withConnection {
        try $0.query("SELECT NOT EXISTS (SELECT FROM t)").bool(row: 0, column: 0)
      }
      #expect(isEmpty == true)
    }

    /// Cancelled calls at random moments between calls that must all succeed.
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

    /// Neither the statement nor the cancel request is ever answered.
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

      // The farewell of the first run is the statement of the second.
      let proxy = try FaultProxy(serverPort: serverPort, cut: .stall, cutAt: whole.messageCount)
      settings["port"] = String(proxy.port)
      let connection = try await PostgresConnection.connect(settings)
      let task = Task { try await connection.withConnection { try $0.script("SELECT 1") } }
      await proxy.waitUntilCut()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await !connection.isUsable)
    }

    /// As many statements as would fill the cooperative pool many times over, all waiting for one event.
    @Test func blockedConnectionsDoNotBlockThePool() async throws {
      let database = try await ThrowawayPostgres.shared().makeDatabase()
      let holder = try await PostgresConnection.connect(database.settings)
      try await holder.withConnection { try $0.script("SELECT pg_advisory_lock(2)") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          let connection = try await PostgresConnection.connect(database.settings)
          group.addTask {
            try await connection.withConnection {
              try $0.script("SELECT pg_advisory_xact_lock_shared(2), pg_sleep(0.1)")
            }
          }
        }
        // With a starved pool this would never come to an end: all 16 wait for what follows it.
        try await waitUntil(
          holder, "SELECT count(*) = 16 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        try await holder.withConnection { try $0.script("SELECT pg_advisory_unlock(2)") }
        try await group.waitForAll()
      }
    }
  }
}
