import Foundation
import PostgresTestKit
import Testing

@testable import SyncPostgres

@Suite(.enabled(if: TinyDisk.isPermitted, "mounting a file system is not permitted here"))
struct EmbeddedClusterDiskTests {
  @Test func setUpOnAFullDiskSaysSo() async throws {
    try await TinyDisk.with(megabytes: 20) { folder in
      let cluster = EmbeddedCluster(dataDirectory: folder, options: quickOptions())
      try await clusterError(.diskFull, folder) { _ = try await cluster.ensureRunning() }
      #expect(try await cluster.status() == .notInitialized)
      #expect(listing(folder) == ["postgres.lock"])
    }
  }

  @Test func startOnAFullDiskSaysSo() async throws {
    try await TinyDisk.with(megabytes: 160) { folder in
      let cluster = EmbeddedCluster(dataDirectory: folder, options: quickOptions())
      _ = try await cluster.ensureRunning()
      try await cluster.stop(.immediate)
      try TinyDisk.fill(folder)
      try await clusterError(.diskFull) { _ = try await cluster.ensureRunning() }
      try FileManager.default.removeItem(atPath: folder + "/postgres/filler")
      _ = try await cluster.ensureRunning()
      #expect(try await cluster.ask("SELECT 1") == "1")
      try await cluster.stop(.immediate)
    }
  }
}

enum TinyDisk {
  static let isPermitted: Bool = {
    guard geteuid() == 0, let folder = try? ThrowawayFolders.make() else { return false }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard (try? system("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder])) == 0 else { return false }
    return (try? system("/bin/umount", [folder])) == 0
  }()

  static func with(megabytes: Int, _ body: (String) async throws -> Void) async throws {
    let folder = try ThrowawayFolders.make()
    try #require(try system("/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder]) == 0)
    do {
      try await body(folder)
    } catch {
      // A server that still runs would keep the file system busy.
      _ = try? await EmbeddedCluster(dataDirectory: folder, options: quickOptions()).stop(.immediate)
      _ = try system("/bin/umount", ["-l", folder])
      throw error
    }
    // `-l` also detaches a file system that is in use. A program of a concurrent test can have inherited an open file.
    #expect(try system("/bin/umount", ["-l", folder]) == 0)
    try FileManager.default.removeItem(atPath: folder)
  }

  static func fill(_ folder: String) throws {
    let path = folder + "/postgres/filler"
    try Data().write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    for size in [1 << 20, 1 << 12] { while (try? file.write(contentsOf: Data(count: size))) != nil {} }
  }

  private static func system(_ program: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
