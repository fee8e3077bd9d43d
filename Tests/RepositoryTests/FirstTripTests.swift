import Foundation
import Testing

/// What somebody meets who builds this for the first time.
@Suite struct FirstTripTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("direct dependencies are of the exact versions that are resolved")
  func exactVersions() throws {
    struct Resolved: Decodable {
      struct Pin: Decodable {
        struct State: Decodable { let version: String? }
        let location: String
        let state: State
      }
      let pins: [Pin]
    }
    let resolved = try JSONDecoder().decode(Resolved.self, from: Data(try Self.text("Package.resolved").utf8))
    let direct = try Self.text("Package.swift").matches(of: /\.package\(url: "([^"]+)", ([a-z]+): "([^"]+)"\)/)
    #expect(direct.count > 10)
    for package in direct {
      let pin = resolved.pins.first { $0.location.lowercased().hasPrefix(package.1.lowercased()) }
      #expect(package.2 == "exact" && pin?.state.version == String(package.3), "\(package.1)")
    }
  }

  @Test("the demo builds no tests and installs nothing for them")
  func demo() throws {
    let demo = try Self.text("scripts/demo")
    #expect(demo.contains("scripts/install-deps programs\nscripts/build programs\n"))
    #expect(try Self.text("Makefile").contains("\ndemo: ## "), "it depends on nothing that builds the tests")
  }

  @Test("the image is built of all folders of targets, and all scripts that build it")
  func imageContext() throws {
    let copied = try Self.text("Dockerfile").matches(of: /(?m)^COPY (?!--from)(.+) \S+$/)
      .flatMap { $0.1.split(separator: " ") }
    #expect(copied.contains("Sources"))
    let admitted = try Self.text(".dockerignore").split(separator: "\n").filter { $0.hasPrefix("!") }
    for path in copied {
      #expect(admitted.contains("!" + path), ".dockerignore excludes \(path)")
    }
    let folders = try Self.text("Package.swift").matches(of: /path: "([^"]+)"/).map { $0.1 }
    let scripts = try ["scripts/build", "scripts/container-root"].flatMap { name in
      try Self.text(name).matches(of: /\/(scripts\/[-.a-z]+)/).map { String($0.1)[...] }
    }
    #expect(folders.count > 2 && scripts.count > 1)
    for path in folders + scripts {
      #expect(copied.contains { path == $0 || path.hasPrefix($0 + "/") }, "the Dockerfile does not copy \(path)")
    }
  }

  #if os(Linux)
    @Test("who may not install and has no sudo is told all that root has to do")
    func withoutSudo() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "syncctl-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for name in ["bash", "find", "grep", "sed", "sort", "tail", "head", "dirname"] {
        let program = try #require(
          ["/usr/bin/", "/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) })
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: program)
      }
      // Nothing here installs anything: these are all the programs that the script finds.
      for (name, script) in [("id", "echo 1000"), ("swift", ":"), ("apt-get", "exit 9"), ("apt-cache", ":")] {
        let file = folder.appending(path: name)
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
      }
      for wanted in ["programs", "all"] {
        let install = Process()
        install.executableURL = URL(filePath: folder.path + "/bash")
        install.arguments = [Self.root.path + "/scripts/install-deps", wanted]
        install.environment = ["PATH": folder.path]
        let said = Pipe()
        install.standardError = said
        install.standardOutput = FileHandle.nullDevice
        try install.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        install.waitUntilExit()
        #expect(install.terminationStatus == 1)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(lines.first == "  apt-get update" && lines.count == 5, "\(text)")
        let packages = lines.first { $0.hasPrefix("  apt-get install") }?.split(separator: " ") ?? []
        #expect(packages.contains("make") && packages.contains("git") && packages.contains("pkg-config"), "\(text)")
        if wanted == "programs" { #expect(!packages.contains("pgbouncer")) }
      }
    }
  #endif
}
