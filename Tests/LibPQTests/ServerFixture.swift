import Foundation
import LibPQ
import Synchronization

/// A PostgreSQL server of the test process's own, on a Unix socket and a loopback port.
///
/// A shell waits on a pipe whose other end dies with this process, so the server and its files go away
/// however the tests end.
actor ThrowawayPostgres {
  private static let start = Task { try launch() }

  static func shared() async throws -> ThrowawayPostgres { try await start.value }

  let socketFolder: String
  let port: UInt16
  private let life: FileHandle
  private var databases = 0

  private init(socketFolder: String, port: UInt16, life: FileHandle) {
    self.socketFolder = socketFolder
    self.port = port
    self.life = life
  }

  func makeDatabase(encoding: String = "UTF8") async throws -> TestDatabase {
    databases += 1
    let name = "test_\(databases)"
    let admin = try await PostgresConnection.connect(TestDatabase(server: self, name: "postgres").settings)
    try await admin.withConnection { connection in
      let quoted = try connection.escapedIdentifier(name)
      try connection.script(
        SQL(trusted: "CREATE DATABASE \(quoted) ENCODING '\(encoding)' LOCALE 'C' TEMPLATE template0"))
    }
    await admin.close()
    return TestDatabase(server: self, name: name)
  }

  private static func launch() throws -> ThrowawayPostgres {
    guard
      let binaries = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
        .compactMap({ Int($0) }).max()
    else { throw CocoaError(.fileNoSuchFile) }
    let port = UInt16.random(in: 20_000..<30_000)
    let folder = "/tmp/libpq-tests-\(ProcessInfo.processInfo.processIdentifier)"
    let script = """
      set -e
      PATH=/usr/lib/postgresql/\(binaries)/bin:$PATH
      mkdir -m 700 \(folder)
      trap 'pg_ctl -D \(folder)/data stop -m immediate >/dev/null 2>&1 || true; rm -rf \(folder)' EXIT
      initdb -D \(folder)/data -U postgres --no-sync -E UTF8 --locale=C --auth-local=trust \
        --auth-host=scram-sha-256 >/dev/null 2>\(folder)/log
      pg_ctl -w -D \(folder)/data -l \(folder)/log start -o "-k \(folder) -p \(port) -c fsync=off \
        -c listen_addresses=127.0.0.1 -c max_connections=150" >/dev/null
      chmod 755 \(folder)
      echo ready
      read -r _ || true
      """
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: getuid() == 0 ? "/usr/sbin/runuser" : "/bin/sh")
    process.arguments = (getuid() == 0 ? ["-u", "postgres", "--", "/bin/sh"] : []) + ["-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.standardInput = input
    process.standardOutput = output
    // Inherited by another child, the pipe's end would keep the server alive.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try process.run()
    guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("ready") else {
      throw CocoaError(.executableLoad)
    }
    return ThrowawayPostgres(socketFolder: folder, port: port, life: input.fileHandleForWriting)
  }
}

/// A database on the server of the tests.
struct TestDatabase: Sendable {
  let name: String
  private let socketFolder: String
  private let port: UInt16

  init(server: ThrowawayPostgres, name: String) {
    self.name = name
    socketFolder = server.socketFolder
    port = server.port
  }

  /// The superuser over the Unix socket.
  var settings: ConnectionSettings {
    ConnectionSettings(keywords: [
      "host": socketFolder, "port": String(port), "user": "postgres", "dbname": name,
    ])
  }

  /// A role of the test's own making, over loopback with a password.
  func tcpSettings(user: String, password: String) -> ConnectionSettings {
    ConnectionSettings(keywords: [
      "host": "127.0.0.1", "port": String(port), "user": user, "password": password, "dbname": name,
      "sslmode": "disable", "gssencmode": "disable",
    ])
  }
}
