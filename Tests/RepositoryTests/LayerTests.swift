import Foundation
import Testing

@Suite("Layers")
struct LayerTests {
  private static func layers() throws -> [String: Set<String>] {
    let section = try section("## Layers", endingAt: "## ")
    var layers: [String: Set<String>] = [:]
    for line in section where line.hasPrefix("|") {
      let cells = line.split(separator: "|")
      guard cells.count == 3 else { continue }
      for target in names(in: cells[0]) { layers[target] = Set(names(in: cells[2])) }
    }
    return layers
  }

  /// Returns the lines of docs/architecture.md below a heading, up to the next line that begins with `end`.
  private static func section(_ heading: String, endingAt end: String) throws -> ArraySlice<String> {
    let lines = try Repository.file("docs/architecture.md").lines
    return lines.drop(while: { $0 != heading }).dropFirst().prefix(while: { !$0.hasPrefix(end) })
  }

  private static func names(in cell: Substring) -> [String] {
    cell.matches(of: /`([A-Za-z-]+)`/).map { String($0.output.1) }
  }

  /// The external modules that these targets may import. Only the manifest restricts the other targets.
  private static let others: [String: Set<String>] = [
    "LibPQ": ["Darwin", "Dispatch", "Glibc", "Synchronization"],
    "Hashing": ["CryptoKit"],
    "JSONScan": [],
    "SyncCore": ["Synchronization"],
    "SyncEngine": ["Synchronization"],
    "SyncHTTP": [
      "AsyncHTTPClient", "Foundation", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "Darwin",
      "Glibc", "Synchronization",
    ],
    "SyncPostgres": [
      "Darwin", "Dispatch", "Foundation", "Glibc", "Subprocess", "Synchronization", "SystemPackage",
    ],
  ]

  private static func imports(_ file: Repository.SourceFile) -> [String] {
    file.lines.compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let place = words.firstIndex(of: "import"), words.count > place + 1,
        words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.modifiers.contains($0) })
      else { return nil }
      // In `import struct Foundation.Date`, the module is the first part of the last word.
      let name = Self.kinds.contains(words[place + 1]) ? words[safe: place + 2] : words[place + 1]
      return name?.split(separator: ".").first.map(String.init)
    }
  }

  private static let modifiers: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
  private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]

  @Test("every function of the reading order is in its file")
  func readingOrder() throws {
    let section = try Self.section("### Reading the code in this order", endingAt: "#").joined(separator: " ")
    var file: Repository.SourceFile?
    var functions = 0
    for match in section.matches(of: /`([A-Za-z+\/]+\.swift)`|`([a-z][A-Za-z]+)`/) {
      if let path = match.output.1 {
        file = try Repository.file("Sources/\(path)")
      } else if let file, let name = match.output.2 {
        functions += 1
        let isDeclared = file.lines.contains { $0.contains("func \(name)(") || $0.contains("func \(name)<") }
        #expect(isDeclared, "\(file) has no \(name)")
      }
    }
    #expect(functions > 30, "the section was not found")
  }

  @Test("every file, folder and symbol of the index of changes exists")
  func indexOfChanges() throws {
    let section = try Self.section("## Where a change goes", endingAt: "## ")
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    try #require(section.count > 5_000, "the section was not found")

    for match in section.matches(of: /`([^`\/ ]+\/[^` ]+)`/) {
      let path = String(match.output.1)
      // `NAME` stands for a source.
      let paths = path.contains("NAME") ? ["jikan", "itunes"].map { path.replacing("NAME", with: $0) } : [path]
      let isThere = paths.flatMap { [$0, "Sources/\($0)"] }.contains { Repository.has($0) }
      #expect(isThere, "there is no \(path)")
    }

    for match in section.matches(of: /`([A-Za-z]+)`(?: and `([A-Za-z]+)`)? in `([^`]+\.swift)`/) {
      let text = try Repository.text("Sources/\(match.output.3)")
      for symbol in [match.output.1, match.output.2].compactMap(\.self) {
        #expect(text.contains(symbol), "\(match.output.3) has no \(symbol)")
      }
    }
  }

  private static let folders = ["Sources", "Tools", "Tests/Support"]

  @Test("every target imports only the targets of its row")
  func imports() throws {
    let layers = try Self.layers()
    let files = try Self.folders.flatMap { try Repository.files($0, ["swift"]) }
    try #require(files.count > 100, "the sources were not found")
    for file in files {
      let allowed = try #require(layers[file.target], "\(file): the target has no row in docs/architecture.md")
      for name in Self.imports(file) {
        if layers[name] != nil {
          #expect(allowed.contains(name), "\(file) imports \(name)")
        } else if let others = Self.others[file.target] {
          #expect(others.contains(name), "\(file) imports \(name)")
        }
      }
    }
  }

  @Test("no page creates options or commands, because reading a property that was not parsed ends the process")
  func pages() throws {
    let files = try Repository.files("Sources", ["swift"])
    let parsed = files.flatMap(\.lines).filter { $0.contains("Parsable") }.compactMap { line in
      line.firstMatch(of: /(?:struct|extension) (\w+)\b.*: .*Parsable(?:Arguments|Command)/).map { String($0.output.1) }
    }
    let pages = files.filter { $0.path.contains("/Web/") && !$0.path.contains("/Commands/") }
    try #require(parsed.contains("FilterOptions") && parsed.count > 40 && pages.count > 6, "\(parsed.count)")
    for page in pages {
      for (number, line) in page.lines.enumerated() {
        for name in parsed where Self.creates(name, in: line) {
          Issue.record("\(page):\(number + 1) creates \(name)")
        }
      }
    }
  }

  @Test("no two folders of SyncPostgres need each other")
  func folders() throws {
    let files = try Repository.files("Sources/SyncPostgres", ["swift"])
    func folder(_ file: Repository.SourceFile) -> String {
      file.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    let declaration =
      /^(?:package |private |fileprivate )?(?:final |indirect )?(?:struct|class|enum|actor|protocol) (\w+)/
    var homes: [String: String] = [:]
    for file in files {
      for line in file.lines {
        if let found = line.firstMatch(of: declaration) { homes[String(found.output.1)] = folder(file) }
      }
    }
    var needs: [String: Set<String>] = [:]
    for file in files {
      let here = folder(file)
      for line in file.lines {
        for word in line.withoutTexts.matches(of: /\b[A-Z]\w+/) {
          if let home = homes[String(word.output)], home != here { needs[here, default: []].insert(home) }
        }
      }
    }
    try #require(homes.count > 100 && needs.count > 8)
    for (here, direct) in needs {
      var reached = direct
      while case let more = reached.union(reached.flatMap { needs[$0] ?? [] }), more != reached { reached = more }
      #expect(!reached.contains(here), "\(here) needs itself, through \(direct.sorted())")
    }
  }

  /// Whether the line calls an initializer of the type. Names that only end with the type's name do not count.
  private static func creates(_ name: String, in line: String) -> Bool {
    ["\(name)(", "\(name).init"].contains { call in
      line.ranges(of: call).contains { found in
        guard found.lowerBound > line.startIndex else { return true }
        let before = line[line.index(before: found.lowerBound)]
        return !before.isLetter && !before.isNumber && before != "_"
      }
    }
  }

  @Test("the table has every target, and no removed one")
  func targets() throws {
    let folders = Set(try Self.folders.flatMap { try Repository.files($0).map(\.target) })
    // The targets EmbeddedSQL and EmbeddedWeb are in the folders `sql` and `web`, which `folders` does not contain.
    #expect(Set(try Self.layers().keys) == folders.union(["EmbeddedSQL", "EmbeddedWeb"]))
  }

  private static let sourceNames = ["jikan", "pokeapi", "itunes"]

  @Test("a source is named in its own target, and in the program's main")
  func sources() throws {
    let files = try Repository.files("Sources", ["swift"])
    for file in files where file.path != "Sources/syncctl/Main.swift" {
      for name in Self.sourceNames where file.target.lowercased() != "\(name)source" {
        for (number, line) in file.lines.enumerated() where line.lowercased().contains(name) {
          Issue.record("\(file):\(number + 1) names \(name)")
        }
      }
    }
  }

  @Test("the core, the rules and the sources have no clock, no chance and no network of their own")
  func purity() throws {
    let forbidden = [
      "Task.sleep", "ContinuousClock", "SuspendingClock", "DispatchTime", "Date(", "Date.now", ".random(", ".shuffle",
      "randomElement", "SystemRandomNumberGenerator", "URLSession", "FileManager", "ProcessInfo", "print(",
    ]
    for folder in [
      "SyncCore", "SyncEngine", "SyncProgram/Reading", "JikanSource/Wire", "PokeAPISource/Wire", "ITunesSource/Wire",
    ] {
      let files = try Repository.files("Sources/\(folder)", ["swift"])
      try #require(!files.isEmpty)
      for file in files {
        for (number, line) in file.lines.enumerated() {
          for word in forbidden where line.code.contains(word) {
            Issue.record("\(file):\(number + 1) has \(word)")
          }
        }
      }
    }
  }
}

extension String {
  var code: String { range(of: "//").map { String(self[..<$0.lowerBound]) } ?? self }

  /// The line without its comment and without the texts in quotation marks.
  fileprivate var withoutTexts: String { code.replacing(/"(?:[^"\\]|\\.)*"/, with: "") }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
