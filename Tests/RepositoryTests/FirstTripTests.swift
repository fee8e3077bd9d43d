import Foundation
import SyncTestKit
import Testing

@Suite struct FirstTripTests {
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
    let resolved = try JSONDecoder().decode(Resolved.self, from: Data(try Repository.text("Package.resolved").utf8))
    let direct = try Repository.text("Package.swift").matches(of: /\.package\(url: "([^"]+)", ([a-z]+): "([^"]+)"\)/)
    #expect(direct.count > 10)
    for package in direct {
      let pin = resolved.pins.first { $0.location.lowercased().hasPrefix(package.1.lowercased()) }
      #expect(package.2 == "exact" && pin?.state.version == String(package.3), "\(package.1)")
    }
  }

  @Test("the demo builds no tests, and a command that it does not show says nothing")
  func demo() throws {
    let demo = try Repository.text("scripts/demo")
    #expect(demo.contains("scripts/install-deps programs\nscripts/build programs\n"))
    #expect(try Repository.text("Makefile").contains("\ndemo: ## "), "it depends on nothing that builds the tests")
    let hidden = demo.matches(of: /\$\((syncctl rankings [^|)]+)/).map { $0.1 }
    #expect(!hidden.isEmpty)
    for command in hidden { #expect(command.contains("--limit 0 "), "\(command) says how it continues") }
  }

  @Test("SwiftPM is started only for programs that have changed")
  func unchangedPrograms() throws {
    try Self.withBuildScript(
      swift: """
        echo "$*" >> calls
        mkdir -p .build/debug
        for program in syncctl upstream-sim; do : > .build/debug/$program; chmod +x .build/debug/$program; done
        if [ ! -e Package.resolved ]; then echo 1 > Package.resolved; touch -t 203001010000 Package.resolved; fi
        """
    ) { folder, build in
      func calls() throws -> [Substring] {
        try String(contentsOf: folder.appending(path: "calls"), encoding: .utf8).split(separator: "\n")
      }
      let first = try build("programs").finish()
      #expect(first.contains("build: syncctl, upstream-sim and their packages: once, "))
      #expect(try calls() == ["build --product syncctl", "build --product upstream-sim"])
      #expect(try build("programs").finish().isEmpty, "Package.resolved is written by the build")
      #expect(try calls().count == 2)
      try Data("2\n".utf8).write(to: folder.appending(path: "Package.resolved"))
      #expect(try build("programs").finish() == "build: what has changed of syncctl and upstream-sim\n")
      #expect(try calls().count == 4)
      let tests = try build("tests").finish()
      #expect(tests.contains("build: all tests: once, "))
      #expect(tests.contains("build: make test then runs the tests: about "))
      #expect(try calls().last == "build --build-tests")
      #expect(try build("programs").finish().isEmpty, "the tests' build builds the programs too")
      #expect(try calls().count == 5)
      let source = folder.appending(path: "Sources/a.swift")
      try Data().write(to: source)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: source.path)
      _ = try build("programs").finish()
      #expect(try calls().count == 7)
    }
  }

  @Test("a line of the build's progress is printed when SwiftPM prints it")
  func progress() throws {
    try Self.withBuildScript(
      swift: """
        echo "[1/2] Compiling"
        tries=0
        while [ ! -e seen ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
        if [ -e seen ]; then echo "[2/2] Linking"; fi
        echo "warning: 'package': found 2 file(s) which are unhandled; explicitly declare them"
        echo "    /package/README"
        printf "no end of line"
        """
    ) { folder, build in
      let script = try build("tests")
      script.wait(for: "[1/2] Compiling\n")
      try Data().write(to: folder.appending(path: "seen"))
      #expect(script.finish().hasSuffix("\n[1/2] Compiling\n[2/2] Linking\nno end of line\n"))
    }
  }

  @Test("the image is built of all folders of targets, and all scripts that build it")
  func imageContext() throws {
    let copied = try Repository.text("Dockerfile").matches(of: /(?m)^COPY (?!--from)(.+) \S+$/)
      .flatMap { $0.1.split(separator: " ") }
    #expect(copied.contains("Sources"))
    let admitted = try Repository.text(".dockerignore").split(separator: "\n").filter { $0.hasPrefix("!") }
    for path in copied {
      #expect(admitted.contains("!" + path), ".dockerignore excludes \(path)")
    }
    let folders = try Repository.text("Package.swift").matches(of: /path: "([^"]+)"/).map { $0.1 }
    let scripts = try ["scripts/build", "scripts/container-root"].flatMap { name in
      try Repository.text(name).matches(of: /\/(scripts\/[-.a-z]+)/).map { String($0.1)[...] }
    }
    #expect(folders.count > 2 && !scripts.isEmpty)
    for path in folders + scripts {
      #expect(copied.contains { path == $0 || path.hasPrefix($0 + "/") }, "the Dockerfile does not copy \(path)")
    }
  }

  #if os(Linux)
    @Test("who may not install and has no sudo is told once all that root has to do, for the tests too")
    func withoutSudo() throws {
      for wanted in ["programs", "all"] {
        let deps = try Self.installDeps(wanted)
        #expect(
          deps.commands == [
            "apt-get update",
            "mkdir -p /etc/postgresql-common/createcluster.d",
            "echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/syncctl-install.conf",
            "systemctl mask pgbouncer",
            "apt-get install -y --no-install-recommends ca-certificates make git pkg-config binutils libc6-dev"
              + " zlib1g-dev libpq-dev libssl-dev libncurses6 libsqlite3-0 libcurl4 libxml2 postgresql g++ pgbouncer",
            "rm -f /etc/postgresql-common/createcluster.d/syncctl-install.conf",
          ], "\(deps.output)")
        #expect(deps.status == 1)
      }
    }

    @Test("without systemd, the pooler's service is not started either")
    func withoutSystemd() throws {
      let deps = try Self.installDeps("programs", isSystemdRunning: false)
      #expect(
        deps.commands.filter { $0.contains("policy-rc.d") || $0.contains("pgbouncer disable") } == [
          #"printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d"#, "chmod 755 /usr/sbin/policy-rc.d",
          "rm -f /usr/sbin/policy-rc.d", "update-rc.d pgbouncer disable",
        ], "\(deps.output)")
      let policy = try Self.installDeps("programs", isSystemdRunning: false, files: ["usr/sbin/policy-rc.d"])
      #expect(!policy.commands.contains { $0.contains("policy-rc.d") }, "the machine's own policy stays")
      let unit = try Self.installDeps("programs", files: ["etc/systemd/system/pgbouncer.service"])
      #expect(!unit.commands.contains { $0.contains("mask") }, "the user's own service stays")
    }

    @Test("with sudo, the commands are run that are printed without", arguments: [true, false])
    func withSudo(isSystemdRunning: Bool) throws {
      let printed = try Self.installDeps("all", isSystemdRunning: isSystemdRunning).commands
      let deps = try Self.installDeps(
        "all", isSystemdRunning: isSystemdRunning, programs: ["sudo": #"printf '  %s\n' "$*""#])
      let run = deps.commands.map { command in
        command.hasPrefix("sh -c ") ? String(command.dropFirst(6)) : command.replacing(" -q", with: "")
      }
      #expect(run.map { $0.replacing("env DEBIAN_FRONTEND=noninteractive ", with: "") } == printed, "\(deps.output)")
      #expect(deps.status == 0)
    }

    @Test("a demo that misses only what the tests need begins")
    func withoutPooler() throws {
      let libraries = ["libncurses.so.6", "libsqlite3.so.0", "libcurl.so.4", "libxml2.so.2"]
      let programs =
        ["make", "git", "pkg-config", "ld", "initdb"].map { ($0, ":") }
        + [("../sbin/ldconfig", "echo \(libraries.joined(separator: " "))")]
      let files = [
        "etc/ssl/certs/ca-certificates.crt", "usr/include/stdlib.h", "usr/include/zlib.h",
        "usr/include/postgresql/libpq-fe.h", "usr/include/openssl/sha.h",
        "usr/lib/gcc/x86_64-linux-gnu/12/libstdc++.so",
      ]
      func deps(_ wanted: String) throws -> (status: Int32, output: String, commands: [String]) {
        try Self.installDeps(wanted, programs: Dictionary(uniqueKeysWithValues: programs), files: files)
      }
      let demo = try deps("programs")
      #expect(demo.status == 0 && demo.output.isEmpty, "\(demo.output)")
      let tests = try deps("all")
      #expect(tests.commands.contains { $0.hasSuffix("--no-install-recommends pgbouncer") }, "\(tests.output)")
    }

    private static func installDeps(
      _ wanted: String, isSystemdRunning: Bool = true, programs: [String: String] = [:], files: [String] = []
    ) throws -> (status: Int32, output: String, commands: [String]) {
      try withFolder { folder in
        let bin = folder.appending(path: "bin")
        let files = files + (isSystemdRunning ? ["run/systemd/system/any"] : [])
        for file in files.map({ folder.appending(path: $0) }) {
          try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
          try Data().write(to: file)
        }
        for name in ["bin", "sbin"] {
          try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        for name in ["bash", "find", "grep", "sed", "sort", "tail", "head", "dirname"] {
          let program = try #require(
            ["/usr/bin/", "/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) })
          try FileManager.default.createSymbolicLink(atPath: bin.path + "/" + name, withDestinationPath: program)
        }
        let harmless = ["id": "echo 1000", "swift": ":", "apt-get": "exit 9", "apt-cache": "exit 100"]
        for (name, script) in harmless.merging(programs, uniquingKeysWith: { $1 }) {
          try write(script, as: bin.appending(path: name).standardizedFileURL)
        }
        var text = try Repository.text("scripts/install-deps")
        for name in ["/etc/", "/usr/", "/run/"] { text = text.replacing(name, with: folder.path + name) }
        text = text.replacing(" /sbin/", with: " \(folder.path)/sbin/")
        let copy = folder.appending(path: "install-deps")
        try Data(text.utf8).write(to: copy)
        let script = try RunningScript(bin.appending(path: "bash"), [copy.path, wanted], path: bin.path)
        let output = script.finish().replacing(folder.path, with: "")
        let commands = output.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
        return (script.status, output, commands)
      }
    }
  #endif

  /// The shell script `swift` replaces the compiler.
  private static func withBuildScript(
    swift: String, _ body: (URL, (String) throws -> RunningScript) throws -> Void
  ) throws {
    try withFolder { folder in
      for name in ["bin", "scripts", "Plugins", "Sources", "Tools", "sql", "web"] {
        try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      try Data().write(to: folder.appending(path: "Package.swift"))
      let build = folder.appending(path: "scripts/build")
      for script in ["scripts/build", "scripts/elapsed-time"] {
        try ProgramFile.copy(Repository.root.appending(path: script).path, to: folder.appending(path: script).path)
      }
      try write(swift, as: folder.appending(path: "bin/swift"))
      let path = folder.path + "/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      try body(folder) { try RunningScript(build, [$0], path: path) }
    }
  }

  private static func withFolder<R>(_ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "syncctl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  private static func write(_ script: String, as file: URL) throws {
    try ProgramFile.write("#!/bin/sh\n\(script)\n", to: file.path)
  }
}

private final class RunningScript {
  private let process = Process()
  private let output = Pipe()
  private var text = Data()

  init(_ program: URL, _ arguments: [String], path: String) throws {
    process.executableURL = program
    process.arguments = arguments
    process.environment = ["PATH": path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  /// The value is valid after ``finish()`` has returned.
  var status: Int32 { process.terminationStatus }

  func wait(for part: String) {
    while !String(decoding: text, as: UTF8.self).contains(part) {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return }
      text += more
    }
  }

  func finish() -> String {
    text += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
