import EmbeddedSQL
import Foundation
import Testing

@testable import SyncPostgres

/// The binary carries the SQL of the folder, and all of it.
struct SchemaEmbeddedFilesTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "sql").resolvingSymlinksInPath()

  @Test(
    "what is built in equals the files, none missing and none too many",
    arguments: ["migrations", "sources", "reports"])
  func equalsTheFiles(_ part: String) throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.appending(path: part).path)
      .filter { $0.hasSuffix(".sql") }.map { "\(part)/\($0)" }.sorted()
    #expect(!files.isEmpty)
    #expect(EmbeddedSQL.paths(in: part) == files)
    for file in files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      #expect(EmbeddedSQL.text(file) == text, "\(file)")
    }
  }

  @Test("steps are numbered from 1 without a gap, and every file is one")
  func numbers() {
    #expect(Migration.all.map(\.version) == Array(1..<(Migration.all.count + 1)))
    #expect(Migration.all.count == EmbeddedSQL.paths(in: "migrations").count)
  }
}
