import Foundation
import PostgresTestKit
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite struct EmbeddedClusterRuleTests {
  private let alice = ServerUser(id: 1000, group: 1000, name: "alice", home: "/home/alice")
  private let context = ServerProgram.Context(user: nil, environment: [:], clock: ContinuousClock())

  @Test(arguments: [
    (["SYNCCTL_DATA_DIR": "/data"], true, "/data"), (["SYNCCTL_DATA_DIR": "data"], false, "/srv/data"),
    (["XDG_DATA_HOME": "/x", "HOME": "/root"], true, "/var/lib/syncctl"),
    (["XDG_DATA_HOME": "/x", "HOME": "/h"], false, "/x/syncctl"),
    (["XDG_DATA_HOME": "x", "HOME": "/h"], false, "/h/.local/share/syncctl"),
    (["SYNCCTL_DATA_DIR": ""], false, "/home/alice/.local/share/syncctl"),
  ])
  func defaultFolder(environment: [String: String], isRoot: Bool, expected: String) {
    let folder = ClusterLocation.defaultFolder(
      environment: environment, isRoot: isRoot, home: "/home/alice", workingFolder: "/srv")
    #expect(folder == expected)
  }

  @Test func programsOfTheServerGetNoVariablesOfPostgres() {
    let names = [
      "PGHOST", "PGHOSTADDR", "PGPORT", "PGUSER", "PGDATABASE", "PGSERVICE", "PGSERVICEFILE", "PGPASSWORD",
      "PGPASSFILE", "PGOPTIONS", "PGTZ", "PGDATESTYLE", "PGGEQO", "PGSSLMODE", "PGCLIENTENCODING", "PGAPPNAME",
      "PGTARGETSESSIONATTRS", "PGCONNECT_TIMEOUT", "PGDATA",
    ]
    let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "hostile") })
    let cluster = EmbeddedCluster(dataDirectory: "/srv/mirror", options: .init(environment: environment))
    #expect(cluster.context(user: nil).environment.filter { $0.value == "hostile" }.isEmpty)
  }

  @Test func unreachableFolderIsReplaced() {
    func resolve(_ folder: String, hasCluster: Bool = false) -> ClusterLocation {
      ClusterLocation.resolve(
        requestedFolder: folder, hasCluster: { _ in hasCluster }, obstacle: { $0 == "/home" ? "closed" : nil })
    }
    #expect(resolve("/srv/mirror//") == ClusterLocation(folder: "/srv/mirror"))
    let moved = resolve("/home/a/b")
    #expect(moved.folder.hasPrefix("/var/lib/syncctl/at-"))
    #expect(moved.move == ClusterLocation.Move(requestedFolder: "/home/a/b", reason: "closed"))
    #expect(moved == resolve("/home/a/b/"))
    #expect(moved.folder != resolve("/home/a/c").folder)
    // If only the folder itself is closed to the user, syncctl corrects its permissions and keeps the folder.
    #expect(resolve("/home").move == nil)
    #expect(resolve("/home/a/b", hasCluster: true) == ClusterLocation(folder: "/home/a/b"))
  }

  @Test func foldersThatDoNotExistYetHaveOneName() throws {
    let root = try ThrowawayFolders.make()
    let real = FileOperations.canonical(root) ?? root
    try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: root)
    #expect(FileOperations.resolved(root + "/link/./new/data/") == real + "/new/data")
    #expect(FileOperations.resolved("/") == "/")
    try FileManager.default.removeItem(atPath: root)
  }

  @Test func foldersOfOthersAreNotTrusted() throws {
    let root = try ThrowawayFolders.make()
    let folder = (FileOperations.canonical(root) ?? root) + "/shared"
    try makeFolder(folder)
    let me = ServerUser(id: geteuid(), group: getegid(), name: ServerUser.groupName(id: getegid()) ?? "", home: "/")
    let alone = FolderTrust(users: [me])
    for (mode, isTrusted) in [(0o755, true), (0o775, true), (0o777, false), (0o1777, true), (0o700, true)] {
      try FileOperations.setPermissions(folder, UInt32(mode))
      #expect((alone.doubt(about: folder + "/data") == nil) == isTrusted, "mode \(String(mode, radix: 8))")
    }
    try FileOperations.setPermissions(folder, 0o775)
    let stranger = ServerUser(id: geteuid() + 54_321, group: getegid() + 54_321, name: "s", home: "/")
    guard geteuid() == 0 else {
      #expect(FolderTrust(users: [stranger]).doubt(about: folder) == .owner(path: root, id: me.id))
      return try FileManager.default.removeItem(atPath: root)
    }
    try FileOperations.setOwner(folder, user: 0, group: stranger.group)
    #expect(alone.doubt(about: folder) == .writable(path: folder, permissions: 0o775))
    try FileOperations.setOwner(folder, user: stranger.id, group: 0)
    #expect(alone.doubt(about: folder + "/data") == .owner(path: folder, id: stranger.id))
    #expect(FolderTrust(users: [stranger]).doubt(about: folder + "/data") == nil)
    try FileManager.default.removeItem(atPath: root)
  }

  @Test func passageGoesByThePermissionBits() throws {
    let folder = try ThrowawayFolders.make()
    let stranger = ServerUser(id: geteuid() + 54_321, group: getegid() + 54_321, name: "s", home: "/")
    try FileOperations.setPermissions(folder, 0o700)
    #expect(!ClusterLocation.canPass(folder, user: stranger))
    try FileOperations.setPermissions(folder, 0o701)
    #expect(ClusterLocation.canPass(folder, user: stranger))
    #expect(ClusterLocation.canPass(folder + "/not yet there", user: stranger))
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func socketFolderIsShortAndPrivate() {
    func choose(_ environment: [String: String], asRoot: Bool = false, usable: Bool = true) -> String {
      SocketFolder.choose(
        dataFolder: "/d", port: 5432, environment: environment, asRoot: asRoot, user: alice,
        isUsable: { _, _ in usable }
      ).path
    }
    #expect(choose(["XDG_RUNTIME_DIR": "/run/user/1000"]).hasPrefix("/run/user/1000/syncctl-"))
    #expect(choose(["XDG_RUNTIME_DIR": "/run/user/1000"], usable: false).hasPrefix("/tmp/syncctl-1000-"))
    #expect(choose([:]).hasPrefix("/tmp/syncctl-1000-"))
    #expect(choose([:], asRoot: true).hasPrefix("/run/syncctl-"))
    for hostile in ["relative", "/a,b", "/a'b", "/" + String(repeating: "x", count: 90)] {
      #expect(choose(["XDG_RUNTIME_DIR": hostile]).hasPrefix("/tmp/syncctl-1000-"))
    }
  }

  @Test(
    arguments: [
      ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", 15), ("postgres (PostgreSQL) 18devel", 18),
      ("postgres (PostgreSQL) 9.6.24", 9), ("sh: not found", nil), ("", nil),
    ] as [(String, Int?)])
  func version(line: String, expected: Int?) { #expect(ServerBinaries.parseVersion(line) == expected) }

  @Test func newestVersionComesFirstAndTheDatasOwnIsPreferred() async throws {
    let root = try ThrowawayFolders.make()
    for version in [9, 14, 100] {
      try makeFolder("\(root)/\(version)/bin")
      for name in ServerBinaries.needed {
        let script = "#!/bin/sh\necho 'postgres (PostgreSQL) \(version).1'\n"
        try ProgramFile.write(script, to: "\(root)/\(version)/bin/\(name)")
      }
    }
    try makeFolder(root + "/200/bin")
    var search = BinarySearch(environment: [:], patterns: [root + "/*/bin"])
    #expect(
      try await search.folders(holding: ServerBinaries.needed, in: context)
        == ["100", "14", "9"].map { "\(root)/\($0)/bin" })
    func find(_ version: Int?, oldest: Int = 0) async throws -> ServerBinaries {
      try await ServerBinaries.find(for: version, oldest: oldest, data: "/d", search: search, in: context)
    }
    #expect(try await find(nil).majorVersion == 100)
    #expect(try await find(14).folder == root + "/14/bin")
    search.override = [root + "/9/bin"]
    #expect(try await find(nil).majorVersion == 9)
    #expect(try await find(14).folder == root + "/14/bin", "the data's version is searched in the usual folders too")
    try await clusterError(.versionMismatch, "this machine has PostgreSQL 9, 14, 100") { _ = try await find(15) }
    search.override = ["\(root)/9/bin", "\(root)/14/bin"]
    try await clusterError(.binariesMissing, "PostgreSQL 15 or newer is needed, but this machine has PostgreSQL 9, 14")
    {
      _ = try await find(nil, oldest: 15)
    }
    try FileManager.default.removeItem(atPath: root)
  }

  @Test(arguments: [
    ("apt-get", "apt-get install -y --no-install-recommends postgresql"), ("dnf", "dnf install -y postgresql-server"),
    ("brew", "brew install postgresql@17"),
  ])
  func installCommand(manager: String, expected: String) {
    #expect(BinarySearch.installCommand { $0 == manager } == expected)
  }

  @Test func processFileIsRead() throws {
    let text = "42\n/d/postgres\n1700000000\n5432\n/run/x\n\n  5432001  32768\nready   \n"
    let file = try #require(PostmasterFile(text))
    #expect(file.pid == 42 && file.startedAt == 1_700_000_000 && file.port == 5432)
    #expect(file.socketDirectory == "/run/x" && file.status == .ready)
    #expect(PostmasterFile("-42\n/d\n")?.pid == 42)
    for broken in ["", "\n", "x", "0", "1", "99999999999999999999", "-2147483649"] {
      #expect(PostmasterFile(broken) == nil)
    }
  }

  @Test func errorsStayOnOneLineAndAreBounded() {
    let error = EmbeddedClusterError(.startFailed, "a\u{1B}[2J\nb\u{202E}c\u{0}", hint: "d\r\ne")
    #expect(error.description == "a [2J b c; d e")
    #expect(EmbeddedClusterError(.startFailed, String(repeating: "x", count: 5_000), hint: "y").message.count <= 1_001)
    let log = "LOG: one\nFATAL:  two\nLOG: three\n"
    #expect(EmbeddedClusterError.tellingLine(of: log) == "FATAL: two")
    #expect(EmbeddedClusterError.tellingLine(of: "one\ntwo\n\n") == "two")
  }

  @Test func urlIsEscaped() {
    let endpoint = ClusterEndpoint(socketDirectory: "/tmp/a b&c", port: 5432)
    #expect(endpoint.url == "postgresql:///syncctl?host=/tmp/a%20b%26c&port=5432&user=syncctl")
  }

  @Test func configurationIsQuoted() {
    let configuration = ClusterConfiguration(
      socketDirectory: "/tmp/it's", port: 1, listenAddresses: "", settings: ["fsync": "off"], hostRules: [],
      allowedUsers: ["a \"b\""])
    #expect(configuration.settingsFile.contains("unix_socket_directories = '/tmp/it''s'\n"))
    #expect(configuration.settingsFile.contains("fsync = 'off'\n"))
    #expect(configuration.accessFile.split(separator: "\n").count == 2)
    #expect(configuration.identityFile.hasSuffix("syncctl \"a \"\"b\"\"\" syncctl_psql\n"))
  }

  @Test func programsHaveADeadline() async throws {
    try await clusterError(.timeout, "/bin/sleep") {
      _ = try await ServerProgram.run("/bin/sleep", ["600"], deadline: .milliseconds(100), in: context)
    }
    try await clusterError(.startFailed, "/nonexistent/x") {
      _ = try await ServerProgram.run("/nonexistent/x", [], deadline: .seconds(5), in: context)
    }
  }

  @Test func inputIsReadToItsEnd() async throws {
    let text = String(repeating: "進撃の巨人\n", count: 20_000)
    let result = try await ServerProgram.run("/bin/cat", [], source: .text(text), deadline: .seconds(60), in: context)
    #expect(result.succeeded && result.standardOutput == text)
  }

  /// Subprocess 1.0.2 traps if a program ends without reading a text input. So `ServerProgram` passes a file instead.
  @Test func programMayEndWithoutReading() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { [context] in
          for _ in 0..<40 {
            let text = String(repeating: "x", count: 100_000)
            _ = try await ServerProgram.run("/bin/true", [], source: .text(text), deadline: .seconds(60), in: context)
          }
          return true
        }
      }
      for try await succeeded in group { #expect(succeeded) }
    }
  }
}
