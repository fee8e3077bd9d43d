import Foundation
import PostgresTestKit
import Testing

@testable import SyncPostgres

@Suite struct EmbeddedClusterTests {
  @Test func firstUseSetsUpAPrivateServer() async throws {
    try await withCluster(options: quickOptions { $0.settings = [:] }) { cluster, folder in
      #expect(try await cluster.status() == .notInitialized)
      let endpoint = try await cluster.ensureRunning()
      #expect(endpoint == cluster.endpoint)
      let shown = try await cluster.ask(
        """
        SELECT current_user, current_database(), pg_encoding_to_char(encoding), current_setting('data_checksums'),
          current_setting('fsync'), current_setting('synchronous_commit'), current_setting('listen_addresses')
        FROM pg_database WHERE datname = current_database()
        """)
      #expect(shown == "syncctl|syncctl|UTF8|on|on|on|")
      #expect(try await cluster.ask("SELECT type, auth_method FROM pg_hba_file_rules") == "local|peer")
      let socket = try #require(try FileOperations.status(endpoint.socketDirectory))
      #expect(socket.kind == .folder && socket.permissions == 0o700)
      #expect(try FileOperations.status(cluster.location.cluster)?.permissions == 0o700)
      #expect(listing(folder).filter { !$0.contains("/") } == ["postgres", "postgres.lock"])
    }
  }

  @Test func runningServerIsDetachedAndUsedAsItIs() async throws {
    try await withCluster { cluster, folder in
      let first = try await cluster.ensureRunning()
      let pid = try await cluster.server().pid
      // The server has its own session and process group, so that Ctrl-C in a terminal does not reach it.
      #expect(getsid(pid) == pid && getpgid(pid) == pid)
      #if os(Linux)
        // The server inherits no descriptors, so a pipe from `db start` closes when `db start` ends.
        let descriptors = (0...2).map { FileOperations.linkTarget("/proc/\(pid)/fd/\($0)") }
        #expect(descriptors == ["/dev/null", cluster.location.serverLog, cluster.location.serverLog])
        #expect(try !FileOperations.read("/proc/\(pid)/environ", limit: 1 << 16).contains("HOME="))
      #endif
      // `again` has another port and no PostgreSQL programs, but finds the socket in the running server's process file.
      var elsewhere = optionsWithoutBinaries()
      elsewhere.port = 5433
      let again = EmbeddedCluster(dataDirectory: folder, options: elsewhere)
      #expect(try await again.ensureRunning() == first)
      #expect(again.serverProcess == pid)
    }
  }

  @Test func serverStopsLosesItsSocketAndIsKilled() async throws {
    try await withCluster { cluster, _ in
      let endpoint = try await cluster.ensureRunning()
      let server = try await cluster.server()
      #expect(server.isReady && server.endpoint == endpoint && server.pid > 1)
      #expect(abs(Date.now.timeIntervalSince1970 - Double(server.startedAt)) < 60)
      try await cluster.stop()
      #expect(try await cluster.status() == .stopped(majorVersion: server.majorVersion))
      #expect(try FileOperations.status(endpoint.socketDirectory) == nil)
      try await cluster.stop()
      #expect(try await cluster.ensureRunning() == endpoint)
      let deaf = cluster.serverProcess
      try FileManager.default.removeItem(atPath: endpoint.socketDirectory)
      #expect(try await !cluster.server().isReady)
      #expect(try await cluster.ensureRunning() == endpoint)
      let process = try #require(cluster.serverProcess)
      #expect(process != deaf)
      _ = try await cluster.ask("CREATE TABLE kept AS SELECT 7 AS n")
      kill(process, SIGKILL)
      let polling = PollingInterval(limit: .seconds(5), interval: .milliseconds(5), clock: ContinuousClock())
      let isGone: Bool? = try await polling.wait { cluster.serverProcess == nil ? true : nil }
      #expect(isGone == true)
      _ = try await cluster.ensureRunning()
      #expect(try await cluster.ask("SELECT n FROM kept") == "7")
    }
  }

  /// After a power failure, the server's process file remains. Its process id can then belong to an unrelated process.
  enum LeftProcess: CaseIterable {
    case nobodys, ours
    case anotherServers
  }

  @Test(arguments: LeftProcess.allCases) func staleProcessFileIsNoServer(left: LeftProcess) async throws {
    let process: Int32 =
      switch left {
      case .nobodys: Int32.max
      case .ours: getpid()
      case .anotherServers: try #require(await ThrowawayPostgres.shared().serverProcess)
      }
    try await withCluster { cluster, _ in
      let endpoint = try await cluster.ensureRunning()
      let path = PostmasterFile.path(cluster: cluster.location.cluster)
      let lines = try FileOperations.read(path, limit: 8_192).split(separator: "\n", omittingEmptySubsequences: false)
      try await cluster.stop()
      try write((["\(process)"] + lines.dropFirst()).joined(separator: "\n"), to: path)
      let folder = cluster.chooseSocketFolder(for: try cluster.requireUser())
      try folder.prepare(user: try cluster.requireUser(), asRoot: cluster.isRoot)
      let socket = SocketFolder.socketPath(in: endpoint.socketDirectory, port: endpoint.port)
      try write("\(process)\n", to: socket + ".lock")
      #expect(try await cluster.status() == .stopped(majorVersion: Self.majorVersion(cluster)))
      #expect(try await cluster.ensureRunning() == endpoint)
      #expect(try await cluster.ask("SELECT 1") == "1")
    }
  }

  @Test func startsAtOnceMakeOneServer() async throws {
    try await withCluster { cluster, folder in
      let unfinished = folder + "/postgres.init-4711"
      try makeFolder(unfinished + "/base/1")
      try write("15\n", to: unfinished + "/PG_VERSION")
      #expect(try await cluster.status() == .notInitialized)
      let endpoints = try await withThrowingTaskGroup(of: ClusterEndpoint.self) { group in
        for _ in 0..<6 {
          group.addTask { try await EmbeddedCluster(dataDirectory: folder, options: quickOptions()).ensureRunning() }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(endpoints.count == 6 && Set(endpoints.map(\.url)).count == 1)
      let log = try FileOperations.read(folder + "/postgres/server.log", limit: 1 << 16)
      #expect(log.ranges(of: "ready to accept connections").count == 1)
      #expect(!log.contains("FATAL") && !FileManager.default.fileExists(atPath: unfinished))
    }
  }

  @Test func waitForAnotherStartIsBounded() async throws {
    try await withCluster(options: quickOptions { $0.lockDeadline = .milliseconds(200) }) { cluster, _ in
      try cluster.prepareDataFolder()
      let polling = PollingInterval(limit: .seconds(1), clock: ContinuousClock())
      try await FolderLock.hold(cluster.location.lockFile, polling: polling) {
        _ = try await clusterError(.timeout, cluster.location.lockFile) { _ = try await cluster.ensureRunning() }
      }
      #expect(try await cluster.status() == .notInitialized)
    }
  }

  @Test func longDataPathWorks() async throws {
    let subfolder = Array(repeating: "a folder with a \"$(name)\" of some length", count: 5).joined(separator: "/")
    try await withCluster(in: subfolder) { cluster, folder in
      #expect(folder.utf8.count > SocketFolder.longestSocketPath)
      let endpoint = try await cluster.ensureRunning()
      let socket = SocketFolder.socketPath(in: endpoint.socketDirectory, port: endpoint.port)
      #expect(socket.utf8.count <= SocketFolder.longestSocketPath)
      #expect(try await cluster.ask("SELECT 1") == "1")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func peerAuthenticationRefusesOtherUsers() async throws {
    try await withCluster { cluster, _ in
      let endpoint = try await cluster.ensureRunning()
      // Other users can reach the socket in this test, so that only the server's authentication refuses them.
      try FileOperations.setPermissions(endpoint.socketDirectory, 0o711)
      try FileOperations.setPermissions(
        SocketFolder.socketPath(in: endpoint.socketDirectory, port: endpoint.port), 0o777)
      let psql = try await cluster.binaries(for: nil).path("psql")
      func connect(as user: ServerUser?) async throws -> ServerProgram.Result {
        try await ServerProgram.run(
          psql, ["-X", "-A", "-t", "-d", endpoint.url, "-c", "SELECT 'in'"], deadline: .seconds(20),
          in: cluster.context(user: user))
      }
      let stranger = try await connect(as: ServerUser.lookUp(name: "nobody"))
      #expect(!stranger.succeeded && stranger.everything.contains("Peer authentication failed"))
      #expect(try await connect(as: cluster.user).succeeded)
      #expect(try await connect(as: nil).succeeded)
    }
  }

  private static func majorVersion(_ cluster: EmbeddedCluster) throws -> Int {
    guard case .cluster(let version, _) = try cluster.contents() else { return 0 }
    return version
  }
}
