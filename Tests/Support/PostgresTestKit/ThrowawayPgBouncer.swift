import Foundation
package import LibPQ
import Subprocess
import SyncTestKit
import SystemPackage

/// A PgBouncer in transaction mode, so that each transaction of a client can use a different session.
///
/// PgBouncer ends with the test process. Only the user of the code under test can connect, with a password.
package struct ThrowawayPgBouncer: Sendable {
  package let port: UInt16
  private let folder: String
  private let program: String
  private let serverPort: Int

  /// - Parameter poolSize: The number of sessions with the server for each database.
  package static func start(before database: TestDatabase, poolSize: Int = 2) async throws -> ThrowawayPgBouncer {
    let program = try installed()
    var attempt = 0
    while true {
      attempt += 1
      let pooler = ThrowawayPgBouncer(
        port: try ListeningSocket().port, folder: try ThrowawayFolders.make(), program: program,
        serverPort: database.tcpPort)
      do {
        try pooler.writeConfiguration(poolSize: poolSize)
        try await pooler.launch()
        return pooler
      } catch  where attempt < 5 {
        // A different process can have taken the port since the port was chosen.
        continue
      }
    }
  }

  package func settings(_ database: TestDatabase) -> ConnectionSettings {
    var settings = database.productTCPSettings
    settings["port"] = "\(port)"
    return settings
  }

  package func url(_ database: TestDatabase) -> String {
    "postgresql://\(database.productTCPUser):\(database.tcpPassword)@127.0.0.1:\(port)/\(database.name)?sslmode=disable"
  }

  package func stop() { ThrowawayFolders.endPooler(in: folder) }

  private func writeConfiguration(poolSize: Int) throws {
    let files = FileManager.default
    try files.createDirectory(
      atPath: inside, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try """
    [databases]
    * = host=127.0.0.1 port=\(serverPort)
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = \(port)
    unix_socket_dir =
    auth_type = scram-sha-256
    auth_file = \(inside)/users
    pool_mode = transaction
    default_pool_size = \(poolSize)
    max_client_conn = 100
    server_login_retry = 1
    logfile = \(inside)/pgbouncer.log
    pidfile = \(ThrowawayFolders.poolerFile(in: folder))
    """.write(toFile: configuration, atomically: true, encoding: .utf8)
    try "\"\(ProductRole.login ?? ThrowawayPostgres.tcpUser)\" \"\(ThrowawayPostgres.tcpPassword)\"\n"
      .write(toFile: "\(inside)/users", atomically: true, encoding: .utf8)
    if let user = Self.user {
      for path in [configuration, "\(inside)/users", inside] {
        try files.setAttributes([.ownerAccountName: user], ofItemAtPath: path)
      }
    }
  }

  private func launch() async throws {
    let user = Self.user.map { ["-u", $0] } ?? []
    let outcome = try await Subprocess.run(
      .path(FilePath(program)), arguments: Arguments(["-q", "-d"] + user + [configuration]), input: .none,
      output: .discarded, error: .string(limit: 1 << 16))
    guard outcome.terminationStatus.isSuccess else {
      throw PoolerFailure(what: "pgbouncer did not start: \(outcome.standardError)")
    }
    try await waitUntil("pgbouncer to listen") {
      guard let descriptor = Loopback.connect(to: port) else { return false }
      close(descriptor)
      return true
    }
  }

  private var inside: String { "\(folder)/pooler" }
  private var configuration: String { "\(inside)/pgbouncer.ini" }

  /// PgBouncer refuses to run as root.
  private static var user: String? {
    geteuid() == 0 ? ["postgres", "nobody"].first { getpwnam($0) != nil } : nil
  }

  private static func installed() throws -> String {
    let path = ThrowawayFolders.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map { String($0) } + ["/usr/sbin", "/opt/homebrew/bin", "/usr/local/bin"]
    guard
      let program = folders.map({ "\($0)/pgbouncer" }).first(where: FileManager.default.isExecutableFile(atPath:))
    else { throw PoolerFailure(what: "there is no pgbouncer; scripts/install-deps installs it") }
    return program
  }
}

package struct PoolerFailure: Error, CustomStringConvertible {
  let what: String

  package var description: String { what }
}
