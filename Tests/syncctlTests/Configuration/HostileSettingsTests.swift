import Foundation
import SyncCore
import SyncEngine
import SyncPostgres
import SyncTestKit
import Testing

@testable import SyncProgram

@Suite("Settings that hold hostile numbers and URLs", .boundSources)
struct HostileSettingsTests {
  private static let numbers = [
    "-1", "0", "65536", "9999999", "99999999999999999999", "9223372036854775807", "-9223372036854775808", "1e400",
    "NaN", "inf", "٣", "0x10", "9999999d", "99999999999d", "-1d", "9999999/1s", "1/9999999d", "1s/1", "65536:65536",
    "127.0.0.1:65536", "127.0.0.1:-1", "[::1]:99999999999999999999", "every 9999999d", "99999999999999999999 * * * *",
    "*/99999999999999999999 * * * *",
  ]
  static let addresses = [
    "http://a:65536/v1", "http://a:99999999999999999999/v1", "http://a:9223372036854775807", "http://a:-1/v1",
    "http://a:0", "http://a:80x", "http://a:+80", "http://a:", "http://[::1]:65536", "http://[::1]:-1/v1",
    "http://u:1@a:65536/", "http://a:65536?x", "http://a:65536#x", "http://a b/v1", "http://a/v 1", "http://a/v\n1",
    "http://a%00b/v1", "http://a\\:65536/v1",
  ]
  private static let urls = [
    "SYNCCTL_JIKAN_BASE_URL", "SYNCCTL_POKEAPI_BASE_URL", "SYNCCTL_ITUNES_BASE_URL", "SYNCCTL_ITUNES_CHARTS_BASE_URL",
    "SYNCCTL_HEARTBEAT_URL",
  ]

  private static func files(_ value: String) -> [(key: String, yaml: String)] {
    let quoted = "'\(value)'"
    var files: [(String, String)] = []
    for (name, keys) in [
      ("database", ConfigurationFile.Keys.database), ("runs", ConfigurationFile.Keys.runs),
      ("history", ConfigurationFile.Keys.history), ("retention", ConfigurationFile.Keys.retention),
      ("telemetry", ConfigurationFile.Keys.telemetry), ("web", ConfigurationFile.Keys.web),
    ] { files += keys.map { ($0, "\(name): { \($0): \(quoted) }") } }
    for key in ConfigurationFile.Keys.job {
      var job = ["name": "a", "source": "jikan", "schedule": "'@daily'"]
      job[key] = quoted
      files.append((key, "jobs: [{ \(job.map { "\($0): \($1)" }.joined(separator: ", ")) }]"))
    }
    for source in Registry.sources {
      files += (source.keys ?? []).map { ($0, "sources: { \(source.name): { \($0): \(quoted) } }") }
    }
    let entries = ["searches": "name: a, term: a", "lookups": "name: a, ids: [1]", "charts": "name: a, country: us"]
    for (list, entry) in entries {
      files.append(("limit", "sources: { itunes: { \(list): [{ \(entry), limit: \(quoted) }] } }"))
    }
    files.append(("ids", "sources: { itunes: { lookups: [{ name: a, ids: [\(quoted)] }] } }"))
    return files
  }

  private static func fault(_ environment: [String: String], yaml: String = "") throws -> SyncError? {
    do {
      let configuration = try load(environment, yaml: yaml)
      // A command computes these values before its first request, so the computation must not trap for any setting.
      _ = configuration.sources.map { ($0.defaultStreams, $0.services.map { Origin.server(of: $0.baseURL) }) }
      _ = configuration.jobs.map { $0.scheduled.pause(.init(scheduledUntil: 0, isPaused: false, isOurs: true), now: 0) }
      return nil
    } catch let error as SyncError { return error }
  }

  @Test("each of them is a setting or is refused with 78 and the setting's name")
  func everySetting() throws {
    for value in Self.numbers + Self.addresses {
      for (key, yaml) in Self.files(value) where !value.contains("\n") {
        guard let fault = try Self.fault([:], yaml: yaml) else { continue }
        #expect(fault.code == .configuration, "\(yaml): \(fault)")
        #expect(fault.message.contains(key), "\(yaml): \(fault)")
      }
      let variables =
        ["SYNCCTL_LEASE_TTL", "SYNCCTL_RESUME_WITHIN", "SYNCCTL_RUN_TIMEOUT", "SYNCCTL_LISTEN", "SYNCCTL_LOG_LEVEL"]
        + ["SYNCCTL_HISTORY_POSITIONS", "SYNCCTL_HISTORY_RETENTION"] + Self.urls
        + Retention.allCases.map { "SYNCCTL_RETENTION_\($0.rawValue.uppercased())" }
        + Registry.sources.flatMap { source in (source.keys ?? []).map { SourceSettings.variable(of: source.id, $0) } }
      for variable in variables {
        guard let fault = try Self.fault([variable: value]) else { continue }
        #expect(fault.code == .configuration, "\(variable)=\(value): \(fault)")
        #expect(fault.message.contains(variable), "\(variable)=\(value): \(fault)")
      }
    }
  }

  @Test("no URL with a port that does not exist, or with white space in it, is one", arguments: addresses)
  func address(text: String) throws {
    #expect(WebAddress(text) == nil)
    #expect(HeartbeatURL(text) == nil)
    for variable in Self.urls {
      let fault = try #require(try Self.fault([variable: text]), "\(variable)=\(text)")
      #expect(fault.code == .configuration)
      #expect(fault.message.contains(variable))
    }
  }

  @Test("white space at the ends of a URL is no part of it")
  func trimmed() throws {
    #expect(WebAddress(" http://[::1]:65535/v1/\r\n")?.url == "http://[::1]:65535/v1/")
    #expect(HeartbeatURL("https://hc.example/ping \n")?.url == "https://hc.example/ping")
    let url = try Origin.checked(Setting("\thttps://a.example:1/v1//\n", .standard), "base_url", example: "")
    #expect(url == "https://a.example:1/v1")
  }

  @Test("white space at the ends of each URL setting is omitted, whether it is in the environment or in the file")
  func trimmedEverywhere() throws {
    func shown(_ name: String, _ configuration: Configuration) -> String? {
      configuration.shown.first { $0.name == name }?.value
    }
    let written = " \thttp://a.example:1/v1/ \r\n"
    let quoted = #"" \thttp://a.example:1/v1/ \r\n""#
    for source in Registry.sources {
      for key in source.keys ?? [] where key.hasSuffix("base_url") {
        let name = "sources.\(source.name).\(key)"
        let inEnvironment = try load([SourceSettings.variable(of: source.id, key): written])
        #expect(shown(name, inEnvironment) == "http://a.example:1/v1", "\(name)")
        let inFile = try load([:], yaml: "sources: { \(source.name): { \(key): \(quoted) } }")
        #expect(shown(name, inFile) == "http://a.example:1/v1", "\(name)")
      }
    }
    let heartbeat = "http://a.example:1/v1/"
    #expect(try load(["SYNCCTL_HEARTBEAT_URL": written]).telemetry.heartbeat?.url == heartbeat)
    let telemetry = "telemetry: { heartbeat_url: \(quoted) }"
    #expect(try load([:], yaml: telemetry).telemetry.heartbeat?.url == heartbeat)
    let job = "jobs: [{ name: a, schedule: '@daily', heartbeat_url: \(quoted) }]"
    #expect(try load([:], yaml: job).jobs.first?.heartbeat?.url == heartbeat)
    for variable in ["SYNCCTL_DATABASE_URL", "DATABASE_URL"] {
      #expect(shown("database", try load([variable: "\tpostgresql:///mirror \n"])) == "dbname=mirror")
    }
    let database = #"database: { url: "\tpostgresql:///mirror \n" }"#
    #expect(shown("database", try load([:], yaml: database)) == "dbname=mirror")
  }
}

extension EndToEnd {
  @Suite struct HostileAddresses {
    @Test("a port above 65535 ends no process: 78 with the setting's name, 64 for an argument")
    func ports() async throws {
      let mirror = try await Mirror.make()
      let url = "http://127.0.0.1:65536/v1"
      try await mirror.with(["SYNCCTL_JIKAN_BASE_URL": url]).syncctl("run", "--stream", "top-anime")
        .expectFailure(78, naming: "SYNCCTL_JIKAN_BASE_URL")
      for endpoint in ["127.0.0.1:65536", "[::1]:99999999999999999999", url] {
        try await mirror.syncctl("health", "--endpoint", endpoint).expectFailure(64, naming: "--endpoint")
      }
      try await mirror.syncctl("health", "--endpoint", " 127.0.0.1:9\n").expectFailure(1, naming: "127.0.0.1:9/readyz")
      try await mirror.syncctl("health", "--endpoint", "127.0.0.1:\n9").expectFailure(64, naming: "--endpoint")
    }
  }
}
