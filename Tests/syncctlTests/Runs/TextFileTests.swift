import Foundation
import SyncCore
import Testing

@testable import SyncProgram

@Suite("The file for node_exporter", .timeLimit(.minutes(2)))
struct TextFileTests {
  @Test("is complete, readable by everyone, and alone in its folder")
  func write() throws {
    try withTemporaryFolder { folder in
      let before = umask(0o077)
      defer { umask(before) }
      let file = try TextFile(path: folder + "/syncctl.prom")
      try file.write("a 1\n")
      try file.write("b 2\n")
      #expect(try names(in: folder) == ["syncctl.prom"])
      let text = try String(contentsOfFile: file.path, encoding: .utf8)
      #expect(text == "b 2\n")
      var status = stat()
      #expect(stat(file.path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o644)
    }
  }

  @Test("a reader sees one text or the other, never a part")
  func atomicity() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "telemetry-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try TextFile(path: folder + "/syncctl.prom")
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
    try withTemporaryFolder { folder in
      let path = folder + "/syncctl.prom"
      try FileManager.default.createDirectory(atPath: path + "/inside", withIntermediateDirectories: true)
      let file = try TextFile(path: path)
      let error = #expect(throws: SyncError.self) { try file.write("a 1\n") }
      #expect(error?.code == .configuration)
      #expect(error?.message.hasPrefix("cannot replace the metrics file \(path): ") == true)
      #expect(try names(in: folder) == ["syncctl.prom"])
    }
  }

  @Test("a folder that is not there")
  func noFolder() throws {
    let file = try TextFile(path: "/nonexistent/syncctl.prom")
    let error = #expect(throws: SyncError.self) { try file.write("a 1\n") }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("/nonexistent/syncctl.prom") == true)
    #expect(error?.hint?.isEmpty == false)
  }

  @Test(
    "names that the collector would pass over",
    arguments: ["", "metrics.txt", ".prom", "/tmp/.prom", "/tmp/metrics", "/tmp/x.prom/", "a\0.prom"])
  func names(_ path: String) {
    let error = #expect(throws: SyncError.self) { try TextFile(path: path) }
    #expect(error?.code == .usage)
    #expect(error?.description.unicodeScalars.contains("\0") == false)
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// A folder that is removed afterwards.
  private func withTemporaryFolder<R>(_ body: (String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "telemetry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }
}
