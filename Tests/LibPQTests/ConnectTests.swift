import Glibc
import LibPQ
import PostgresTestKit
import SyncTestKit
import Testing

extension LibPQTests {
  @Suite struct ConnectTests {
    private let canary = "S3cr3t-kanarie"

    @Test func aPasswordOverTCPWorksAndAWrongOneIsNamedByItsCode() async throws {
      let database = try await ThrowawayPostgres.shared().makeDatabase()
      let admin = try await PostgresConnection.connect(database.settings)
      try await admin.withConnection { try $0.script("CREATE ROLE canary_user LOGIN PASSWORD 'S3cr3t-kanarie'") }
      await admin.close()
      let right = try await PostgresConnection.connect(database.tcpSettings(user: "canary_user", password: canary))
      #expect(await right.isUsable)
      let wrong = "\(canary)-wrong"
      let error = try await postgresError {
        try await PostgresConnection.connect(database.tcpSettings(user: "canary_user", password: wrong))
      }
      #expect(error.code == .connection && error.sqlState == .invalidPassword)
      #expect(error.isSafeToRetry && error.isConnectionLost)
      #expect(!"\(error)".contains(canary) && !error.message.contains("28P01") && !error.message.contains("LOCATION"))
    }

    @Test func refusalsCarryTheirCodes() async throws {
      let database = try await ThrowawayPostgres.shared().makeDatabase()
      for (keyword, value, code, state) in [
        ("dbname", "no such", .connection, .invalidCatalogName),
        ("user", "nobody_here", .connection, .invalidAuthorizationSpecification),
        ("host", "/nowhere", .connection, nil), ("no_such_keyword", canary, .settings, nil),
        ("port", "70000", .connection, nil),
      ] as [(String, String, PostgresError.Code, SQLState?)] {
        var settings = database.settings
        settings[keyword] = value
        let error = try await postgresError(code) { try await PostgresConnection.connect(settings) }
        #expect(error.sqlState == state && !"\(error)".contains(canary), "\(keyword)")
      }
      try await postgresError(.nulInText) { try await PostgresConnection.connect(.init(keywords: ["host": "a\0b"])) }
    }

    @Test func anotherEncodingIsRefused() async throws {
      let database = try await ThrowawayPostgres.shared().makeDatabase(encoding: "LATIN1")
      let error = try await postgresError { try await PostgresConnection.connect(database.settings) }
      #expect(error.code == .serverEncoding && error.message.contains("LATIN1") && error.message.contains("UTF8"))
    }

    /// A proxy changes the version that the server reports when a session begins.
    @Test func anOldServerIsRefused() async throws {
      let database = try await ThrowawayPostgres.shared().makeDatabase()
      let name = Array("server_version".utf8) + [0]
      for (major, isRefused) in [("13", true), ("14", true), ("15", false)] {
        let proxy = try FaultProxy(serverPort: UInt16(database.tcpPort)) { bytes in
          guard let value = bytes.firstRange(of: name)?.upperBound else { return bytes }
          return bytes[..<value] + Array(major.utf8) + bytes[(value + 2)...]
        }
        var settings = database.tcpSettings(user: database.tcpUser, password: database.tcpPassword)
        settings["port"] = "\(proxy.port)"
        guard isRefused else {
          let connection = try await PostgresConnection.connect(settings)
          #expect(await connection.isUsable)
          continue
        }
        let error = try await postgresError(.serverVersion) { try await PostgresConnection.connect(settings) }
        #expect(error.message.contains("PostgreSQL 15 or newer is needed, this is \(major)."), "\(error)")
      }
    }

    @Test func theEnvironmentCannotChangeTheEncoding() async throws {
      setenv("PGCLIENTENCODING", "LATIN1", 1)
      defer { unsetenv("PGCLIENTENCODING") }
      let (_, connection) = try await connectToNewDatabase()
      let length = try await connection.withConnection {
        try $0.query("SELECT length($1)", [.text("日本")]).int(row: 0, column: 0)
      }
      #expect(length == 2)
    }

    @Test func theNextHostIsTriedAndStandbysAreNotTaken() async throws {
      let database = try await ThrowawayPostgres.shared().makeDatabase()
      var settings = database.settings
      let (host, port) = (try #require(settings["host"]), try #require(settings["port"]))
      settings["host"] = "/nowhere,\(host)"
      let connection = try await PostgresConnection.connect(settings)
      #expect(await connection.isUsable)
      settings["host"] = "/nowhere,/not/there"
      let error = try await postgresError { try await PostgresConnection.connect(settings) }
      #expect(error.message.contains("/nowhere") && error.message.contains("/not/there"))
      settings = database.settings
      settings["host"] = "\(host),\(host)"
      settings["port"] = "\(port),\(port),\(port)"
      #expect(try await postgresError { try await PostgresConnection.connect(settings) }.code == .settings)
      settings = database.settings
      settings["options"] = "-c default_transaction_read_only=on"
      try await postgresError(.connection) { try await PostgresConnection.connect(settings) }
      settings["target_session_attrs"] = "any"
      #expect(await (try PostgresConnection.connect(settings)).isUsable)
    }

    @Test func connectingEndsAtTheDeadlineAndOnCancellation() async throws {
      let deaf = try ListeningSocket()
      let settings = ConnectionSettings(keywords: [
        "host": "127.0.0.1", "port": String(deaf.port), "user": "x", "sslmode": "disable", "password": canary,
      ])
      let error = try await postgresError {
        try await PostgresConnection.connect(settings, deadline: .milliseconds(120))
      }
      #expect(error.code == .timeout && error.isSafeToRetry && !"\(error)".contains(canary))
      let task = Task { try await PostgresConnection.connect(settings, deadline: .seconds(600)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aClosedConnectionSaysSo() async throws {
      let (_, connection) = try await connectToNewDatabase()
      await connection.close()
      await connection.close()
      #expect(await !connection.isUsable)
      let error = try await postgresError { try await connection.withConnection { _ in } }
      #expect(error.code == .closed && error.isSafeToRetry)
    }
  }
}
