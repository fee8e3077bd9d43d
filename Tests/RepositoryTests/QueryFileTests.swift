import Foundation
import Testing

@Suite("Files of questions")
struct QueryFileTests {
  private static func swift() throws -> [Repository.SourceFile] {
    let sources = ["JikanSource", "PokeAPISource", "ITunesSource"].map { "\($0)/Questions" }
    return try (["Queries", "Jobs", "Verify", "Declared"].map { "SyncPostgres/\($0)" } + sources)
      .flatMap { try Repository.files("Sources/\($0)", ["swift"]) }
  }

  @Test("a statement that does not fit in one line is a file")
  func oneLine() throws {
    let files = try Self.swift().filter { $0.path.contains("/Queries/") || $0.path.contains("/Questions/") }
    try #require(files.count > 20)
    for file in files {
      for (number, line) in file.lines.enumerated() where line.contains(#"""""#) {
        Issue.record("\(file):\(number + 1) begins a text of several lines")
      }
    }
  }

  @Test("every file of a question is a complete statement, is used, and says what it is")
  func used() throws {
    let swift = try Self.swift().flatMap(\.lines).joined(separator: "\n")
    let files = try Repository.files("sql", ["sql"]).filter { $0.path.contains("/queries/") }
    try #require(files.count > 40)
    for file in files {
      let name = file.path.split(separator: "/").last?.dropLast(".sql".count) ?? ""
      #expect(swift.contains("\"\(name)\""), "nothing uses \(file)")
      #expect(!file.lines.contains { $0.contains("/*") }, "\(file) is composed")
      #expect(file.lines.first?.hasPrefix("-- ") == true, "\(file)")
    }
  }

  @Test("every question that is asked has its file")
  func asked() throws {
    let files = Set(try Repository.files("sql", ["sql"]).map(\.path))
    for file in try Self.swift() {
      for call in file.lines.joined(separator: "\n").matches(of: /QuerySQL\.text\("([a-z_]+)"(?:, of: "([a-z]+)")?/) {
        let folder = call.output.2.map { "sources/\($0)" } ?? "shared"
        #expect(files.contains("sql/\(folder)/queries/\(call.output.1).sql"), "\(file)")
      }
    }
  }
}
