import Foundation
import Testing

/// The table of layers of `docs/architecture.md`, read against every `import` line.
@Suite("Layers")
struct LayerTests {
  /// What a source may import: no other source.
  private static let source: Set = [
    "EmbeddedSQL", "Hashing", "JSONScan", "LibPQ", "SyncCore", "SyncEngine", "SyncPostgres", "SyncProgram",
  ]

  /// What each target may import of ours.
  private static let ours: [String: Set<String>] = [
    "CCrypto": [],
    "CLibPQ": [],
    "CMalloc": [],
    "CZlib": [],
    "LibPQ": ["CLibPQ"],
    "Hashing": ["CCrypto"],
    "JSONScan": ["Hashing"],
    "SyncCore": [],
    "SyncEngine": ["SyncCore", "Hashing"],
    "SyncHTTP": ["SyncCore", "CZlib"],
    "AcceptedConnections": [],
    "SyncTelemetry": ["SyncCore", "AcceptedConnections"],
    "SyncPostgres": ["SyncCore", "LibPQ", "EmbeddedSQL", "Hashing"],
    "UpstreamSimulator": ["AcceptedConnections", "SyncCore", "SyncHTTP"],
    "SyncTestKit": ["SyncCore", "LibPQ", "EmbeddedSQL", "SyncHTTP", "SyncPostgres", "UpstreamSimulator"],
    "SyncProgram": [
      "SyncCore", "SyncEngine", "SyncHTTP", "SyncPostgres", "SyncTelemetry", "LibPQ", "CMalloc", "EmbeddedSQL",
      "JSONScan",
    ],
    "JikanSource": source,
    "PokeAPISource": source,
    "ITunesSource": source,
    "syncctl": ["SyncProgram", "JikanSource", "PokeAPISource", "ITunesSource"],
    "upstream-sim": ["UpstreamSimulator"],
  ]

  /// What each target may import of others'; nil where the manifest alone decides.
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
      // `import struct Foundation.Date` names its module last, before the dot.
      let name = Self.kinds.contains(words[place + 1]) ? words[safe: place + 2] : words[place + 1]
      return name?.split(separator: ".").first.map(String.init)
    }
  }

  private static let modifiers: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
  private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]

  /// Where targets lie that are no tests.
  private static let folders = ["Sources", "Tools", "Tests/Support"]

  @Test("every target imports only what the table of layers gives it")
  func imports() throws {
    let files = try Self.folders.flatMap { try Repository.files($0, ["swift"]) }
    try #require(files.count > 100, "the sources were not found")
    for file in files {
      let allowed = try #require(Self.ours[file.target], "\(file): a target that the table of layers does not know")
      for name in Self.imports(file) {
        if Self.ours[name] != nil || name == "EmbeddedSQL" {
          #expect(allowed.contains(name), "\(file) imports \(name)")
        } else if let others = Self.others[file.target] {
          #expect(others.contains(name), "\(file) imports \(name)")
        }
      }
    }
  }

  @Test("the table has no target that was removed")
  func targets() throws {
    let folders = Set(try Self.folders.flatMap { try Repository.files($0).map(\.target) })
    #expect(Set(Self.ours.keys) == folders)
  }

  /// What the sources of the program are called in code and in words.
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
  /// The line without its comment.
  var code: String { range(of: "//").map { String(self[..<$0.lowerBound]) } ?? self }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
