import EmbeddedSQL
import Subprocess
package import SyncPostgres
import SyncTestKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package struct TestDatabase: Sendable, Equatable {
  package let name: String
  package let socketDirectory: String
  /// The port on 127.0.0.1, which is also the number in the socket's name.
  package let port: Int
  /// A superuser without a password, who can connect only through the socket.
  package let user: String

  package var tcpPort: Int { port }
  /// A superuser with `tcpPassword`, who can connect only by TCP.
  package var tcpUser: String { ThrowawayPostgres.tcpUser }
  package var tcpPassword: String { ThrowawayPostgres.tcpPassword }

  package var settingsKeywords: [String: String] {
    ["host": socketDirectory, "port": String(port), "user": user, "dbname": name]
  }

  package var tcpKeywords: [String: String] {
    ["host": "127.0.0.1", "port": String(port), "user": tcpUser, "dbname": name]
  }

  package var url: String { url(user: user) }

  package var productURL: String { url(user: ProductRole.login ?? user) }

  package var productTCPUser: String { ProductRole.login ?? tcpUser }

  private func url(user: String) -> String {
    ClusterEndpoint(socketDirectory: socketDirectory, port: port, user: user, database: name).url
  }
}

/// An embedded cluster for tests, in its own folder and without durability.
///
/// The server ends with the test process. The first start also removes the servers of killed test processes.
package actor ThrowawayPostgres {
  package static let tcpUser = "syncctl_tcp"
  /// The password is unusual, so that a test finds it in any output.
  package static let tcpPassword = "canary-pa55-throwaway"

  private static let sharedServer = Task { try await ThrowawayPostgres.start(keepsCommits: false) }

  /// The server of all tests in this process. Tests that stop a server use `start()`.
  package static func shared() async throws -> ThrowawayPostgres { try await sharedServer.value }

  /// The folder of a stopped server with the roles and the migrated database. Every server is a copy of this folder,
  /// because a copy takes a tenth of the time of `initdb` and the migrations.
  private static let original = Task {
    let folder = try ThrowawayFolders.make()
    let server = try await ThrowawayPostgres(folder: folder, keepsCommits: false)
    try await server.sql("CREATE ROLE \(tcpUser) LOGIN SUPERUSER PASSWORD '\(tcpPassword)'", database: "syncctl")
    if let role = ProductRole.name, let login = ProductRole.login {
      try await server.sql(
        "CREATE ROLE \(role); CREATE ROLE \(login) LOGIN PASSWORD '\(tcpPassword)' IN ROLE \(role)",
        database: "syncctl")
    }
    try await server.sql("CREATE DATABASE \(migrated) TEMPLATE template0", database: "postgres")
    let database = server.database(migrated)
    _ = try await Database.with(database.settings, applicationName: "owner") { try await Migrator($0).migrate() }
    if ProductRole.name != nil { try await server.grant(in: database) }
    try await server.stop()
    return folder
  }

  private static let migrated = "migrated"

  /// Starts a separate server, for tests that stop, kill or fill it.
  ///
  /// - Parameter keepsCommits: Whether commits survive `kill()`, as on a user's server. If false, tests are faster.
  package static func start(keepsCommits: Bool = true) async throws -> ThrowawayPostgres {
    await ThrowawayFolders.sweepOnce.value
    let original = try await original.value
    let folder = try ThrowawayFolders.make()
    // `-a` keeps the owner of the files, because the server checks the owner.
    let copied = try await Subprocess.run(
      .name("cp"), arguments: ["-a", "\(original)/postgres", folder], output: .discarded,
      error: .string(limit: 4096))
    guard copied.terminationStatus.isSuccess else {
      throw EmbeddedClusterError(
        .startFailed, "cannot copy \(original): \(copied.standardError)",
        hint: "look for space in \(ThrowawayFolders.parent)")
    }
    return try await ThrowawayPostgres(folder: folder, keepsCommits: keepsCommits)
  }

  private let cluster: EmbeddedCluster
  private let endpoint: ClusterEndpoint
  private let strategy: String
  private var databases = 0

  private init(folder: String, keepsCommits: Bool) async throws {
    var attempt = 0
    while true {
      attempt += 1
      let cluster = EmbeddedCluster(
        dataDirectory: folder, options: try Self.options(port: Self.freePort(), keepsCommits: keepsCommits))
      do {
        endpoint = try await cluster.ensureRunning()
        self.cluster = cluster
        break
      } catch let error as EmbeddedClusterError where error.cause == .startFailed && attempt < 5 {
        continue
      }
    }
    // From version 15 on, PostgreSQL logs each copied block by default. Copying files instead takes a third less time.
    if case .running(let running) = try await cluster.status(), running.majorVersion >= 15 {
      strategy = " STRATEGY file_copy"
    } else {
      strategy = ""
    }
  }

  package var serverProcess: Int32? { cluster.serverProcess }

  package nonisolated var serverLog: String { cluster.location.serverLog }

  /// Creates an empty database with a unique name.
  ///
  /// - Parameters:
  ///   - encoding: As in `CREATE DATABASE`. All encodings except UTF8 use the locale `C`.
  ///   - locale: Options of `CREATE DATABASE`, such as `LOCALE 'C'` (default: the locale of the server).
  package func makeDatabase(
    encoding: String = "UTF8", template: String = "template0", locale: String = ""
  ) async throws -> TestDatabase {
    databases += 1
    let name = "test_\(databases)"
    let locale = encoding == "UTF8" ? " " + locale : " LC_COLLATE 'C' LC_CTYPE 'C'"
    try await sql(
      "CREATE DATABASE \(name) TEMPLATE \(template) ENCODING '\(encoding)'\(locale)\(strategy)", database: "postgres")
    return database(name)
  }

  private nonisolated func database(_ name: String) -> TestDatabase {
    TestDatabase(name: name, socketDirectory: endpoint.socketDirectory, port: endpoint.port, user: endpoint.user)
  }

  package func makeProductDatabase() async throws -> TestDatabase { try await makeDatabase(template: Self.migrated) }

  /// Creates an empty database for code that migrates it, or a migrated database if the role cannot migrate.
  package func makeUnmigratedDatabase() async throws -> TestDatabase {
    ProductRole.name == nil ? try await makeDatabase() : try await makeProductDatabase()
  }

  package func grant(in database: TestDatabase) async throws {
    try await sql(EmbeddedSQL.text("roles.sql") ?? "", database: database.name)
  }

  package func drop(_ database: TestDatabase) async throws {
    try await sql("DROP DATABASE IF EXISTS \(database.name) WITH (FORCE)", database: "postgres")
  }

  /// Runs statements one by one in a new session and returns the rows, with fields separated by `|`. Throws
  /// `PostgresError`. Earlier statements stay committed.
  @discardableResult
  package nonisolated func sql(_ statements: String, database: String) async throws -> String {
    try await self.database(database).sql(statements)
  }

  package func psql(_ statements: String, database: String) async throws -> String {
    var target = endpoint
    target.database = database
    return try await cluster.runClient(
      "psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", target.url], input: statements)
  }

  /// Returns the output of `pg_dump --schema-only`.
  package func schema(of database: TestDatabase) async throws -> String {
    try await cluster.runClient("pg_dump", ["--schema-only", "--dbname", database.url], input: "")
  }

  package func stop(_ mode: EmbeddedCluster.StopMode = .fast) async throws { try await cluster.stop(mode) }

  /// Stops the server at once. Sessions get a warning instead of an error, as if a different session had crashed.
  package func crash() async throws { try await stop(.immediate) }

  /// Tries again, because a server does not start before the last process of a killed server has ended.
  package func start() async throws {
    var attempt = 0
    while true {
      attempt += 1
      do {
        _ = try await cluster.ensureRunning()
        return
      } catch let error as EmbeddedClusterError where error.cause == .startFailed && attempt < 50 {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  package func startStandby() async throws -> ThrowawayStandby {
    try await ThrowawayStandby(primaryPort: endpoint.port)
  }

  /// Suspends the processes that send the write-ahead log, so that standbys do not receive later commits. `kill()` does
  /// not end these processes.
  package func freezeReplication() async throws -> [Int32] {
    try await freeze("pg_stat_replication WHERE pid > 0")
  }

  /// Suspends the WAL writer, so that changes without a commit stay in memory. `kill()` does not end this process.
  package func freezeWALWriter() async throws -> [Int32] {
    try await freeze("pg_stat_activity WHERE backend_type = 'walwriter'")
  }

  private func freeze(_ rows: String) async throws -> [Int32] {
    var processes: [Int32] = []
    try await waitUntil("a process of \(rows)") {
      processes = try await sql("SELECT pid FROM \(rows)", database: "postgres")
        .split(separator: "\n").compactMap { Int32($0) }
      return !processes.isEmpty
    }
    for process in processes { _ = systemKill(process, SIGSTOP) }
    return processes
  }

  /// Kills the server's first process and waits for its end. The next start recovers as after a power failure.
  package func kill() async throws {
    guard let process = cluster.serverProcess else { return }
    _ = systemKill(process, SIGKILL)
    try await waitUntil("the end of process \(process)", deadline: .seconds(5)) { cluster.serverProcess != process }
  }

  private static func options(port: Int, keepsCommits: Bool) throws -> EmbeddedCluster.Options {
    var options = EmbeddedCluster.Options(environment: ThrowawayFolders.environment)
    options.port = port
    options.listenAddresses = "127.0.0.1"
    options.hostRules = ["all", "replication"].map { "host \($0) all 127.0.0.1/32 scram-sha-256" }
    // Only the user of this process and the server's user can enter the socket's folder, so `trust` is safe.
    if let login = ProductRole.login { options.hostRules.append("local all \(login) trust") }
    options.skipsSync = true
    options.settings = [
      "fsync": "off", "full_page_writes": "off", "synchronous_commit": keepsCommits ? "on" : "off",
      "max_connections": "400", "shared_buffers": "64MB", "password_encryption": "scram-sha-256",
      "cluster_name": "syncctl-test",
      "log_checkpoints": "off",
      // With hundreds of databases, autovacuum would start several workers per second.
      "autovacuum": "off",
    ]
    return options
  }

  static func freePort() throws -> Int { Int(try ListeningSocket().port) }
}

/// Calls `kill(2)`. Inside the actor, `kill` is a method.
private func systemKill(_ process: Int32, _ signal: Int32) -> Int32 { kill(process, signal) }
