import Foundation
import PostgresTestKit
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite struct EmbeddedClusterRefusalTests {
  @Test(arguments: ["notes.txt", "postgres/notes.txt", "PG_VERSION"])
  func foreignFolderIsLeftAlone(file: String) async throws {
    try await withCluster { cluster, folder in
      try makeFolder(folder + "/postgres")
      try write("mine", to: folder + "/" + file)
      let before = listing(folder)
      try await clusterError(.notACluster, folder) { _ = try await cluster.ensureRunning() }
      #expect(listing(folder) == before)
    }
  }

  @Test func fileInPlaceOfTheFolderIsRefused() async throws {
    try await withCluster(in: "file") { cluster, path in
      try write("", to: path)
      #expect(try await clusterError { _ = try await cluster.ensureRunning() }.cause == .notACluster)
    }
  }

  @Test(.enabled(if: ClosedFolder.exists, "root needs /sys for a folder that is closed to it"))
  func unwritableFolderIsNamed() async throws {
    let home = try ThrowawayFolders.make()
    defer { try? ThrowawayFolders.remove(home) }
    let folder = try ClosedFolder.path(in: home)
    let cluster = EmbeddedCluster(dataDirectory: folder, options: quickOptions())
    try await clusterError(.permission, folder) { _ = try await cluster.ensureRunning() }
  }

  @Test func clusterOfAnotherUserIsRefused() async throws {
    try #require(geteuid() == 0 || ServerUser.current != nil)
    guard geteuid() == 0 else { return }
    try await withCluster { cluster, folder in
      try makeFolder(folder + "/postgres", permissions: 0o700)
      let version = try await cluster.binaries(for: nil).majorVersion
      try write("\(version)\n", to: folder + "/postgres/PG_VERSION")
      try await clusterError(.permission, "belongs to user root") { _ = try await cluster.ensureRunning() }
    }
  }

  @Test func missingBinariesComeWithTheCommand() async throws {
    try await withCluster(options: optionsWithoutBinaries()) { cluster, folder in
      let error = try await clusterError(.binariesMissing, "initdb, pg_ctl, postgres") {
        _ = try await cluster.ensureRunning()
      }
      #expect(error.hint.contains("install") || error.hint.contains("pacman -S"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/postgres"))
    }
  }

  @Test func namedBinariesFolderIsTheOnlyOne() async throws {
    let options = quickOptions { $0.environment["SYNCCTL_PG_BINDIR"] = "/usr/bin/nothing" }
    try await withCluster(options: options) { cluster, _ in
      _ = try await clusterError(.binariesMissing, "SYNCCTL_PG_BINDIR=/usr/bin/nothing") {
        _ = try await cluster.ensureRunning()
      }
    }
  }

  @Test func failedSetUpLeavesNothingBehind() async throws {
    try await withCluster(in: "data") { _, folder in
      let binaries = folder + "-bin"
      try makeFolder(binaries)
      let version = "#!/bin/sh\necho 'postgres (PostgreSQL) 15.0'\n"
      let failure = "#!/bin/sh\necho 'initdb: error: \u{1B}[31mno luck' >&2\nexit 1\n"
      for name in ServerBinaries.needed {
        try ProgramFile.write(name == "initdb" ? failure : version, to: "\(binaries)/\(name)")
      }
      let options = quickOptions { $0.environment["SYNCCTL_PG_BINDIR"] = binaries }
      let cluster = EmbeddedCluster(dataDirectory: folder, options: options)
      _ = try await clusterError(.initFailed, "initdb: error: [31mno luck") { _ = try await cluster.ensureRunning() }
      #expect(listing(folder) == ["postgres.lock"])
    }
  }

  @Test func badSettingIsToldFromTheLog() async throws {
    try await withCluster(options: quickOptions { $0.settings["shared_buffers"] = "nonsense" }) { cluster, _ in
      _ = try await clusterError(.startFailed, "syncctl.conf", hint: cluster.location.serverLog) {
        _ = try await cluster.ensureRunning()
      }
    }
  }

  @Test func strangersSocketFolderIsNotTrusted() async throws {
    let root = try ThrowawayFolders.make()
    let user = try #require(geteuid() == 0 ? ServerUser.unprivileged() : ServerUser.current)
    let isRoot = geteuid() == 0
    try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: root)
    try write("", to: root + "/file")
    for name in ["link", "file"] {
      try await clusterError(.socketFolder, "is not a folder") {
        try SocketFolder(path: "\(root)/\(name)").prepare(user: user, asRoot: isRoot)
      }
    }
    try makeFolder(root + "/open", permissions: 0o777)
    let open = SocketFolder(path: root + "/open")
    if isRoot {
      try FileOperations.setOwner(open.path, user: user.id + 1, group: user.group)
      try await clusterError(.socketFolder, "belongs to user \(user.id + 1)") {
        try open.prepare(user: user, asRoot: true)
      }
      try FileOperations.setOwner(open.path, user: 0, group: 0)
    }
    try open.prepare(user: user, asRoot: isRoot)
    let status = try #require(try FileOperations.status(open.path))
    #expect(status.permissions == 0o700 && status.owner == user.id)
    try FileManager.default.removeItem(atPath: root)
  }
}
