import Foundation
import SyncTestKit
import Synchronization
import Testing

@testable import SyncPostgres

@Suite struct EmbeddedClusterOwnershipTests {
  @Test(arguments: [true, false]) func clustersBesideEachOther(innerFirst: Bool) async throws {
    try await withCluster { outer, folder in
      let inner = EmbeddedCluster(dataDirectory: folder + "/inner", options: quickOptions())
      let order = innerFirst ? [inner, outer] : [outer, inner]
      for cluster in order { _ = try await cluster.ensureRunning() }
      #expect(try await outer.ask("SELECT 1") == "1")
      #expect(try await inner.ask("SELECT 1") == "1")
      for cluster in order {
        try await cluster.stop()
        _ = try await cluster.ensureRunning()
      }
      try await inner.stop(.immediate)
    }
  }

  @Test func handmadeClusterIsLeftAlone() async throws {
    try await withCluster { cluster, _ in
      let user = try cluster.requireUser()
      let path = cluster.location.cluster
      try cluster.makeServerFolder(path, user: user)
      let result = try await ServerProgram.run(
        cluster.binaries(for: nil).path("initdb"), ["-D", path, "--auth=trust", "--no-sync"], deadline: .seconds(120),
        in: cluster.context(user: user))
      try #require(result.succeeded, "\(result.everything)")
      for (file, text) in [
        (nil, ""), ("syncctl.conf", ClusterConfiguration.firstLine + "\n"),
        (EmbeddedCluster.marker, "A marker of another kind\n"),
      ] as [(String?, String)] {
        if let file { try write(text, to: "\(path)/\(file)") }
        let before = try contents(path)
        for attempt: @Sendable () async throws -> Void in [
          { _ = try await cluster.ensureRunning(for: .question) }, { _ = try await cluster.ensureRunning() },
          { _ = try await cluster.status() }, { _ = try await cluster.stop() },
        ] {
          let error = try await clusterError { try await attempt() }
          #expect(error.cause == .notACluster && error.message.contains(path))
          #expect(error.hint.contains("SYNCCTL_DATABASE_URL"))
        }
        #expect(try contents(path) == before)
      }
      #expect(listing(cluster.location.folder).filter { !$0.contains("/") } == ["postgres"])
    }
  }

  @Test func runningServerOfNoMarkIsNotTaken() async throws {
    try await withCluster { cluster, folder in
      _ = try await cluster.ensureRunning()
      let process = cluster.serverProcess
      for name in [EmbeddedCluster.marker, "syncctl.conf"] {
        try FileManager.default.removeItem(atPath: "\(folder)/postgres/\(name)")
      }
      for purpose in [EmbeddedCluster.Purpose.question, .change] {
        #expect(try await clusterError { _ = try await cluster.ensureRunning(for: purpose) }.cause == .notACluster)
      }
      #expect(try await clusterError { try await cluster.stop() }.cause == .notACluster)
      #expect(process != nil && cluster.serverProcess == process)
      try cluster.writeMarker(user: try cluster.requireUser())
    }
  }

  @Test func earlierClusterIsAdoptedOnce() async throws {
    let said = Mutex<[String]>([])
    var options = quickOptions()
    options.said = { line in said.withLock { $0.append(line) } }
    try await withCluster(options: options) { cluster, folder in
      _ = try await cluster.ensureRunning()
      try await cluster.stop()
      let marker = "\(folder)/postgres/\(EmbeddedCluster.marker)"
      try FileManager.default.removeItem(atPath: marker)
      _ = try await cluster.ensureRunning(for: .question)
      #expect(!FileManager.default.fileExists(atPath: marker) && said.withLock(\.isEmpty))
      let process = cluster.serverProcess
      for _ in 1...2 { _ = try await cluster.ensureRunning() }
      #expect(FileManager.default.fileExists(atPath: marker) && cluster.serverProcess == process)
      #expect(said.withLock { $0.count == 1 && $0[0].contains("adopted") })
    }
  }

  @Test func questionWritesNoSetting() async throws {
    try await withCluster { cluster, folder in
      _ = try await cluster.ensureRunning()
      try await cluster.stop()
      let files = ["pg_hba.conf", "pg_ident.conf", "syncctl.conf"].map { "\(folder)/postgres/\($0)" }
      try write(try String(contentsOfFile: files[0], encoding: .utf8) + "# mine\n", to: files[0])
      try FileManager.default.removeItem(atPath: "\(folder)/postgres.lock")
      let before = try files.map { try Data(contentsOf: URL(filePath: $0)) }
      // A second login session uses a different socket folder.
      var options = quickOptions()
      options.environment["XDG_RUNTIME_DIR"] = nil
      options.port = 5433
      let elsewhere = EmbeddedCluster(dataDirectory: folder, options: options)
      #expect(try await elsewhere.ensureRunning(for: .question).port == 5433)
      #expect(try await elsewhere.ask("SELECT 1") == "1")
      #expect(try files.map { try Data(contentsOf: URL(filePath: $0)) } == before)
      try await elsewhere.stop()
      _ = try await elsewhere.ensureRunning()
      #expect(try files.map { try Data(contentsOf: URL(filePath: $0)) } != before)
    }
  }

  @Test func questionSetsNothingUp() async throws {
    try await withCluster(in: "data") { cluster, folder in
      try await clusterError(.notInitialized, folder) { _ = try await cluster.ensureRunning(for: .question) }
      #expect(try await cluster.stop() == .notInitialized)
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }

  @Test func folderThatOthersCanWriteIsRefused() async throws {
    try await withCluster(in: "wide/data") { cluster, folder in
      let wide = String(folder.dropLast("/data".count))
      try makeFolder(wide)
      try FileOperations.setPermissions(wide, 0o777)
      try await clusterError(.untrustedFolder, "\(wide) (mode 777) can be written", hint: "chmod go-w \(wide)") {
        _ = try await cluster.ensureRunning()
      }
      #expect(listing(wide).isEmpty)
      try FileOperations.setPermissions(wide, 0o755)
      _ = try await cluster.ensureRunning()
      try FileOperations.setPermissions(cluster.location.cluster, 0o777)
      for purpose in [EmbeddedCluster.Purpose.question, .change] {
        #expect(try await clusterError { _ = try await cluster.ensureRunning(for: purpose) }.cause == .untrustedFolder)
      }
      try FileOperations.setPermissions(cluster.location.cluster, 0o700)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can enter closed folders of other users"))
  func databaseOfAnotherUserIsNotPassedOver() async throws {
    let nobody = try #require(ServerUser.lookUp(name: "nobody"))
    try await withCluster(in: "home/data") { cluster, folder in
      let home = String(folder.dropLast("/data".count))
      #expect(cluster.location.move == nil)
      try makeFolder(folder + "/postgres")
      try write("15\n", to: folder + "/postgres/PG_VERSION")
      for path in [home, folder, folder + "/postgres"] {
        try FileOperations.setOwner(path, user: nobody.id, group: nobody.group)
      }
      try FileOperations.setPermissions(home, 0o700)
      let again = EmbeddedCluster(dataDirectory: folder, options: quickOptions())
      #expect(again.location.folder == folder)
      for attempt: @Sendable () async throws -> Void in [
        { _ = try await again.stop() }, { _ = try await again.status() }, { _ = try await again.ensureRunning() },
      ] { #expect(try await clusterError { try await attempt() }.message.contains("belongs to user nobody")) }
      // syncctl makes a new cluster in a folder where no other user can replace the cluster.
      let fresh = EmbeddedCluster(dataDirectory: home + "/fresh", options: quickOptions())
      #expect(fresh.location.folder.hasPrefix(ClusterLocation.systemFolder))
      #expect(fresh.location.move?.reason.contains(home) == true)
    }
  }

  private func contents(_ folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in listing(folder) { files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data() }
    return files
  }
}
