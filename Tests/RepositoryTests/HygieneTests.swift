import Foundation
import Testing

@Suite("Hygiene of the repository")
struct HygieneTests {
  private static func everything() throws -> [Repository.SourceFile] {
    let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path).sorted()
    return try ["Sources", "Tools", "Tests", "Plugins", "sql", "web", "docs", "scripts"]
      .flatMap { try Repository.files($0) } + names.compactMap { try? Repository.file($0) }
  }

  @Test("what can end the process or race says in a comment why it cannot here")
  func guards() throws {
    let words = ["try!", "fatalError(", "preconditionFailure(", "@unchecked Sendable", "nonisolated(unsafe)", "as!"]
    for file in try ["Sources", "Tools", "Tests/Support"].flatMap({ try Repository.files($0, ["swift"]) }) {
      for (number, line) in file.lines.enumerated() where words.contains(where: line.code.contains) {
        let above = number > 0 ? file.lines[number - 1] : ""
        #expect(line.contains("//") || above.contains("//"), "\(file):\(number + 1): \(line)")
      }
    }
  }

  @Test("migrations have a number and a name, and no number is given twice")
  func migrations() throws {
    let files = try Repository.files("sql").filter { $0.path.contains("/migrations/") }
    let names = files.map { $0.path.split(separator: "/").last ?? "" }
    try #require(!names.isEmpty)
    for name in names { #expect(name.wholeMatch(of: /[0-9]{4}_[a-z0-9_]+\.sql/) != nil, "\(name)") }
    #expect(Set(names.map { $0.prefix(4) }).count == names.count)
  }

  @Test("no file names a path of one machine")
  func machinePaths() throws {
    let folders = ["root", "home", "Users"].map { "/\($0)/" }
    let files = try Self.everything()
    try #require(files.count > 150)
    // Tests can use invented home folders.
    for file in files where !file.path.hasPrefix("Tests/") && file.path != "Package.resolved" {
      for (number, line) in file.lines.enumerated() {
        for word in folders where line.contains(word) && !line.contains("://") {
          Issue.record("\(file):\(number + 1) names \(word)")
        }
      }
    }
  }

  @Test("no line of code is longer than 120 characters")
  func lineLength() throws {
    let code = try ["Sources", "Tools", "Tests", "Plugins"].flatMap { try Repository.files($0, ["swift", "h"]) }
    for file in code {
      for (number, line) in file.lines.enumerated() where line.count > 120 {
        // The formatter does not break string literals.
        if line.drop(while: { $0 == " " }).hasPrefix("\"") { continue }
        Issue.record("\(file):\(number + 1) has \(line.count) characters")
      }
    }
  }

  @Test("every target has the same settings: one list, one loop")
  func settings() throws {
    let manifest = try Repository.file("Package.swift").lines.joined(separator: "\n")
    let assignments = manifest.matches(of: /swiftSettings/).count
    #expect(assignments == 1, "settings are given once, in the loop over all targets")
    #expect(manifest.contains("target.swiftSettings = settings"))
    #expect(manifest.matches(of: /unsafeFlags/).count == 1, "only debug builds have flags, and they are optimized")
    for setting in [
      ".swiftLanguageMode(.v6)", "ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault",
      "NonisolatedNonsendingByDefault", ".treatAllWarnings(as: .error)",
    ] {
      #expect(manifest.contains(setting), "\(setting) is missing")
    }
  }

  @Test("tests use Swift Testing and wait on events, not on the clock")
  func tests() throws {
    let words = ["import " + "XCTest", "Task" + ".sleep(", "usleep" + "("]
    // The test kit is allowed to poll, because other processes do not announce every condition.
    for file in try Repository.files("Tests", ["swift"]) where !file.path.hasPrefix("Tests/Support/") {
      for (number, line) in file.lines.enumerated() {
        for word in words where line.contains(word) { Issue.record("\(file):\(number + 1) has \(word)") }
      }
    }
  }

  @Test("the files and folders that the docs name exist")
  func placesInDocs() throws {
    let named = /`((?:Sync[A-Za-z]+|[A-Za-z]+Source|Sources|Tests|sql|scripts)\/[^`\s]+)`/
    var count = 0
    for file in try Repository.files("docs", ["md"]) {
      for line in file.lines {
        for match in line.matches(of: named) where !match.output.1.contains(/NAME|NNNN|[<{*]/) {
          let path = String(match.output.1)
          let exists = ["", "Sources/", "Tools/", "Tests/Support/"].contains { folder in
            FileManager.default.fileExists(atPath: Repository.root.appending(path: folder + path).path)
          }
          #expect(exists, "\(file): \(path)")
          count += 1
        }
      }
    }
    #expect(count > 40)
  }
}
