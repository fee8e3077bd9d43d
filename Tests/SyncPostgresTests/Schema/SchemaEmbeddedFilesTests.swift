import EmbeddedSQL
import Foundation
import Testing

@testable import SyncPostgres

struct SchemaEmbeddedFilesTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "sql").resolvingSymlinksInPath()

  @Test(
    "the built-in files equal the files on disk, none missing and none extra",
    arguments: ["migrations", "shared", "sources", "reports"])
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

  @Test("the number of the functions and views is built in")
  func number() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "functions-and-views.version"), encoding: .utf8)
    #expect(EmbeddedSQL.text("functions-and-views.version") == text && FunctionSet.current.number > 0)
  }

  @Test("every file of a step is one, and no number is given twice")
  func numbers() {
    #expect(Migration.all.count == Migration.paths.count)
    #expect(Set(Migration.all.map(\.version)).count == Migration.all.count)
  }

  @Test("files of sources that are not built in are found like built-in ones, and replace none of them")
  func added() {
    let paths = ["sources/added/migrations/9000_tables.sql", "sources/added/write.sql", "sources/added/views/one.sql"]
    let own = EmbeddedSQL.text("roles.sql")
    #expect(!EmbeddedSQL.paths(in: "sources/unheard-of").contains { _ in true })
    // Not under sources/, where every migrator of this process would find the files.
    EmbeddedSQL.add(Dictionary(uniqueKeysWithValues: paths.map { ("elsewhere/\($0)", "-- \($0)") }))
    EmbeddedSQL.add(["roles.sql": ""])
    #expect(EmbeddedSQL.paths(in: "elsewhere") == paths.map { "elsewhere/\($0)" }.sorted())
    #expect(EmbeddedSQL.text("elsewhere/\(paths[1])") == "-- \(paths[1])")
    #expect(EmbeddedSQL.text("roles.sql") == own && own?.isEmpty == false)
  }
}
