import LibPQ
import PostgresTestKit
import SyncTestKit
import Testing

@Suite struct LibPQTests {}

/// Only sessions of this database count, because tests in other databases use the same server.
let someoneWaits: SQL = """
  locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  """

@discardableResult
func postgresError<R>(
  _ code: PostgresError.Code? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> R
) async throws -> PostgresError {
  do {
    _ = try await body()
  } catch let error as PostgresError {
    #expect(!error.message.isEmpty && code.map { $0 == error.code } ?? true, sourceLocation: sourceLocation)
    return error
  }
  Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  throw CancellationError()
}

func connectToNewDatabase() async throws -> (TestDatabase, PostgresConnection) {
  let database = try await ThrowawayPostgres.shared().makeDatabase()
  return (database, try await PostgresConnection.connect(database.settings))
}

/// Returns the number of rows of the table `t`.
func rowCount(_ connection: PostgresConnection) async throws -> Int64? {
  try await connection.withConnection { try $0.query("SELECT count(*) FROM t").int(row: 0, column: 0) }
}

func waitUntil(_ connection: PostgresConnection, _ condition: SQL, _ parameters: [PGParameter] = []) async throws {
  try await waitUntil("\(condition)") {
    try await connection.withConnection { try $0.query(condition, parameters).bool(row: 0, column: 0) ?? false }
  }
}
