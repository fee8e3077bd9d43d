import Foundation
import Testing

/// Checks `Tests/faults.txt`, which `scripts/torture report` also reads.
@Suite("The list of faults")
struct FaultTests {
  private struct Row {
    let id: String
    let fault: String
    let tests: [String]
    let gap: String
  }

  private static let faults = ["U": 31, "D": 21, "P": 12, "C": 7]

  private static func rows() throws -> [Row] {
    try Repository.file("Tests/faults.txt").lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map { line in
      let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 4, "\(line)")
      return Row(id: cells[0], fault: cells[1], tests: cells[2].components(separatedBy: " "), gap: cells[3])
    }
  }

  @Test("it has every fault once, in words, with tests or with the reason why there are none")
  func complete() throws {
    let rows = try Self.rows()
    let ids = Self.faults.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
    #expect(rows.map(\.id).sorted() == ids.sorted())
    for row in rows {
      #expect(!row.fault.isEmpty, "\(row.id)")
      #expect(Set(row.tests).count == row.tests.count, "\(row.id) names a test twice")
      if row.tests == ["none"] { #expect(!row.gap.isEmpty, "\(row.id) has no test and no reason") }
    }
  }

  private static func names(in file: Repository.SourceFile) -> (suites: Set<String>, functions: Set<String>) {
    var (suites, functions): (Set<String>, Set<String>) = ([], [])
    for line in file.lines where line.contains("struct ") || line.contains("func ") {
      let words = line.split { $0 == " " || $0 == "(" || $0 == ":" }.map(String.init)
      for (word, name) in zip(words, words.dropFirst()) {
        if word == "struct" { suites.insert(name) }
        if word == "func" { functions.insert(name) }
      }
    }
    return (suites, functions)
  }

  @Test("every test that it names is there")
  func existing() throws {
    let files = try Repository.files("Tests", ["swift"]).map(Self.names(in:))
    for row in try Self.rows() where row.tests != ["none"] {
      for name in row.tests {
        let parts = name.components(separatedBy: "/")
        try #require(parts.count == 2, "\(row.id): \(name)")
        let isThere = files.contains { $0.suites.contains(parts[0]) && $0.functions.contains(parts[1]) }
        #expect(isThere, "\(row.id) names \(name)")
      }
    }
  }
  @Test("the tests that must catch a planted bug exist")
  func plantedBugs() throws {
    let files = try Repository.files("Tests", ["swift"]).map { file in (file.path, Self.names(in: file)) }
    for patch in try Repository.files("Tests/PlantedBugs", ["patch"]) {
      let line = try #require(patch.lines.first { $0.hasPrefix("Caught by: ") }, "\(patch)")
      for test in line.trimmingPrefix("Caught by: ").split(separator: "|") {
        // A name is a regular expression that selects modules, suites or functions.
        let parts = test.prefix { $0 != "[" }.split(separator: "/").filter { $0 != "EndToEnd" }
        let exists = files.contains { path, names in
          parts.allSatisfy { part in
            path.contains("/\(part)/") || names.functions.union(names.suites).contains { $0.contains(part) }
          }
        }
        #expect(exists, "\(patch): \(test)")
      }
    }
  }
}
