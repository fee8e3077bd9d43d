import SyncPostgres
import SyncTestKit
import Testing

/// The server that other tests use.
@Suite struct ThrowawayPostgresTests {
  @Test func databasesAreSeparateAndHaveTheirEncoding() async throws {
    let server = try await ThrowawayPostgres.shared()
    let first = try await server.makeDatabase()
    let second = try await server.makeDatabase(encoding: "LATIN1")
    #expect(first.name != second.name && first.port == second.port)
    #expect(try await server.sql("SHOW server_encoding", database: first.name) == "UTF8\n")
    #expect(try await server.sql("SHOW server_encoding", database: second.name) == "LATIN1\n")
    #expect(try await server.sql("SHOW fsync", database: first.name) == "off\n")
    try await server.drop(second)
    await #expect(throws: EmbeddedClusterError.self) { try await server.sql("SELECT 1", database: second.name) }
  }

  @Test func networkNeedsThePassword() async throws {
    let server = try await ThrowawayPostgres.shared()
    let database = try await server.makeDatabase()
    // The role of the code under test connects through the socket too.
    let rules =
      "SELECT DISTINCT type, address, auth_method FROM pg_hba_file_rules "
      + "WHERE user_name <> ARRAY['\(ProductRole.login ?? "")'] ORDER BY type DESC"
    #expect(
      try await server.sql(rules, database: database.name) == "local||peer\nhost|127.0.0.1|scram-sha-256\n")
    #expect(try await server.sql("SHOW port", database: database.name) == "\(database.tcpPort)\n")
  }

  @Test func ownServerStopsDiesAndComesBack() async throws {
    let server = try await ThrowawayPostgres.start()
    let database = try await server.makeDatabase()
    try await server.stop()
    #expect(await server.serverProcess == nil)
    try await server.start()
    try await server.sql("CREATE TABLE t ()", database: database.name)
    try await server.kill()
    try await server.start()
    #expect(try await server.sql("SELECT count(*) FROM t", database: database.name) == "0\n")
    try await server.stop(.immediate)
  }
}
