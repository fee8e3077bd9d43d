import Foundation
import SyncCore
import SyncTestKit
import Testing

@testable import SyncProgram

@Suite("Variables of the environment, and configurations with several errors", .boundSources)
struct EnvironmentVariableTests {
  private static func faults(_ environment: [String: String], yaml: String = "") -> [String] {
    guard let error = fault(environment, yaml: yaml) else { return [] }
    return [error.description] + error.exhibit
  }

  @Test(
    "quotes and ~ that no shell removed are named, wherever the value is from",
    arguments: [
      ("SYNCCTL_DATA_DIR", "\"/srv/mirror\"", "in quotes"), ("SYNCCTL_DATA_DIR", "'/srv/mirror'", "in quotes"),
      ("SYNCCTL_DATA_DIR", "~/mirror", "begins with ~"), ("SYNCCTL_LEASE_TTL", "'90s'", "in quotes"),
      ("SYNCCTL_JIKAN_BASE_URL", "\"http://a.example\"", "in quotes"),
      ("DATABASE_URL", "'postgresql:///a'", "in quotes"),
      ("SYNCCTL_METRICS_FILE", "~/m.prom", "begins with ~"), ("SYNCCTL_WEB_PASSWORD_FILE", "'/x'", "in quotes"),
    ])
  func unexpanded(name: String, value: String, problem: String) {
    let found = Self.faults([name: value])
    #expect(found.count == 1 && found[0].hasPrefix("environment \(name): the value "), "\(found)")
    #expect(found.allSatisfy { $0.contains(problem) && !$0.contains("srv") && !$0.contains("postgresql:") }, "\(found)")
  }

  @Test("a relative data folder is refused with the path to write")
  func relativeFolder() {
    let working = FileManager.default.currentDirectoryPath
    for folder in [".demo", "./.demo", "a/../.demo"] {
      let found = Self.faults(["SYNCCTL_DATA_DIR": folder])
      #expect(found.count == 1 && found[0].hasSuffix("write SYNCCTL_DATA_DIR=\(working)/.demo"), "\(found)")
    }
    #expect(Self.faults(["SYNCCTL_DATA_DIR": "/srv/a b"]).isEmpty && Self.faults(["SYNCCTL_DATA_DIR": ""]).isEmpty)
  }

  @Test("a misspelt variable is a warning with the name that it resembles; names of the file are known")
  func misspelt() throws {
    func warnings(_ names: String..., file: String? = nil) -> [String] {
      let values = Dictionary(names.map { ($0, "x") }, uniquingKeysWith: { first, _ in first })
      return EnvironmentVariables(values: values).warnings(file: file)
    }
    #expect(
      warnings("SYNCCTL_JIKAN_RATE_LIMIT", "SYNCCTL_DATABASE_URI") == [
        "the variable SYNCCTL_DATABASE_URI is unknown and has no effect; did you mean SYNCCTL_DATABASE_URL?",
        "the variable SYNCCTL_JIKAN_RATE_LIMIT is unknown and has no effect; did you mean SYNCCTL_JIKAN_RATE_LIMITS?",
      ])
    #expect(warnings("SYNCCTL_POKEAPI_TTL", "SYNCCTL_SHOP_KEY", "OTHER", "SYNCCTL_TEST_SEED").isEmpty)
    let folder = try TemporaryFolder()
    let file = try folder.write("headers: { X-Key: '{env:SYNCCTL_DATA_DIRS}' }", to: "syncctl.yaml")
    #expect(warnings("SYNCCTL_DATA_DIRS").count == 1 && warnings("SYNCCTL_DATA_DIRS", file: file).isEmpty)
  }

  @Test("every variable that the sources name is known")
  func named() throws {
    var folder = URL(filePath: #filePath)
    for _ in 1...4 { folder.deleteLastPathComponent() }
    let sources = folder.appending(path: "Sources").path
    var names: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources) where path.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
      names.formUnion(text.matches(of: /"(SYNCCTL_[A-Z_]*[A-Z])"/).map { String($0.output.1) })
    }
    #expect(names.count > 10 && names.subtracting(EnvironmentVariables.names) == [])
  }

  @Test("all errors of a configuration are reported at once")
  func together() {
    let yaml = """
      run: { timeout: 1h }
      runs: { lease_tll: 90s, timeout: soon }
      """
    let unknown = Self.faults([:], yaml: yaml)
    #expect(unknown.count == 1 && unknown[0].contains("unknown key run"), "\(unknown)")
    let values = """
      runs: { lease_ttl: 1s }
      sources: { jikan: { base_url: nowhere }, pokeapi: { concurrency: many } }
      telemetry: { log_level: loud }
      """
    let found = Self.faults(["SYNCCTL_HISTORY_RETENTION": "now"], yaml: values)
    for part in ["runs.lease_ttl", "history.retention", "jikan.base_url", "pokeapi.concurrency", "log_level"] {
      #expect(found.count { $0.contains(part) } == 1, "\(part): \(found)")
    }
    #expect(found.count == 5 && found.dropFirst().allSatisfy { $0.hasPrefix("also: ") })
    let jobs = "jobs: [{ name: a }, { name: b, schedule: x }, { name: c, schedule: '@daily', retry: 1, ful: true }]"
    let keys = Self.faults([:], yaml: jobs)
    #expect(keys.count == 2 && keys[0].contains("retry") && keys[1].contains("ful"), "\(keys)")
    let schedules = Self.faults([:], yaml: "jobs: [{ name: a }, { name: b, schedule: x }]")
    #expect(schedules.count { $0.contains("jobs[0]") } == 1 && schedules.count { $0.contains("jobs[1]") } == 1)
  }

  @Test("empty jobs are an empty list, and merge keys are named")
  func yaml() throws {
    #expect(try load([:], yaml: "jobs:\n").jobs.isEmpty)
    let merged = "runs: &base { timeout: 1h }\nhistory: { <<: *base }"
    #expect(Self.faults([:], yaml: merged).first?.contains("a merge key (<<), which is not supported") == true)
  }
}

extension EndToEnd {
  @Suite struct AddressPlaces {
    @Test("a server that does not answer is named with the place of its address")
    func unreachable() async throws {
      let mirror = try await Mirror.make()
      let closed = "postgresql://127.0.0.1:9/mirror"
      let file = try mirror.home.write("database: { url: '\(closed)' }", to: "other.yaml")
      let places: [([String: String], String)] = [
        (["SYNCCTL_DATABASE_URL": closed], "environment SYNCCTL_DATABASE_URL"),
        (["SYNCCTL_DATABASE_URL": "", "DATABASE_URL": closed], "environment DATABASE_URL"),
        (["SYNCCTL_DATABASE_URL": "", "PGHOST": "127.0.0.1", "PGPORT": "9"], "environment PGHOST"),
        (["SYNCCTL_DATABASE_URL": "", "SYNCCTL_CONFIG": file], file),
      ]
      for (environment, place) in places {
        let result = try await mirror.with(environment).syncctl("status")
        result.expectFailure(74, naming: "its address (\(place)) is right")
      }
      let misspelt = try await mirror.with(["SYNCCTL_HISTORY_POSITION": "5"]).syncctl("config")
      #expect(misspelt.end == .exit(0) && misspelt.standardError.contains("did you mean SYNCCTL_HISTORY_POSITIONS?"))
    }
  }
}
