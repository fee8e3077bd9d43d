import LibPQ
import SyncTestKit
import Testing

extension LibPQTests {
  @Suite struct TransactionTests {
    private struct Refusal: Error {}

    private func connect() async throws -> PostgresConnection {
      let (_, connection) = try await connectToNewDatabase()
      try await connection.withConnection { try $0.script("CREATE TABLE t (id int PRIMARY KEY)") }
      return connection
    }

    @Test func commitsWhatSucceedsAndUndoesWhatThrows() async throws {
      let connection = try await connect()
      let affected = try await connection.withTransaction { try $0.query("INSERT INTO t VALUES (1), (2)").affectedRows }
      #expect(affected == 2)
      await #expect(throws: Refusal.self) {
        try await connection.withTransaction { connection in
          try connection.query("INSERT INTO t VALUES (3)")
          throw Refusal()
        }
      }
      #expect(try await rowCount(connection) == 2)
      #expect(await connection.isUsable)
    }

    @Test func commitAnsweredWithRollbackIsAnError() async throws {
      let connection = try await connect()
      let error = try await postgresError {
        try await connection.withTransaction { connection in
          try connection.query("INSERT INTO t VALUES (1)")
          _ = try? connection.query("SELECT 1 / 0").rowCount
        }
      }
      #expect(error.code == .commitRolledBack && error.isSafeToRetry)
      #expect(try await rowCount(connection) == 0)
    }

    @Test func errorsAtCommitAreTheServers() async throws {
      let connection = try await connect()
      try await connection.withConnection {
        try $0.script("CREATE TABLE u (id int REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
      }
      let error = try await postgresError {
        try await connection.withTransaction { try $0.script("INSERT INTO u VALUES (9)") }
      }
      #expect(error.code == .server && error.sqlState == SQLState("23503") && error.isSafeToRetry)
      #expect(await connection.isUsable)
    }

    @Test func optionsHoldForOneTransaction() async throws {
      let connection = try await connect()
      let options = TransactionOptions(
        isReadOnly: true, isolation: .repeatableRead,
        localSettings: [
          .init(name: "statement_timeout", value: "61s"), .init(name: "search_path", value: "public, pg_temp"),
          .init(name: "application_name", value: "o'b\\rien"),
        ])
      let query: SQL = """
        SELECT current_setting('statement_timeout'), current_setting('transaction_isolation'),
          current_setting('transaction_read_only'), current_setting('search_path'), current_setting('application_name')
        """
      @Sendable func settings(_ connection: borrowing PGConnection) throws -> [String?] {
        let result = try connection.query(query)
        return try (0..<5).map { try result.text(row: 0, column: $0) }
      }
      let inside = try await connection.withTransaction(options) { try settings($0) }
      #expect(inside == ["61s", "repeatable read", "on", "public, pg_temp", "o'b\\rien"])
      let after = try await connection.withTransaction { try settings($0) }
      #expect(after == ["0", "read committed", "off", "\"$user\", public", ""])

      let error = try await postgresError {
        try await connection.withTransaction(.init(localSettings: [.init(name: "no_such", value: "1")])) { _ in }
      }
      #expect(error.sqlState == SQLState("42704"))
      #expect(await connection.isUsable)
    }

    @Test func aBodyCannotNestEndOrLeaveATransaction() async throws {
      let connection = try await connect()
      let ended = try await postgresError {
        try await connection.withTransaction { connection in
          try connection.query("INSERT INTO t VALUES (1)")
          try connection.query("ROLLBACK")
        }
      }
      #expect(ended.code == .usage && !ended.isSafeToRetry)
      try await postgresError(.usage) {
        try await connection.withConnection { connection in
          try connection.query("BEGIN")
          try connection.query("INSERT INTO t VALUES (2)")
        }
      }
      #expect(await connection.isUsable)
      #expect(try await rowCount(connection) == 0)
    }

    @Test func savepointsNest() async throws {
      let connection = try await connect()
      try await connection.withTransaction { connection in
        try connection.savepoint { outer in
          try outer.query("INSERT INTO t VALUES (1)")
          let inner = #expect(throws: PostgresError.self) {
            try outer.savepoint { try $0.query("INSERT INTO t VALUES (2), (2)").affectedRows }
          }
          #expect(inner?.sqlState == .uniqueViolation)
          try outer.savepoint { try $0.script("INSERT INTO t VALUES (3)") }
        }
        #expect(throws: Refusal.self) {
          try connection.savepoint { connection in
            try connection.query("INSERT INTO t VALUES (4)")
            throw Refusal()
          }
        }
      }
      #expect(try await rowCount(connection) == 2)
      try await postgresError(.usage) { try await connection.withConnection { try $0.savepoint { _ in } } }
    }

    @Test func concurrentTransactionsDoNotInterleave() async throws {
      let connection = try await connect()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<20 {
          group.addTask {
            try await connection.withTransaction { connection in
              let id = PGParameter.int(Int64(task))
              let before = try connection.query("SELECT count(*) FROM t").int(row: 0, column: 0)
              try connection.query("INSERT INTO t VALUES ($1)", [id])
              let after = try connection.query("SELECT count(*) FROM t").int(row: 0, column: 0)
              #expect(before.map { $0 + 1 } == after)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await rowCount(connection) == 20)
    }
  }
}
