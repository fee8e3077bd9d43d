import Foundation
import SyncCore
import SyncEngine
import Testing

@testable import ITunesSource
@testable import SyncProgram

@Suite(.boundSources)
struct SampleFileTests {
  private func settings(_ text: String) throws -> [String: String] {
    let shown = try load([:], yaml: text).shown.filter { $0.name != "jobs" && !$0.value.hasSuffix("/syncctl.yaml") }
    return Dictionary(shown.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private static var choices: [[SourceDefinition]] { BoundSources.all.map { [$0] } + [BoundSources.all] }

  private static func complete(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let match = line.wholeMatch(of: /( *)# ([a-z_]+:.*|- .*| +.*)/) else { return String(line) }
      return "\(match.output.1)\(match.output.2)"
    }
    return lines.joined(separator: "\n")
  }

  @Test func changesNothingButTheJobs() throws {
    let standard = try settings("")
    for sources in Self.choices {
      let text = SampleFile(sources: sources).text
      #expect(try settings(text) == standard)
      let jobs = try load([:], yaml: text).jobs
      #expect(Set(jobs.map(\.scheduled.description.source)) == Set(sources.map { $0.name }))
    }
  }

  @Test func itsCommentsAreTheDefaults() throws {
    let standard = try settings("")
    // These settings have no default value. Rate limits are skipped, because `config` adds the service's own limits.
    let others: Set = ["database", "telemetry.listen", "sources.itunes.searches", "sources.itunes.lookups"]
    for sources in Self.choices {
      let made = try settings(Self.complete(SampleFile(sources: sources).text))
      #expect(made["database"] != standard["database"], "the comments were not read")
      for (name, value) in made where !others.contains(name) && !name.hasSuffix(".rate_limits") {
        #expect(value == standard[name], "\(name)")
      }
    }
  }

  @Test(arguments: [
    ("runs: { timeout: [1] }", "write it as in timeout: 24h"), ("runs: 5", "as in lease_ttl: 90s"),
    ("history: { retention: { a: b } }", "write it as in retention: forever"), ("5", "the file must have members"),
    ("retention: { runs: [] }", "write it as in runs: 400d"), ("jobs: daily", #"schedule: "@daily""#),
    ("sources: { pokeapi: { ttl: [] } }", "write it as in ttl: 20h"),
    ("sources: { jikan: { rate_limits: {} } }", "write it as in rate_limits: [3/1s, 60/60s"),
    ("sources: { itunes: { searches: [{ name: a }] } }", "write it as in - { name: "), ("a: [", "syncctl init"),
  ])
  func errorsNameTheLineToWrite(text: String, expected: String) throws {
    let error = try #require(fault([:], yaml: text))
    #expect(error.code == .configuration && error.description.contains(expected), "\(error)")
  }

  private static func text(_ path: String) throws -> String {
    var root = URL(filePath: #filePath)
    for _ in 1...4 { root.deleteLastPathComponent() }
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: ["small", "complete", "container"]) func examplesAreRead(name: String) throws {
    #expect(try !load([:], yaml: try Self.text("examples/\(name).yaml")).jobs.isEmpty)
  }

  @Test func theExampleOfContainersIsThatOfKubernetes() throws {
    func lines(_ path: String) throws -> [Substring] {
      try Self.text(path).split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    #expect(try lines("examples/container.yaml") == lines("deploy/kubernetes/base/syncctl.yaml"))
  }

  @Test func theCompleteExampleHasEverySetting() throws {
    let text = Self.complete(try Self.text("examples/complete.yaml"))
    #expect(try !load([:], yaml: text).jobs.isEmpty)
    typealias Keys = ConfigurationFile.Keys
    var below = [
      "database": Keys.database, "runs": Keys.runs, "history": Keys.history, "retention": Keys.retention,
      "jobs": Keys.job, "telemetry": Keys.telemetry, "web": Keys.web, "sources": Registry.names,
      "sources.itunes.searches": ITunesEntries.searchKeys, "sources.itunes.lookups": ITunesEntries.lookupKeys,
      "sources.itunes.charts": ITunesEntries.chartKeys,
    ]
    for source in Registry.sources { below["sources.\(source.name)"] = source.keys }
    let known = Keys.root + below.flatMap { place, keys in keys.map { "\(place).\($0)" } }
    #expect(Self.paths(text) == Set(known))
  }

  /// Returns the paths of all keys in a YAML text, for example `jobs.name`. Each line of the text has at most one key.
  private static func paths(_ text: String) -> Set<String> {
    var outer: [(indent: Int, key: String)] = []
    var paths: Set<String> = []
    for line in text.split(separator: "\n") {
      guard let match = line.prefixMatch(of: /( *(?:- )?)([a-z_]+):/) else { continue }
      let indent = match.output.1.count
      outer.removeAll { $0.indent >= indent }
      outer.append((indent, String(match.output.2)))
      paths.insert(outer.map { $0.key }.joined(separator: "."))
    }
    return paths
  }
}
