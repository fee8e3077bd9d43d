import Foundation
import SyncCore
import SyncTestKit
import Testing

@testable import SyncProgram

@Suite("The file for node_exporter", .timeLimit(.minutes(2)), .boundSources)
struct MetricsFileTests {
  @Test("is complete, readable by everyone, and alone in its folder")
  func write() throws {
    try withFolder { folder in
      let before = umask(0o077)
      defer { umask(before) }
      let file = try MetricsFile(path: folder + "/syncctl.prom")
      try file.write("a 1\n")
      try file.write("b 2\n")
      #expect(try names(in: folder) == ["syncctl.prom"])
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "b 2\n")
      #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o644)
    }
  }

  @Test("a reader sees one text or the other, never a part")
  func atomicity() async throws {
    let home = try TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    let folder = home.path
    let file = try MetricsFile(path: folder + "/syncctl.prom")
    let texts = ["a", "b"].map { String(repeating: "\($0) 1\n", count: 50_000) }
    try file.write(texts[0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for text in texts {
        group.addTask { for _ in 0..<20 { try file.write(text) } }
      }
      for _ in 0..<100 {
        let found = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(texts.contains(found), "\(found.utf8.count) bytes")
        let readable = try names(in: folder).filter { $0.hasSuffix(".prom") }
        #expect(readable == ["syncctl.prom"], "the collector reads no other")
      }
      try await group.waitForAll()
    }
    #expect(try names(in: folder) == ["syncctl.prom"])
  }

  @Test("when it cannot be replaced, no other file is left")
  func cleaning() throws {
    try withFolder { folder in
      let path = folder + "/syncctl.prom"
      try FileManager.default.createDirectory(atPath: path + "/inside", withIntermediateDirectories: true)
      let file = try MetricsFile(path: path)
      let error = #expect(throws: SyncError.self) { try file.write("a 1\n") }
      #expect(error?.code == .configuration)
      #expect(error?.message.hasPrefix("the metrics file \(path) cannot be written: ") == true)
      #expect(try names(in: folder) == ["syncctl.prom"])
    }
  }

  @Test("a folder that is not there")
  func noFolder() throws {
    let file = try MetricsFile(path: "/nonexistent/syncctl.prom")
    let error = #expect(throws: SyncError.self) { try file.write("a 1\n") }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("/nonexistent/syncctl.prom") == true)
    #expect(error?.hint?.isEmpty == false)
  }

  @Test(
    "names that the collector would pass over",
    arguments: ["", "metrics.txt", ".prom", "/tmp/.prom", "/tmp/metrics", "/tmp/x.prom/", "a\0.prom"])
  func names(_ path: String) {
    let error = #expect(throws: SyncError.self) { try MetricsFile(path: path) }
    #expect(error?.code == .usage)
    #expect(error?.description.unicodeScalars.contains("\0") == false)
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let home = try TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    try body(home.path)
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}
