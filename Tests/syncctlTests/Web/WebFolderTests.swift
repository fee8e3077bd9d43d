import Foundation
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres
@testable import SyncProgram

@Suite("The token and the addresses of running servers")
struct WebFolderTests {
  private let home: TemporaryFolder
  private let folder: WebFolder

  init() throws {
    home = try TemporaryFolder()
    folder = WebFolder(dataFolder: "\(home.path)/data")
  }

  private var path: String { "\(home.path)/data/web-access" }

  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func fault(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "no error"
  }

  @Test("servers that start at the same time have one token, which only its owner can read")
  func oneToken() async throws {
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...16 { group.addTask { try folder.token() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(tokens.count == 1 && tokens.first?.count == 32)
    #expect(try mode("token") == 0o600)
    #expect(try mode("") == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["token"])
    // A token of the user stays.
    try Data("my-own-token-of-24-bytes".utf8).write(to: URL(filePath: "\(path)/token"))
    #expect(try folder.token() == "my-own-token-of-24-bytes")
  }

  @Test("a token that others can know is refused, and stays for its owner to see")
  func badTokens() throws {
    _ = try folder.token()
    let file = "\(path)/token"
    #expect(chmod(file, 0o640) == 0)
    #expect(fault { _ = try folder.token() }.contains("other users"))
    #expect(chmod(file, 0o600) == 0)
    for text in ["", "\n", "short", "0123456789abcdef 0123456789abcdef"] {
      try Data(text.utf8).write(to: URL(filePath: file))
      let error = fault { _ = try folder.token() }
      #expect(error.contains("has no token") && !error.contains("0123456789abcdef"), "\(error)")
    }
    #expect(unlink(file) == 0 && symlink("/etc/hostname", file) == 0)
    #expect(fault { _ = try folder.token() }.contains("cannot be read"))
    #expect(unlink(file) == 0 && chmod(path, 0o770) == 0)
    #expect(fault { _ = try folder.token() }.contains("only this user can write"))
    #expect(unlink(file) != 0)
  }

  @Test("a data folder that cannot be made is named")
  func noFolder() throws {
    let file = try home.write("", to: "file")
    let error = fault { _ = try WebFolder(dataFolder: "\(file)/data").token() }
    #expect(error.contains("\(file)/data") && error.contains("SYNCCTL_DATA_DIR"), "\(error)")
  }

  @Test("running servers are listed, and the files of ended ones are removed")
  func running() throws {
    #expect(fault { _ = try folder.running() }.contains("no syncctl web is running"))
    var one: WebAnnouncement? = try folder.announce("http://127.0.0.1:1/?token=a", forBrowser: true)
    let other = try folder.announce("http://127.0.0.1:2/?token=a", forBrowser: false)
    let urls = try folder.running()
    #expect(Set(urls) == ["http://127.0.0.1:1/?token=a", "http://127.0.0.1:2/?token=a"])
    let page = try #require(one?.page)
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("url=http://127.0.0.1:1/?token=a"))
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      #expect(try mode(name) == 0o600, "\(name)")
    }
    one = nil
    #expect(!FileManager.default.fileExists(atPath: page))
    #expect(try folder.running() == ["http://127.0.0.1:2/?token=a"])
    // The files of a server that was killed have no lock.
    for name in ["x.address", "x.html"] {
      try Data("http://127.0.0.1:3/".utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }
    #expect(try folder.running() == ["http://127.0.0.1:2/?token=a"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
    withExtendedLifetime(other) {}
  }

  @Test("an embedded database can be created in a data folder with a token")
  func embedded() throws {
    _ = try folder.token()
    let cluster = EmbeddedCluster(
      dataDirectory: "\(home.path)/data", options: EmbeddedCluster.Options(environment: [:]))
    try cluster.prepareDataFolder()
    _ = try home.write("", to: "data/letter")
    #expect(throws: EmbeddedClusterError.self) { try cluster.prepareDataFolder() }
  }
}
