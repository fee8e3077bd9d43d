import Foundation
import SyncPostgres
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// The embedded cluster as users see it.
  @Suite struct Cluster {
    /// A user without a configured database, whose data folder is removed after the test.
    static func with(_ body: (Mirror, _ folder: String) async throws -> Void) async throws {
      let folder = try ThrowawayFolders.make()
      let mirror = try await Mirror.make().with(["SYNCCTL_DATABASE_URL": "", "SYNCCTL_DATA_DIR": folder])
      let result: Result<Void, any Error>
      do { result = .success(try await body(mirror, folder)) } catch { result = .failure(error) }
      _ = try await mirror.syncctl("db", "stop")
      try ThrowawayFolders.remove(folder)
      try result.get()
    }

    @Test func whatIsNotThereIsNotGivenOut() async throws {
      try await Self.with { mirror, folder in
        try await mirror.syncctl("db", "url").expectFailure(78, naming: "no mirror yet in \(folder)", "syncctl run")
        try await mirror.syncctl("rankings", "jikan").expectFailure(78, naming: "no mirror yet in \(folder)")
        let stopped = try await mirror.syncctl("db", "stop")
        #expect(stopped.end == .exit(0) && stopped.standardOutput.hasPrefix("not set up"))
        let status = try JSONValue(try await mirror.syncctl("db", "status", "--format", "json").standardOutput)
        #expect(status.array?.first?["state"]?.text == "not set up" && status.array?.first?["url"]?.text == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      }
    }

    @Test func addressIsOfAServerThatRuns() async throws {
      try await Self.with { mirror, _ in
        #expect(try await mirror.syncctl("db", "start").end == .exit(0))
        #expect(try await mirror.syncctl("db", "stop").standardOutput == "stopped\n")
        #expect(try await mirror.syncctl("db", "stop").standardOutput == "not running\n")
        let asked = try await mirror.shell(#"psql -XAtc 'SELECT 7' "$("$0" db url)""#)
        #expect(asked.standardOutput == "7\n", "\(asked.standardError)")
      }
    }

    @Test func clusterOfSomebodyElseIsRefused() async throws {
      try await Self.with { mirror, folder in
        #expect(try await mirror.syncctl("db", "start").end == .exit(0))
        #expect(try await mirror.syncctl("db", "stop").end == .exit(0))
        let files = ["syncctl.cluster", "syncctl.conf"].map { "\(folder)/postgres/\($0)" }
        for file in files { try FileManager.default.removeItem(atPath: file) }
        for command in ["rankings jikan", "status", "db status", "db start", "db stop", "db url", "run --max-pages 1"] {
          let result = try await mirror.shell("\"$0\" \(command)")
          #expect(result.end == .exit(78), "\(command)")
          #expect(result.standardError.contains("did not make"), "\(result.standardError)")
        }
        #expect(files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
      }
    }
  }
}
