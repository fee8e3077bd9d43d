import Dispatch
import LibPQ
import PostgresTestKit
import SyncTestKit
import Testing

extension LibPQTests {
  @Suite struct LostConnectionTests {
    private func kill(_ pid: Int32, from watcher: PostgresConnection) async throws {
      try await watcher.withConnection {
        _ = try $0.query("SELECT pg_terminate_backend($1::int, 10000)", [.int(Int64(pid))])
      }
    }

    @Test func anIdleConnectionThatWasKilled() async throws {
      let (database, connection) = try await connectToNewDatabase()
      let watcher = try await PostgresConnection.connect(database.settings)
      try await kill(connection.withConnection { $0.backendPID }, from: watcher)
      let first = try await postgresError { try await connection.withConnection { _ = try $0.query("SELECT 1") } }
      #expect(first.code == .connection && first.isConnectionLost)
      #expect(await !connection.isUsable)
      let second = try await postgresError { try await connection.withConnection { _ = try $0.query("SELECT 1") } }
      #expect(second.code == .closed && second.isConnectionLost && second.isSafeToRetry)
    }

    enum Statement: CaseIterable { case query, script, begin }

    /// libpq gets only a warning from the server before sending fails, so the error has no SQLSTATE.
    @Test func aCrashOfTheServerOnAUnixSocket() async throws {
      let server = try await ThrowawayPostgres.start()
      for statement in Statement.allCases {
        let connection = try await PostgresConnection.connect(server.makeDatabase().settings)
        try await server.crash()
        try await server.start()
        let error = try await postgresError {
          switch statement {
          case .query: try await connection.withConnection { _ = try $0.query("SELECT 1") }
          case .script: try await connection.withConnection { try $0.script("SELECT 1") }
          case .begin: try await connection.withTransaction { _ = try $0.query("SELECT 1") }
          }
        }
        #expect(error.code == .connection && error.isConnectionLost, "\(statement): \(error)")
        #expect(await !connection.isUsable, "\(statement)")
        let next = try await postgresError { try await connection.withConnection { _ = try $0.query("SELECT 1") } }
        #expect(next.code == .closed && next.isConnectionLost, "\(statement): \(next)")
      }
      try await server.crash()
    }

    @Test(arguments: [true, false])
    func aCrashOfTheServerInATransaction(beforeCommit: Bool) async throws {
      let server = try await ThrowawayPostgres.start()
      let connection = try await PostgresConnection.connect(server.makeDatabase().settings)
      let (reached, crashed) = (Gate(), DispatchSemaphore(value: 0))
      let task = Task {
        try await connection.withTransaction { connection in
          try connection.script("CREATE TABLE t (id int)")
          reached.open()
          crashed.wait()
          if !beforeCommit { try connection.script("INSERT INTO t VALUES (1)") }
        }
      }
      await reached.pass()
      try await server.crash()
      crashed.signal()
      let error = try await postgresError { try await task.value }
      #expect(error.code == (beforeCommit ? .commitOutcomeUnknown : .connection), "\(error)")
      #expect(error.isConnectionLost && error.isSafeToRetry == !beforeCommit)
      #expect(await !connection.isUsable)
    }

    /// libpq has a message for the first error only. The later errors must have a message too.
    @Test func theSecondUseAfterAKillHasAMessageToo() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await connection.withConnection { connection in
        for _ in 0..<3 {
          let error = #expect(throws: PostgresError.self) {
            try connection.script("SELECT pg_terminate_backend(pg_backend_pid())")
          }
          #expect(error?.isConnectionLost == true && error?.message.isEmpty == false && error?.isSafeToRetry == false)
        }
      }
      #expect(await !connection.isUsable)
    }

    @Test func aKillDuringAStatementUndoesTheTransaction() async throws {
      let (database, connection) = try await connectToNewDatabase()
      let watcher = try await PostgresConnection.connect(database.settings)
      let pid = try await connection.withConnection { $0.backendPID }
      let task = Task { try await connection.withTransaction { _ = try $0.query("SELECT pg_sleep(60)") } }
      try await waitUntil(
        watcher, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep')",
        [.int(Int64(pid))])
      try await kill(pid, from: watcher)
      let error = try await postgresError { try await task.value }
      #expect(error.code == .connection && error.sqlState == SQLState("57P01") && error.isSafeToRetry)
      #expect(await !connection.isUsable)
    }

    @Test(arguments: [FaultProxy.Cut.beforeMessage, .afterMessage, .insideMessage])
    func everyMessageMayBeTheLast(cut: FaultProxy.Cut) async throws {
      let database = try await ThrowawayPostgres.shared().makeDatabase()
      let admin = try await PostgresConnection.connect(database.settings)
      // Roles belong to the whole server, so the role's name contains the name of the database.
      let role = "cut_\(database.name)"
      try await admin.withConnection {
        try $0.script(SQL(trusted: "CREATE TABLE t (id int); CREATE ROLE \(role) SUPERUSER LOGIN PASSWORD 'S3cr3t'"))
      }
      let direct = database.tcpSettings(user: role, password: "S3cr3t")
      let serverPort = try #require(direct["port"].flatMap { UInt16($0) })

      let whole = try FaultProxy(serverPort: serverPort, cut: cut, cutAt: 0)
      try await sequence(direct, through: whole).get()
      // The last message, Terminate, is not cut, because its loss has no effect.
      await whole.waitUntilClosed()
      let count = whole.messageCount
      try #require(count > 15)

      for number in 1..<count {
        try await admin.withConnection { try $0.script("TRUNCATE t") }
        let proxy = try FaultProxy(serverPort: serverPort, cut: cut, cutAt: number)
        let outcome = try await sequence(direct, through: proxy)
        guard case .failure(let error) = outcome else {
          Issue.record("cut at \(number) of \(count) went unnoticed")
          continue
        }
        #expect(!error.message.isEmpty && error.isConnectionLost && !"\(error)".contains("S3cr3t"), "cut at \(number)")
        let isKnown: Set<PostgresError.Code> = [.connection, .commitOutcomeUnknown, .transaction]
        #expect(isKnown.contains(error.code), "cut at \(number): \(error)")
        try await waitUntil(
          admin, "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = $1::name)", [.text(role)])
        let rows = try await rowCount(admin)
        if error.isSafeToRetry { #expect(rows == 0, "cut at \(number): \(error)") }
        if error.code == .commitOutcomeUnknown { #expect(rows == (cut == .afterMessage ? 2 : 0), "cut at \(number)") }
      }
      tellTorture("\(count - 1) connections, each cut at another message (\(cut))")
    }

    private func sequence(
      _ direct: ConnectionSettings, through proxy: FaultProxy
    ) async throws -> Result<Void, PostgresError> {
      var settings = direct
      settings["port"] = String(proxy.port)
      let connection: PostgresConnection
      do { connection = try await PostgresConnection.connect(settings) } catch let error as PostgresError {
        return .failure(error)
      }
      do {
        _ = try await connection.withConnection { try $0.query("SELECT $1", [.text("x")]).rowCount }
        try await connection.withTransaction(.init(localSettings: [.init(name: "lock_timeout", value: "5s")])) {
          try $0.query("INSERT INTO t VALUES ($1)", [.int(1)])
          try $0.savepoint { try $0.script("INSERT INTO t VALUES (2)") }
        }
      } catch let error as PostgresError {
        #expect(await !connection.isUsable)
        return .failure(error)
      }
      await connection.close()
      return .success(())
    }
  }
}
