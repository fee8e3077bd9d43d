import Foundation
import SyncTestKit
import Testing

extension EndToEnd {
  @Suite struct Init {
    private let program: ProgramUnderTest
    private let home: TemporaryFolder

    init() throws {
      program = try ProgramUnderTest.named("syncctl")
      home = try TemporaryFolder()
    }

    private func syncctl(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> ProgramResult {
      try await program.run(
        arguments, environment: ["HOME": home.path, "TERM": "dumb"].merging(environment) { $1 }, in: home.path)
    }

    private func shell(_ line: String) async throws -> ProgramResult {
      try await ProgramUnderTest(path: "/bin/sh").run(
        ["-c", line, program.path], environment: ["HOME": home.path, "TERM": "dumb"], in: home.path)
    }

    private func read(_ name: String) throws -> String {
      try String(contentsOfFile: "\(home.path)/\(name)", encoding: .utf8)
    }

    @Test(arguments: [["itunes", "jikan"], []])
    func isReadByTheOtherCommands(sources: [String]) async throws {
      let made = try await syncctl(["init"] + sources.flatMap { ["--source", $0] })
      #expect(made.end == .exit(0) && made.standardOutput.isEmpty, "\(made)")
      let chosen = sources.isEmpty ? ["jikan", "pokeapi", "itunes"] : sources
      let said =
        ["written: ./syncctl.yaml\n", "  syncctl doctor ", "  syncctl worker --list ", "  syncctl worker "]
        + chosen.map { "  syncctl run --source \($0) " }
      for text in said { #expect(made.standardError.contains(text), "\(text): \(made.standardError)") }
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["syncctl.yaml"])
      var status = stat()
      let found = stat(home.path + "/syncctl.yaml", &status)
      // The user's umask can remove permissions from 0644, so the test only rejects permissions beyond 0644.
      let beyond = status.st_mode & 0o777 & ~0o644
      #expect(found == 0 && beyond == 0)

      let config = try await syncctl(["config", "--format", "json"])
      #expect(config.end == .exit(0), "\(config.standardError)")
      let settings = try #require(try JSONValue(config.standardOutput).array)
      #expect(settings.first?["value"]?.text == "./syncctl.yaml")
      let list = try await syncctl(["worker", "--list", "--format", "json"])
      #expect(list.end == .exit(0), "\(list.standardError)")
      let jobs = try #require(try JSONValue(list.standardOutput).array)
      #expect(Set(jobs.compactMap { $0["source"]?.text }) == Set(chosen))
      #expect(jobs.allSatisfy { $0["third"]?.text != nil })
    }

    @Test func aFileThatExistsIsKeptWithoutForce() async throws {
      _ = try home.write("jobs: []\n", to: "syncctl.yaml")
      try await syncctl(["init"]).expectFailure(64, naming: "./syncctl.yaml already exists", "--force")
      #expect(try read("syncctl.yaml") == "jobs: []\n")
      let forced = try await syncctl(["init", "--force"])
      #expect(forced.end == .exit(0), "\(forced.standardError)")
      #expect(try read("syncctl.yaml").contains("jikan-daily"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["syncctl.yaml"])
    }

    @Test func noLinkIsFollowed() async throws {
      _ = try home.write("mine\n", to: "other")
      try FileManager.default.createSymbolicLink(atPath: home.path + "/syncctl.yaml", withDestinationPath: "other")
      try await syncctl(["init"]).expectFailure(64, naming: "already exists")
      #expect(try await syncctl(["init", "--force"]).end == .exit(0))
      #expect(try read("other") == "mine\n")
      #expect(try read("syncctl.yaml").contains("jikan-daily"))
    }

    @Test func goesThroughAPipe() async throws {
      let piped = try await shell(#""$0" init --stdout > out.yaml && "$0" config --config out.yaml"#)
      #expect(piped.end == .exit(0) && piped.standardError.isEmpty, "\(piped)")
      #expect(piped.standardOutput.contains("jikan-daily"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["out.yaml"])
      let closed = try await shell(#"{ "$0" init --stdout; echo "status $?" >&2; } | head -n 1"#)
      #expect(closed.standardError == "status 0\n" && closed.standardOutput.hasPrefix("# "), "\(closed)")
      try await syncctl(["init", "--stdout", "--force"]).expectFailure(64, naming: "--stdout")
    }

    @Test func writesWhereItIsTold() async throws {
      let named = try await syncctl(["init", "--file", "my mirror.yaml"])
      #expect(named.standardError.contains("syncctl doctor --config 'my mirror.yaml' "), "\(named)")
      let configured = try await syncctl(["init", "--config", "mirror.yaml"])
      #expect(configured.standardError.contains("syncctl worker --config mirror.yaml "), "\(configured)")
      let variable = try await syncctl(["init"], ["SYNCCTL_CONFIG": "elsewhere.yaml"])
      #expect(variable.standardError.contains("syncctl doctor  "), "\(variable)")
      for name in ["my mirror.yaml", "mirror.yaml", "elsewhere.yaml"] { #expect(try read(name).contains("jobs:")) }
      try await syncctl(["init", "--source", "jikn"]).expectFailure(64, naming: "jikn", "did you mean jikan?")
      try await syncctl(["init", "--file", "nowhere/x.yaml"]).expectFailure(64, naming: "nowhere/x.yaml", "folder")
    }
  }
}
