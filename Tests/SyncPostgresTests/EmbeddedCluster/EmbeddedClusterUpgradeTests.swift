import Foundation
import PostgresTestKit
import SyncTestKit
import Synchronization
import Testing

@testable import SyncPostgres

enum NewerPostgres {
  static let folder = ThrowawayFolders.environment["SYNCCTL_TEST_NEWER_PG_BINDIR"].flatMap { $0.isEmpty ? nil : $0 }

  static func pretended(by own: ServerBinaries, in folder: String) throws -> String {
    try makeFolder(folder)
    for name in ServerBinaries.needed + ["pg_dumpall", "pg_dump", "pg_restore", "psql"] {
      let script = """
        #!/bin/sh
        [ "$*" != -V ] || exec echo 'postgres (PostgreSQL) 99.1'
        exec '\(own.path(name))' "$@"

        """
      try ProgramFile.write(script, to: "\(folder)/\(name)")
    }
    return folder
  }
}

@Suite(.timeLimit(.minutes(10))) struct EmbeddedClusterUpgradeTests {
  private final class Reporter: Sendable {
    private let said = Mutex<[String]>([])
    var lines: [String] { said.withLock { $0 } }

    func options(_ folders: String...) -> EmbeddedCluster.Options {
      var options = quickOptions()
      options.environment["SYNCCTL_PG_BINDIR"] = folders.joined(separator: ":")
      options.said = { line in self.said.withLock { $0.append(line) } }
      return options
    }
  }

  private static func own() async throws -> ServerBinaries {
    try await EmbeddedCluster(dataDirectory: "/nonexistent", options: quickOptions()).binaries(for: nil)
  }

  @Test func dataMoveToTheNewerVersion() async throws {
    let own = try await Self.own()
    let reporter = Reporter()
    try await withCluster(in: #"my "$(data)"'s"#, options: reporter.options(own.folder)) { cluster, folder in
      _ = try await cluster.ensureRunning()
      _ = try await cluster.ask(
        """
        CREATE TABLE kept AS SELECT n, 'text ' || n AS t FROM generate_series(1, 1000) n;
        CREATE ROLE reader NOLOGIN; GRANT SELECT ON kept TO reader;
        CREATE DATABASE "other 'one'";
        ALTER SYSTEM SET work_mem = '5MB';
        \\connect postgres
        COMMENT ON DATABASE postgres IS 'mine'
        """)
      // After an immediate stop, the old cluster needs recovery.
      try await cluster.stop(.immediate)
      let newer =
        try NewerPostgres.folder
        ?? NewerPostgres.pretended(by: own, in: String(folder.dropLast(#"/my "$(data)"'s"#.count)) + "/bin")
      let upgraded = EmbeddedCluster(dataDirectory: folder, options: reporter.options(newer, own.folder))
      let upgrade = try #require(try await upgraded.upgrade())
      #expect(upgrade.from == own.majorVersion && upgrade.to > upgrade.from)
      #expect(reporter.lines.count == 1 && reporter.lines.first?.contains("\(upgrade.from) to \(upgrade.to)") == true)
      let written = NewerPostgres.folder == nil ? own.majorVersion : upgrade.to
      let server = try await upgraded.server()
      #expect(server.majorVersion == written && server.isReady)
      for query in [
        "SELECT current_setting('server_version_num')::int / 10000 = \(written)",
        "SELECT sum(n) = 500500 AND max(t) = 'text 999' FROM kept",
        "SELECT has_table_privilege('reader', 'kept', 'SELECT')", "SELECT current_setting('work_mem') = '5MB'",
        "SELECT count(*) = 1 FROM pg_database WHERE datname = 'other ''one'''",
        "SELECT shobj_description(oid, 'pg_database') = 'mine' FROM pg_database WHERE datname = 'postgres'",
        "SELECT reltuples = 1000 FROM pg_class WHERE relname = 'kept'",
      ] { #expect(try await upgraded.ask(query) == "t", "\(query)") }
      #expect(upgrade.kept == "\(folder)/postgres.old-\(upgrade.from)")
      #expect(try FileOperations.names(in: folder) == ["postgres", "postgres.lock", "postgres.old-\(upgrade.from)"])
      #expect(try FileOperations.read(upgrade.kept + "/PG_VERSION", limit: 9) == "\(upgrade.from)\n")
      if NewerPostgres.folder != nil { #expect(try await upgraded.upgrade() == nil) }
      #expect(try await upgraded.removeKept() == [upgrade.kept])
      #expect(try await upgraded.removeKept() == [])
      guard NewerPostgres.folder != nil else { return }
      try await upgraded.stop()
      let error = try await clusterError(.versionMismatch, "PostgreSQL \(upgrade.to),") {
        _ = try await cluster.ensureRunning()
      }
      #expect(!error.hint.contains("db upgrade"))
      _ = try await upgraded.ensureRunning()
      try await upgraded.stop(.immediate)
    }
  }

  @Test func onlyTheWrongVersionIsInstalled() async throws {
    let own = try await Self.own()
    try await withCluster(options: Reporter().options(own.folder)) { cluster, folder in
      _ = try await cluster.ensureRunning()
      try await cluster.stop()
      let file = folder + "/postgres/PG_VERSION"
      for (text, version) in [("9.6", 9), ("99", 99)] {
        try write("\(text)\n", to: file)
        for attempt: @Sendable () async throws -> Void in [
          { _ = try await cluster.ensureRunning() }, { _ = try await cluster.ensureRunning(for: .question) },
          { _ = try await cluster.upgrade() },
        ] {
          let error = try await clusterError { try await attempt() }
          #expect(error.cause == .versionMismatch)
          #expect(error.message.contains("written by PostgreSQL \(version),"))
          let found = error.message.split(separator: "this machine has PostgreSQL ", maxSplits: 1).last ?? ""
          #expect(found.contains("\(own.majorVersion)"))
          #expect(error.hint.contains("install the server of PostgreSQL \(version)"))
          #expect(error.hint.contains("syncctl db upgrade") == (version == 9))
        }
        #expect(try await cluster.status() == .stopped(majorVersion: version))
      }
      try write("\(own.majorVersion)\n", to: file)
      _ = try await cluster.ensureRunning()
    }
  }

  @Test func failedUpgradeLeavesTheOldOne() async throws {
    let own = try await Self.own()
    let reporter = Reporter()
    try await withCluster(in: "data", options: reporter.options(own.folder)) { cluster, folder in
      _ = try await cluster.ensureRunning()
      _ = try await cluster.ask("CREATE TABLE kept AS SELECT 7 AS n")
      let fake = folder + "-bin"
      try makeFolder(fake)
      for name in ServerBinaries.needed + ["pg_dumpall"] {
        let script =
          "#!/bin/sh\necho 'postgres (PostgreSQL) 99.1'\n[ $# -lt 2 ] || { echo 'error: no luck' >&2; exit 1; }\n"
        try ProgramFile.write(script, to: "\(fake)/\(name)")
      }
      let upgraded = EmbeddedCluster(dataDirectory: folder, options: reporter.options(fake, own.folder))
      let error = try await clusterError { _ = try await upgraded.upgrade() }
      #expect(error.message.contains("no luck"))
      #expect(try FileOperations.names(in: folder) == ["postgres", "postgres.lock"])
      _ = try await cluster.ensureRunning()
      #expect(try await cluster.ask("SELECT n FROM kept") == "7")
    }
  }

  @Test func nothingNewerIsNoUpgrade() async throws {
    let own = try await Self.own()
    try await withCluster(options: Reporter().options(own.folder)) { cluster, _ in
      #expect(try await clusterError { _ = try await cluster.upgrade() }.cause == .notInitialized)
      _ = try await cluster.ensureRunning()
      let process = cluster.serverProcess
      #expect(try await cluster.upgrade() == nil)
      #expect(cluster.serverProcess == process)
      #expect(try await cluster.removeKept() == [])
    }
  }

  /// The upgrade was killed after it had moved the old cluster aside.
  @Test func interruptedUpgradeIsNeverAnEmptyMirror() async throws {
    let own = try await Self.own()
    try await withCluster(options: Reporter().options(own.folder)) { cluster, folder in
      _ = try await cluster.ensureRunning()
      _ = try await cluster.ask("CREATE TABLE kept AS SELECT 7 AS n")
      try await cluster.stop()
      let kept = "\(folder)/postgres.old-\(own.majorVersion)"
      try FileManager.default.moveItem(atPath: folder + "/postgres", toPath: kept)
      let older = "postgres.old-10"
      try makeFolder("\(folder)/\(older)")
      for attempt: @Sendable () async throws -> Void in [
        { _ = try await cluster.ensureRunning() }, { _ = try await cluster.status() },
        { _ = try await cluster.removeKept() },
      ] {
        let error = try await clusterError { try await attempt() }
        #expect(
          error.cause == .interrupted && error.message.contains(kept) && error.hint.contains("syncctl db upgrade"))
      }
      #expect(try await cluster.upgrade() == nil)
      _ = try await cluster.ensureRunning()
      #expect(try await cluster.ask("SELECT n FROM kept") == "7")
      #expect(try FileOperations.names(in: folder) == ["postgres", "postgres.lock", older])
    }
  }

  @Test func serversOfAKilledUpgradeAreReplaced() async throws {
    let own = try await Self.own()
    try await withCluster { cluster, folder in
      let user = try cluster.requireUser()
      _ = try await cluster.ensureRunning()
      _ = try await cluster.ask("CREATE TABLE kept AS SELECT 7 AS n")
      try await cluster.stop()
      let next = cluster.named("\(ClusterLocation.unfinishedPrefix)1").hidden
      try await next.runInitdb(own, user: user)
      try next.furnish(user: user)
      _ = try await next.launch(own, for: .change, user: user)
      _ = try await cluster.ensureRunning()
      #expect(next.serverProcess == nil)
      #expect(try FileOperations.names(in: folder) == ["postgres", "postgres.lock"])
      try await cluster.stop()
      _ = try await cluster.hidden.launch(own, for: .question, user: user)
      let left = try await cluster.server()
      #expect(!left.isReady)
      _ = try await cluster.ensureRunning()
      #expect(cluster.serverProcess != left.pid)
      #expect(try await cluster.ask("SELECT n FROM kept") == "7")
    }
  }
}
